#import "gpbd/cloth/bending.wgsl"
#import "gpbd/cloth/sheet-bending-solve.wgsl"

// `arity` an element; for sheets that are curved at rest three more, whose weights are the vectors then, in axes of the triangle
@group(0) @binding(5) var<storage, read> elements: array<BendingCorner>;

fn bendingCorner(i: u32) -> BendingCorner {
  return elements[i];
}

fn bendingDamping() -> f32 {
  return material.damping;
}

@compute @workgroup_size(64)
fn gaussSeidel(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= range.count) { return; }
  solveBending(range.first + id.x);
}

@compute @workgroup_size(64)
fn jacobi(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= range.count) { return; }
  solveBending(id.x);
}
