#import "gpbd/step.wgsl"

// Keeps particles near places that an animation moves: twin of src/solvers/gpbd/range.ts.

struct ParticleRange {
  // place at the start of the frame [m]
  before: vec3f,
  // most distance from its place [m]; large for none
  maxDistance: f32,
  // the same at the end of the frame
  place: vec3f,
  // most distance behind its place [m]; large for none
  backstop: f32,
  // unit vector
  normal: vec3f,
}

@group(0) @binding(0) var<storage, read> start: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> displacement: array<vec4f>;
// see predict.wgsl
@group(0) @binding(2) var<storage, read> pins: array<vec4f>;
@group(0) @binding(3) var<storage, read> ranges: array<ParticleRange>;

@compute @workgroup_size(64)
fn holdInRange(@builtin(global_invocation_id) id: vec3u) {
  let p = id.x;
  if (p >= step.particleCount || !(pins[p].w > 0.0)) { return; }
  let own = ranges[p];
  let place = mix(own.before, own.place, step.fractionEnd);
  var offset = start[p].xyz + displacement[p].xyz - place;
  offset -= min(0.0, dot(offset, own.normal) + own.backstop) * own.normal;
  let distance = length(offset);
  if (distance > own.maxDistance) { offset *= own.maxDistance / distance; }
  displacement[p] = vec4f(place + offset - start[p].xyz, displacement[p].w);
}
