#import "gpbd/step.wgsl"
#import "rods/rod-frame.wgsl"

// Edges of rods at the start and at the end of a substep; twin of cpu-rods.ts.

struct RodEdge {
  vertices: vec2u,
  // J [kg m²]
  inertia: f32,
  // 2 × joint + side of the joints at its start and end; none: noJoint
  before: u32,
  after: u32,
}

const noJoint = 0xffffffffu;

@group(0) @binding(0) var<storage, read> start: array<vec4f>;
@group(0) @binding(1) var<storage, read> displacement: array<vec4f>;
@group(0) @binding(2) var<storage, read> edges: array<RodEdge>;
@group(0) @binding(3) var<storage, read_write> frames: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> turns: array<vec4f>;
@group(0) @binding(5) var<storage, read> trackedTurns: array<vec2f>;

struct RodEdgeCount {
  count: u32,
}

@group(0) @binding(6) var<uniform> rodEdges: RodEdgeCount;

fn trackedTurn(slot: u32) -> f32 {
  if (slot == noJoint) { return 0.0; }
  return trackedTurns[slot >> 1u][slot & 1u];
}

// φ̃ = Δt ω, with the part of the last substep's that it begins with.
@compute @workgroup_size(64)
fn predictEdges(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= rodEdges.count) { return; }
  let edge = edges[id.x];
  let rate = turns[id.x].z;
  let isClamped = displacement[edge.vertices.x].w == 0.0 && displacement[edge.vertices.y].w == 0.0;
  if (isClamped) {
    turns[id.x] = vec4f(0.0, 0.0, rate, 0.0);
    return;
  }
  var turn = step.decay * step.h * rate;
  if (step.warmStart > 0.0) { turn += step.warmStart * (trackedTurn(edge.before) + trackedTurn(edge.after)); }
  turns[id.x] = vec4f(turn, step.decay / edge.inertia, rate, 0.0);
}

// Frames go along with their edges. After `finish`: positions are those at the end.
@compute @workgroup_size(64)
fn finishEdges(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= rodEdges.count) { return; }
  let vertices = edges[id.x].vertices;
  let e = start[vertices.y].xyz - start[vertices.x].xyz;
  var turn = turns[id.x].x;
  // By the exponent bits: shader compilers may assume that floats are never NaN.
  if ((bitcast<u32>(turn) & 0x7f800000u) == 0x7f800000u) { turn = 0.0; }
  let isEased = step.pace < 1.0 && turns[id.x].y > 0.0;
  turns[id.x].z = select(turn / step.h, mix(turns[id.x].z, turn / step.h, step.pace), isEased);
  let size = length(e);
  if (size > 0.0) { frames[id.x] = carryFrame(frames[id.x], e / size, turn); }
}
