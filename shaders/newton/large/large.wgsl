#import "newton/bindings.wgsl"

// Islands that are too large for a workgroup, all in one system: the iteration of island.wgsl as passes over blocks and over
// bodies. Values that an invocation of island.wgsl has in registers are in memory here. Bodies gather from their blocks in a fixed
// order, and sums of all blocks are sums of those of the workgroups in their order, so results are bit-identical.
//
// The host encodes as many passes as there may be; the GPU decides in `control` which of them do something.

struct BodyWork {
  // u
  velocity: vec3f,
  isStiffened: f32,
  spin: vec3f,
  place: u32,
  // M⁻¹ Jᵀ q
  response: vec3f,
  // of a step of a coupled system: largest change of the velocity [m/s]
  change: f32,
  spinResponse: vec3f,
  keptVelocity: vec3f,
  keptSpin: vec3f,
  // δ
  offset: vec3f,
  freeRotation: vec4f,
  startPosition: vec3f,
  startLow: vec3f,
  startRotation: vec4f,
}

struct Control {
  state: u32,
  // Newton's last iterate is to be taken back
  isRestored: u32,
  isForced: u32,
  isLinearDone: u32,
  linearIndex: u32,
  overlaps: u32,
  notes: u32,
  merit: f32,
  enough: f32,
  // z · A z of the last iteration and of this, in turn
  zazEven: f32,
  zazOdd: f32,
}

// what goes on: Newton's iteration, or sweeps because much has changed or a Newton step failed, or nothing any more
const NEWTON_GOES_ON = 0u;
const SWEEPS = 1u;
const SOLVED = 2u;

const LARGE_WIDTH = 64u;
// Residual [m/s] from which on a large island is left to sweeps.
const LIVELY = 0.2;

@group(0) @binding(7) var<storage, read_write> reports: array<f32>;
@group(0) @binding(8) var<storage, read_write> works: array<Work>;
@group(0) @binding(9) var<storage, read_write> bodyWorks: array<BodyWork>;
@group(0) @binding(10) var<storage, read_write> control: Control;
// sums of the workgroups
@group(0) @binding(11) var<storage, read_write> partials: array<vec4f>;
@group(0) @binding(12) var<storage, read_write> morePartials: array<vec4f>;

var<workgroup> sums: array<vec4f, LARGE_WIDTH>;

fn head(field: u32) -> u32 {
  return lists[ISLAND_SIZE * step.firstIsland + field];
}

fn added(a: vec4f, b: vec4f) -> vec4f {
  return vec4f(a.xy + b.xy, max(a.zw, b.zw));
}

// Over the workgroup: sums of x and y, the largest z and w. Every invocation has to call it.
fn workgroupTotal(v: vec4f, lane: u32) -> vec4f {
  sums[lane] = v;
  workgroupBarrier();
  for (var n = LARGE_WIDTH / 2u; n > 0u; n >>= 1u) {
    if (lane < n) { sums[lane] = added(sums[lane], sums[lane + n]); }
    workgroupBarrier();
  }
  return sums[0];
}

fn workgroupCount(blockCount: u32) -> u32 {
  return (blockCount + LARGE_WIDTH - 1u) / LARGE_WIDTH;
}

fn sumOfPartials(lane: u32, count: u32) -> vec4f {
  var sum = vec4f(0.0);
  for (var i = lane; i < count; i += LARGE_WIDTH) { sum = added(sum, partials[i]); }
  return workgroupTotal(sum, lane);
}

fn sumOfMorePartials(lane: u32, count: u32) -> vec4f {
  var sum = vec4f(0.0);
  for (var i = lane; i < count; i += LARGE_WIDTH) { sum = added(sum, morePartials[i]); }
  return workgroupTotal(sum, lane);
}

fn blockTwists(b: Block) -> Twists {
  var u: Twists;
  if (b.localA != NONE) { u.a = Twist(bodyWorks[b.localA].velocity, bodyWorks[b.localA].spin); }
  if (b.localB != NONE) { u.b = Twist(bodyWorks[b.localB].velocity, bodyWorks[b.localB].spin); }
  return u;
}

// J M⁻¹ Jᵀ q of a block whose rows are in `works`
fn responseSpeed(k: u32, b: Block) -> vec3f {
  var u: Twists;
  if (b.localA != NONE) { u.a = Twist(bodyWorks[b.localA].response, bodyWorks[b.localA].spinResponse); }
  if (b.localB != NONE) { u.b = Twist(bodyWorks[b.localB].response, bodyWorks[b.localB].spinResponse); }
  return (u.b.linear - u.a.linear) * works[k].direction + u.a.spin * works[k].turnA + u.b.spin * works[k].turnB;
}

// response = M⁻¹ Jᵀ q
fn gather(i: u32) {
  let places = head(ISLAND_PLACES);
  let bodies = head(ISLAND_BODIES);
  var f = vec3f(0.0);
  var t = vec3f(0.0);
  for (var n = lists[places + bodies + i]; n < lists[places + bodies + i + 1u]; n++) {
    let entry = lists[n];
    let k = entry >> 1u;
    let q = works[k].q;
    if ((entry & 1u) == 1u) {
      f += works[k].direction * q;
      t += works[k].turnB * q;
    } else {
      f -= works[k].direction * q;
      t += works[k].turnA * q;
    }
  }
  let place = bodyWorks[i].place;
  bodyWorks[i].response = states[place].inverseMass * f;
  bodyWorks[i].spinResponse = states[place].inverseInertia * t;
}

// Pose of a body at its velocity.
fn placeBody(i: u32) {
  let b = bodyWorks[i];
  setPosition(b.place, moved(b.startPosition, b.startLow, step.h * b.velocity));
  if (canTurn(inputs[b.place])) {
    states[b.place].rotation = advancedRotation(b.startRotation, b.spin, b.offset, step.h);
  }
}
