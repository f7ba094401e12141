#import "solids/solid.wgsl"
#import "solids/mooney-rivlin-solid-density.wgsl"

@compute @workgroup_size(64)
fn gaussSeidel(@builtin(global_invocation_id) id: vec3u) {
  tetGaussSeidel(id.x);
}

@compute @workgroup_size(64)
fn jacobi(@builtin(global_invocation_id) id: vec3u) {
  tetJacobi(id.x);
}

@compute @workgroup_size(64)
fn storedEnergy(@builtin(global_invocation_id) id: vec3u) {
  tetEnergy(id.x);
}
