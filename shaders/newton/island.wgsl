#import "newton/bindings.wgsl"

// A whole island in one workgroup: all steps of a frame in one dispatch. Invocation i has block i of the island, with its rows
// and the vectors of the linear problem in registers, and body i, whose velocity the others see in workgroup memory.
//
// A product with the matrix is J M⁻¹ Jᵀ x: blocks publish their wrenches, bodies gather those that act on them, always in the
// same order, and blocks read the responses.

override WIDTH: u32 = 64u;
override BODIES: u32 = 64u;

@group(0) @binding(7) var<storage, read_write> reports: array<f32>;

// linear and angular velocity, 6 numbers a body
var<workgroup> motion: array<f32, BODIES * 6u>;
// M⁻¹ Jᵀ x, likewise
var<workgroup> response: array<f32, BODIES * 6u>;
// of each block: force, moment on A, moment on B; also the scratch of sums
var<workgroup> wrenches: array<f32, WIDTH * 9u>;
var<workgroup> partial: array<vec4f, 16>;
var<workgroup> result: vec4f;

// this invocation's body and block, if it has them
var<private> hasBody: bool;
var<private> hasBlock: bool;
var<private> lane: u32;
var<private> place: u32;
var<private> body: BodyInput;
var<private> free: FreeMotion;
var<private> start: BodyState;
var<private> heldLinear: vec3f;
var<private> heldSpin: vec3f;
var<private> bestLinear: vec3f;
var<private> bestSpin: vec3f;
var<private> own: Block;
var<private> firstIncidence: u32;
var<private> endIncidence: u32;

struct Twist {
  linear: vec3f,
  spin: vec3f,
}

fn bodyTwist(local: u32) -> Twist {
  let at = 6u * local;
  return Twist(
    vec3f(motion[at], motion[at + 1u], motion[at + 2u]),
    vec3f(motion[at + 3u], motion[at + 4u], motion[at + 5u]),
  );
}

fn setMotion(local: u32, linear: vec3f, angular: vec3f) {
  let at = 6u * local;
  for (var k = 0u; k < 3u; k++) {
    motion[at + k] = linear[k];
    motion[at + 3u + k] = angular[k];
  }
}

fn responseTwist(local: u32) -> Twist {
  let at = 6u * local;
  return Twist(
    vec3f(response[at], response[at + 1u], response[at + 2u]),
    vec3f(response[at + 3u], response[at + 4u], response[at + 5u]),
  );
}

// Velocities of the block's bodies.
fn twists() -> Twists {
  var u: Twists;
  if (own.localA != NONE) {
    let a = bodyTwist(own.localA);
    u.linearA = a.linear;
    u.spinA = a.spin;
  }
  if (own.localB != NONE) {
    let b = bodyTwist(own.localB);
    u.linearB = b.linear;
    u.spinB = b.spin;
  }
  return u;
}

// Responses of the block's bodies.
fn responses() -> Twists {
  var u: Twists;
  if (own.localA != NONE) {
    let a = responseTwist(own.localA);
    u.linearA = a.linear;
    u.spinA = a.spin;
  }
  if (own.localB != NONE) {
    let b = responseTwist(own.localB);
    u.linearB = b.linear;
    u.spinB = b.spin;
  }
  return u;
}

// response = M⁻¹ Jᵀ x
fn respond(x: vec3f) {
  if (hasBlock) {
    let f = w.direction * x;
    let a = w.turnA * x;
    let b = w.turnB * x;
    let at = 9u * lane;
    for (var k = 0u; k < 3u; k++) {
      wrenches[at + k] = f[k];
      wrenches[at + 3u + k] = a[k];
      wrenches[at + 6u + k] = b[k];
    }
  }
  workgroupBarrier();
  if (hasBody) {
    var f = vec3f(0.0);
    var t = vec3f(0.0);
    for (var i = firstIncidence; i < endIncidence; i++) {
      let entry = lists[i];
      let at = 9u * (entry >> 1u);
      let side = entry & 1u;
      let turn = at + 3u + 3u * side;
      f += select(-1.0, 1.0, side == 1u) * vec3f(wrenches[at], wrenches[at + 1u], wrenches[at + 2u]);
      t += vec3f(wrenches[turn], wrenches[turn + 1u], wrenches[turn + 2u]);
    }
    f *= start.inverseMass;
    t = free.inverseInertia * t;
    let at = 6u * lane;
    for (var k = 0u; k < 3u; k++) {
      response[at + k] = f[k];
      response[at + 3u + k] = t[k];
    }
  }
  workgroupBarrier();
}

// u += M⁻¹ Jᵀ x, that is t times the response that is there
fn follow(t: f32) {
  if (hasBody) {
    let at = 6u * lane;
    for (var k = 0u; k < 6u; k++) {
      motion[at + k] += t * response[at + k];
    }
  }
  workgroupBarrier();
}

