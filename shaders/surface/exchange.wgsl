// Particles of a body into the common list and back.

struct SurfaceRange {
  // of the body's particles in the common list
  first: u32,
  count: u32,
}

@group(1) @binding(0) var<uniform> part: SurfaceRange;
// of the body, see particles.wgsl
@group(0) @binding(0) var<storage, read> start: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> displacement: array<vec4f>;
// of all bodies
@group(0) @binding(2) var<storage, read_write> surfaceStart: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> surfaceShift: array<vec4f>;

@compute @workgroup_size(64)
fn gatherSurface(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= part.count) {
    return;
  }
  surfaceStart[part.first + id.x] = start[id.x];
  surfaceShift[part.first + id.x] = displacement[id.x];
}

@compute @workgroup_size(64)
fn scatterSurface(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= part.count) {
    return;
  }
  displacement[id.x] = surfaceShift[part.first + id.x];
}
