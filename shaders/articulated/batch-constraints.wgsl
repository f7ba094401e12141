#import "articulated/batch-dynamics.wgsl"
#import "articulated/batch-friction.wgsl"
#import "articulated/batch-pairs.wgsl"

// Limits of joints, and contact: the boxed LCP of src/articulated/step/contact-step.ts, by Gauss-Seidel from the impulses of the
// last step, a limit or a contact at a time. With M = Lᵀ D L and u = L q̇,
//
//   J q̇ = zᵀ u,   u += D⁻¹ z Δf,   z = L⁻ᵀ Jᵀ
//
// and z has entries on the ways from the world to both links alone: first those of the way to the first link that the other one has not, then
// those of the other one, then those of both; each nearest first.

// of a row: last degree of freedom, or −2 less that if there is another link, impulse's row in `states`, impulse, 1 / (J M⁻¹ Jᵀ), velocity beside J q̇, rows back to the normal's (0: it
// pushes to one side itself), coefficient of friction; of a normal how many rows its contact has, and J M⁻¹ Jᵀ of the normal with the first
// and the second tangent, and of both of these; last degree of freedom of the other link, −1: none, and of both; how many the first link has alone,
// and the other one; then z
const HELD_DOF = 0u;
const HELD_PLACE = 1u;
const HELD_IMPULSE = 2u;
const HELD_INVERSE = 3u;
const HELD_SHIFT = 4u;
const HELD_NORMAL = 5u;
const HELD_FRICTION = 6u;
const HELD_COUNT = 7u;
const HELD_COUPLING = 8u;
const HELD_OTHER = 11u;
const HELD_COMMON = 12u;
const HELD_BRANCH = 13u;
const HELD_SKIP = 14u;
const HELD_VECTOR = 15u;

// Entries of J below this part of their terms are rounding: the row cannot move.
const rowRounding = 1e-5;
// Distance from a limit [rad or m] that a coordinate may pass from rest in a step, as in constraint-rows.ts.
const nearLimit = 0.02;
// rows of this step
var<private> rowCount: u32;

// A way over the degrees of freedom of a row.
struct Walk {
  // −1: at its end
  k: i32,
  // begin of the second branch, and what both share
  other: i32,
  join: i32,
}

fn walkOf(at: u32) -> Walk {
  let last = i32(load(at + HELD_DOF));
  if (!withPairs || last >= 0) { return Walk(last, -1, -1); }
  return onward(Walk(-2 - last, i32(load(at + HELD_OTHER)), i32(load(at + HELD_COMMON))));
}

// From the end of the first branch to the second, and from its end to what both share.
fn onward(walk: Walk) -> Walk {
  if (!withPairs || walk.k != walk.join) { return walk; }
  return Walk(walk.other, walk.join, walk.join);
}

fn above(walk: Walk) -> Walk {
  return onward(Walk(dofs[u32(walk.k)].parent, walk.other, walk.join));
}

// depths of the lower and the upper limit
fn limitDepths(k: u32, dof: BatchDof) -> vec2f {
  let q = states[positionIndex(k)];
  return vec2f(dof.lower - q, q - dof.upper);
}

// how far before a limit it counts
fn limitReach(k: u32) -> f32 {
  let speed = abs(states[velocityIndex(k)]);
  return select(0.0, 2.0 * batch.timeStep * speed + nearLimit, batch.limits == LIMITS_AHEAD);
}

// Speed out of a limit for each unit of its violation; for a negative one, of the way to it [1/s].
fn limitRate(depth: f32) -> f32 {
  if (depth > 0.0) { return batch.correction / batch.timeStep; }
  return select(0.0, 1.0 / batch.timeStep, batch.limits == LIMITS_AHEAD);
}

// Whether anything touches, or a limit is reached. After `findContacts`.
fn isHeld() -> bool {
  if (contactCount > 0u) { return true; }
  if (batch.limits != LIMITS_OFF) {
    for (var k = 0u; k < batch.dofCount; k++) {
      let depths = limitDepths(k, dofs[k]);
      if (max(depths.x, depths.y) >= -limitReach(k)) { return true; }
    }
  }
  return false;
}

fn heldAt(r: u32) -> u32 {
  return batch.rowStart + r * batch.rowSize;
}

// The degrees of freedom of the next row, of one link or of two.
fn beginRow(last: u32) {
  store(heldAt(rowCount) + HELD_DOF, f32(last));
}

fn beginPair(shape: u32) {
  let at = heldAt(rowCount);
  store(at + HELD_DOF, -2.0 - f32(touches[shape].dof));
  store(at + HELD_OTHER, f32(touches[shape].otherDof));
  store(at + HELD_COMMON, f32(touches[shape].join));
  store(at + HELD_BRANCH, f32(touches[shape].branch));
  store(at + HELD_SKIP, f32(touches[shape].otherBranch));
}

