#import "articulated/batch-dynamics.wgsl"
#import "articulated/rotation-step.wgsl"

// Steps of many worlds with the same mechanism: q̇' = q̇ + Δt M⁻¹ (τ - c), q' = q + Δt q̇', or in parts. Twin of src/articulated/step.

// q̇' = q̇ + Δt q̈ + Δq̇, q' = q + Δt q̇', rotation vectors on the group
fn integrate() {
  for (var s = 0u; s < links[batch.linkCount - 1u].endSegment; s++) {
    if (segments[s].kind == SEGMENT_ROTATION_VECTOR) {
      integrateRotation(segments[s]);
    }
  }
  for (var k = 0u; k < batch.dofCount; k++) {
    // `integrateRotation` has done these.
    if (dofs[k].turned != 0u) {
      continue;
    }
    let velocity = states[velocityIndex(k)] + batch.timeStep * load(dofAt(k) + DOF_VALUE);
    states[velocityIndex(k)] = velocity;
    states[positionIndex(k)] += batch.timeStep * velocity;
  }
  shortenAll();
}

fn state3(k: u32) -> vec3f {
  return vec3f(states[positionIndex(k)], states[positionIndex(k + 1u)], states[positionIndex(k + 2u)]);
}

fn rate3(k: u32) -> vec3f {
  return vec3f(states[velocityIndex(k)], states[velocityIndex(k + 1u)], states[velocityIndex(k + 2u)]);
}

fn acceleration3(k: u32) -> vec3f {
  return vec3f(load(dofAt(k) + DOF_VALUE), load(dofAt(k + 1u) + DOF_VALUE), load(dofAt(k + 2u) + DOF_VALUE));
}

fn setState3(k: u32, position: vec3f, velocity: vec3f) {
  for (var c = 0u; c < 3u; c++) {
    states[positionIndex(k + c)] = position[c];
    states[velocityIndex(k + c)] = velocity[c];
  }
}

fn integrateRotation(segment: BatchSegment) {
  let dt = batch.timeStep;
  let k = segment.dof;
  let phi = state3(k);
  let rate = rate3(k);
  let start = startRotation(segment, phi, rate, dt);
  let solved = rate + dt * acceleration3(k) + start.shiftRate;
  let before = rotationCoefficients(dot(phi, phi));
  let omega = leftJacobian(phi, before) * solved;
  let excess = quaternionOf(dt * (omega - start.freeOmega));
  let moved = quaternionProduct(quaternionProduct(excess, quaternionOf(phi)), start.turned);
  let next = nearestVector(moved, phi + dt * solved);
  let after = rotationCoefficients(dot(next, next));
  setState3(k, next, inverse3(leftJacobian(next, after)) * omega);
  if (segment.freedom != ROTATION_FREE) {
    return;
  }
  let slide = rate3(k + 3u) + dt * acceleration3(k + 3u) + start.shiftSlide;
  let arm = rotationOf(phi, before) * segment.centre;
  let nextArm = turnBy(moved, segment.centre);
  let velocity = slide + cross(omega, arm);
  setState3(k + 3u, state3(k + 3u) + dt * velocity - (nextArm - arm), velocity - cross(omega, nextArm));
}

fn shortenAll() {
  for (var s = 0u; s < links[batch.linkCount - 1u].endSegment; s++) {
    if (segments[s].kind == SEGMENT_ROTATION_VECTOR) {
      shorten(segments[s].dof);
    }
  }
}

// As reparametrise.ts: φ (1 - 2π/|φ|), and its derivative on φ̇.
fn shorten(k: u32) {
  let phi = vec3f(states[positionIndex(k)], states[positionIndex(k + 1u)], states[positionIndex(k + 2u)]);
  let angle = length(phi);
  if (angle <= longestRotationVector) {
    return;
  }
  let rate = vec3f(states[velocityIndex(k)], states[velocityIndex(k + 1u)], states[velocityIndex(k + 2u)]);
  let scale = 1.0 - 2.0 * pi / angle;
  let changed = scale * rate + 2.0 * pi / (angle * angle * angle) * dot(phi, rate) * phi;
  for (var c = 0u; c < 3u; c++) {
    states[positionIndex(k + c)] = scale * phi[c];
    states[velocityIndex(k + c)] = changed[c];
  }
}

