// New particles of a tear begin where the particles that they come from are, and as fast.

// x⁻ [m]
@group(0) @binding(0) var<storage, read_write> start: array<vec4f>;
// [m/s]
@group(0) @binding(1) var<storage, read_write> velocity: array<vec4f>;
// lower bound of the distance to every obstacle [m]
@group(0) @binding(2) var<storage, read_write> clearance: array<f32>;
// how many there are, then from and to of each
@group(0) @binding(3) var<storage, read> splits: array<u32>;

@compute @workgroup_size(64)
fn splitParticles(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= splits[0]) { return; }
  let origin = splits[1u + 2u * id.x];
  let particle = splits[2u + 2u * id.x];
  start[particle] = start[origin];
  velocity[particle] = velocity[origin];
  clearance[particle] = clearance[origin];
}
