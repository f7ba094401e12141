#import "gpbd/step.wgsl"
#import "gpbd/particles.wgsl"
#import "gpbd/cloth/membrane-solve.wgsl"

@group(0) @binding(5) var<storage, read> elements: array<MembraneElement>;
@group(0) @binding(6) var<uniform> material: MembraneMaterial;

fn membraneAt(e: u32) -> MembraneElement {
  return elements[e];
}

fn membraneGaussSeidel(invocation: u32) {
  if (invocation < range.count) {
    sweepMembrane(range.first + invocation);
  }
}

fn membraneJacobi(e: u32) {
  if (e < range.count) {
    shareMembrane(e);
  }
}
