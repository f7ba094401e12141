#import "surface/turn-body.wgsl"
#import "gpbd/read-particles.wgsl"
#import "gpbd/access/set-displacement.wgsl"
#import "gpbd/access/set-clearance.wgsl"

// Particles of a body into the common list and back.

// x − x⁻ before limits shorten it; w: 1 + the pair that holds the particle, or 0
@group(0) @binding(5) var<storage, read_write> held: array<vec4f>;

fn clearanceOf(p: u32) -> f32 {
  return clearance[p];
}

@compute @workgroup_size(64)
fn gatherSurface(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= part.count) { return; }
  surfaceStart[part.first + id.x] = start[id.x];
  surfaceShift[part.first + id.x] = displacement[id.x];
  held[part.first + id.x] = vec4f(displacement[id.x].xyz, 0.0);
}

// Of a body whose displacements are there.
@compute @workgroup_size(64)
fn gatherStart(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < part.count) { surfaceStart[part.first + id.x] = start[id.x]; }
}

@compute @workgroup_size(64)
fn scatterSurface(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= part.count) { return; }
  let shift = surfaceShift[part.first + id.x];
  // It was found where the particle was before.
  clearance[id.x] -= length(shift.xyz - displacement[id.x].xyz);
  displacement[id.x] = shift;
}

// At the end of a turn: what bodies have gone in all of its substeps.
@compute @workgroup_size(64)
fn gatherTurn(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < part.count) { takeTurn(id.x); }
}

@compute @workgroup_size(64)
fn scatterTurn(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < part.count) { giveTurn(id.x, surfaceShift[part.first + id.x].xyz); }
}

// From the second half of the list, see gathered.wgsl.
@compute @workgroup_size(64)
fn scatterGathered(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < part.count) { giveTurn(id.x, surfaceShift[(arrayLength(&surfaceShift) >> 1u) + part.first + id.x].xyz); }
}
