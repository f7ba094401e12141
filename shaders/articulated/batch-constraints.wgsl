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

// The degrees of freedom of a row: where those of the first link, of the other one, and of both would begin in `variations` if all were one list; how
// many the first link has alone, how many both have alone, and how many there are.
struct Way {
  first: u32,
  other: u32,
  join: u32,
  branch: u32,
  both: u32,
  size: u32,
}

fn wayOf(at: u32) -> Way {
  let last = i32(load(at + HELD_DOF));
  if (!withPairs || last >= 0) {
    let size = dofs[u32(last)].depth + 1u;
    return Way(wayFrom(u32(last)), 0u, 0u, size, size, size);
  }
  let branch = u32(load(at + HELD_BRANCH));
  let both = branch + u32(load(at + HELD_SKIP));
  var way = Way(0u, 0u, 0u, branch, both, both);
  if (last < -1) { way.first = wayFrom(u32(-2 - last)); }
  let other = i32(load(at + HELD_OTHER));
  if (other >= 0) { way.other = wayFrom(u32(other)) - branch; }
  let join = i32(load(at + HELD_COMMON));
  if (join >= 0) {
    way.join = wayFrom(u32(join)) - both;
    way.size += dofs[u32(join)].depth + 1u;
  }
  return way;
}

fn dofAlong(way: Way, t: u32) -> u32 {
  if (!withPairs || t < way.branch) { return wayDof(way.first + t); }
  return wayDof(select(way.join, way.other, t < way.both) + t);
}

// depths of the lower and the upper limit
fn limitDepths(k: u32) -> vec2f {
  let q = states[positionIndex(k)];
  return vec2f(dofs[k].lower - q, q - dofs[k].upper);
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
  var held = f32(min(contactCount, 1u));
  if (batch.limits != LIMITS_OFF) {
    for (var k = lane; contactCount == 0u && k < batch.dofCount; k += laneCount()) {
      let depths = limitDepths(k);
      if (max(depths.x, depths.y) >= -limitReach(k)) { held = 1.0; }
    }
  }
  return greatest(held) > 0.0;
}

fn heldAt(r: u32) -> u32 {
  return batch.rowStart + r * batch.rowSize;
}

// The degrees of freedom of a row, of one link or of two.
fn beginRow(at: u32, last: u32) {
  store(at + HELD_DOF, f32(last));
}

fn beginPair(at: u32, shape: u32) {
  store(at + HELD_DOF, -2.0 - f32(touches[shape].dof));
  store(at + HELD_OTHER, f32(touches[shape].otherDof));
  store(at + HELD_COMMON, f32(touches[shape].join));
  store(at + HELD_BRANCH, f32(touches[shape].branch));
  store(at + HELD_SKIP, f32(touches[shape].otherBranch));
}

// Completes a row whose J is in its place: z, and its impulse.
fn addRow(at: u32, place: u32, shift: f32, normal: u32, friction: f32) {
  store(at + HELD_COUNT, 1.0);
  store(at + HELD_PLACE, f32(place));
  store(at + HELD_SHIFT, shift);
  store(at + HELD_NORMAL, f32(normal));
  store(at + HELD_FRICTION, friction);
  let way = wayOf(at);
  let skip = way.both - way.branch;
  var inertia = 0.0;
  for (var t = 0u; t < way.size; t++) {
    let k = dofAlong(way, t);
    let row = dofs[k].row;
    let depth = dofs[k].depth;
    let value = load(at + HELD_VECTOR + t);
    inertia += value * value / load(row);
    for (var s = 0u; s < depth; s++) {
      var index = t + 1u + s;
      index += select(0u, skip, withPairs && t < way.branch && index >= way.branch);
      let next = at + HELD_VECTOR + index;
      store(next, load(next) - load(row + 1u + s) * value);
    }
  }
  // A row that nothing moves gets no impulse.
  store(at + HELD_INVERSE, select(0.0, 1.0 / inertia, inertia > 0.0));
  store(at + HELD_IMPULSE, select(0.0, states[impulseIndex(place)], inertia > 0.0));
}

