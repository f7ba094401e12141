#import "newton/bindings.wgsl"

// Islands that are too large for a workgroup, all in one system: the iteration of island.wgsl as passes over blocks and over
// bodies. What an invocation of island.wgsl has in registers is in memory here. Bodies gather from their blocks in a fixed
// order, and sums of all blocks are sums of those of the workgroups in their order, so results are bit-identical.
//
// The host encodes as many passes as there may be; which of them do something is decided here, in `control`.

struct BodyWork {
  // u
  velocity: vec3f,
  isStiffened: f32,
  spin: vec3f,
  place: u32,
  // M⁻¹ Jᵀ q
  response: vec3f,
  spinResponse: vec3f,
  keptVelocity: vec3f,
  keptSpin: vec3f,
  // δ
  offset: vec3f,
  freeRotation: vec4f,
  startPosition: vec3f,
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
const LARGE_PROGRESS = 0.9;
const LARGE_OVERLAP = 2e-6;

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
    if (lane < n) {
      sums[lane] = added(sums[lane], sums[lane + n]);
    }
    workgroupBarrier();
  }
  return sums[0];
}

fn workgroupCount(blockCount: u32) -> u32 {
  return (blockCount + LARGE_WIDTH - 1u) / LARGE_WIDTH;
}

fn sumOfPartials(lane: u32, count: u32) -> vec4f {
  var sum = vec4f(0.0);
  for (var i = lane; i < count; i += LARGE_WIDTH) {
    sum = added(sum, partials[i]);
  }
  return workgroupTotal(sum, lane);
}

fn sumOfMorePartials(lane: u32, count: u32) -> vec4f {
  var sum = vec4f(0.0);
  for (var i = lane; i < count; i += LARGE_WIDTH) {
    sum = added(sum, morePartials[i]);
  }
  return workgroupTotal(sum, lane);
}

fn blockTwists(b: Block) -> Twists {
  var u: Twists;
  if (b.localA != NONE) {
    u.linearA = bodyWorks[b.localA].velocity;
    u.spinA = bodyWorks[b.localA].spin;
  }
  if (b.localB != NONE) {
    u.linearB = bodyWorks[b.localB].velocity;
    u.spinB = bodyWorks[b.localB].spin;
  }
  return u;
}

// J M⁻¹ Jᵀ q of a block whose rows are in `works`
fn responseSpeed(k: u32, b: Block) -> vec3f {
  var u: Twists;
  if (b.localA != NONE) {
    u.linearA = bodyWorks[b.localA].response;
    u.spinA = bodyWorks[b.localA].spinResponse;
  }
  if (b.localB != NONE) {
    u.linearB = bodyWorks[b.localB].response;
    u.spinB = bodyWorks[b.localB].spinResponse;
  }
  return (u.linearB - u.linearA) * works[k].direction + u.spinA * works[k].turnA + u.spinB * works[k].turnB;
}

// --- bodies ---

// u = ũ, and what else the step needs of a body.
@compute @workgroup_size(LARGE_WIDTH)
fn predictBodies(@builtin(global_invocation_id) id: vec3u) {
  let i = id.x;
  let bodies = head(ISLAND_BODIES);
  if (i >= bodies) {
    return;
  }
  let places = head(ISLAND_PLACES);
  let place = lists[places + i];
  let body = inputs[place];
  let state = states[place];
  var stiffness = mat3x3f();
  if (head(ISLAND_ROWS) > 0u) {
    let first = lists[places + bodies + i];
    let end = lists[places + bodies + i + 1u];
    stiffness = jointStiffness(state.rotation, head(ISLAND_FIRST_BLOCK), first, end, step.substep == 0u);
  }
  let free = predict(body, state, stiffness, step.gravity, step.h);
  states[place].inverseInertia = free.inverseInertia;
  var b: BodyWork;
  b.velocity = free.velocity;
  b.spin = free.spin;
  b.isStiffened = free.isStiffened;
  b.place = place;
  b.offset = free.offset;
  b.freeRotation = free.rotation;
  b.startPosition = state.position;
  b.startRotation = state.rotation;
  bodyWorks[i] = b;
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

// of the linear problem
@compute @workgroup_size(LARGE_WIDTH)
fn respondBodies(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < head(ISLAND_BODIES) && control.state == NEWTON_GOES_ON) {
    gather(id.x);
  }
}

