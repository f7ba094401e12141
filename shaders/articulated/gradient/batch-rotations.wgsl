#import "articulated/batch-dynamics.wgsl"
#import "articulated/rotation-step.wgsl"

// Steps of rotation vectors backward: twin of `differentiate` in src/articulated/step/rotation-step.ts and joints/rotor.ts, and of
// src/articulated/step/derivatives/rotation-derivatives.ts.

// of a degree of freedom, in the place of a step in parts: D⁻¹ L⁻ᵀ λ, λ or M μ, and Δq̇
const DOF_PULLING = 8u;
const DOF_PULLED = 9u;
const DOF_SHIFT = 10u;

fn gradientIndex(row: u32) -> u32 {
  return (batch.stateRows + row) * batch.worldCount + world;
}

fn gradient3(k: u32) -> vec3f {
  return vec3f(states[gradientIndex(k)], states[gradientIndex(k + 1u)], states[gradientIndex(k + 2u)]);
}

fn acceleration3(k: u32) -> vec3f {
  return vec3f(load(dofAt(k) + DOF_START), load(dofAt(k + 1u) + DOF_START), load(dofAt(k + 2u) + DOF_START));
}

fn shift3(k: u32) -> vec3f {
  return vec3f(load(dofAt(k) + DOF_SHIFT), load(dofAt(k + 1u) + DOF_SHIFT), load(dofAt(k + 2u) + DOF_SHIFT));
}

fn pulled3(k: u32) -> vec3f {
  return vec3f(load(dofAt(k) + DOF_PULLED), load(dofAt(k + 1u) + DOF_PULLED), load(dofAt(k + 2u) + DOF_PULLED));
}

fn unit3(c: u32) -> vec3f {
  return vec3f(f32(c == 0u), f32(c == 1u), f32(c == 2u));
}

// q̇' as solved for
fn solvedRate3(k: u32) -> vec3f {
  return rate3(k) + batch.timeStep * acceleration3(k) + shift3(k);
}

fn sumColumns(k: u32, x: vec3f) -> Spatial {
  let rest = plus(scaled(loadSpatial(dofAt(k + 1u)), x.y), scaled(loadSpatial(dofAt(k + 2u)), x.z));
  return plus(scaled(loadSpatial(dofAt(k)), x.x), rest);
}

// The columns of a rotation vector: its coordinates, and the axes and the point in which they turn.
struct RotationColumns {
  phi: vec3f,
  rate: vec3f,
  coefficients: RotationCoefficients,
  axes: mat3x3f,
  point: vec3f,
}

fn rotationColumns(segment: BatchSegment, i: u32) -> RotationColumns {
  let link = links[i];
  let pose = linkAt(i);
  let r = mat3x3f(load3(pose), load3(pose + 3u), load3(pose + 6u));
  let phi = state3(segment.dof);
  let coefficients = rotationCoefficients(dot(phi, phi));
  let axes = r * mat3x3f(link.childX, link.childY, link.childZ) * transpose(rotationOf(phi, coefficients));
  let point = load3(pose + LINK_POSITION) + r * link.childPosition;
  return RotationColumns(phi, rate3(segment.dof), coefficients, axes, point);
}

fn liftedTurn(columns: RotationColumns, turn: vec3f) -> Spatial {
  let turned = columns.axes * turn;
  return Spatial(turned, cross(columns.point, turned));
}

// d²J/dφ² along w and a
fn leftJacobianSecond(phi: vec3f, w: vec3f, a: vec3f, k: RotationCoefficients) -> mat3x3f {
  let second = secondCoefficients(dot(phi, phi), k);
  let along = 2.0 * vec3f(dot(phi, w), dot(phi, a), dot(w, a));
  let both = along.x * along.y;
  let one = identity3();
  let byW = outer(phi, w) + outer(w, phi) - along.x * one;
  let byA = outer(phi, a) + outer(a, phi) - along.y * one;
  let byBoth = outer(w, a) + outer(a, w) - along.z * one;
  return crossMatrix((second.x * both + k.a1 * along.z) * phi + k.a1 * (along.x * a + along.y * w))
    + (second.y * both + k.b1 * along.z) * crossSquared(phi) + k.b1 * (along.x * byA + along.y * byW) + k.b * byBoth;
}

