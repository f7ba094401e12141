#import "articulated/batch-constraints.wgsl"
#import "articulated/gradient/batch-rotations.wgsl"

// The contact problem of a step and its transposed one, for rows that clamp and the friction that follows them: with C and K = C + Eᵀ U as in
// src/articulated/lcp/stabilise.ts, and A = C M⁻¹ Kᵀ, which has no inverse if there are more contacts than hold a link. Both are
//
//   x = A⁺ᵀ r,   r ← (1 - A⁺ A) r
//
// by conjugate gradients for |Aᵀ x - r| (Hestenes and Stiefel 1952), which find the shortest x of all.

// After the step a row is 1 if it clamps, and ±µ if it is friction that follows; 0: it is neither. HELD_NORMAL is 0 for those that clamp.
const PULL_WEIGHT = HELD_INVERSE;
// x: ν in the end
const PULL_ANSWER = HELD_SHIFT;
const PULL_REST = HELD_COUPLING;
const PULL_WAY = HELD_COUPLING + 1u;
const PULL_PRODUCT = HELD_COUPLING + 2u;
// A⁺ᵀ f
const PULL_FORCES = HELD_FRICTION;

// Friction within this part of its bound is at it; and rows with this part of the largest speed that an impulse stops do not move.
const slipRounding = 1e-5;
const movingRounding = 1e-5;
// Squares that are rounding: of A r beside the largest that r could give, and of r beside the one at first; and of r at the end.
const answerRounding = 1e-13;
const restRounding = 1e-9;

// whether friction follows, and whether what is left moves something
var<private> slides: bool;
var<private> isSpread: bool;
// 1 / (J M⁻¹ Jᵀ) of the row that moves most easily [kg or kg m²]
var<private> least: f32;

// After the step, with q̇' in DOF_VALUE. Friction that does not move clamps: where many solutions share a load it may be at its bound.
fn classify() {
  slides = false;
  least = 3e38;
  solveLower(1.0);
  var most = 0.0;
  for (var r = 0u; r < rowCount; r++) { most = max(most, stoppedSpeed(heldAt(r))); }
  for (var r = 0u; r < rowCount; r++) {
    let at = heldAt(r);
    let back = u32(load(at + HELD_NORMAL));
    let impulse = load(at + HELD_IMPULSE);
    let friction = load(at + HELD_FRICTION);
    let inverse = load(at + HELD_INVERSE);
    let moving = load(at + HELD_SHIFT) + alongRow(heldAt(r), wayOf(heldAt(r)));
    let rests = abs(moving) <= movingRounding * most;
    var clamps = inverse > 0.0;
    if (clamps) { least = min(least, inverse); }
    var weight = 0.0;
    if (back == 0u) {
      clamps &= impulse > 0.0;
    } else {
      let normal = at - back * batch.rowSize;
      let isHeld = load(normal + PULL_WEIGHT) > 0.0;
      let follows = isHeld && !rests && abs(impulse) >= (1.0 - slipRounding) * friction * load(normal + HELD_IMPULSE);
      clamps &= isHeld && !follows;
      if (follows) { weight = -sign(moving) * friction; }
      slides |= follows;
    }
    if (clamps) {
      weight = 1.0;
      store(at + HELD_NORMAL, 0.0);
    }
    store(at + PULL_WEIGHT, weight);
    store(at + PULL_REST, select(0.0, impulse, clamps));
  }
}

// A number of each row that clamps, times its row of K or of C, pushes DOF_VALUE.
fn pushRows(field: u32, withFriction: bool) {
  for (var r = 0u; r < rowCount; r++) {
    let at = heldAt(r);
    let back = u32(load(at + HELD_NORMAL));
    let weight = load(at + PULL_WEIGHT);
    if (weight == 0.0 || (back > 0u && !withFriction)) { continue; }
    push(at, wayOf(at), weight * load(at - back * batch.rowSize + field));
  }
}

// K or C times DOF_VALUE
fn alongRows(field: u32, withFriction: bool) {
  for (var r = 0u; r < rowCount; r++) {
    let at = heldAt(r);
    let back = u32(load(at + HELD_NORMAL));
    let weight = load(at + PULL_WEIGHT);
    store(at + field, 0.0);
    if (weight == 0.0 || (back > 0u && !withFriction)) { continue; }
    let own = at - back * batch.rowSize + field;
    store(own, load(own) + weight * alongRow(heldAt(r), wayOf(heldAt(r))));
  }
}

fn clearValues() {
  for (var k = 0u; k < batch.dofCount; k++) { store(dofAt(k) + DOF_VALUE, 0.0); }
}

// DOF_VALUE: M⁻¹ Kᵀ or M⁻¹ Cᵀ times a number of each row
fn moveBy(field: u32, withFriction: bool) {
  clearValues();
  pushRows(field, withFriction);
  solveLower(-1.0);
}

fn squareOf(field: u32) -> f32 {
  var sum = 0.0;
  for (var r = 0u; r < rowCount; r++) {
    let value = load(heldAt(r) + field);
    sum += value * value;
  }
  return sum;
}