// u += M⁻¹ Jᵀ q, at the start and in the end
@compute @workgroup_size(LARGE_WIDTH)
fn followBodies(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < head(ISLAND_BODIES)) {
    gather(id.x);
    bodyWorks[id.x].velocity += bodyWorks[id.x].response;
    bodyWorks[id.x].spin += bodyWorks[id.x].spinResponse;
  }
}

// The same for a Newton step; poses of bodies with joints go along.
@compute @workgroup_size(LARGE_WIDTH)
fn stepBodies(@builtin(global_invocation_id) id: vec3u) {
  let i = id.x;
  if (i >= head(ISLAND_BODIES) || control.state != NEWTON_GOES_ON) {
    return;
  }
  gather(i);
  bodyWorks[i].keptVelocity = bodyWorks[i].velocity;
  bodyWorks[i].keptSpin = bodyWorks[i].spin;
  bodyWorks[i].velocity += bodyWorks[i].response;
  bodyWorks[i].spin += bodyWorks[i].spinResponse;
  if (head(ISLAND_ROWS) > 0u) {
    placeBody(i);
  }
}

fn placeBody(i: u32) {
  let b = bodyWorks[i];
  states[b.place].position = b.startPosition + step.h * b.velocity;
  if (canTurn(inputs[b.place])) {
    states[b.place].rotation = advancedRotation(b.startRotation, b.spin, b.offset, step.h);
  }
}

@compute @workgroup_size(LARGE_WIDTH)
fn restoreBodies(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < head(ISLAND_BODIES) && control.isRestored == 1u) {
    bodyWorks[id.x].velocity = bodyWorks[id.x].keptVelocity;
    bodyWorks[id.x].spin = bodyWorks[id.x].keptSpin;
  }
}

// Poses at the end of the step.
@compute @workgroup_size(LARGE_WIDTH)
fn placeBodies(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < head(ISLAND_BODIES)) {
    placeBody(id.x);
  }
}

@compute @workgroup_size(LARGE_WIDTH)
fn finishBodies(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= head(ISLAND_BODIES)) {
    return;
  }
  let b = bodyWorks[id.x];
  let body = inputs[b.place];
  let end = states[b.place];
  var spin = b.spin;
  if (b.isStiffened == 0.0) {
    spin = keptSpin(body, b.freeRotation, end.rotation, b.spin);
  }
  if (isFiniteVector(b.velocity) && isFiniteVector(b.spin) && isFiniteVector(end.position)) {
    states[b.place].velocity = limited(b.velocity, body.maxSpeed);
    states[b.place].spin = limited(spin, body.maxSpin);
  } else {
    states[b.place].position = b.startPosition;
    states[b.place].rotation = b.startRotation;
    states[b.place].velocity = vec3f(0.0);
    states[b.place].spin = vec3f(0.0);
    states[b.place].broken = 1.0;
  }
}

// --- blocks ---

@compute @workgroup_size(LARGE_WIDTH)
fn setUpBlocks(@builtin(global_invocation_id) id: vec3u) {
  let k = id.x;
  if (k >= head(ISLAND_BLOCKS)) {
    return;
  }
  let index = head(ISLAND_FIRST_BLOCK) + k;
  let b = blocks[index];
  let time = step.h * f32(step.substep);
  setUpBlock(b, time, step.h);
  updateValues(b, time);
  recallImpulse(b, index, step.substep == 0u);
  setBounce(b, startSpeed(b), speedOf(blockTwists(b)).x + w.ambient.x, step.h);
  w.q = w.impulse;
  works[k] = w;
}

// C of joints at the poses that a Newton step leads to.
@compute @workgroup_size(LARGE_WIDTH)
fn updateJoints(@builtin(global_invocation_id) id: vec3u) {
  let k = id.x;
  if (k >= head(ISLAND_BLOCKS)) {
    return;
  }
  let b = blocks[head(ISLAND_FIRST_BLOCK) + k];
  if (b.kind == BLOCK_JOINT) {
    updateValues(b, step.h * f32(step.substep + 1u));
    works[k].value = w.value;
  }
}

