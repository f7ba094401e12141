#import "articulated/batch-constraints.wgsl"
#import "articulated/batch-drives.wgsl"
#import "articulated/batch-gradient-rotations.wgsl"
#import "articulated/batch-gradient-touches.wgsl"

// Vector-Jacobian product of a whole step of many worlds. With the gradient λ by q̇', and K the rows that clamp with the friction that follows
// them,
//
//   M μ + J_𝒞ᵀ ν = λ,   K μ = 0
//   ∂ℓ/∂(q, q̇, τ) = ∂/∂(q, q̇, τ) (μ · (Δt (τ - c) - M (q̇' - q̇) + Jᵀ f) - ν · (J_𝒞 q̇' + b))      q̇', f, μ and ν fixed
//
// so all is the derivative of one number, the power of inverse dynamics at the velocities g = Δt μ. To move a coordinate turns all behind it by
// S_k, which alone does not change that power; twists of what is before it stay, and that does:
//
//   ∂/∂q_k Σ G·(I A + V ×* I V) = -(S × G)·F - (S × A)·P - (S × V)·(R - V ×* P),   ∂/∂q̇_k = S·(R - 2 V ×* P)
//   P = I G,   R = I (G × V) - G ×* I V + V ×* P          F, P, R sums over the links behind; V, A, G just behind the coordinate
//
// The columns of a rotation vector change with its coordinates beside that turn, S_k = J e_k by ∂J e_k, which adds δG·F + δA·P + δV·(R - V ×* P)
// with what changes G, A and V so.
//
// `states` is a copy: the state before the step, and behind it the gradient.

// of a link, at the end of the scratch memory: A, G, S (q̇' - q̇) / Δt summed from the root, and sums over the links behind: F, P, R, the wrench of ν, and what
// moves a coordinate beside these; 6 each. Twin of SCRATCH_OF_GRADIENTS in batch-tape.ts.
const GRADIENT_SCRATCH = 48u;
const GRADIENT_POWER = 6u;
const GRADIENT_CHANGE = 12u;
const GRADIENT_FORCE = 18u;
const GRADIENT_MOMENTUM = 24u;
const GRADIENT_RATE = 30u;
const GRADIENT_WRENCH = 36u;
const GRADIENT_MOTION = 42u;
// Friction within this part of its bound is at it.
const slipRounding = 1e-5;

fn gradientAt(i: u32) -> u32 {
  return batch.scratchSize - GRADIENT_SCRATCH * (batch.linkCount - i);
}

fn minus(a: Spatial, b: Spatial) -> Spatial {
  return Spatial(a.angular - b.angular, a.linear - b.linear);
}

fn addSpatial(slot: u32, s: Spatial) {
  storeSpatial(slot, plus(loadSpatial(slot), s));
}

fn wrenchAt(point: vec3f, force: vec3f) -> Spatial {
  return Spatial(cross(point, force), force);
}

// Twists just behind a coordinate: V, A, G and S (q̇' - q̇) / Δt.
struct Behind {
  v: Spatial,
  a: Spatial,
  g: Spatial,
  b: Spatial,
}

// Sums over the links behind, see `gradientAt`.
struct Loads {
  force: Spatial,
  momentum: Spatial,
  rate: Spatial,
  wrench: Spatial,
  motion: Spatial,
}

// λ, which `pullRotations` has written for rotation vectors
fn pulledVelocity(k: u32) -> f32 {
  if (dofs[k].turned != 0u) { return states[gradientIndex(batch.dofCount + k)]; }
  return states[gradientIndex(batch.dofCount + k)] + batch.timeStep * states[gradientIndex(k)];
}

// (q̇' - q̇) / Δt
fn changeRate(k: u32) -> f32 {
  return load(dofAt(k) + DOF_START) + load(dofAt(k) + DOF_SHIFT) / batch.timeStep;
}

// The step again: q̈ in DOF_START, the factor of M, and the rows of constraints with their impulses.
fn repeatStep() {
  stepTime = batch.timeStep;
  var solutions = 0u;
  for (var pass = 0u; pass < 100u; pass++) {
    forward();
    if (pass == 0u) {
      moveOrigin();
      continue;
    }
    if (pass == 1u) {
      findContacts();
      prepareDrives();
    }
    accelerate();
    for (var k = 0u; k < batch.dofCount; k++) {
      let at = dofAt(k);
      let acceleration = load(at + DOF_VALUE);
      store(at + DOF_START, acceleration);
      store(at + DOF_VALUE, states[velocityIndex(k)] + batch.timeStep * acceleration);
      store(at + DOF_SHIFT, 0.0);
    }
    shiftRotations();
    hold();
    solutions++;
    if (!reviewDrives(solutions)) { break; }
  }
  for (var k = 0u; rowCount > 0u && k < batch.dofCount; k++) {
    let at = dofAt(k);
    let change = load(at + DOF_VALUE) - states[velocityIndex(k)] - load(at + DOF_SHIFT);
    store(at + DOF_START, change / batch.timeStep);
  }
}