// Over all invocations: sums of x and y, the largest z and w.
fn total(v: vec4f) -> vec4f {
  let at = 9u * lane;
  wrenches[at] = v.x;
  wrenches[at + 1u] = v.y;
  wrenches[at + 2u] = v.z;
  wrenches[at + 3u] = v.w;
  workgroupBarrier();
  if (lane < 16u) {
    var sum = vec4f(0.0);
    for (var i = lane; i < WIDTH; i += 16u) {
      let source = 9u * i;
      sum = vec4f(
        sum.x + wrenches[source],
        sum.y + wrenches[source + 1u],
        max(sum.z, wrenches[source + 2u]),
        max(sum.w, wrenches[source + 3u]),
      );
    }
    partial[lane] = sum;
  }
  workgroupBarrier();
  if (lane == 0u) {
    var sum = partial[0];
    for (var i = 1u; i < 16u; i++) {
      sum = vec4f(sum.xy + partial[i].xy, max(sum.zw, partial[i].zw));
    }
    result = sum;
  }
  return workgroupUniformLoad(&result);
}

// (J M⁻¹ Jᵀ + C) x on unknowns that take part
fn product(x: vec3f) -> vec3f {
  respond(x);
  return w.engaged * (speedOf(responses()) + w.shift * x);
}

// Preconditioned conjugate residuals (8.2): w.x with (J M⁻¹ Jᵀ + C) x = w.rightSide, where unknowns that take no part have
// their forced values. The product is at one place in the loop, since compilers write it out at each.
fn solveLinear(isForced: bool) {
  let diagonal = w.diagonal + w.shift;
  w.inverse = select(vec3f(0.0), w.engaged / diagonal, (diagonal > vec3f(0.0)) & (w.engaged > vec3f(0.0)));
  w.x = vec3f(0.0);
  w.r = w.rightSide;
  w.z = select(w.inverse * w.r, w.forced, isForced);
  w.d = vec3f(0.0);
  w.ad = vec3f(0.0);
  var zaz = 0.0;
  var enough = -1.0;
  var isFirst = isForced;
  for (var k = 0u; k < step.linearIterations; k++) {
    w.az = product(w.z);
    if (isFirst) {
      isFirst = false;
      w.r -= w.az;
      w.z = w.inverse * w.r;
      workgroupBarrier();
      continue;
    }
    let sums = total(vec4f(dot(w.z, w.az), dot(w.r, w.z), 0.0, 0.0));
    if (enough < 0.0) {
      enough = step.linearTolerance * step.linearTolerance * sums.y;
    } else if (sums.y <= enough) {
      break;
    }
    if (!(sums.x > 1e-30)) {
      break;
    }
    let beta = select(0.0, sums.x / zaz, zaz > 0.0);
    zaz = sums.x;
    w.d = w.z + beta * w.d;
    w.ad = w.az + beta * w.ad;
    let q = w.inverse * w.ad;
    let apq = total(vec4f(dot(w.ad, q), 0.0, 0.0, 0.0)).x;
    if (!(apq > 1e-30)) {
      break;
    }
    let alpha = zaz / apq;
    w.x += alpha * w.d;
    w.r -= alpha * w.ad;
    w.z = w.inverse * w.r;
  }
  w.x = select(w.forced, w.x, w.engaged > vec3f(0.0));
}

// C of joints at the poses that the velocities lead to, or, at the start, where they stand.
fn placeJoints(time: f32, isStart: bool) {
  if (hasBody && !isStart) {
    let u = bodyTwist(lane);
    states[place].position = start.position + step.h * u.linear;
    if (canTurn(body)) {
      states[place].rotation = advancedRotation(start.rotation, u.spin, free.offset, step.h);
    }
  }
  storageBarrier();
  if (hasBlock) {
    updateValues(own, select(time + step.h, time, isStart));
  }
  storageBarrier();
}

// Contact by contact iteration, colour after colour, to and fro.
fn sweep(count: u32, colours: u32) {
  var rest = vec3f(0.0);
  if (hasBlock) {
    w.speed = speedOf(twists()) + w.ambient;
    rest = rowRest(step.h);
  }
  for (var n = 0u; n < count; n++) {
    for (var c = 0u; c < colours; c++) {
      let colour = select(colours - 1u - c, c, (n & 1u) == 0u);
      if (hasBlock && own.colour == colour) {
        let u = sweptBlock(own, twists(), rest);
        if (own.localA != NONE) {
          setMotion(own.localA, u.linearA, u.spinA);
        }
        if (own.localB != NONE) {
          setMotion(own.localB, u.linearB, u.spinB);
        }
      }
      workgroupBarrier();
    }
  }
}