// The residual and the linear problem; its sums for `decide`.
fn evaluate(k: u32, isStart: bool) -> vec4f {
  let b = blocks[head(ISLAND_FIRST_BLOCK) + k];
  w = works[k];
  w.speed = speedOf(blockTwists(b)) + w.ambient;
  if (isStart) {
    // Joints are linearised where they stand: the start from zero velocity (67).
    w.value += step.h * w.speed;
  }
  let sum = linearise(b, step.h, step.regularisation);
  let diagonal = w.diagonal + w.shift;
  works[k].value = w.value;
  works[k].engaged = w.engaged;
  works[k].shift = w.shift;
  works[k].forced = w.forced;
  works[k].inverse = select(vec3f(0.0), w.engaged / diagonal, (diagonal > vec3f(0.0)) & (w.engaged > vec3f(0.0)));
  works[k].x = vec3f(0.0);
  works[k].r = w.rightSide;
  works[k].d = vec3f(0.0);
  works[k].ad = vec3f(0.0);
  works[k].q = w.forced;
  return sum;
}

@compute @workgroup_size(LARGE_WIDTH)
fn evaluateStart(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(local_invocation_index) lane: u32,
  @builtin(workgroup_id) group: vec3u,
) {
  var mine = vec4f(0.0);
  if (id.x < head(ISLAND_BLOCKS)) {
    mine = evaluate(id.x, true);
  }
  let sum = workgroupTotal(mine, lane);
  if (lane == 0u) {
    partials[group.x] = sum;
  }
}

@compute @workgroup_size(LARGE_WIDTH)
fn evaluateStep(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(local_invocation_index) lane: u32,
  @builtin(workgroup_id) group: vec3u,
) {
  var mine = vec4f(0.0);
  if (id.x < head(ISLAND_BLOCKS) && control.state == NEWTON_GOES_ON) {
    mine = evaluate(id.x, false);
  }
  let sum = workgroupTotal(mine, lane);
  if (lane == 0u) {
    partials[group.x] = sum;
  }
}

fn report(merit: f32) {
  control.notes++;
  if (control.notes < step.reportSize) {
    let at = head(ISLAND_REPORT) * step.reportSize;
    reports[at + control.notes] = merit;
    reports[at] = f32(control.notes);
  }
}

// One workgroup each.
@compute @workgroup_size(LARGE_WIDTH)
fn decideStart(@builtin(local_invocation_index) lane: u32) {
  let sum = sumOfPartials(lane, workgroupCount(head(ISLAND_BLOCKS)));
  if (lane != 0u) {
    return;
  }
  control.state = NEWTON_GOES_ON;
  control.isRestored = 0u;
  control.notes = 0u;
  control.merit = sqrt(sum.x);
  control.isForced = u32(sum.w > 0.0);
  control.linearIndex = 0u;
  control.isLinearDone = 0u;
  report(control.merit);
  if (step.safeguard == 1u && sum.z > LIVELY) {
    // Much has changed since the last step: sweeps settle the most.
    control.state = SWEEPS;
  } else if (sum.z <= step.tolerance && head(ISLAND_ROWS) == 0u) {
    control.state = SOLVED;
  }
}

@compute @workgroup_size(LARGE_WIDTH)
fn decideStep(@builtin(local_invocation_index) lane: u32) {
  let sum = sumOfPartials(lane, workgroupCount(head(ISLAND_BLOCKS)));
  if (lane != 0u || control.state != NEWTON_GOES_ON) {
    return;
  }
  let merit = sqrt(sum.x);
  report(merit);
  if (sum.z <= step.tolerance) {
    control.state = SOLVED;
  } else if (step.safeguard == 1u && !(merit < LARGE_PROGRESS * control.merit)) {
    control.state = SWEEPS;
    control.isRestored = u32(!(merit < control.merit));
  }
  control.merit = merit;
  control.isForced = u32(sum.w > 0.0);
  control.linearIndex = 0u;
  control.isLinearDone = 0u;
}

// Conjugate residuals (8.2), after the response to the forced impulses is there: r, z.
@compute @workgroup_size(LARGE_WIDTH)
fn beginLinear(@builtin(global_invocation_id) id: vec3u) {
  let k = id.x;
  if (k >= head(ISLAND_BLOCKS) || control.state != NEWTON_GOES_ON) {
    return;
  }
  var r = works[k].r;
  if (control.isForced == 1u) {
    let b = blocks[head(ISLAND_FIRST_BLOCK) + k];
    r -= works[k].engaged * responseSpeed(k, b);
  }
  works[k].r = r;
  works[k].q = works[k].inverse * r;
}

