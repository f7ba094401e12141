#import "gpbd/cloth/membrane.wgsl"
#import "gpbd/cloth/neo-hookean-density.wgsl"

@compute @workgroup_size(64)
fn gaussSeidel(@builtin(global_invocation_id) id: vec3u) {
  membraneGaussSeidel(id.x);
}

@compute @workgroup_size(64)
fn jacobi(@builtin(global_invocation_id) id: vec3u) {
  membraneJacobi(id.x);
}
