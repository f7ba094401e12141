#import "gpbd/hylc/solve.wgsl"
#import "gpbd/defined/solid-density.wgsl"

fn hylcJet(s: Vector6) -> HylcJet {
  return HylcJet(energyDensity(s), energyGradient(s), energyHessian(s));
}

@compute @workgroup_size(64)
fn gaussSeidel(@builtin(global_invocation_id) id: vec3u) {
  hylcGaussSeidel(id.x);
}

@compute @workgroup_size(64)
fn jacobi(@builtin(global_invocation_id) id: vec3u) {
  hylcJacobi(id.x);
}
