#import "gpbd/step.wgsl"
#import "guard/guard-state.wgsl"
#import "guard/body-sums.wgsl"
#import "surface/range.wgsl"

// Bodies that step together with an account of their solids' energy. Partners are those whose energy is not in it. Twin of work, giveBack and
// shareMomentum in cpu-surfaces.ts.

@group(0) @binding(0) var<storage, read_write> start: array<vec4f>;
// w: inverse mass over 1 + Δt damping [1/kg], 0 when pinned
@group(0) @binding(1) var<storage, read_write> displacement: array<vec4f>;
// by contact of surfaces in this substep, of all bodies [m]
@group(0) @binding(2) var<storage, read_write> surfacePushed: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> guardSums: array<BodySums>;
@group(0) @binding(4) var<storage, read> guard: GuardState;
// x − x⁻ of all bodies, once that was shortened where surfaces would pass through each other [m]
@group(0) @binding(5) var<storage, read> surfaceShift: array<vec4f>;
// see exchange.wgsl
@group(0) @binding(6) var<storage, read_write> clearance: array<f32>;
// see bounds.wgsl
@group(0) @binding(7) var<storage, read> held: array<vec4f>;
@group(1) @binding(1) var<uniform> part: SurfaceRange;

// At the start of a substep.
@compute @workgroup_size(64)
fn clearPushes(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < arrayLength(&surfacePushed)) { surfacePushed[id.x] = vec4f(0.0); }
}

// After a projection: as in exchange.wgsl, and it is noted.
@compute @workgroup_size(64)
fn scatterPushes(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= part.count) { return; }
  let push = surfaceShift[part.first + id.x].xyz - displacement[id.x].xyz;
  clearance[id.x] -= length(push);
  displacement[id.x] += vec4f(push, 0.0);
  surfacePushed[part.first + id.x] += vec4f(push, 0.0);
}

// Of a shortened displacement velocities keep what no other particle takes up.
@compute @workgroup_size(64)
fn scatterPlaces(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= part.count) { return; }
  let p = part.first + id.x;
  let back = surfaceShift[p].xyz - displacement[id.x].xyz;
  let kept = held[(arrayLength(&held) >> 1u) + p].xyz;
  clearance[id.x] -= length(back);
  start[id.x] += vec4f(kept, 0.0);
  displacement[id.x] += vec4f(back - kept, 0.0);
  surfacePushed[p] += vec4f(back - kept, 0.0);
}

// Work that contact did on it.
@compute @workgroup_size(64)
fn sumWork(@builtin(global_invocation_id) id: vec3u) {
  let count = (part.count + GUARD_CHUNK - 1u) / GUARD_CHUNK;
  if (id.x >= count) { return; }
  var work = 0.0;
  for (var p = id.x; p < part.count; p += count) {
    let u = displacement[p];
    if (u.w > 0.0) { work += dot(surfacePushed[part.first + p].xyz, u.xyz) / (step.h * step.h * u.w); }
  }
  guardSums[id.x].work = work;
}

// Impulses of contact count for a share only: it has come to where it is from elsewhere.
@compute @workgroup_size(64)
fn giveBack(@builtin(global_invocation_id) id: vec3u) {
  let p = id.x;
  if (p >= part.count || guard.share >= 1.0) { return; }
  let back = (1.0 - guard.share) * surfacePushed[part.first + p].xyz;
  start[p] += vec4f(back, 0.0);
  displacement[p] -= vec4f(back, 0.0);
}
