#import "gpbd/hylc/solve.wgsl"

// Entry points of every module of HYLC cloth; the importing module supplies hylcJet.

@compute @workgroup_size(64)
fn gaussSeidel(@builtin(global_invocation_id) id: vec3u) {
  hylcGaussSeidel(id.x);
}

@compute @workgroup_size(64)
fn jacobi(@builtin(global_invocation_id) id: vec3u) {
  hylcJacobi(id.x);
}
