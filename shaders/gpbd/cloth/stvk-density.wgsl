// Orthotropic Saint Venant-Kirchhoff; twin of src/materials/stvk-membrane.ts. Coefficients: C_uu, C_uv, C_vv, G [N/m].
fn energyDensity(s: vec3f) -> f32 {
  let c = material.coefficients;
  return 0.5 * c.x * s.x * s.x + c.y * s.x * s.z + 0.5 * c.z * s.z * s.z + 2.0 * c.w * s.y * s.y;
}

fn energyGradient(s: vec3f) -> vec3f {
  let c = material.coefficients;
  return vec3f(c.x * s.x + c.y * s.z, 4.0 * c.w * s.y, c.y * s.x + c.z * s.z);
}

fn energyHessian(s: vec3f) -> mat3x3f {
  let c = material.coefficients;
  return mat3x3f(c.x, 0.0, c.y, 0.0, 4.0 * c.w, 0.0, c.y, 0.0, c.z);
}
