#import "newton/deformable/contact-model.wgsl"
#import "newton/deformable/lanes.wgsl"

// The contact problem of a Newton iteration, one workgroup: twin of deformable/contact-problem.ts, whose head explains the symbols.

const SOFT_INNER = 24u;
const SOFT_DECREASE = 0.1;
const SOFT_MOST_PARTS = 5u;
const SOFT_FEWEST_SWEEPS = 4u;
const SOFT_MOST_SWEEPS = 16u;
const SOFT_FIRST_EPSILON = 1e-5;
const SOFT_MOST_EPSILON = 1.0;
const SOFT_SHRINK = 0.3;
const SOFT_ROUNDING = 20.0;

// largest pivots that the lanes found, and their rows
var<workgroup> pivots: array<vec2f, SOFT_WIDTH>;

// ‖φ‖ and the largest φ of the last evaluation
var<private> merit: f32;
var<private> worst: f32;
var<private> epsilon: f32;

fn diagonalOf(i: u32) -> f32 {
  return delassus[i * soft.size + i];
}

// r of both friction rows of the contact with normal row i
fn frictionScale(i: u32) -> f32 {
  return max(diagonalOf(i + 1u), diagonalOf(i + 2u));
}

fn note(i: u32, phi: f32, isActive: bool, sum: vec2f) -> vec2f {
  contactRows[i].residual = phi;
  contactRows[i].isActive = u32(isActive);
  return vec2f(sum.x + phi * phi, max(sum.y, abs(phi)));
}

fn assessContact(i: u32, start: vec2f) -> vec2f {
  var sum = start;
  let r = diagonalOf(i);
  let p = vec3f(contactRows[i].impulse, contactRows[i + 1u].impulse, contactRows[i + 2u].impulse);
  let v = vec3f(contactRows[i].speed, contactRows[i + 1u].speed, contactRows[i + 2u].speed);
  var z = 0.0;
  if (r > 0.0) { z = p.x - v.x / r; }
  let rf = frictionScale(i);
  if (!(z > 0.0)) {
    sum = note(i, r * p.x, false, sum);
    sum = note(i + 1u, rf * p.y, false, sum);
    return note(i + 2u, rf * p.z, false, sum);
  }
  sum = note(i, v.x, true, sum);
  let limit = contactRows[i].friction * z;
  let y = p.yz - v.yz / rf;
  let size = length(y);
  let scale = select(1.0, limit / size, size > limit);
  let phi = rf * (p.yz - scale * y);
  sum = note(i + 1u, phi.x, limit > 0.0, sum);
  return note(i + 2u, phi.y, limit > 0.0, sum);
}

fn assessJoint(i: u32, sum: vec2f) -> vec2f {
  let row = contactRows[i];
  let mobility = diagonalOf(i) + row.compliance;
  if (row.kind == ROW_ABSENT || !(mobility > 0.0)) { return note(i, 0.0, false, sum); }
  let g = row.speed + row.compliance * row.impulse;
  let free = row.impulse - g / mobility;
  let bound = clamp(free, row.lower, row.upper);
  if (bound == free) { return note(i, g, true, sum); }
  return note(i, mobility * (row.impulse - bound), false, sum);
}

// φ and the active set at p and v
fn assess(lane: u32) {
  var sum = vec2f(0.0);
  for (var i = 3u * lane; i < soft.size; i += 3u * SOFT_WIDTH) {
    if (contactRows[i].kind == ROW_NORMAL) {
      sum = assessContact(i, sum);
    } else {
      sum = assessJoint(i, sum);
      sum = assessJoint(i + 1u, sum);
      sum = assessJoint(i + 2u, sum);
    }
  }
  let total = workgroupSumAndLargest(sum, lane);
  merit = sqrt(total.x);
  worst = total.y;
}

// Sum of x and largest y.
fn workgroupSumAndLargest(v: vec2f, lane: u32) -> vec2f {
  workgroupBarrier();
  softSums[lane] = v;
  workgroupBarrier();
  for (var n = SOFT_WIDTH / 2u; n > 0u; n >>= 1u) {
    if (lane < n) {
      let a = softSums[lane];
      let b = softSums[lane + n];
      softSums[lane] = vec2f(a.x + b.x, max(a.y, b.y));
    }
    workgroupBarrier();
  }
  return workgroupUniformLoad(&softSums[0]);
}

