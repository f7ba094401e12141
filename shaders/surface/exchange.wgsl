#import "surface/range.wgsl"

// Particles of a body into the common list and back.

@group(1) @binding(0) var<uniform> part: SurfaceRange;
// of the body, see particles.wgsl
@group(0) @binding(0) var<storage, read> start: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> displacement: array<vec4f>;
// of all bodies
@group(0) @binding(2) var<storage, read_write> surfaceStart: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> surfaceShift: array<vec4f>;
// of the body: at least so far from all obstacles, see near-obstacles.wgsl
@group(0) @binding(4) var<storage, read_write> clearance: array<f32>;

@compute @workgroup_size(64)
fn gatherSurface(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= part.count) {
    return;
  }
  surfaceStart[part.first + id.x] = start[id.x];
  surfaceShift[part.first + id.x] = displacement[id.x];
}

// Of a body whose displacements are there.
@compute @workgroup_size(64)
fn gatherStart(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < part.count) {
    surfaceStart[part.first + id.x] = start[id.x];
  }
}

@compute @workgroup_size(64)
fn scatterSurface(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= part.count) {
    return;
  }
  let shift = surfaceShift[part.first + id.x];
  // It was found where the particle was before.
  clearance[id.x] -= length(shift.xyz - displacement[id.x].xyz);
  displacement[id.x] = shift;
}