// To where the heaviest link was in the last `forward`.
fn moveOrigin() {
  origin += load3(linkAt(batch.referenceLink) + LINK_POSITION);
}

fn massCentre(i: u32) -> vec3f {
  let inertia = loadInertia(linkAt(i) + LINK_INERTIA);
  return inertia.moment / inertia.mass;
}

// After `forward`: by how much the step turns the mechanism, twin of src/articulated/step/pace.ts.
fn turnOfStep() -> f32 {
  var most = 0.0;
  for (var i = 0u; i < batch.linkCount; i++) {
    if (links[i].turning != 0u) {
      let omega = load3(linkAt(i) + LINK_TWIST);
      most = max(most, dot(omega, omega));
    }
  }
  for (var k = 0u; k < batch.dofCount; k++) {
    let slide = dofs[k].slide;
    if (slide.x < 0.0) {
      continue;
    }
    var size = slide.z;
    if (slide.y >= 0.0) {
      let apart = massCentre(u32(slide.x)) - massCentre(u32(slide.y));
      size += dot(apart, apart);
    }
    let speed = states[velocityIndex(k)];
    if (size > 0.0) {
      most = max(most, speed * speed / size);
    }
  }
  return batch.timeStep * sqrt(most);
}

// A part of a step, as `RungeKutta` takes it: of a rule with so many stages, 2 or 4.
fn takePart(stages: u32) {
  for (var k = 0u; k < batch.dofCount; k++) {
    let at = dofAt(k);
    for (var c = 0u; c < 2u; c++) {
      let value = states[positionIndex(k + c * batch.dofCount)];
      store(at + DOF_START + c, value);
      store(at + DOF_END + c, value);
    }
  }
  for (var i = 0u; i < stages; i++) {
    let rule = ruleOf(stages, i);
    for (var k = 0u; k < batch.dofCount; k++) {
      let at = dofAt(k);
      states[positionIndex(k)] = load(at + DOF_START) + stepTime * rule.place * states[velocityIndex(k)];
      if (i > 0u) {
        states[velocityIndex(k)] = load(at + DOF_START + 1u) + stepTime * rule.reach * load(at + DOF_VALUE);
      }
    }
    forward();
    accelerate();
    for (var k = 0u; k < batch.dofCount; k++) {
      let at = dofAt(k);
      store(at + DOF_END, load(at + DOF_END) + stepTime * rule.weight * states[velocityIndex(k)]);
      store(at + DOF_END + 1u, load(at + DOF_END + 1u) + stepTime * rule.weight * load(at + DOF_VALUE));
    }
  }
  for (var k = 0u; k < batch.dofCount; k++) {
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
  if (stages == 2u) {
    return Rule(0.5, 0.5 * f32(i), f32(i));
  }
  let reach = select(0.5 * f32(min(i, 1u)), 1.0, i == 3u);
  return Rule(reach, reach, select(1.0 / 6.0, 1.0 / 3.0, i == 1u || i == 2u));
}

fn takeStep() {
  stepTime = batch.timeStep;
  forward();
  let turn = turnOfStep();
  // A turn that is not finite shows in a whole step.
  if (!(turn >= batch.turns.x && turn < 1e30)) {
    accelerate();
    integrate();
    return;
  }
  let isCalm = turn < batch.turns.y;
  let count = select(u32(min(ceil(turn / batch.turns.z), batch.turns.w)), 1u, isCalm);
  stepTime = batch.timeStep / f32(count);
  for (var part = 0u; part < count; part++) {
    takePart(select(4u, 2u, isCalm));
  }
}

@compute @workgroup_size(WORKGROUP)
fn stepWorlds(@builtin(global_invocation_id) id: vec3u) {
  world = batch.firstWorld + id.x;
  if (id.x >= batch.lanes || world >= batch.worldCount) {
    return;
  }
  place = (id.x / WORKGROUP) * WORKGROUP * batch.scratchSize + id.x % WORKGROUP;
  origin = vec3f(0.0);
  forward();
  moveOrigin();
  for (var n = 0u; n < batch.steps; n++) {
    takeStep();
    moveOrigin();
  }
}