// v = b + W p, and φ
fn evaluate(lane: u32) {
  storageBarrier();
  for (var i = lane; i < soft.size; i += SOFT_WIDTH) {
    var sum = contactRows[i].bias;
    for (var j = 0u; j < soft.size; j++) { sum += delassus[i * soft.size + j] * contactRows[j].impulse; }
    contactRows[i].speed = sum;
  }
  storageBarrier();
  assess(lane);
}

// W Δp
fn respond(lane: u32) {
  storageBarrier();
  for (var i = lane; i < soft.size; i += SOFT_WIDTH) {
    var sum = 0.0;
    for (var j = 0u; j < soft.size; j++) { sum += delassus[i * soft.size + j] * contactRows[j].change; }
    contactRows[i].response = sum;
  }
  storageBarrier();
}

fn systemAt(row: u32, width: u32) -> u32 {
  return soft.size * soft.size + row * width;
}

// Newton's step: what takes no part goes where it must, the others solve the linear problem with that known.
fn direct(lane: u32) {
  for (var i = lane; i < soft.size; i += SOFT_WIDTH) {
    var change = 0.0;
    if (contactRows[i].isActive == 0u) {
      let kind = contactRows[i].kind;
      var r = diagonalOf(i) + contactRows[i].compliance;
      if (kind == ROW_SLIDE1 || kind == ROW_SLIDE2) { r = frictionScale(i - kind); }
      if (r > 0.0) { change = -contactRows[i].residual / r; }
    }
    contactRows[i].change = change;
  }
  // The unknowns in their order.
  if (lane == 0u) {
    var count = 0u;
    for (var i = 0u; i < soft.size; i++) {
      if (contactRows[i].isActive == 1u) {
        contactRows[i].unknown = count;
        contactRows[count].listed = i;
        count++;
      }
    }
    softNumber = count;
  }
  respond(lane);
  let count = workgroupUniformLoad(&softNumber);
  for (var a = lane; a < count; a += SOFT_WIDTH) { writeEquation(a, count); }
  storageBarrier();
  eliminate(count, lane);
  for (var a = lane; a < count; a += SOFT_WIDTH) {
    let i = contactRows[a].listed;
    contactRows[i].change = inverseScale(i) * delassus[systemAt(a, count + 1u) + count];
  }
}

fn inverseScale(i: u32) -> f32 {
  return 1.0 / sqrt(diagonalOf(i));
}

// Equation a of the linear problem: a row of W, or of friction on its cone with d = z/|z| and G = L/|z| (1 − d dᵀ).
fn writeEquation(a: u32, count: u32) {
  let i = contactRows[a].listed;
  let row = contactRows[i];
  let at = systemAt(a, count + 1u);
  let scale = inverseScale(i);
  var g = vec2f(1.0, 0.0);
  var other = i;
  var shift = epsilon * diagonalOf(i) + row.compliance;
  var right = -row.residual - row.response;
  var slide = vec2f(0.0);
  var r = 0.0;
  var isSliding = false;
  if (row.kind == ROW_SLIDE1 || row.kind == ROW_SLIDE2) {
    let normal = i - row.kind;
    r = frictionScale(normal);
    let top = contactRows[normal];
    let limit = top.friction * (top.impulse - top.speed / diagonalOf(normal));
    let first = contactRows[normal + 1u];
    let second = contactRows[normal + 2u];
    let z = vec2f(first.impulse - first.speed / r, second.impulse - second.speed / r);
    let size = length(z);
    shift = epsilon * r;
    right = -row.speed - row.response;
    if (size > limit) {
      isSliding = true;
      slide = z / size;
      let share = limit / size;
      let across = -share * slide.x * slide.y;
      let push = r * top.friction * top.speed / diagonalOf(normal);
      if (row.kind == ROW_SLIDE1) {
        other = i + 1u;
        g = vec2f(share * (1.0 - slide.x * slide.x), across);
        right = -row.residual + push * slide.x - g.x * row.response - g.y * second.response;
      } else {
        other = i - 1u;
        g = vec2f(share * (1.0 - slide.y * slide.y), across);
        right = -row.residual + push * slide.y - g.x * row.response - g.y * first.response;
      }
      shift += r * (1.0 - g.x);
    }
  }
  for (var b = 0u; b < count; b++) {
    let j = contactRows[b].listed;
    var value = g.x * delassus[i * soft.size + j] + g.y * delassus[other * soft.size + j];
    if (b == a) { value += shift; }
    if (isSliding && j == other) { value -= r * g.y; }
    if (isSliding && j == i - row.kind) {
      value -= r * contactRows[j].friction * select(slide.y, slide.x, row.kind == ROW_SLIDE1);
    }
    delassus[at + b] = scale * inverseScale(j) * value;
  }
  delassus[at + count] = scale * right;
}

