#import "gpbd/cloth/dihedral-solve.wgsl"
#import "gpbd/defined/scalar-density.wgsl"

@compute @workgroup_size(64)
fn gaussSeidel(@builtin(global_invocation_id) id: vec3u) {
  hingeGaussSeidel(id.x);
}

@compute @workgroup_size(64)
fn jacobi(@builtin(global_invocation_id) id: vec3u) {
  hingeJacobi(id.x);
}
