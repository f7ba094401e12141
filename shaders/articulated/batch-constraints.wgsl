#import "articulated/batch-dynamics.wgsl"

// Limits of joints, and contact with planes: the boxed LCP of src/articulated/step/contact-step.ts, by projected Gauss-Seidel from the
// impulses of the last step. With M = Lᵀ D L and u = L q̇,
//
//   J q̇ = zᵀ u,   u += D⁻¹ z Δf,   z = L⁻ᵀ Jᵀ
//
// and z has entries on the way from the world to the link alone, so a row needs no other memory.

@group(0) @binding(7) var<storage, read> touches: array<BatchTouch>;

// of a row: last degree of freedom, impulse's row in `states`, impulse, 1 / (J M⁻¹ Jᵀ), velocity beside J q̇, rows back to the normal's (0: it
// pushes to one side itself), coefficient of friction; then z, nearest first
const HELD_DOF = 0u;
const HELD_PLACE = 1u;
const HELD_IMPULSE = 2u;
const HELD_INVERSE = 3u;
const HELD_SHIFT = 4u;
const HELD_NORMAL = 5u;
const HELD_FRICTION = 6u;
const HELD_VECTOR = 7u;

// Part of the coordinates of a point that is rounding.
const touchRounding = 1e-6;
// Entries of J below this part of their terms are rounding: the row cannot move.
const rowRounding = 1e-5;
// Impulses that change by less than this part of the largest are found.
const impulseRounding = 1e-6;
// Distance from a limit [rad or m] that a coordinate may pass from rest in a step, as in constraint-rows.ts.
const nearLimit = 0.02;

// rows of this step
var<private> rowCount: u32;

struct Touching {
  // from the origin
  point: vec3f,
  depth: f32,
  isClose: bool,
}

fn touchingOf(touch: BatchTouch) -> Touching {
  let at = linkAt(touch.link);
  let r = mat3x3f(load3(at), load3(at + 3u), load3(at + 6u));
  let x = load3(at + LINK_POSITION) + r * touch.position;
  let depth = touch.radius - dot(touch.normal, x) - (dot(touch.normal, origin) - touch.height);
  let size = length(x) + touch.radius;
  return Touching(x - (touch.radius - 0.5 * depth) * touch.normal, depth, depth >= -touchRounding * size);
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

// Whether anything touches, or a limit is reached. After `forward`.
fn isHeld() -> bool {
  for (var i = 0u; i < batch.touchCount; i++) {
    if (touchingOf(touches[i]).isClose) {
      return true;
    }
  }
  if (batch.limits != LIMITS_OFF) {
    for (var k = 0u; k < batch.dofCount; k++) {
      let depths = limitDepths(k, dofs[k]);
      if (max(depths.x, depths.y) >= -limitReach(k)) {
        return true;
      }
    }
  }
  return false;
}

fn impulseIndex(row: u32) -> u32 {
  return row * batch.worldCount + world;
}

fn rowAt(r: u32) -> u32 {
  return batch.rowStart + r * batch.rowSize;
}

// Completes the row whose J is in its place: z, its impulse, and what that impulse changes.
fn addRow(last: u32, place: u32, shift: f32, normal: u32, friction: f32) {
  let at = rowAt(rowCount);
  rowCount++;
  store(at + HELD_DOF, f32(last));
  store(at + HELD_PLACE, f32(place));
  store(at + HELD_SHIFT, shift);
  store(at + HELD_NORMAL, f32(normal));
  store(at + HELD_FRICTION, friction);
  var k = i32(last);
  var inertia = 0.0;
  for (var t = 0u; k >= 0; t++) {
    let dof = dofs[u32(k)];
    let value = load(at + HELD_VECTOR + t);
    inertia += value * value / load(dof.row);
    for (var s = 0u; s < dof.depth; s++) {
      let next = at + HELD_VECTOR + t + 1u + s;
      store(next, load(next) - load(dof.row + 1u + s) * value);
    }
    k = dof.parent;
  }
  // A row that nothing moves gets no impulse.
  store(at + HELD_INVERSE, select(0.0, 1.0 / inertia, inertia > 0.0));
  let impulse = select(0.0, states[impulseIndex(place)], inertia > 0.0);
  store(at + HELD_IMPULSE, impulse);
  push(at, impulse);
}

// u += D⁻¹ z Δf
fn push(at: u32, change: f32) {
  var k = i32(load(at + HELD_DOF));
  for (var t = 0u; k >= 0; t++) {
    let dof = dofs[u32(k)];
    let value = dofAt(u32(k)) + DOF_VALUE;
    store(value, load(value) + change * load(at + HELD_VECTOR + t) / load(dof.row));
    k = dof.parent;
  }
}

// Writes J of a direction of a contact; returns J q̇ before the step.
fn writeContact(last: u32, point: vec3f, direction: vec3f) -> f32 {
  let at = rowAt(rowCount) + HELD_VECTOR;
  let wrench = Spatial(cross(point, direction), direction);
  var k = i32(last);
  var speed = 0.0;
  for (var t = 0u; k >= 0; t++) {
    let motion = loadSpatial(dofAt(u32(k)));
    let terms = length(motion.angular) * length(wrench.angular) + length(motion.linear);
    var value = product(motion, wrench);
    value = select(value, 0.0, abs(value) <= rowRounding * terms);
    store(at + t, value);
    speed += value * states[velocityIndex(u32(k))];
    k = dofs[u32(k)].parent;
  }
  return speed;
}

fn addContact(touch: BatchTouch) {
  let touching = touchingOf(touch);
  if (!touching.isClose) {
    for (var c = 0u; c < 3u; c++) {
      states[impulseIndex(touch.row + c)] = 0.0;
    }
    return;
  }
  let friction = touch.friction * varied(batch.frictionRow, 0u, 1.0);
  let count = select(1u, 3u, friction > 0.0);
  for (var c = 0u; c < count; c++) {
    var direction = touch.normal;
    if (c > 0u) {
      direction = select(touch.tangent, cross(touch.normal, touch.tangent), c == 2u);
    }
    let before = writeContact(touch.dof, touching.point, direction);
    var shift = 0.0;
    if (c == 0u) {
      let bounce = select(0.0, touch.restitution, before < -batch.bounceThreshold);
      shift = bounce * before - batch.correction / batch.timeStep * max(touching.depth, 0.0);
    }
    addRow(touch.dof, touch.row + c, shift, c, friction);
  }
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
    let at = rowAt(rowCount) + HELD_VECTOR;
    store(at, select(1.0, -1.0, side == 1u));
    for (var t = 1u; t <= dof.depth; t++) {
      store(at + t, 0.0);
    }
    var rate = batch.correction / batch.timeStep;
    if (depth <= 0.0) {
      rate = select(0.0, 1.0 / batch.timeStep, batch.limits == LIMITS_AHEAD);
    }
    addRow(k, dof.limitRow + side, -rate * depth, 0u, 0.0);
  }
}