// Gauss' elimination with partial pivoting; the solution is in the last column.
fn eliminate(count: u32, lane: u32) {
  let width = count + 1u;
  for (var n = 0u; n < count; n++) {
    var best = vec2f(-1.0, f32(n));
    for (var r = n + lane; r < count; r += SOFT_WIDTH) {
      let size = abs(delassus[systemAt(r, width) + n]);
      if (size > best.x) { best = vec2f(size, f32(r)); }
    }
    pivots[lane] = best;
    workgroupBarrier();
    for (var k = 0u; k < SOFT_WIDTH; k++) {
      if (pivots[k].x > best.x || (pivots[k].x == best.x && pivots[k].y < best.y)) { best = pivots[k]; }
    }
    let top = systemAt(n, width);
    let found = systemAt(u32(best.y), width);
    for (var k = n + lane; k < width; k += SOFT_WIDTH) {
      let value = delassus[top + k];
      delassus[top + k] = delassus[found + k];
      delassus[found + k] = value;
    }
    storageBarrier();
    let pivot = delassus[top + n];
    let across = width - n - 1u;
    for (var t = lane; t < (count - n - 1u) * across; t += SOFT_WIDTH) {
      let row = systemAt(n + 1u + t / across, width);
      let k = n + 1u + t % across;
      delassus[row + k] -= delassus[row + n] / pivot * delassus[top + k];
    }
    storageBarrier();
  }
  for (var m = count; m > 0u; m--) {
    let n = m - 1u;
    let at = systemAt(n, width);
    let x = delassus[at + count] / delassus[at + n];
    for (var r = lane; r < n; r += SOFT_WIDTH) {
      let row = systemAt(r, width);
      delassus[row + count] -= delassus[row + n] * x;
    }
    storageBarrier();
    if (lane == 0u) { delassus[at + count] = x; }
  }
  storageBarrier();
}

fn goTo(part: f32, lane: u32) {
  for (var i = lane; i < soft.size; i += SOFT_WIDTH) {
    contactRows[i].impulse = contactRows[i].kept + part * contactRows[i].change;
    contactRows[i].speed = contactRows[i].keptSpeed + part * contactRows[i].response;
  }
  storageBarrier();
}

// Goes along the step as far as ‖φ‖ falls; if it does not, p stays.
fn walk(lane: u32) -> bool {
  respond(lane);
  for (var i = lane; i < soft.size; i += SOFT_WIDTH) {
    contactRows[i].kept = contactRows[i].impulse;
    contactRows[i].keptSpeed = contactRows[i].speed;
  }
  let before = merit;
  var part = 1.0;
  for (var k = 0u; k < SOFT_MOST_PARTS; k++) {
    goTo(part, lane);
    assess(lane);
    if (sharedNumber(u32(merit <= (1.0 - SOFT_DECREASE * part) * before), lane) == 1u) { return true; }
    part *= 0.5;
  }
  goTo(0.0, lane);
  return false;
}

fn coupling(i: u32, j: u32) -> f32 {
  return delassus[i * soft.size + j];
}

