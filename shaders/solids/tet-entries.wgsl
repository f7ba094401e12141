#import "solids/tetrahedron.wgsl"
#import "solids/quadratic.wgsl"

// Entry points of every module of tetrahedra; the importing module supplies solveTet and storedDensity.

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

@compute @workgroup_size(64)
fn gaussSeidel10(@builtin(global_invocation_id) id: vec3u) {
  quadraticGaussSeidel(id.x);
}

@compute @workgroup_size(64)
fn jacobi10(@builtin(global_invocation_id) id: vec3u) {
  quadraticJacobi(id.x);
}

@compute @workgroup_size(64)
fn storedEnergy10(@builtin(global_invocation_id) id: vec3u) {
  quadraticEnergy(id.x);
}