// Sign of friction at its bound; 0 if it clamps.
fn slipOf(r: u32) -> f32 {
  let at = heldAt(r);
  let normal = u32(load(at + HELD_NORMAL));
  if (normal == 0u) { return 0.0; }
  let bound = load(at + HELD_FRICTION) * load(heldAt(r - normal) + HELD_IMPULSE);
  let impulse = load(at + HELD_IMPULSE);
  return select(0.0, sign(impulse), abs(impulse) >= (1.0 - slipRounding) * bound);
}

// From λ in DOF_VALUE to g there, and ν in HELD_SHIFT of each row, by Gauss-Seidel.
fn pullVelocities() {
  solveUpper();
  for (var r = 0u; r < rowCount; r++) { store(heldAt(r) + HELD_SHIFT, 0.0); }
  var first = 0.0;
  for (var n = 0u; n < batch.sweeps; n++) {
    let change = pullRows();
    if (n == 0u) { first = change.x; }
    // There may be no solution if contacts that depend on each other slip, and changes grow without end.
    if (change.x <= impulseRounding * change.y || change.x > 10.0 * first) { break; }
  }
  solveLower(-1.0);
  for (var k = 0u; k < batch.dofCount; k++) {
    let at = dofAt(k) + DOF_VALUE;
    store(at, batch.timeStep * load(at));
  }
}

// Sets ν of each limit and contact in turn so that K μ = 0 there. Returns the largest change, and the largest ν.
fn pullRows() -> vec2f {
  var most = 0.0;
  var size = 0.0;
  var count = 1u;
  for (var r = 0u; r < rowCount; r += count) {
    let at = heldAt(r);
    count = u32(load(at + HELD_COUNT));
    if (load(at + HELD_INVERSE) == 0.0 || load(at + HELD_IMPULSE) <= 0.0) { continue; }
    var speed = vec3f(0.0);
    // Friction at its bound follows the normal's impulse; a row that nothing moves does not count.
    var follows = vec3f(0.0);
    var clamps = vec3f(0.0);
    for (var c = 0u; c < count; c++) {
      let slip = slipOf(r + c);
      speed[c] = alongRow(r + c);
      follows[c] = slip * load(at + HELD_FRICTION);
      clamps[c] = select(0.0, 1.0, slip == 0.0 && load(heldAt(r + c) + HELD_INVERSE) > 0.0);
    }
    var change = vec3f(speed.x * load(at + HELD_INVERSE), 0.0, 0.0);
    if (count == 3u) {
      let a = contactMatrix(r);
      let normal = a[0] + follows.y * a[1] + follows.z * a[2];
      let rows = mat3x3f(
        clamps * normal,
        clamps.y * clamps * a[1] + vec3f(0.0, 1.0 - clamps.y, 0.0),
        clamps.z * clamps * a[2] + vec3f(0.0, 0.0, 1.0 - clamps.z),
      );
      change = solveRows(rows, clamps * vec3f(speed.x + dot(follows, speed), speed.yz));
    }
    for (var c = 0u; c < count; c++) {
      let next = load(heldAt(r + c) + HELD_SHIFT) + change[c];
      store(heldAt(r + c) + HELD_SHIFT, next);
      push(heldAt(r + c), -change[c]);
      most = max(most, abs(change[c]));
      size = max(size, abs(next));
    }
  }
  return vec2f(most, size);
}

// Accelerations, and twists of g, from the root.
fn descend() {
  for (var i = 0u; i < batch.linkCount; i++) {
    let link = links[i];
    let at = gradientAt(i);
    var v = Spatial();
    var a = Spatial(vec3f(0.0), -gravityHere());
    var g = Spatial();
    var b = Spatial();
    if (link.parent >= 0) {
      let above = gradientAt(u32(link.parent));
      v = loadSpatial(linkAt(u32(link.parent)) + LINK_TWIST);
      a = loadSpatial(above);
      g = loadSpatial(above + GRADIENT_POWER);
      b = loadSpatial(above + GRADIENT_CHANGE);
    }
    for (var n = link.firstSegment; n < link.endSegment; n++) {
      let segment = segments[n];
      let k = segment.dof;
      if (segment.kind == SEGMENT_ROTATION_VECTOR) {
        let moving = sumColumns(k, rate3(k));
        let own = rotationColumns(segment, i);
        let drift = liftedTurn(own, leftJacobianRate(own.phi, own.rate, own.coefficients) * own.rate);
        a = plus(a, plus(plus(sumColumns(k, acceleration3(k)), drift), crossMotion(v, moving)));
        v = plus(v, moving);
        g = plus(g, sumColumns(k, solved3(k)));
        b = plus(b, sumColumns(k, vec3f(changeRate(k), changeRate(k + 1u), changeRate(k + 2u))));
        continue;
      }
      let s = loadSpatial(dofAt(k));
      let rate = states[velocityIndex(k)];
      a = plus(a, plus(scaled(s, load(dofAt(k) + DOF_START)), scaled(crossMotion(v, s), rate)));
      v = plus(v, scaled(s, rate));
      g = plus(g, scaled(s, load(dofAt(k) + DOF_VALUE)));
      b = plus(b, scaled(s, changeRate(k)));
    }
    storeSpatial(at, a);
    storeSpatial(at + GRADIENT_POWER, g);
    storeSpatial(at + GRADIENT_CHANGE, b);
    for (var c = GRADIENT_FORCE; c < GRADIENT_SCRATCH; c++) { store(at + c, 0.0); }
  }
}

