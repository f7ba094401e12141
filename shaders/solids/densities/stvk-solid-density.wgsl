// Saint Venant-Kirchhoff; twin of src/materials/stvk-solid.ts. Coefficients: µ, λ [Pa].
fn energyDensity(s: Vector6) -> f32 {
  let trace = s.normal.x + s.normal.y + s.normal.z;
  let squares = dot(s.normal, s.normal) + 2.0 * dot(s.shear, s.shear);
  return material.coefficients.x * squares + 0.5 * material.coefficients.y * trace * trace;
}

fn energyGradient(s: Vector6) -> Vector6 {
  let trace = s.normal.x + s.normal.y + s.normal.z;
  let mu = material.coefficients.x;
  return Vector6(2.0 * mu * s.normal + material.coefficients.y * trace, 4.0 * mu * s.shear);
}

fn energyHessian(s: Vector6) -> Symmetric6 {
  let mu = material.coefficients.x;
  let l = material.coefficients.y;
  let d = l + 2.0 * mu;
  return Symmetric6(
    mat3x3f(d, l, l, l, d, l, l, l, d),
    mat3x3f(),
    mat3x3f(4.0 * mu, 0.0, 0.0, 0.0, 4.0 * mu, 0.0, 0.0, 0.0, 4.0 * mu),
  );
}
