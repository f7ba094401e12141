#import "gpbd/step.wgsl"
#import "gpbd/particles.wgsl"
#import "gpbd/cloth/membrane-solve.wgsl"

@group(0) @binding(5) var<storage, read> elements: array<MembraneElement>;
@group(0) @binding(6) var<uniform> material: MembraneMaterial;

fn membraneAt(e: u32) -> MembraneElement {
  return elements[e];
}

// Entry points of every module of membranes; the importing module supplies the density.

@compute @workgroup_size(64)
fn gaussSeidel(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < range.count) { sweepMembrane(range.first + id.x); }
}

@compute @workgroup_size(64)
fn jacobi(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < range.count) { shareMembrane(id.x); }
}