// Adds to the gradients by a coordinate, its velocity and its controls. `own` has what the change of columns of a rotation vector adds to those by
// coordinate and velocity.
fn pullCoordinate(k: u32, behind: Behind, loads: Loads, own: vec2f) {
  let dof = dofs[k];
  let s = loadSpatial(dofAt(k));
  let power = load(dofAt(k) + DOF_VALUE);
  let drive = driveOf(k, dof);
  let damper = varied(batch.dampingRow, k, dof.damping) - drive.bias.z;
  let carried = crossForce(behind.v, loads.momentum);
  let held = crossForce(plus(behind.v, scaled(behind.b, batch.timeStep)), loads.wrench);
  let byPosition = product(crossMotion(s, behind.g), loads.force) + product(crossMotion(s, behind.a), loads.momentum)
    + product(crossMotion(s, behind.v), minus(loads.rate, carried)) + product(s, minus(loads.motion, held));
  let byVelocity = product(s, minus(scaled(carried, 2.0), loads.rate));
  // M μ
  let pulled = product(s, loads.wrench);
  let velocity = pulledVelocity(k);
  store(dofAt(k) + DOF_PULLED, load(dofAt(k) + DOF_PULLED) + pulled);
  states[gradientIndex(k)] += byPosition + own.x + (drive.bias.y - dof.stiffness) * power;
  states[gradientIndex(batch.dofCount + k)] = velocity + pulled + byVelocity + own.y - damper * power;
  states[gradientIndex(2u * batch.dofCount + k)] = power;
  if (dof.inputRow != 0u) {
    let u = controls[dof.inputRow * batch.worldCount + world];
    let isFree = load(dofAt(k) + DOF_BOUND) == 0.0 && u >= dof.range.x && u <= dof.range.y;
    let gain = select(0.0, varied(batch.gainRow, k, 1.0) * dof.gain, isFree);
    states[gradientIndex(2u * batch.dofCount + dof.inputRow)] = gain * power;
  }
}

// The three coordinates of a rotation vector. Returns the twists before it.
fn pullColumns(segment: BatchSegment, link: u32, behind: Behind, loads: Loads) -> Behind {
  let k = segment.dof;
  let own = rotationColumns(segment, link);
  let acceleration = acceleration3(k);
  let power = solved3(k);
  let after = own.rate + batch.timeStep * vec3f(changeRate(k), changeRate(k + 1u), changeRate(k + 2u));
  let moving = sumColumns(k, own.rate);
  var before = behind;
  before.v = minus(behind.v, moving);
  before.g = minus(behind.g, sumColumns(k, power));
  before.b = minus(behind.b, scaled(sumColumns(k, after - own.rate), 1.0 / batch.timeStep));
  let rateOf = leftJacobianRate(own.phi, own.rate, own.coefficients);
  let drift = plus(sumColumns(k, acceleration), liftedTurn(own, rateOf * own.rate));
  before.a = minus(behind.a, plus(drift, crossMotion(before.v, moving)));
  let carried = crossForce(behind.v, loads.momentum);
  for (var c = 0u; c < 3u; c++) {
    let along = leftJacobianRate(own.phi, unit3(c), own.coefficients);
    let byRate = along * own.rate;
    let v = liftedTurn(own, byRate);
    let bend = along * acceleration + leftJacobianSecond(own.phi, own.rate, unit3(c), own.coefficients) * own.rate;
    let a = plus(crossMotion(before.v, v), liftedTurn(own, bend));
    let byPosition = product(liftedTurn(own, along * power), loads.force) + product(a, loads.momentum)
      + product(v, minus(loads.rate, carried)) - product(liftedTurn(own, along * after), loads.wrench);
    let turning = minus(crossMotion(moving, loadSpatial(dofAt(k + c))), liftedTurn(own, byRate + rateOf[c]));
    pullCoordinate(k + c, behind, loads, vec2f(-byPosition, product(turning, loads.momentum)));
  }
  return before;
}