// Impulse that suits a contact at the present velocities.
fn relaxedContact(i: u32, p: vec3f, v: vec3f) -> vec3f {
  let r = diagonalOf(i);
  if (!(r > 0.0)) { return p; }
  let normal = max(0.0, p.x - v.x / r);
  let slide = v.yz + (normal - p.x) * vec2f(coupling(i, i + 1u), coupling(i, i + 2u));
  let limit = contactRows[i].friction * normal;
  let held = p.yz - slide / frictionScale(i);
  let size = length(held);
  return vec3f(normal, select(held, held * (limit / size), size > limit));
}

// The same of up to three rows of a joint, one after the other.
fn relaxedJoint(i: u32, p: vec3f, start: vec3f) -> vec3f {
  var next = p;
  var v = start;
  for (var k = 0u; k < 3u; k++) {
    let row = contactRows[i + k];
    let mobility = diagonalOf(i + k) + row.compliance;
    if (row.kind == ROW_ABSENT || !(mobility > 0.0)) { continue; }
    next[k] = clamp(p[k] - (v[k] + row.compliance * p[k]) / mobility, row.lower, row.upper);
    for (var l = k + 1u; l < 3u; l++) { v[l] += coupling(i + l, i + k) * (next[k] - p[k]); }
  }
  return next;
}

// Jean and Moreau's contact by contact iteration, to and fro. All lanes find the same change; each updates its part of the speeds.
fn sweep(count: u32, lane: u32) {
  for (var n = 0u; n < count; n++) {
    for (var m = 0u; m < soft.size; m += 3u) {
      let i = select(soft.size - 3u - m, m, (n & 1u) == 0u);
      let p = vec3f(contactRows[i].impulse, contactRows[i + 1u].impulse, contactRows[i + 2u].impulse);
      let v = vec3f(contactRows[i].speed, contactRows[i + 1u].speed, contactRows[i + 2u].speed);
      var next = p;
      if (contactRows[i].kind == ROW_NORMAL) {
        next = relaxedContact(i, p, v);
      } else {
        next = relaxedJoint(i, p, v);
      }
      storageBarrier();
      let change = next - p;
      if (lane < 3u) { contactRows[i + lane].impulse = next[lane]; }
      if (any(change != vec3f(0.0))) {
        for (var j = lane; j < soft.size; j += SOFT_WIDTH) {
          contactRows[j].speed += coupling(i, j) * change.x + coupling(i + 1u, j) * change.y + coupling(i + 2u, j) * change.z;
        }
      }
      storageBarrier();
    }
  }
}

@compute @workgroup_size(SOFT_WIDTH)
fn solveContacts(@builtin(local_invocation_index) lane: u32) {
  if (sharedNumber(softControl.state, lane) != SOFT_GOES_ON) { return; }
  epsilon = soft.regularization;
  var sweeps = SOFT_FEWEST_SWEEPS;
  var least = 1e30;
  var isSwept = true;
  for (var k = 0u; k <= SOFT_INNER; k++) {
    if (isSwept) {
      evaluate(lane);
      if (merit < least) {
        least = merit;
        for (var i = lane; i < soft.size; i += SOFT_WIDTH) { contactRows[i].best = contactRows[i].impulse; }
      }
    }
    if (sharedNumber(u32(worst <= soft.tolerance || k == SOFT_INNER), lane) == 1u) { break; }
    direct(lane);
    isSwept = sharedNumber(u32(walk(lane)), lane) == 0u;
    // A small residual that no step reduces is rounding.
    if (isSwept && sharedNumber(u32(worst <= SOFT_ROUNDING * soft.tolerance), lane) == 1u) { break; }
    if (isSwept) {
      epsilon = min(SOFT_MOST_EPSILON, 10.0 * max(SOFT_FIRST_EPSILON, epsilon));
      sweep(sweeps, lane);
      sweeps = min(SOFT_MOST_SWEEPS, 2u * sweeps);
    } else {
      epsilon = max(soft.regularization, SOFT_SHRINK * epsilon);
    }
  }
  if (merit > least) {
    for (var i = lane; i < soft.size; i += SOFT_WIDTH) { contactRows[i].impulse = contactRows[i].best; }
  }
}
