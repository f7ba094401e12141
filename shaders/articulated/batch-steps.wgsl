#import "articulated/batch-constraints.wgsl"
#import "articulated/batch-drives.wgsl"
#import "articulated/rotation-step.wgsl"

// Steps of many worlds with the same mechanism: q̇' = q̇ + Δt M⁻¹ (τ - c), q' = q + Δt q̇', or in parts. Twin of src/articulated/step.

// DOF_VALUE: from q̈ to q̇' = q̇ + Δt q̈ + Δq̇, without what holds the mechanism
fn moveFreely() {
  for (var k = lane; k < batch.dofCount; k += laneCount()) {
    let at = dofAt(k) + DOF_VALUE;
    store(at, states[velocityIndex(k)] + batch.timeStep * load(at));
  }
  sync();
  for (var s = lane; s < links[batch.linkCount - 1u].endSegment; s += laneCount()) {
    if (segments[s].kind == SEGMENT_ROTATION_VECTOR) { beginRotation(segments[s]); }
  }
  sync();
}

// q̇' of DOF_VALUE, q' = q + Δt q̇', rotation vectors on the group
fn integrate() {
  for (var s = lane; s < links[batch.linkCount - 1u].endSegment; s += laneCount()) {
    if (segments[s].kind == SEGMENT_ROTATION_VECTOR) { integrateRotation(segments[s]); }
  }
  for (var k = lane; k < batch.dofCount; k += laneCount()) {
    // `integrateRotation` has done these.
    if (dofs[k].turned != 0u) { continue; }
    let velocity = load(dofAt(k) + DOF_VALUE);
    states[velocityIndex(k)] = velocity;
    states[positionIndex(k)] += batch.timeStep * velocity;
  }
  shortenAll();
}

fn setState3(k: u32, position: vec3f, velocity: vec3f) {
  for (var c = 0u; c < 3u; c++) {
    states[positionIndex(k + c)] = position[c];
    states[velocityIndex(k + c)] = velocity[c];
  }
}

// Adds Δq̇, and keeps where the free rotation ends: ω in DOF_START, and the turn in the next number of each and in DOF_END.
fn beginRotation(segment: BatchSegment) {
  let k = segment.dof;
  let start = startRotation(segment, state3(k), rate3(k), batch.timeStep);
  addSolved3(k, start.shiftRate);
  if (segment.freedom == ROTATION_FREE) { addSolved3(k + 3u, start.shiftSlide); }
  for (var c = 0u; c < 3u; c++) {
    store(dofAt(k + c) + DOF_START, start.freeOmega[c]);
    store(dofAt(k + c) + DOF_START + 1u, start.turned[c]);
  }
  store(dofAt(k) + DOF_END, start.turned.w);
}

fn integrateRotation(segment: BatchSegment) {
  let dt = batch.timeStep;
  let k = segment.dof;
  let phi = state3(k);
  var freeOmega = vec3f(0.0);
  var turned = vec4f(0.0, 0.0, 0.0, load(dofAt(k) + DOF_END));
  for (var c = 0u; c < 3u; c++) {
    freeOmega[c] = load(dofAt(k + c) + DOF_START);
    turned[c] = load(dofAt(k + c) + DOF_START + 1u);
  }
  let solved = solved3(k);
  let before = rotationCoefficients(dot(phi, phi));
  let omega = leftJacobian(phi, before) * solved;
  let excess = quaternionOf(dt * (omega - freeOmega));
  let moved = quaternionProduct(quaternionProduct(excess, quaternionOf(phi)), turned);
  let next = nearestVector(moved, phi + dt * solved);
  let after = rotationCoefficients(dot(next, next));
  setState3(k, next, inverse3(leftJacobian(next, after)) * omega);
  if (segment.freedom != ROTATION_FREE) { return; }
  let arm = rotationOf(phi, before) * segment.centre;
  let nextArm = rotate(moved, segment.centre);
  let velocity = solved3(k + 3u) + cross(omega, arm);
  setState3(k + 3u, state3(k + 3u) + dt * velocity - (nextArm - arm), velocity - cross(omega, nextArm));
}

fn shortenAll() {
  sync();
  for (var s = lane; s < links[batch.linkCount - 1u].endSegment; s += laneCount()) {
    if (segments[s].kind == SEGMENT_ROTATION_VECTOR) { shorten(segments[s].dof); }
  }
  sync();
}

// As reparametrise.ts: φ (1 - 2π/|φ|), and its derivative on φ̇.
fn shorten(k: u32) {
  let phi = vec3f(states[positionIndex(k)], states[positionIndex(k + 1u)], states[positionIndex(k + 2u)]);
  let angle = length(phi);
  if (angle <= longestRotationVector) { return; }
  let rate = vec3f(states[velocityIndex(k)], states[velocityIndex(k + 1u)], states[velocityIndex(k + 2u)]);
  let scale = 1.0 - 2.0 * pi / angle;
  let changed = scale * rate + 2.0 * pi / (angle * angle * angle) * dot(phi, rate) * phi;
  for (var c = 0u; c < 3u; c++) {
    states[positionIndex(k + c)] = scale * phi[c];
    states[velocityIndex(k + c)] = changed[c];
  }
}

fn massCentre(i: u32) -> vec3f {
  let inertia = loadInertia(linkAt(i) + LINK_INERTIA);
  return inertia.moment / inertia.mass;
}