// Completes the row whose J is in its place: z, its impulse, and what that impulse changes.
fn addRow(place: u32, shift: f32, normal: u32, friction: f32) {
  let at = heldAt(rowCount);
  store(at + HELD_COUNT, 1.0);
  rowCount++;
  store(at + HELD_PLACE, f32(place));
  store(at + HELD_SHIFT, shift);
  store(at + HELD_NORMAL, f32(normal));
  store(at + HELD_FRICTION, friction);
  var branch = 0u;
  var skip = 0u;
  if (withPairs && load(at + HELD_DOF) < 0.0) {
    branch = u32(load(at + HELD_BRANCH));
    skip = u32(load(at + HELD_SKIP));
  }
  var walk = walkOf(at);
  var inertia = 0.0;
  for (var t = 0u; walk.k >= 0; t++) {
    let dof = dofs[u32(walk.k)];
    let value = load(at + HELD_VECTOR + t);
    inertia += value * value / load(dof.row);
    for (var s = 0u; s < dof.depth; s++) {
      var index = t + 1u + s;
      index += select(0u, skip, withPairs && t < branch && index >= branch);
      let next = at + HELD_VECTOR + index;
      store(next, load(next) - load(dof.row + 1u + s) * value);
    }
    walk = above(walk);
  }
  // A row that nothing moves gets no impulse.
  store(at + HELD_INVERSE, select(0.0, 1.0 / inertia, inertia > 0.0));
  let impulse = select(0.0, states[impulseIndex(place)], inertia > 0.0);
  store(at + HELD_IMPULSE, impulse);
  push(at, impulse);
}

// u += D⁻¹ z Δf
fn push(at: u32, change: f32) {
  var walk = walkOf(at);
  for (var t = 0u; walk.k >= 0; t++) {
    let k = u32(walk.k);
    let value = dofAt(k) + DOF_VALUE;
    store(value, load(value) + change * load(at + HELD_VECTOR + t) / load(dofs[k].row));
    walk = above(walk);
  }
}

// z · x for x in DOF_VALUE
fn alongRow(r: u32) -> f32 {
  let at = heldAt(r);
  var sum = 0.0;
  var walk = walkOf(at);
  for (var t = 0u; walk.k >= 0; t++) {
    sum += load(at + HELD_VECTOR + t) * load(dofAt(u32(walk.k)) + DOF_VALUE);
    walk = above(walk);
  }
  return sum;
}

// Writes J of a direction of a contact; returns J q̇ before the step. Joints above both links do not move them against each other.
fn writeContact(shape: u32, point: vec3f, direction: vec3f) -> f32 {
  if (!withPairs || touches[shape].other < 0) {
    beginRow(u32(touches[shape].dof));
  } else {
    beginPair(shape);
  }
  let branch = touches[shape].branch;
  let both = branch + touches[shape].otherBranch;
  let at = heldAt(rowCount);
  let wrench = Spatial(cross(point, direction), direction);
  var walk = walkOf(at);
  var speed = 0.0;
  for (var t = 0u; walk.k >= 0; t++) {
    let k = u32(walk.k);
    let motion = loadSpatial(dofAt(k));
    let terms = length(motion.angular) * length(wrench.angular) + length(motion.linear);
    let side = select(-1.0, 1.0, !withPairs || t < branch);
    var value = side * product(motion, wrench);
    value = select(value, 0.0, abs(value) <= rowRounding * terms || (withPairs && t >= both));
    store(at + HELD_VECTOR + t, value);
    speed += value * states[velocityIndex(k)];
    walk = above(walk);
  }
  return speed;
}

// First direction of friction, as in tangents.ts.
fn tangentOf(n: vec3f) -> vec3f {
  return select(normalize(vec3f(0.0, -n.z, n.y)), normalize(vec3f(-n.y, n.x, 0.0)), abs(n.z) <= 0.9);
}

fn addContact(contact: Contact) {
  let shape = contact.shape;
  let friction = touches[shape].friction * varied(batch.frictionRow, 0u, 1.0);
  let count = select(1u, 3u, friction > 0.0);
  var tangent = touches[shape].tangent;
  if (withPairs && touches[shape].kind != TOUCH_PLANE) { tangent = tangentOf(contact.normal); }
  for (var c = 0u; c < count; c++) {
    var direction = contact.normal;
    if (c > 0u) { direction = select(tangent, cross(contact.normal, tangent), c == 2u); }
    let before = writeContact(shape, contact.point, direction);
    var shift = 0.0;
    if (c == 0u) {
      let bounce = select(0.0, touches[shape].restitution, before < -batch.bounceThreshold);
      shift = bounce * before - batch.correction / batch.timeStep * max(contact.depth, 0.0);
    }
    addRow(contact.row + c, shift, c, friction);
  }
  if (count == 3u) {
    let at = heldAt(rowCount - 3u);
    store(at + HELD_COUNT, 3.0);
    for (var c = 0u; c < 3u; c++) {
      store(at + HELD_COUPLING + c, coupling(rowCount - select(3u, 2u, c == 2u), rowCount - select(1u, 2u, c == 0u)));
    }
  }
}