// u += D⁻¹ z Δf
fn push(at: u32, way: Way, change: f32) {
  for (var t = lane; t < way.size; t += laneCount()) {
    let k = dofAlong(way, t);
    let value = dofAt(k) + DOF_VALUE;
    store(value, load(value) + change * load(at + HELD_VECTOR + t) / load(dofs[k].row));
  }
}

// z · x for x in DOF_VALUE
fn alongRow(at: u32, way: Way) -> f32 {
  var sum = 0.0;
  for (var t = 0u; t < way.size; t++) { sum += load(at + HELD_VECTOR + t) * load(dofAt(dofAlong(way, t)) + DOF_VALUE); }
  return sum;
}

// Writes J of a direction of a contact; returns J q̇ before the step. Joints above both links do not move them against each other.
fn writeContact(at: u32, shape: u32, point: vec3f, direction: vec3f) -> f32 {
  if (!withPairs || touches[shape].other < 0) {
    beginRow(at, u32(touches[shape].dof));
  } else {
    beginPair(at, shape);
  }
  let wrench = Spatial(cross(point, direction), direction);
  let way = wayOf(at);
  var speed = 0.0;
  for (var t = 0u; t < way.size; t++) {
    let k = dofAlong(way, t);
    let motion = loadSpatial(dofAt(k));
    let terms = length(motion.angular) * length(wrench.angular) + length(motion.linear);
    let side = select(-1.0, 1.0, !withPairs || t < way.branch);
    var value = side * product(motion, wrench);
    value = select(value, 0.0, abs(value) <= rowRounding * terms || (withPairs && t >= way.both));
    store(at + HELD_VECTOR + t, value);
    speed += value * states[velocityIndex(k)];
  }
  return speed;
}

// First direction of friction, as in tangents.ts.
fn tangentOf(n: vec3f) -> vec3f {
  return select(normalize(vec3f(0.0, -n.z, n.y)), normalize(vec3f(-n.y, n.x, 0.0)), abs(n.z) <= 0.9);
}

// A row of a contact: along the normal, or along a tangent if there is friction.
fn addContactRow(number: u32, c: u32) {
  let contact = contactOf(number);
  let shape = contact.shape;
  let friction = contactFriction(shape);
  if (c > 0u && friction <= 0.0) { return; }
  let at = heldAt(rowOf(number) + c);
  var tangent = touches[shape].tangent;
  if (withPairs && touches[shape].kind != TOUCH_PLANE) { tangent = tangentOf(contact.normal); }
  var direction = contact.normal;
  if (c > 0u) { direction = select(tangent, cross(contact.normal, tangent), c == 2u); }
  let before = writeContact(at, shape, contact.point, direction);
  var shift = 0.0;
  if (c == 0u) {
    let bounce = select(0.0, touches[shape].restitution, before < -batch.bounceThreshold);
    shift = bounce * before - batch.correction / batch.timeStep * max(contact.depth, 0.0);
  }
  addRow(at, contact.row + c, shift, c, friction);
  if (c == 0u && friction > 0.0) { store(at + HELD_COUNT, 3.0); }
}

// After all rows of a contact: how two of them move each other.
fn couple(number: u32, c: u32) {
  let r = rowOf(number);
  let at = heldAt(r);
  if (load(at + HELD_COUNT) != 3.0) { return; }
  store(at + HELD_COUPLING + c, coupling(r + select(0u, 1u, c == 2u), r + select(2u, 1u, c == 0u)));
}

