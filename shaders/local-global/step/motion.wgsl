#import "math/finite.wgsl"
#import "local-global/layout.wgsl"

// Start and end of a step: twin of `begin` and `finish` in group-body.ts.

@group(0) @binding(0) var<storage, read> bodies: array<LocalGlobalBody>;
@group(0) @binding(1) var<storage, read_write> bodyStates: array<LocalGlobalBodyState>;
// column and body
@group(0) @binding(2) var<storage, read> vertices: array<vec2u>;
@group(0) @binding(3) var<storage, read_write> start: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> velocity: array<vec4f>;
// target at the end of the frame [m], and how it is held
@group(0) @binding(5) var<storage, read> pins: array<vec4f>;
@group(0) @binding(6) var<storage, read_write> predicted: array<vec4f>;
@group(0) @binding(7) var<storage, read_write> displacement: array<vec4f>;
@group(1) @binding(0) var<uniform> step: LocalGlobalStep;

// q̃ = q⁻ + h (u + h g), u = v⁻/(1 + h c). Iterations start from q⁻ + h u, and held vertices from their targets: see `begin`.
@compute @workgroup_size(64)
fn predict(@builtin(global_invocation_id) id: vec3u) {
  let i = id.x;
  if (i >= step.vertexCount) { return; }
  let place = vertices[i].y;
  let body = bodies[place];
  var coast = step.h / (1.0 + step.h * body.damping) * velocity[i].xyz;
  var way = coast + (step.h * step.h * body.gravityFactor) * step.gravity;
  if (bodyStates[place].frozenAt != 0u) {
    coast = vec3f(0.0);
    way = vec3f(0.0);
  }
  predicted[i] = vec4f(way, predicted[i].w);
  displacement[i] = vec4f(select(coast, step.pinShare * (pins[i].xyz - start[i].xyz), pins[i].w == HELD_EXACTLY), 0.0);
}

const JUDGE_WIDTH = 128u;

var<workgroup> broken: atomic<u32>;

// A workgroup a body: whether all of it is finite.
@compute @workgroup_size(JUDGE_WIDTH)
fn judgeBodies(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let body = bodies[group.x];
  var found = 0u;
  for (var k = lane; k < body.vertexCount; k += JUDGE_WIDTH) {
    if (!isFinite3(displacement[body.firstVertex + k].xyz)) { found = 1u; }
  }
  if (found != 0u) { atomicStore(&broken, 1u); }
  workgroupBarrier();
  let mayFreeze = bodyStates[group.x].frozenAt == 0u && bodyStates[group.x].isHalted == 0u;
  if (lane == 0u && atomicLoad(&broken) != 0u && mayFreeze) { bodyStates[group.x].frozenAt = step.frame; }
}

// v = d/h, q⁻ ← q⁻ + d; held vertices are where they were to be. A body that is no longer finite stays at q⁻.
@compute @workgroup_size(64)
fn finish(@builtin(global_invocation_id) id: vec3u) {
  let i = id.x;
  if (i >= step.vertexCount) { return; }
  if (bodyStates[vertices[i].y].isHalted != 0u) { return; }
  if (bodyStates[vertices[i].y].frozenAt != 0u) {
    displacement[i] = vec4f(0.0);
    velocity[i] = vec4f(0.0);
    return;
  }
  let way = select(displacement[i].xyz, step.pinShare * (pins[i].xyz - start[i].xyz), pins[i].w == HELD_EXACTLY);
  let share = select(step.pace, 1.0, pins[i].w == HELD_EXACTLY);
  velocity[i] = vec4f(select(mix(predicted[i].xyz, way, share), way, share == 1.0) / step.h, 0.0);
  start[i] = vec4f(start[i].xyz + way, 0.0);
  displacement[i] = vec4f(0.0);
}