// J M⁻¹ Jᵀ of two rows of a contact
fn coupling(r: u32, t: u32) -> f32 {
  var sum = 0.0;
  var walk = walkOf(heldAt(r));
  for (var n = 0u; walk.k >= 0; n++) {
    let row = dofs[u32(walk.k)].row;
    sum += load(heldAt(r) + HELD_VECTOR + n) * load(heldAt(t) + HELD_VECTOR + n) / load(row);
    walk = above(walk);
  }
  return sum;
}

// J M⁻¹ Jᵀ of the rows of a contact; 0 for a row that nothing moves
fn contactMatrix(normal: u32) -> mat3x3f {
  let at = heldAt(normal);
  var own = vec3f(0.0);
  for (var c = 0u; c < 3u; c++) {
    let inverse = load(heldAt(normal + c) + HELD_INVERSE);
    own[c] = select(0.0, 1.0 / inverse, inverse > 0.0);
  }
  let o = load3(at + HELD_COUPLING);
  return mat3x3f(own.x, o.x, o.y, o.x, own.y, o.z, o.y, o.z, own.z);
}

fn addLimits(k: u32) {
  let dof = dofs[k];
  let depths = limitDepths(k, dof);
  for (var side = 0u; side < 2u; side++) {
    let depth = depths[side];
    if (depth < -limitReach(k)) {
      states[impulseIndex(dof.limitRow + side)] = 0.0;
      continue;
    }
    beginRow(k);
    let at = heldAt(rowCount) + HELD_VECTOR;
    store(at, select(1.0, -1.0, side == 1u));
    for (var t = 1u; t <= dof.depth; t++) { store(at + t, 0.0); }
    addRow(dof.limitRow + side, -limitRate(depth) * depth, 0u, 0.0);
  }
}

// Changes q̇' in DOF_VALUE from that without limits and contact. After `findContacts` and `accelerate`.
fn hold() {
  if (batch.touchCount == 0u && batch.limits == LIMITS_OFF) { return; }
  solveLower(1.0);
  rowCount = 0u;
  for (var c = 0u; c < contactCount; c++) { addContact(contactOf(c)); }
  if (batch.limits != LIMITS_OFF) {
    for (var k = 0u; k < batch.dofCount; k++) {
      if (min(dofs[k].upper, -dofs[k].lower) < unlimited) { addLimits(k); }
    }
  }
  for (var n = 0u; n < batch.sweeps; n++) {
    // Contacts with much friction may send each other round in circles. With half of their changes they come to an end.
    if (!sweep(select(1.0, 0.5, 2u * n > batch.sweeps))) { break; }
  }
  for (var r = 0u; r < rowCount; r++) {
    let at = heldAt(r);
    states[impulseIndex(u32(load(at + HELD_PLACE)))] = load(at + HELD_IMPULSE);
  }
  solveLower(-1.0);
}

// Forgets the impulses of the last step.
fn release() {
  for (var row = 2u * batch.dofCount; row < batch.stateRows; row++) { states[impulseIndex(row)] = 0.0; }
}

// The speed that a row's own impulse stops [m/s or rad/s], by which rows of light and heavy links compare.
fn stoppedSpeed(at: u32) -> f32 {
  let impulse = abs(load(at + HELD_IMPULSE));
  return select(0.0, impulse / load(at + HELD_INVERSE), impulse > 0.0);
}

// Changes the impulses of each limit and contact in turn toward those that solve it alone, by a part of the way. Returns whether any changed.
fn sweep(part: f32) -> bool {
  var most = 0.0;
  var size = 0.0;
  var count = 1u;
  for (var r = 0u; r < rowCount; r += count) {
    let at = heldAt(r);
    count = u32(load(at + HELD_COUNT));
    var before = vec3f(0.0);
    var speed = vec3f(0.0);
    for (var c = 0u; c < count; c++) {
      before[c] = load(heldAt(r + c) + HELD_IMPULSE);
      speed[c] = load(heldAt(r + c) + HELD_SHIFT) + alongRow(r + c);
    }
    var next = vec3f(max(before.x - speed.x * load(at + HELD_INVERSE), 0.0), 0.0, 0.0);
    if (count == 3u) {
      let a = contactMatrix(r);
      let alone = speed - a * before;
      let friction = load(at + HELD_FRICTION);
      if (roundCone) {
        next = solveCone(a, alone, friction);
      } else {
        next = solveContact(a, alone, friction);
      }
    }
    for (var c = 0u; c < count; c++) {
      let change = part * (next[c] - before[c]);
      next[c] = before[c] + change;
      if (change != 0.0) {
        store(heldAt(r + c) + HELD_IMPULSE, next[c]);
        push(heldAt(r + c), change);
      }
      let inverse = load(heldAt(r + c) + HELD_INVERSE);
      most = max(most, select(0.0, abs(change) / inverse, change != 0.0));
      size = max(size, stoppedSpeed(heldAt(r + c)));
    }
  }
  return most > impulseRounding * size;
}
