#import "gpbd/cloth/link.wgsl"

// Entry points of every module of links; the importing module supplies solveDistance.

@compute @workgroup_size(64)
fn gaussSeidel(@builtin(global_invocation_id) id: vec3u) {
  linkGaussSeidel(id.x);
}

@compute @workgroup_size(64)
fn jacobi(@builtin(global_invocation_id) id: vec3u) {
  linkJacobi(id.x);
}
