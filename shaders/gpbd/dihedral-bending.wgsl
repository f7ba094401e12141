#import "gpbd/dihedral-solve.wgsl"

fn energyDensity(s: f32) -> f32 {
  return 0.5 * s * s;
}

fn energyGradient(s: f32) -> f32 {
  return s;
}

fn energyHessian(s: f32) -> f32 {
  return 1.0;
}

@compute @workgroup_size(64)
fn gaussSeidel(@builtin(global_invocation_id) id: vec3u) {
  hingeGaussSeidel(id.x);
}

@compute @workgroup_size(64)
fn jacobi(@builtin(global_invocation_id) id: vec3u) {
  hingeJacobi(id.x);
}