// Second derivatives of a and b by s = |φ|².
fn secondCoefficients(s: f32, k: RotationCoefficients) -> vec2f {
  if (s < 1.0) {
    var series = array<vec2f, 5>(
      vec2f(2.0 / 720.0, 2.0 / 5040.0),
      vec2f(-6.0 / 40320.0, -6.0 / 362880.0),
      vec2f(12.0 / 3628800.0, 12.0 / 39916800.0),
      vec2f(-20.0 / 479001600.0, -20.0 / 6227020800.0),
      vec2f(30.0 / 87178291200.0, 30.0 / 1307674368000.0),
    );
    var sum = vec2f(0.0);
    for (var n = 4; n >= 0; n--) { sum = sum * s + series[n]; }
    return sum;
  }
  let turn = sineCosine(sqrt(s));
  let c1 = (turn.y - k.c) / (2.0 * s);
  let c2 = (-0.5 * k.c - 3.0 * c1) / (2.0 * s);
  return vec2f((0.5 * c1 - 2.0 * k.a1) / s, (-c2 - 2.0 * k.b1) / s);
}

// Of a free rotation: the turn within its own axes, and the velocity after, by the velocity before.
struct RotorChange {
  turn: mat3x3f,
  velocity: mat3x3f,
}

// u × of each column
fn crossColumns(u: vec3f, m: mat3x3f) -> mat3x3f {
  return mat3x3f(cross(u, m[0]), cross(u, m[1]), cross(u, m[2]));
}

// Derivative of tan x / x by s = (2x)²
fn tangentRate(s: f32) -> f32 {
  if (s < 1e-2) { return 1.0 / 12.0 + s / 60.0 + 17.0 * s * s / 6720.0; }
  let x = 0.5 * sqrt(s);
  let turn = sineCosine(x);
  let t = turn.x / turn.y;
  return (x * (1.0 + t * t) - t) / (8.0 * x * x * x);
}

fn rotorChange(segment: BatchSegment, omega: vec3f, dt: f32) -> RotorChange {
  let B = symmetric3(segment.inertiaDiagonal, segment.inertiaOffDiagonal);
  let K = symmetric3(segment.inverseDiagonal, segment.inverseOffDiagonal);
  let count = rotorParts(omega, dt);
  let h = dt / f32(count);
  var momentum = B * omega;
  var change = B;
  var turn = mat3x3f();
  for (var i = 0u; i < count; i++) {
    let start = K * momentum;
    let part = rotorPart(K, momentum, h);
    let middle = part.middle;
    let spin = K * middle;
    // by the momentum, as a row
    let slope = 2.0 * h * h * h * tangentRate(h * h * dot(start, start)) * (start * (K * change));
    let bend = 0.5 * part.eta * (crossMatrix(middle) * K - crossMatrix(spin));
    let next = inverse3(identity3() - bend) * ((identity3() + bend) * change + outer(cross(middle, spin), slope));
    let half = 0.5 * part.eta * spin;
    let halfChange = 0.5 * outer(spin, slope) + 0.25 * part.eta * (K * (change + next));
    let size = 2.0 / (1.0 + dot(half, half));
    let crossed = crossColumns(half, turn);
    turn += size * (crossColumns(half, crossed) - crossed + halfChange - crossColumns(half, halfChange));
    change = next;
    momentum = part.after;
  }
  return RotorChange(turn, K * change);
}

// All of a step of a rotation vector that its change needs, see `RotationJoint`.
struct RotationEnd {
  start: RotationStart,
  rotor: RotorChange,
  turnedVelocity: vec3f,
  bodyOmega: vec3f,
  alpha: vec3f,
  phi: vec3f,
  rate: vec3f,
  solved: vec3f,
  k: RotationCoefficients,
  rotation: mat3x3f,
  jacobian: mat3x3f,
  inverse: mat3x3f,
  omega: vec3f,
  next: vec3f,
  nextRate: vec3f,
  nextK: RotationCoefficients,
  nextInverse: mat3x3f,
  arm: vec3f,
  nextArm: vec3f,
}