// Changes q̇' in DOF_VALUE from that without limits and contact. After `accelerate`.
fn hold() {
  if (batch.touchCount == 0u && batch.limits == LIMITS_OFF) {
    return;
  }
  solveLower(1.0);
  rowCount = 0u;
  for (var i = 0u; i < batch.touchCount; i++) {
    addContact(touches[i]);
  }
  if (batch.limits != LIMITS_OFF) {
    for (var k = 0u; k < batch.dofCount; k++) {
      if (min(dofs[k].upper, -dofs[k].lower) < unlimited) {
        addLimits(k);
      }
    }
  }
  for (var n = 0u; n < batch.sweeps; n++) {
    if (!sweep()) {
      break;
    }
  }
  for (var r = 0u; r < rowCount; r++) {
    let at = rowAt(r);
    states[impulseIndex(u32(load(at + HELD_PLACE)))] = load(at + HELD_IMPULSE);
  }
  solveLower(-1.0);
}

// Forgets the impulses of the last step.
fn release() {
  for (var row = 2u * batch.dofCount; row < batch.stateRows; row++) {
    states[impulseIndex(row)] = 0.0;
  }
}

// Sets each impulse in turn so that its row stops, within its bounds. Returns whether any changed.
fn sweep() -> bool {
  var most = 0.0;
  var size = 0.0;
  for (var r = 0u; r < rowCount; r++) {
    let at = rowAt(r);
    let inverse = load(at + HELD_INVERSE);
    if (inverse == 0.0) {
      continue;
    }
    var speed = load(at + HELD_SHIFT);
    var k = i32(load(at + HELD_DOF));
    for (var t = 0u; k >= 0; t++) {
      speed += load(at + HELD_VECTOR + t) * load(dofAt(u32(k)) + DOF_VALUE);
      k = dofs[u32(k)].parent;
    }
    let before = load(at + HELD_IMPULSE);
    var next = before - speed * inverse;
    let normal = u32(load(at + HELD_NORMAL));
    if (normal == 0u) {
      next = max(next, 0.0);
    } else {
      let bound = load(at + HELD_FRICTION) * load(rowAt(r - normal) + HELD_IMPULSE);
      next = clamp(next, -bound, bound);
    }
    let change = next - before;
    if (change != 0.0) {
      store(at + HELD_IMPULSE, next);
      push(at, change);
    }
    most = max(most, abs(change));
    size = max(size, abs(next));
  }
  return most > impulseRounding * size;
}