// A z, z · A z and r · z; z is q
@compute @workgroup_size(LARGE_WIDTH)
fn multiplyLinear(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(local_invocation_index) lane: u32,
  @builtin(workgroup_id) group: vec3u,
) {
  let k = id.x;
  var mine = vec4f(0.0);
  if (k < head(ISLAND_BLOCKS) && control.state == NEWTON_GOES_ON) {
    let b = blocks[head(ISLAND_FIRST_BLOCK) + k];
    let z = works[k].q;
    let az = works[k].engaged * (responseSpeed(k, b) + works[k].shift * z);
    works[k].az = az;
    mine = vec4f(dot(z, az), dot(works[k].r, z), 0.0, 0.0);
  }
  let sum = workgroupTotal(mine, lane);
  if (lane == 0u) {
    partials[group.x] = sum;
  }
}

// search direction
@compute @workgroup_size(LARGE_WIDTH)
fn directLinear(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(local_invocation_index) lane: u32,
  @builtin(workgroup_id) group: vec3u,
) {
  let k = id.x;
  let blockCount = head(ISLAND_BLOCKS);
  let now = sumOfPartials(lane, workgroupCount(blockCount));
  workgroupBarrier();
  let isFirst = control.linearIndex == 0u;
  let isEven = (control.linearIndex & 1u) == 0u;
  let before = select(control.zazEven, control.zazOdd, isEven);
  let enough = select(control.enough, step.linearTolerance * step.linearTolerance * now.y, isFirst);
  let isDone = !(now.x > 1e-30) || (!isFirst && now.y <= enough);
  var mine = vec4f(0.0);
  if (k < blockCount && control.state == NEWTON_GOES_ON && control.isLinearDone == 0u && !isDone) {
    let beta = select(now.x / max(before, 1e-30), 0.0, isFirst);
    let d = works[k].q + beta * works[k].d;
    let ad = works[k].az + beta * works[k].ad;
    works[k].d = d;
    works[k].ad = ad;
    mine.x = dot(ad, works[k].inverse * ad);
    // the same for all
    mine.z = now.x;
    mine.w = 1.0;
  }
  let sum = workgroupTotal(mine, lane);
  if (lane == 0u) {
    morePartials[group.x] = sum;
  }
}

// x, r and z
@compute @workgroup_size(LARGE_WIDTH)
fn stepLinear(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) lane: u32) {
  let k = id.x;
  let blockCount = head(ISLAND_BLOCKS);
  let now = sumOfMorePartials(lane, workgroupCount(blockCount));
  // w tells whether the iteration goes on
  if (k >= blockCount || control.state != NEWTON_GOES_ON || now.w == 0.0 || !(now.x > 1e-30)) {
    return;
  }
  let alpha = now.z / now.x;
  let r = works[k].r - alpha * works[k].ad;
  works[k].x += alpha * works[k].d;
  works[k].r = r;
  works[k].q = works[k].inverse * r;
}

// The scalars of the next linear iteration; one workgroup.
@compute @workgroup_size(LARGE_WIDTH)
fn nextLinear(@builtin(local_invocation_index) lane: u32) {
  let count = workgroupCount(head(ISLAND_BLOCKS));
  let first = sumOfPartials(lane, count);
  workgroupBarrier();
  let second = sumOfMorePartials(lane, count);
  if (lane != 0u) {
    return;
  }
  if (control.linearIndex == 0u) {
    control.enough = step.linearTolerance * step.linearTolerance * first.y;
  }
  if (second.w == 0.0 || !(second.x > 1e-30)) {
    control.isLinearDone = 1u;
  }
  if ((control.linearIndex & 1u) == 0u) {
    control.zazEven = first.x;
  } else {
    control.zazOdd = first.x;
  }
  control.linearIndex++;
}

// p += t Δp
@compute @workgroup_size(LARGE_WIDTH)
fn stepBlocks(@builtin(global_invocation_id) id: vec3u) {
  let k = id.x;
  if (k >= head(ISLAND_BLOCKS) || control.state != NEWTON_GOES_ON) {
    return;
  }
  let change = step.damping * select(works[k].forced, works[k].x, works[k].engaged > vec3f(0.0));
  works[k].kept = works[k].impulse;
  works[k].keptValue = works[k].value;
  works[k].impulse += change;
  works[k].q = change;
}