fn rotationEnd(segment: BatchSegment) -> RotationEnd {
  let dt = batch.timeStep;
  let k = segment.dof;
  var end: RotationEnd;
  end.phi = state3(k);
  end.rate = rate3(k);
  end.solved = solvedRate3(k);
  end.k = rotationCoefficients(dot(end.phi, end.phi));
  end.rotation = rotationOf(end.phi, end.k);
  end.jacobian = leftJacobian(end.phi, end.k);
  end.inverse = inverse3(end.jacobian);
  end.start = startRotation(segment, end.phi, end.rate, dt);
  if (segment.freedom != ROTATION_BOUND) {
    let B = symmetric3(segment.inertiaDiagonal, segment.inertiaOffDiagonal);
    let K = symmetric3(segment.inverseDiagonal, segment.inverseOffDiagonal);
    end.bodyOmega = transpose(end.rotation) * end.start.omega;
    end.rotor = rotorChange(segment, end.bodyOmega, dt);
    end.alpha = end.rotation * (K * cross(B * end.bodyOmega, end.bodyOmega));
    let back = vec4f(-end.start.turned.xyz, end.start.turned.w);
    end.turnedVelocity = rotate(back, transpose(end.rotation) * end.start.freeOmega);
  }
  end.omega = end.jacobian * end.solved;
  let excess = quaternionOf(dt * (end.omega - end.start.freeOmega));
  let moved = quaternionProduct(quaternionProduct(excess, quaternionOf(end.phi)), end.start.turned);
  end.next = nearestVector(moved, end.phi + dt * end.solved);
  end.nextK = rotationCoefficients(dot(end.next, end.next));
  end.nextInverse = inverse3(leftJacobian(end.next, end.nextK));
  end.nextRate = end.nextInverse * end.omega;
  end.arm = end.rotation * segment.centre;
  end.nextArm = rotate(moved, segment.centre);
  return end;
}

// Changes of what a step of a rotation vector gives: of Δq̇, and of the state after it, for a fixed displacement before it.
struct RotationOutcome {
  shiftRate: vec3f,
  shiftSlide: vec3f,
  phi: vec3f,
  rate: vec3f,
  slide: vec3f,
  slideRate: vec3f,
}

// By changes of φ, φ̇, and of φ̇' and ṡ' as solved for.
fn rotationOutcome(segment: BatchSegment, end: RotationEnd, change: mat4x3f) -> RotationOutcome {
  let dt = batch.timeStep;
  let phi = change[0];
  let along = leftJacobianRate(end.phi, phi, end.k);
  let turn = end.jacobian * phi;
  let omega = end.start.omega;
  let omegaChange = end.jacobian * change[1] + along * end.rate;
  var missChange = dt * (leftJacobianSecond(end.phi, end.rate, phi, end.k) * end.rate
    + leftJacobianRate(end.phi, change[1], end.k) * end.rate + leftJacobianRate(end.phi, end.rate, end.k) * change[1]);
  var freeChange = vec3f(0.0);
  var own = vec3f(0.0);
  let arm = end.arm;
  let armChange = cross(turn, arm);
  var out: RotationOutcome;
  if (segment.freedom != ROTATION_BOUND) {
    let B = symmetric3(segment.inertiaDiagonal, segment.inertiaOffDiagonal);
    let K = symmetric3(segment.inverseDiagonal, segment.inverseOffDiagonal);
    let body = transpose(end.rotation) * (omegaChange - cross(turn, omega));
    own = end.rotor.turn * body;
    let spun = rotate(end.start.turned, cross(own, end.turnedVelocity) + end.rotor.velocity * body);
    freeChange = cross(turn, end.start.freeOmega) + end.rotation * spun;
    let torque = cross(B * body, end.bodyOmega) + cross(B * end.bodyOmega, body);
    let alphaChange = cross(turn, end.alpha) + end.rotation * (K * torque);
    let part = freeChange - omegaChange - dt * alphaChange;
    missChange += part;
    if (segment.freedom == ROTATION_FREE) {
      let miss = end.start.freeOmega - omega - dt * end.alpha;
      let innerChange = cross(omegaChange, arm) + cross(omega, armChange);
      let bend = cross(omegaChange, cross(omega, arm)) + cross(omega, innerChange);
      out.shiftSlide = dt * bend - cross(part, arm) - cross(miss, armChange);
    }
  }
  out.shiftRate = end.inverse * (missChange - along * end.start.shiftRate);
  let nextOmegaChange = end.jacobian * change[2] + along * end.solved;
  let pushed = dt * (end.omega - end.start.freeOmega);
  let first = leftJacobian(pushed, rotationCoefficients(dot(pushed, pushed))) * (dt * (nextOmegaChange - freeChange));
  let left = first + rotate(quaternionOf(pushed), turn + end.rotation * rotate(end.start.turned, own));
  out.phi = end.nextInverse * left;
  out.rate = end.nextInverse * (nextOmegaChange - leftJacobianRate(end.next, out.phi, end.nextK) * end.nextRate);
  if (segment.freedom == ROTATION_FREE) {
    let massChange = change[3] + cross(nextOmegaChange, arm) + cross(end.omega, armChange);
    let nextArmChange = cross(left, end.nextArm);
    out.slide = armChange + dt * massChange - nextArmChange;
    out.slideRate = massChange - cross(nextOmegaChange, end.nextArm) - cross(end.omega, nextArmChange);
  }
  return out;
}