// From r in PULL_REST to x in PULL_ANSWER, and to what is left of r. Returns whether that is more than rounding. Numbers on the way are those of
// the largest of A and of r, since squares of squares of light bodies would not be f32.
fn solveShortest() -> bool {
  var unit = 1e-30;
  for (var r = 0u; r < rowCount; r++) {
    store(heldAt(r) + PULL_ANSWER, 0.0);
    store(heldAt(r) + PULL_WAY, 0.0);
    unit = max(unit, abs(load(heldAt(r) + PULL_REST)));
  }
  for (var r = 0u; r < rowCount; r++) { store(heldAt(r) + PULL_REST, load(heldAt(r) + PULL_REST) / unit); }
  let all = squareOf(PULL_REST);
  var gain = 1.0;
  var left = all;
  var last = 0.0;
  // In turns A r, which improves the way, and Aᵀ of the way.
  for (var n = 0u; n < 16u * rowCount; n++) {
    let isWay = (n & 1u) != 0u;
    clearValues();
    pushRows(select(PULL_REST, PULL_WAY, isWay), !isWay);
    alongRows(PULL_PRODUCT, isWay);
    for (var r = 0u; r < rowCount; r++) { store(heldAt(r) + PULL_PRODUCT, least * load(heldAt(r) + PULL_PRODUCT)); }
    let size = squareOf(PULL_PRODUCT);
    if (!isWay) {
      left = squareOf(PULL_REST);
      gain = max(gain, size / left);
      if (!(size > answerRounding * gain * left) || left <= answerRounding * all) { break; }
    }
    if (!(size > 0.0)) { break; }
    let ratio = select(select(0.0, size / last, n > 0u), last / size, isWay);
    for (var r = 0u; r < rowCount; r++) {
      let at = heldAt(r);
      let product = load(at + PULL_PRODUCT);
      let way = load(at + PULL_WAY);
      if (isWay) {
        store(at + PULL_ANSWER, load(at + PULL_ANSWER) + ratio * way);
        store(at + PULL_REST, load(at + PULL_REST) - ratio * product);
      } else {
        store(at + PULL_WAY, product + ratio * way);
      }
    }
    if (!isWay) { last = size; }
  }
  for (var r = 0u; r < rowCount; r++) {
    let at = heldAt(r);
    store(at + PULL_ANSWER, load(at + PULL_ANSWER) * least * unit);
    store(at + PULL_REST, load(at + PULL_REST) * unit);
  }
  return left > restRounding * all;
}

// Of all forces that these rows may have the shortest, as on the CPU; and A⁺ᵀ of them, from `solveShortest`.
fn shortenForces(isShorter: bool) {
  for (var r = 0u; r < rowCount; r++) {
    let at = heldAt(r);
    store(at + PULL_FORCES, load(at + PULL_ANSWER));
  }
  if (!isShorter) { return; }
  for (var r = 0u; r < rowCount; r++) {
    let at = heldAt(r);
    let change = load(at + PULL_WEIGHT) * load(at - u32(load(at + HELD_NORMAL)) * batch.rowSize + PULL_REST);
    store(at + HELD_IMPULSE, load(at + HELD_IMPULSE) - change);
  }
  moveBy(PULL_REST, true);
  for (var k = 0u; k < batch.dofCount; k++) {
    let at = dofAt(k);
    store(at + DOF_START, load(at + DOF_START) - load(at + DOF_VALUE) / batch.timeStep);
  }
}

// From D⁻¹ L⁻ᵀ λ in DOF_PULLING to g in DOF_VALUE, with ν from `solveShortest`.
fn finishVelocities() {
  clearValues();
  pushRows(PULL_ANSWER, false);
  for (var k = 0u; k < batch.dofCount; k++) {
    let at = dofAt(k);
    store(at + DOF_VALUE, batch.timeStep * (load(at + DOF_PULLING) - load(at + DOF_VALUE)));
  }
  solveLower(-1.0);
}

// Makes of the step another one whose gradient is that of kernel-term.ts by coordinates: from rest, without weight, with forces y = A⁺ᵀ f that move
// it by M⁻¹ Cᵀ y, pulled back from M⁻¹ Kᵀ r.
fn spreadForces() {
  moveBy(PULL_FORCES, false);
  for (var k = 0u; k < batch.dofCount; k++) {
    let at = dofAt(k);
    store(at + DOF_START, load(at + DOF_VALUE) / batch.timeStep);
    store(at + DOF_SHIFT, 0.0);
    states[velocityIndex(k)] = 0.0;
  }
  for (var i = 0u; i < batch.linkCount; i++) { storeSpatial(linkAt(i) + LINK_TWIST, Spatial()); }
  moveBy(PULL_REST, true);
  for (var k = 0u; k < batch.dofCount; k++) {
    let at = dofAt(k) + DOF_VALUE;
    store(at, batch.timeStep * load(at));
  }
  for (var r = 0u; r < rowCount; r++) {
    let at = heldAt(r);
    let back = u32(load(at + HELD_NORMAL));
    store(at + HELD_IMPULSE, select(0.0, load(at + PULL_FORCES), back == 0u));
    store(at + PULL_ANSWER, -load(at + PULL_WEIGHT) * load(at - back * batch.rowSize + PULL_REST));
  }
}