// Before sweeps.
@compute @workgroup_size(LARGE_WIDTH)
fn prepareSweeps(@builtin(global_invocation_id) id: vec3u) {
  let k = id.x;
  if (k >= head(ISLAND_BLOCKS)) {
    return;
  }
  if (control.isRestored == 1u) {
    works[k].impulse = works[k].kept;
    works[k].value = works[k].keptValue;
  }
  let b = blocks[head(ISLAND_FIRST_BLOCK) + k];
  w = works[k];
  w.speed = speedOf(blockTwists(b)) + w.ambient;
  works[k].rest = rowRest(step.h);
}

fn sweepColour(k: u32) {
  let b = blocks[head(ISLAND_FIRST_BLOCK) + k];
  if (b.colour != step.colour) {
    return;
  }
  w = works[k];
  let u = sweptBlock(b, blockTwists(b), w.rest);
  works[k].impulse = w.impulse;
  if (b.localA != NONE) {
    bodyWorks[b.localA].velocity = u.linearA;
    bodyWorks[b.localA].spin = u.spinA;
  }
  if (b.localB != NONE) {
    bodyWorks[b.localB].velocity = u.linearB;
    bodyWorks[b.localB].spin = u.spinB;
  }
}

@compute @workgroup_size(LARGE_WIDTH)
fn sweepBlocks(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < head(ISLAND_BLOCKS) && control.state == SWEEPS) {
    sweepColour(id.x);
  }
}

// Impulses become admissible.
@compute @workgroup_size(LARGE_WIDTH)
fn finishBlocks(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(local_invocation_index) lane: u32,
  @builtin(workgroup_id) group: vec3u,
) {
  let k = id.x;
  var mine = vec4f(0.0);
  if (k < head(ISLAND_BLOCKS)) {
    let b = blocks[head(ISLAND_FIRST_BLOCK) + k];
    w = works[k];
    let p = admissible(b, w.impulse);
    works[k].q = p - w.impulse;
    works[k].impulse = p;
    if (b.kind != BLOCK_JOINT && w.gap < -LARGE_OVERLAP && p.x > 0.0) {
      mine.z = 1.0;
    }
  }
  let sum = workgroupTotal(mine, lane);
  if (lane == 0u) {
    partials[group.x] = sum;
  }
}

@compute @workgroup_size(LARGE_WIDTH)
fn decideFinish(@builtin(local_invocation_index) lane: u32) {
  let sum = sumOfPartials(lane, workgroupCount(head(ISLAND_BLOCKS)));
  if (lane == 0u) {
    control.overlaps = u32(sum.z > 0.0);
  }
}

// Arms from where bodies are now, so that momenta are kept, and no push where they overlapped.
@compute @workgroup_size(LARGE_WIDTH)
fn relaxBlocks(@builtin(global_invocation_id) id: vec3u) {
  let k = id.x;
  if (k >= head(ISLAND_BLOCKS) || control.overlaps == 0u) {
    return;
  }
  let b = blocks[head(ISLAND_FIRST_BLOCK) + k];
  w = works[k];
  if (b.kind != BLOCK_JOINT) {
    let time = step.h * f32(step.substep + 1u);
    setArms(w.point - poseOf(b.placeA, time).position, w.point - poseOf(b.placeB, time).position);
    var inverseA = mat3x3f();
    var inverseB = mat3x3f();
    if (b.localA != NONE) {
      inverseA = states[b.placeA].inverseInertia;
    }
    if (b.localB != NONE) {
      inverseB = states[b.placeB].inverseInertia;
    }
    setResponse(inverseA, inverseB);
    w.bias = select(max(w.bias, 0.0), w.bias, w.bounces > 0.0);
  }
  w.speed = speedOf(blockTwists(b)) + w.ambient;
  w.rest = rowRest(step.h);
  works[k] = w;
}

@compute @workgroup_size(LARGE_WIDTH)
fn relaxColour(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < head(ISLAND_BLOCKS) && control.overlaps == 1u) {
    sweepColour(id.x);
  }
}

@compute @workgroup_size(LARGE_WIDTH)
fn keepImpulses(@builtin(global_invocation_id) id: vec3u) {
  let k = id.x;
  if (k >= head(ISLAND_BLOCKS)) {
    return;
  }
  let index = head(ISLAND_FIRST_BLOCK) + k;
  w = works[k];
  keepImpulse(blocks[index], index);
}
