#import "gpbd/step.wgsl"
#import "air.wgsl"
#import "wind.wgsl"

// Drag of the air on the particles of rods: the mean of their edges.

@group(0) @binding(0) var<storage, read> start: array<vec4f>;
@group(0) @binding(1) var<storage, read> edges: array<vec2u>;
@group(0) @binding(2) var<storage, read> velocity: array<vec4f>;
// acceleration of each particle [m/s²]
@group(0) @binding(3) var<storage, read_write> particleAir: array<vec4f>;
// edges at each particle, as compressed rows: edge × 2 + end
@group(0) @binding(4) var<storage, read> edgeOffsets: array<u32>;
@group(0) @binding(5) var<storage, read> edgeEntries: array<u32>;

@compute @workgroup_size(64)
fn airOnRods(@builtin(global_invocation_id) id: vec3u) {
  let p = id.x;
  if (p >= step.particleCount) { return; }
  let first = edgeOffsets[p];
  let last = edgeOffsets[p + 1u];
  var sum = vec3f(0.0);
  for (var i = first; i < last; i++) {
    let ends = edges[edgeEntries[i] / 2u];
    let middle = 0.5 * (start[ends.x].xyz + start[ends.y].xyz);
    let wind = windAt(middle, step.wind) - (velocity[ends.x].xyz + velocity[ends.y].xyz) / 2.0;
    let edge = start[ends.y].xyz - start[ends.x].xyz;
    sum += edgeAirAcceleration(edge, wind, step.airDensity, step.drag, step.arealMass, step.airInterval);
  }
  particleAir[p] = vec4f(sum / max(1.0, f32(last - first)), 0.0);
}