// Adds Δq̇ to q̇' in DOF_VALUE, and keeps it.
fn shiftRotations() {
  for (var s = 0u; s < links[batch.linkCount - 1u].endSegment; s++) {
    let segment = segments[s];
    if (segment.kind != SEGMENT_ROTATION_VECTOR) { continue; }
    let k = segment.dof;
    let start = startRotation(segment, state3(k), rate3(k), batch.timeStep);
    addSolved3(k, start.shiftRate);
    for (var c = 0u; c < 3u; c++) { store(dofAt(k + c) + DOF_SHIFT, start.shiftRate[c]); }
    if (segment.freedom == ROTATION_FREE) {
      addSolved3(k + 3u, start.shiftSlide);
      for (var c = 0u; c < 3u; c++) { store(dofAt(k + 3u + c) + DOF_SHIFT, start.shiftSlide[c]); }
    }
  }
}

// Gradients by the rotation vector and its rate after a step, before the vector was shortened: transpose of `shorten`.
fn pullShortened(end: RotationEnd, byPhi: vec3f, byRate: vec3f) -> array<vec3f, 2> {
  let phi = end.next;
  let s = dot(phi, phi);
  let angle = sqrt(s);
  if (angle <= longestRotationVector) { return array<vec3f, 2>(byPhi, byRate); }
  let along = 2.0 * pi / (s * angle);
  let scale = 1.0 - 2.0 * pi / angle;
  let speed = dot(phi, end.nextRate);
  let bend = dot(end.nextRate, byRate) * phi + dot(phi, byRate) * end.nextRate
    + speed * (byRate - 3.0 / s * dot(phi, byRate) * phi);
  return array<vec3f, 2>(
    scale * byPhi + along * (dot(phi, byPhi) * phi + bend),
    scale * byRate + along * dot(phi, byRate) * phi,
  );
}

// With `isBefore`, from the gradient by the state after the step to λ in DOF_PULLED, and to what φ and φ̇ have of it beside λ. Then from M μ, the
// gradient by Δq̇, to what φ and φ̇ have of that.
fn pullRotations(isBefore: bool) {
  for (var s = 0u; s < links[batch.linkCount - 1u].endSegment; s++) {
    let segment = segments[s];
    if (segment.kind != SEGMENT_ROTATION_VECTOR) { continue; }
    let k = segment.dof;
    let v = batch.dofCount + k;
    let isFree = segment.freedom == ROTATION_FREE;
    let end = rotationEnd(segment);
    var ends = array<vec3f, 2>(pulled3(k), vec3f(0.0));
    var slides = array<vec3f, 2>(vec3f(0.0), vec3f(0.0));
    if (isBefore) { ends = pullShortened(end, gradient3(k), gradient3(v)); }
    if (isFree && isBefore) {
      slides = array<vec3f, 2>(gradient3(k + 3u), gradient3(v + 3u));
    } else if (isFree) {
      slides[0] = pulled3(k + 3u);
    }
    var sums: array<f32, 12>;
    let count = select(6u, select(9u, 12u, isFree), isBefore);
    for (var j = 0u; j < count; j++) {
      var change = mat4x3f();
      change[j / 3u] = unit3(j % 3u);
      let out = rotationOutcome(segment, end, change);
      if (isBefore) {
        sums[j] = dot(ends[0], out.phi) + dot(ends[1], out.rate) + dot(slides[0], out.slide) + dot(slides[1], out.slideRate);
      } else {
        sums[j] = dot(ends[0], out.shiftRate) + dot(slides[0], out.shiftSlide);
      }
    }
    for (var c = 0u; c < 3u; c++) {
      if (!isBefore) {
        states[gradientIndex(k + c)] += sums[c];
        states[gradientIndex(v + c)] += sums[3u + c];
        continue;
      }
      states[gradientIndex(k + c)] = sums[c];
      states[gradientIndex(v + c)] = sums[6u + c] + sums[3u + c];
      store(dofAt(k + c) + DOF_PULLED, sums[6u + c]);
      if (isFree) {
        states[gradientIndex(v + 3u + c)] = sums[9u + c];
        store(dofAt(k + 3u + c) + DOF_PULLED, sums[9u + c]);
      }
    }
  }
}