// An iteration that leaves more than this part of the residual counts as none.
const PROGRESS = 0.9;
const FEWEST_SWEEPS = 8u;
const MOST_SWEEPS = 64u;
const MOST_EPSILON = 0.01;
const RELAXING_SWEEPS = 6u;
// Rounds of sweeps without progress after which the iteration ends: the residual is at what f32 can do.
const MOST_STALLS = 3u;
// Overlap [m] up to which its removal may count as velocity: rounding.
const OVERLAP = 2e-6;

fn note(report: u32, index: u32, merit: f32) {
  if (lane == 0u && index < step.reportSize) {
    reports[report * step.reportSize + index] = merit;
  }
}

// What a pass of the iteration does.
const START = 0u;
// looks at joints where the velocities lead to
const LOOK = 1u;
const NEWTON = 2u;
const SWEEP = 3u;
// impulses become admissible, poses are those of the end
const FINISH = 4u;
// velocities lose the push that took back an overlap
const RELAX = 5u;

// Newton's iteration with its guard, twin of newton-solver.ts, and the end of the step. Each pass changes impulses and
// velocities in one way and looks at the residual; there is one loop so that each part is compiled once.
//
// Velocities are kept by increments: what an iterate adds to them is small in the end, so the constraints hold to the last
// digits although impulses are large.
fn solveStep(bodies: u32, rowCount: u32, colours: u32, report: u32, time: f32) {
  var epsilon = step.regularisation;
  var sweeps = FEWEST_SWEEPS;
  var mode = START;
  var merit = 0.0;
  var iterations = 0u;
  var notes = 1u;
  var least = -1.0;
  var stalls = 0u;
  var isForced = false;
  loop {
    var change = vec3f(0.0);
    if (mode == START) {
      change = w.impulse;
    } else if (mode == NEWTON) {
      solveLinear(isForced);
      change = w.x;
      keep();
      w.impulse += change;
      iterations++;
    } else if (mode == FINISH && hasBlock) {
      change = admissible(own, w.impulse) - w.impulse;
      w.impulse += change;
    }
    if (mode == SWEEP || mode == RELAX) {
      sweep(select(RELAXING_SWEEPS, sweeps, mode == SWEEP), colours);
    } else if (mode != LOOK) {
      respond(change);
      follow(1.0);
    }
    if (mode == RELAX) {
      break;
    }
    if (mode == FINISH) {
      if (!finishPoses(bodies, rowCount)) {
        break;
      }
      mode = RELAX;
      continue;
    }
    if (rowCount > 0u) {
      placeJoints(time, mode == START);
    }
    var mine = vec4f(0.0);
    if (hasBlock) {
      w.speed = speedOf(twists()) + w.ambient;
      if (mode == START) {
        // Joints are linearised where they stand: the start from zero velocity (67).
        w.value += step.h * w.speed;
      }
      mine = linearise(own, step.h, epsilon);
    }
    let sums = total(mine);
    let before = merit;
    merit = sqrt(sums.x);
    isForced = sums.w > 0.0;
    let isSolved = sums.z <= step.tolerance;
    if (mode == START && isSolved && rowCount > 0u) {
      mode = LOOK;
      continue;
    }
    note(report, notes, merit);
    notes++;
    if (mode == NEWTON && step.safeguard == 1u && !(merit < PROGRESS * before)) {
      // Rows that contradict each other a little ask for huge impulses: shorter steps next time.
      epsilon = min(MOST_EPSILON, 100.0 * epsilon);
      if (!(merit < before)) {
        restore();
      }
      mode = SWEEP;
      continue;
    }
    if (mode == SWEEP) {
      sweeps = min(MOST_SWEEPS, 2u * sweeps);
      stalls += select(0u, 1u, least >= 0.0 && !(merit < PROGRESS * least));
      if (least < 0.0 || merit < least) {
        least = merit;
        keepBest();
      }
    }
    mode = NEWTON;
    if (isSolved || iterations >= step.newtonIterations || stalls >= MOST_STALLS) {
      if (least >= 0.0 && merit > least) {
        restoreBest();
      }
      mode = FINISH;
    }
  }
  if (lane == 0u && step.reportSize > 0u) {
    reports[report * step.reportSize] = f32(notes - 1u);
  }
}

fn keep() {
  w.kept = w.impulse;
  w.keptValue = w.value;
  if (hasBody) {
    let u = bodyTwist(lane);
    heldLinear = u.linear;
    heldSpin = u.spin;
  }
}

fn restore() {
  w.impulse = w.kept;
  w.value = w.keptValue;
  if (hasBody) {
    setMotion(lane, heldLinear, heldSpin);
  }
  workgroupBarrier();
}

fn keepBest() {
  w.best = w.impulse;
  if (hasBody) {
    let u = bodyTwist(lane);
    bestLinear = u.linear;
    bestSpin = u.spin;
  }
}