// Gradients by all coordinates, velocities and controls, from the tips.
fn ascend() {
  for (var i = i32(batch.linkCount) - 1; i >= 0; i--) {
    let link = links[i];
    let pose = linkAt(u32(i));
    let at = gradientAt(u32(i));
    let r = mat3x3f(load3(pose), load3(pose + 3u), load3(pose + 6u));
    let inertia = inertiaOf(link, varied(batch.massRow, u32(i), 1.0), r, load3(pose + LINK_POSITION));
    var behind = Behind(
      loadSpatial(pose + LINK_TWIST),
      loadSpatial(at),
      loadSpatial(at + GRADIENT_POWER),
      loadSpatial(at + GRADIENT_CHANGE),
    );
    let v = behind.v;
    let g = behind.g;
    let moving = inertiaTimes(inertia, v);
    let own = inertiaTimes(inertia, g);
    var loads: Loads;
    loads.force = plus(loadSpatial(at + GRADIENT_FORCE), plus(inertiaTimes(inertia, behind.a), crossForce(v, moving)));
    loads.momentum = plus(loadSpatial(at + GRADIENT_MOMENTUM), own);
    loads.rate = plus(
      loadSpatial(at + GRADIENT_RATE),
      plus(minus(inertiaTimes(inertia, crossMotion(g, v)), crossForce(g, moving)), crossForce(v, own)),
    );
    loads.wrench = loadSpatial(at + GRADIENT_WRENCH);
    loads.motion = loadSpatial(at + GRADIENT_MOTION);
    for (var n = link.endSegment; n > link.firstSegment; n--) {
      let segment = segments[n - 1u];
      if (segment.kind == SEGMENT_ROTATION_VECTOR) {
        behind = pullColumns(segment, u32(i), behind, loads);
        continue;
      }
      let k = segment.dof;
      let s = loadSpatial(dofAt(k));
      let speed = states[velocityIndex(k)];
      pullCoordinate(k, behind, loads, vec2f(0.0));
      behind.v = minus(behind.v, scaled(s, speed));
      behind.a = minus(behind.a, plus(scaled(s, load(dofAt(k) + DOF_START)), scaled(crossMotion(behind.v, s), speed)));
      behind.g = minus(behind.g, scaled(s, load(dofAt(k) + DOF_VALUE)));
      behind.b = minus(behind.b, scaled(s, changeRate(k)));
    }
    if (link.parent >= 0) {
      let above = gradientAt(u32(link.parent));
      addSpatial(above + GRADIENT_FORCE, loads.force);
      addSpatial(above + GRADIENT_MOMENTUM, loads.momentum);
      addSpatial(above + GRADIENT_RATE, loads.rate);
      addSpatial(above + GRADIENT_WRENCH, loads.wrench);
      addSpatial(above + GRADIENT_MOTION, loads.motion);
    }
  }
}

fn addLimitPulls(first: u32) {
  for (var r = first; r < rowCount; r++) {
    let at = heldAt(r);
    let k = u32(load(at + HELD_DOF));
    let side = u32(load(at + HELD_PLACE)) - dofs[k].limitRow;
    let pull = load(at + HELD_SHIFT) * load(at + HELD_VECTOR);
    states[gradientIndex(batch.dofCount + k)] -= pull;
    states[gradientIndex(k)] -= limitRate(limitDepths(k, dofs[k])[side]) * pull;
  }
}

@compute @workgroup_size(WORKGROUP)
fn pullWorlds(@builtin(global_invocation_id) id: vec3u) {
  world = batch.firstWorld + id.x;
  if (id.x >= batch.lanes || world >= batch.worldCount) { return; }
  place = (id.x / WORKGROUP) * WORKGROUP * batch.scratchSize + id.x % WORKGROUP;
  origin = vec3f(0.0);
  repeatStep();
  // One call of `pullRotations` alone, since drivers compile every call on its own.
  for (var isAfter = 0u; isAfter < 2u; isAfter++) {
    pullRotations(isAfter == 0u);
    if (isAfter == 0u) {
      for (var k = 0u; k < batch.dofCount; k++) {
        let lambda = pulledVelocity(k);
        if (dofs[k].turned == 0u) { store(dofAt(k) + DOF_PULLED, lambda); }
        store(dofAt(k) + DOF_VALUE, load(dofAt(k) + DOF_PULLED));
      }
      pullVelocities();
      descend();
      let first = addTouches();
      ascend();
      addLimitPulls(first);
    }
  }
}
