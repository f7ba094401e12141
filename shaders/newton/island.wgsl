#import "newton/island-iterations.wgsl"

// A whole island in one workgroup: all steps of a frame in one dispatch. Invocation i has block i of the island, with its rows
// and the vectors of the linear problem in registers, and body i, whose velocity the others see in workgroup memory.
//
// A product with the matrix is J M⁻¹ Jᵀ x: blocks publish their wrenches, bodies gather those that act on them, always in the
// same order, and blocks read the responses.

// C of joints at the poses that the velocities lead to, or at those of the start.
fn placeJoints(time: f32, isStart: bool) {
  if (hasBody && !isStart) {
    let u = bodyTwist(lane);
    setPosition(place, moved(start.position, start.low, step.h * u.linear));
    if (canTurn(body)) { states[place].rotation = advancedRotation(start.rotation, u.spin, free.offset, step.h); }
  }
  storageBarrier();
  if (hasBlock) { updateValues(own, select(time + step.h, time, isStart)); }
  storageBarrier();
}

const MOST_EPSILON = 0.01;
const FEWEST_SWEEPS = 8u;
const MOST_SWEEPS = 64u;
const RELAXING_SWEEPS = 6u;
// Rounds of sweeps without progress after which the iteration ends: the residual is at the precision of f32.
const MOST_STALLS = 3u;

fn note(report: u32, index: u32, merit: f32) {
  if (lane == 0u && index < step.reportSize) { reports[report * step.reportSize + index] = merit; }
}

// Work of a pass of the iteration.
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
// Velocities change by increments: those of an iterate are small in the end, so the constraints hold to the last
// digits although impulses are large.
fn solveStep(bodies: u32, rowCount: u32, colours: u32, report: u32, time: f32) {
  var epsilon = step.regularization;
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
      solveLinear(isForced, epsilon);
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
    if (mode == RELAX) { break; }
    if (mode == FINISH) {
      if (!finishPoses(bodies, rowCount)) { break; }
      mode = RELAX;
      continue;
    }
    if (rowCount > 0u) { placeJoints(time, mode == START); }
    var mine = vec4f(0.0);
    if (hasBlock) {
      w.speed = speedOf(twists()) + w.ambient;
      if (mode == START) {
        // Joints are linearised where they stand: the start from zero velocity (67).
        w.value += step.h * w.speed;
      }
      mine = linearise(own, step.h);
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
      if (!(merit < before)) { restore(); }
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
      if (least >= 0.0 && merit > least) { restoreBest(); }
      mode = FINISH;
    }
  }
  if (lane == 0u && step.reportSize > 0u) { reports[report * step.reportSize] = f32(notes - 1u); }
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
  if (hasBody) { setMotion(lane, heldLinear, heldSpin); }
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
  if (hasBody) { setMotion(lane, bestLinear, bestSpin); }
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
  if (hasBlock) { own = blocks[firstBlock + index]; }
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
      softenBlock(own);
    }
    solveStep(bodies, rowCount, colours, report, time);
    finishVelocity();
    if (hasBlock) { keepImpulse(own, firstBlock + index); }
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
    setPosition(place, moved(start.position, start.low, step.h * limited(mean, body.maxSpeed)));
    if (canTurn(body)) { states[place].rotation = advancedRotation(start.rotation, u.spin, free.offset, step.h); }
  }
  storageBarrier();
  if (flags.z > 0.0) { relax(); }
  return flags.z > 0.0;
}

fn finishVelocity() {
  if (!hasBody) { return; }
  let u = bodyTwist(lane);
  let end = states[place];
  let spin = spinAtEnd(end.rotation, u.linear, u.spin);
  if (isFinite3(u.linear) && isFinite3(u.spin) && isFinite3(end.position)) {
    states[place].velocity = limited(u.linear, body.maxSpeed);
    states[place].spin = limited(spin, body.maxSpin);
  } else {
    setPosition(place, PreciseVector(start.position, start.low));
    states[place].rotation = start.rotation;
    states[place].velocity = vec3f(0.0);
    states[place].spin = vec3f(0.0);
    states[place].broken = 1.0;
  }
}

// Arms from where bodies are now, so that momenta are kept, and no push where they overlapped.
fn relax() {
  if (!hasBlock || own.kind == BLOCK_JOINT) { return; }
  let a = states[own.placeA];
  let b = states[own.placeB];
  setArms(w.point - a.position, w.point - b.position);
  setResponse(inverseOf(a, own.localA), inverseOf(b, own.localB));
  w.bias = select(max(w.bias, 0.0), w.bias, w.bounces > 0.0);
}

fn inverseOf(state: BodyState, local: u32) -> mat3x3f {
  if (local == NONE) { return mat3x3f(); }
  return state.inverseInertia;
}

// Angular momentum is kept, except where stiffness of joints stands for inertia.
fn spinAtEnd(rotation: vec4f, velocity: vec3f, spin: vec3f) -> vec3f {
  if (free.isStiffened > 0.0) { return spin; }
  return keptSpin(body, free.rotation, rotation, velocity, spin);
}