// J M⁻¹ Jᵀ of two rows of a contact
fn coupling(r: u32, t: u32) -> f32 {
  var sum = 0.0;
  let way = wayOf(heldAt(r));
  for (var n = 0u; n < way.size; n++) {
    let row = dofs[dofAlong(way, n)].row;
    sum += load(heldAt(r) + HELD_VECTOR + n) * load(heldAt(t) + HELD_VECTOR + n) / load(row);
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

// Rows of the limits of a coordinate, from row r on: of those that count in this step.
fn addLimits(k: u32, depths: vec2f, first: u32) {
  let row = dofs[k].limitRow;
  let reach = limitReach(k);
  var r = first;
  for (var side = 0u; side < 2u; side++) {
    let depth = depths[side];
    if (depth < -reach) {
      states[impulseIndex(row + side)] = 0.0;
      continue;
    }
    let at = heldAt(r);
    beginRow(at, k);
    store(at + HELD_VECTOR, select(1.0, -1.0, side == 1u));
    for (var t = 1u; t <= dofs[k].depth; t++) { store(at + HELD_VECTOR + t, 0.0); }
    addRow(at, row + side, -limitRate(depth) * depth, 0u, 0.0);
    r++;
  }
}

// All rows of this step with the impulses of the last one.
fn addRows() {
  for (var i = lane; i < 3u * contactCount; i += laneCount()) { addContactRow(i / 3u, i % 3u); }
  taken = vec2u(contactCount, contactRows);
  for (var first = 0u; batch.limits != LIMITS_OFF && first < batch.dofCount; first += laneCount()) {
    let k = first + lane;
    var depths = vec2f(0.0);
    var count = 0u;
    var isLimited = false;
    if (k < batch.dofCount) { isLimited = min(dofs[k].upper, -dofs[k].lower) < unlimited; }
    if (isLimited) {
      depths = limitDepths(k);
      let counts = select(vec2u(0u), vec2u(1u), depths >= vec2f(-limitReach(k)));
      count = counts.x + counts.y;
    }
    let at = take(vec2u(0u, count));
    if (isLimited) { addLimits(k, depths, at.y); }
  }
  rowCount = taken.y;
  sync();
  for (var i = lane; i < 3u * contactCount; i += laneCount()) { couple(i / 3u, i % 3u); }
}

// Changes q̇' in DOF_VALUE from that without limits and contact. After `findContacts` and `accelerate`.
fn hold() {
  if (batch.touchCount == 0u && batch.limits == LIMITS_OFF) { return; }
  solveLower(1.0);
  addRows();
  let rows = agreed(rowCount);
  for (var r = 0u; r < rows; r++) {
    let at = heldAt(r);
    push(at, wayOf(at), load(at + HELD_IMPULSE));
    sync();
  }
  let groups = agreed(contactCount + rowCount - contactRows);
  for (var n = 0u; n < batch.sweeps; n++) {
    // Contacts with much friction may send each other round in circles. With half of their changes they come to an end.
    if (!sweep(groups, select(1.0, 0.5, 2u * n > batch.sweeps))) { break; }
  }
  for (var r = lane; r < rowCount; r += laneCount()) {
    let at = heldAt(r);
    states[impulseIndex(u32(load(at + HELD_PLACE)))] = load(at + HELD_IMPULSE);
  }
  solveLower(-1.0);
}

// Forgets the impulses of the last step.
fn release() {
  for (var row = 2u * batch.dofCount + lane; row < batch.stateRows; row += laneCount()) { states[impulseIndex(row)] = 0.0; }
  sync();
}

// The speed that a row's own impulse stops [m/s or rad/s], by which rows of light and heavy links compare.
fn stoppedSpeed(at: u32) -> f32 {
  let impulse = abs(load(at + HELD_IMPULSE));
  return select(0.0, impulse / load(at + HELD_INVERSE), impulse > 0.0);
}

// Changes the impulses of each limit and contact in turn toward those that solve it alone, by a part of the way. Returns whether any changed.
// All lanes find the same impulses, and each has its part of the sums and of what they change.
fn sweep(groups: u32, part: f32) -> bool {
  var most = 0.0;
  var size = 0.0;
  var r = 0u;
  for (var group = 0u; group < groups; group++) {
    let at = heldAt(r);
    let count = u32(load(at + HELD_COUNT));
    var before = vec3f(0.0);
    for (var c = 0u; c < count; c++) { before[c] = load(heldAt(r + c) + HELD_IMPULSE); }
    let way = wayOf(at);
    let speed = speedsOf(r, way, count);
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
      let impulse = before[c] + change;
      if (change != 0.0) {
        if (lane == 0u) { store(heldAt(r + c) + HELD_IMPULSE, impulse); }
        push(heldAt(r + c), way, change);
      }
      let inverse = load(heldAt(r + c) + HELD_INVERSE);
      most = max(most, select(0.0, abs(change) / inverse, change != 0.0));
      size = max(size, select(0.0, abs(impulse) / inverse, impulse != 0.0));
    }
    r += count;
    sync();
  }
  return agreed(select(0u, 1u, most > impulseRounding * size)) != 0u;
}
