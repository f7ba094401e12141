#import "gpbd/step.wgsl"
#import "collision/contact/sweep.wgsl"

// Obstacles stay in the way of particles that turn-back.wgsl has turned back: twin of `land` in turn-back.ts.

// x [m]
@group(0) @binding(0) var<storage, read_write> start: array<vec4f>;
// how far they are turned back [m]
@group(0) @binding(1) var<storage, read> displacement: array<vec4f>;
// see finish.wgsl
@group(0) @binding(2) var<storage, read_write> clearance: array<f32>;

// As in turn-back.ts
const LANDINGS = 2u;

@compute @workgroup_size(64)
fn land(@builtin(global_invocation_id) id: vec3u) {
  let p = id.x;
  if (p >= step.particleCount) {
    return;
  }
  var u = displacement[p].xyz;
  if (all(u == vec3f(0.0))) {
    return;
  }
  let origin = start[p];
  for (var k = 0u; k < LANDINGS * step.colliderCount; k++) {
    let found = sweepContact(k % step.colliderCount, origin.xyz, u, step.thickness, 1.0, 1.0, false);
    u += found.push * found.normal;
  }
  start[p] = vec4f(origin.xyz + u, origin.w);
  clearance[p] -= length(u);
}