// After `forward`: by how much the step turns the mechanism, twin of src/articulated/step/pace.ts.
fn turnOfStep() -> f32 {
  var most = 0.0;
  for (var i = lane; i < batch.linkCount; i += laneCount()) {
    if (links[i].turning != 0u) {
      let omega = load3(linkAt(i) + LINK_TWIST);
      most = max(most, dot(omega, omega));
    }
  }
  for (var k = lane; k < batch.dofCount; k += laneCount()) {
    let slide = dofs[k].slide;
    if (slide.x < 0.0) { continue; }
    var size = slide.z;
    if (slide.y >= 0.0) {
      let apart = massCentre(u32(slide.x)) - massCentre(u32(slide.y));
      size += dot(apart, apart);
    }
    let speed = states[velocityIndex(k)];
    if (size > 0.0) { most = max(most, speed * speed / size); }
  }
  return batch.timeStep * sqrt(greatest(most));
}

// The use of the next evaluation of q̈.
const EVALUATE_ORIGIN = 0u;
const EVALUATE_STEP = 1u;
const EVALUATE_WHOLE = 2u;
const EVALUATE_STAGE = 3u;

// Of a step in parts, as `RungeKutta` takes it: which of how many parts and stages, and the rule of the next one
struct Parts {
  part: u32,
  count: u32,
  stage: u32,
  stages: u32,
}

fn keepStart() {
  for (var k = lane; k < batch.dofCount; k += laneCount()) {
    let at = dofAt(k);
    for (var c = 0u; c < 2u; c++) {
      let value = states[positionIndex(k + c * batch.dofCount)];
      store(at + DOF_START + c, value);
      store(at + DOF_END + c, value);
    }
  }
}

// Q and V of a stage
fn placeStage(stages: u32, stage: u32) {
  let rule = ruleOf(stages, stage);
  for (var k = lane; k < batch.dofCount; k += laneCount()) {
    let at = dofAt(k);
    states[positionIndex(k)] = load(at + DOF_START) + stepTime * rule.place * states[velocityIndex(k)];
    if (stage > 0u) {
      states[velocityIndex(k)] = load(at + DOF_START + 1u) + stepTime * rule.reach * load(at + DOF_VALUE);
    }
  }
  sync();
}

fn sumStage(stages: u32, stage: u32) {
  let weight = stepTime * ruleOf(stages, stage).weight;
  for (var k = lane; k < batch.dofCount; k += laneCount()) {
    let at = dofAt(k);
    store(at + DOF_END, load(at + DOF_END) + weight * states[velocityIndex(k)]);
    store(at + DOF_END + 1u, load(at + DOF_END + 1u) + weight * load(at + DOF_VALUE));
  }
}

fn endPart() {
  for (var k = lane; k < batch.dofCount; k += laneCount()) {
    states[positionIndex(k)] = load(dofAt(k) + DOF_END);
    states[velocityIndex(k)] = load(dofAt(k) + DOF_END + 1u);
  }
  shortenAll();
}

struct Rule {
  place: f32,
  reach: f32,
  weight: f32,
}

// The rules of src/articulated/step/runge-kutta.ts.
fn ruleOf(stages: u32, i: u32) -> Rule {
  if (stages == 2u) { return Rule(0.5, 0.5 * f32(i), f32(i)); }
  let reach = select(0.5 * f32(min(i, 1u)), 1.0, i == 3u);
  return Rule(reach, reach, select(1.0 / 6.0, 1.0 / 3.0, i == 1u || i == 2u));
}

// After `forward` and `findContacts`: the parts of a step; none if it is a whole one.
fn partsOfStep() -> Parts {
  let turn = turnOfStep();
  // A turn that is not finite shows in a whole step.
  if (!(turn >= batch.turns.x && turn < 1e30) || isHeld()) { return Parts(); }
  if (turn < batch.turns.y) { return Parts(0u, 1u, 0u, 2u); }
  return Parts(0u, u32(min(ceil(turn / batch.turns.z), batch.turns.w)), 0u, 4u);
}

// Takes all steps. Each pass of the loop evaluates q̈ once, since drivers compile every call of `forward` on its own.
fn takeSteps() {
  var next = EVALUATE_ORIGIN;
  var parts = Parts();
  var solutions = 0u;
  var step = 0u;
  while (step < batch.steps) {
    forward();
    if (next == EVALUATE_ORIGIN) {
      moveOrigin();
      next = EVALUATE_STEP;
      continue;
    }
    if (next == EVALUATE_STEP) {
      stepTime = batch.timeStep;
      findContacts();
      parts = partsOfStep();
      next = EVALUATE_WHOLE;
      solutions = 0u;
      if (parts.count > 0u) {
        release();
        stepTime = batch.timeStep / f32(parts.count);
        keepStart();
        placeStage(parts.stages, 0u);
        next = EVALUATE_STAGE;
        continue;
      }
      prepareDrives();
    }
    accelerate();
    if (next == EVALUATE_WHOLE) {
      moveFreely();
      hold();
      solutions++;
      // Again for as long as servos change between springs and bounds.
      if (reviewDrives(solutions)) { continue; }
      integrate();
    } else {
      sumStage(parts.stages, parts.stage);
      parts.stage++;
      if (parts.stage < parts.stages) {
        placeStage(parts.stages, parts.stage);
        continue;
      }
      endPart();
      parts.stage = 0u;
      parts.part++;
      if (parts.part < parts.count) {
        keepStart();
        placeStage(parts.stages, 0u);
        continue;
      }
    }
    moveOrigin();
    step++;
    next = EVALUATE_STEP;
  }
}
