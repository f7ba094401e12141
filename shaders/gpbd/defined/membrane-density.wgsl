#import "gpbd/defined/functions.wgsl"

// A density of users on the Green strain of triangles (E_uu, E_uv, E_vv); see defined/solid-density.wgsl.

fn energyDensity(s: vec3f) -> f32 {
  return definedValue(array<f32, 3>(s.x, s.y, s.z));
}

fn energyGradient(s: vec3f) -> vec3f {
  let g = definedGradient(array<f32, 3>(s.x, s.y, s.z));
  return vec3f(g[0], g[1], g[2]);
}

fn energyHessian(s: vec3f) -> mat3x3f {
  let h = definedHessian(array<f32, 3>(s.x, s.y, s.z));
  return mat3x3f(h[0], h[1], h[3], h[1], h[2], h[4], h[3], h[4], h[5]);
}