fn restoreBest() {
  w.impulse = w.best;
  if (hasBody) {
    setMotion(lane, bestLinear, bestSpin);
  }
  workgroupBarrier();
}

@compute @workgroup_size(WIDTH)
fn solveIslands(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) index: u32) {
  let head = ISLAND_SIZE * (step.firstIsland + group.x);
  let places = lists[head + ISLAND_PLACES];
  let bodies = lists[head + ISLAND_BODIES];
  let firstBlock = lists[head + ISLAND_FIRST_BLOCK];
  let blockCount = lists[head + ISLAND_BLOCKS];
  let colours = lists[head + ISLAND_COLOURS];
  let rowCount = lists[head + ISLAND_ROWS];
  let report = lists[head + ISLAND_REPORT];
  lane = index;
  hasBody = index < bodies;
  hasBlock = index < blockCount;
  if (hasBody) {
    place = lists[places + index];
    body = inputs[place];
    firstIncidence = lists[places + bodies + index];
    endIncidence = lists[places + bodies + index + 1u];
  }
  if (hasBlock) {
    own = blocks[firstBlock + index];
  }
  for (var n = 0u; n < step.substeps; n++) {
    let time = step.h * f32(n);
    if (hasBody) {
      start = states[place];
      var stiffness = mat3x3f();
      if (rowCount > 0u) {
        stiffness = jointStiffness(start.rotation, firstBlock, firstIncidence, endIncidence, n == 0u);
      }
      free = predict(body, start, stiffness, step.gravity, step.h);
      states[place].inverseInertia = free.inverseInertia;
      setMotion(index, free.velocity, free.spin);
    }
    storageBarrier();
    workgroupBarrier();
    if (hasBlock) {
      setUpBlock(own, time, step.h);
      recallImpulse(own, firstBlock + index, n == 0u);
      setBounce(own, startSpeed(own), speedOf(twists()).x + w.ambient.x, step.h);
    }
    solveStep(bodies, rowCount, colours, report, time);
    finishVelocity();
    if (hasBlock) {
      keepImpulse(own, firstBlock + index);
    }
    storageBarrier();
  }
}

// Poses at the end of the step. Returns whether bodies overlapped: what they had to move apart for counts for their poses
// only, and goes from the velocities in a last pass.
fn finishPoses(bodies: u32, rowCount: u32) -> bool {
  var mine = vec4f(0.0);
  if (hasBlock && own.kind != BLOCK_JOINT) {
    mine.z = f32(w.gap < -OVERLAP && w.impulse.x > 0.0);
    mine.w = f32(w.impulse.x > 0.0);
  }
  let flags = total(mine);
  let isFree = bodies == 1u && rowCount == 0u && flags.w == 0.0;
  if (hasBody) {
    let u = bodyTwist(lane);
    // A force that stays the same moves a body along a parabola.
    let mean = select(u.linear, 0.5 * (u.linear + start.velocity), isFree);
    states[place].position = start.position + step.h * mean;
    if (canTurn(body)) {
      states[place].rotation = advancedRotation(start.rotation, u.spin, free.offset, step.h);
    }
  }
  storageBarrier();
  if (flags.z > 0.0) {
    relax();
  }
  return flags.z > 0.0;
}

fn finishVelocity() {
  if (!hasBody) {
    return;
  }
  let u = bodyTwist(lane);
  let end = states[place];
  let spin = spinAtEnd(end.rotation, u.spin);
  if (isFiniteVector(u.linear) && isFiniteVector(u.spin) && isFiniteVector(end.position)) {
    states[place].velocity = limited(u.linear, body.maxSpeed);
    states[place].spin = limited(spin, body.maxSpin);
  } else {
    states[place].position = start.position;
    states[place].rotation = start.rotation;
    states[place].velocity = vec3f(0.0);
    states[place].spin = vec3f(0.0);
    states[place].broken = 1.0;
  }
}

// Arms from where bodies are now, so that momenta are kept, and no push where they overlapped.
fn relax() {
  if (!hasBlock || own.kind == BLOCK_JOINT) {
    return;
  }
  let a = states[own.placeA];
  let b = states[own.placeB];
  setArms(w.point - a.position, w.point - b.position);
  setResponse(inverseOf(a, own.localA), inverseOf(b, own.localB));
  w.bias = select(max(w.bias, 0.0), w.bias, w.bounces > 0.0);
}

fn inverseOf(state: BodyState, local: u32) -> mat3x3f {
  if (local == NONE) {
    return mat3x3f();
  }
  return state.inverseInertia;
}

// Angular momentum is kept, except where stiffness of joints stands for inertia.
fn spinAtEnd(rotation: vec4f, spin: vec3f) -> vec3f {
  if (free.isStiffened > 0.0) {
    return spin;
  }
  return keptSpin(body, free.rotation, rotation, spin);
}
