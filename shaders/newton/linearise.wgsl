#import "newton/rows.wgsl"
#import "math/ncp.wgsl"

// Residual of a block at a Newton iterate and the linear problem that it gives: twin of linearise.ts; and one step of the
// contact by contact iteration: twin of sweeps.ts.

// Slip below this part of r µ pₙ is as good as none.
const CREEP = 0.5;
// An iteration that leaves more than this part of the residual counts as none.
const PROGRESS = 0.9;
// Overlap [m] up to which its removal may count as velocity: rounding.
const OVERLAP = 2e-6;

// Squares of the residuals, 0, the largest one [m/s], and 1 if an impulse that takes no part has to change. The linear problem
// is that without ε.
fn linearise(b: Block, h: f32) -> vec4f {
  if (b.kind == BLOCK_JOINT) { return lineariseRows(h); }
  let p = w.impulse;
  let isEffective = step.preconditioner == 0u;
  let plain = select(1.0, 1.0 / (h * h), step.preconditioner == 2u);
  let plainSlip = select(1.0, 1.0 / h, step.preconditioner == 2u);
  let a = w.bias + w.speed.x + w.compliance.x * p.x;
  let r = select(plain, w.diagonal.x, isEffective);
  var normal: NormalRow;
  if (step.ncp == 0u) {
    normal = minimumMap(a, p.x, r);
  } else {
    normal = fischerBurmeister(a, p.x, r);
  }
  var error = vec3f(normal.phi, 0.0, 0.0);
  w.engaged = vec3f(f32(normal.isActive), 0.0, 0.0);
  w.shift = vec3f(normal.compliance + w.compliance.x, 0.0, 0.0);
  w.rightSide = vec3f(-normal.residual, 0.0, 0.0);
  w.forced = vec3f(0.0);
  if (!normal.isActive) {
    w.shift.x = 0.0;
    w.rightSide.x = 0.0;
    w.forced.x = normal.step;
  }
  let limit = b.friction * p.x;
  if (!(limit > 0.0)) {
    // Without a normal impulse there is no friction: the set I of (3.5).
    error.y = w.diagonal.y * p.y;
    error.z = w.diagonal.z * p.z;
    w.forced.y = -p.y;
    w.forced.z = -p.z;
    return noted(error);
  }
  let held = p.yz;
  let slide = w.speed.yz + w.compliance.yz * held;
  let v = length(slide);
  let f = length(held);
  let rf = select(plainSlip, max(w.diagonal.y, w.diagonal.z), isEffective);
  if (step.safeguard == 1u && v > rf * (limit - f) && v < CREEP * rf * limit) {
    // Hardly moves and has more friction than its cone allows: to the edge of the cone, where p − v/r points.
    let y = held - slide / rf;
    let change = y * (limit / length(y)) - held;
    error.y = rf * change.x;
    error.z = rf * change.y;
    w.forced.y = change.x;
    w.forced.z = change.y;
    return noted(error);
  }
  var slip = 0.0;
  if (step.ncp == 0u) {
    slip = minimumMapSlip(v, f, limit, rf);
  } else {
    slip = fischerBurmeisterSlip(v, f, limit, rf);
  }
  let residual = slide + slip * held;
  error.y = residual.x;
  error.z = residual.y;
  w.engaged.y = 1.0;
  w.engaged.z = 1.0;
  w.shift.y = slip + w.compliance.y;
  w.shift.z = slip + w.compliance.z;
  w.rightSide.y = -residual.x;
  w.rightSide.z = -residual.y;
  return noted(error);
}

fn noted(error: vec3f) -> vec4f {
  let size = abs(error);
  return vec4f(dot(error, error), 0.0, max(size.x, max(size.y, size.z)), f32(any(w.forced != vec3f(0.0))));
}

fn lineariseRows(h: f32) -> vec4f {
  let p = w.impulse;
  let g = w.share * w.value / h + (vec3f(1.0) - w.share) * w.speed - w.goal + w.compliance * p;
  let mobility = w.diagonal + w.compliance;
  let isRow = mobility > vec3f(0.0);
  let free = p - select(vec3f(0.0), g / mobility, isRow);
  let bound = clamp(free, w.lower, w.upper);
  let isActive = isRow & (bound == free);
  w.engaged = select(vec3f(0.0), vec3f(1.0), isActive);
  w.shift = select(vec3f(0.0), w.compliance, isActive);
  w.rightSide = select(vec3f(0.0), -g, isActive);
  w.forced = select(select(-p, bound - p, isRow), vec3f(0.0), isActive);
  return noted(select(select(vec3f(0.0), mobility * (bound - p), isRow), g, isActive));
}

// The nearest admissible impulse: normals do not pull, friction stays within its cone, rows within their bounds.
fn admissible(b: Block, p: vec3f) -> vec3f {
  if (b.kind == BLOCK_JOINT) { return clamp(p, w.lower, w.upper); }
  let normal = max(p.x, 0.0);
  let limit = b.friction * normal;
  let size = length(p.yz);
  return vec3f(normal, select(p.yz, p.yz * (limit / size), size > limit));
}

// s C/h − s J u − v̂ of joint rows, so that g = rest + J u + Γ p along the sweeps.
fn rowRest(h: f32) -> vec3f {
  return w.share * w.value / h - w.share * w.speed - w.goal;
}

// One block takes the impulses that suit the present velocities.
fn sweptBlock(b: Block, start: Twists, rest: vec3f) -> Twists {
  var u = start;
  if (b.kind == BLOCK_JOINT) {
    for (var k = 0u; k < b.rowCount; k++) {
      let mobility = w.diagonal[k] + w.compliance[k];
      if (!(mobility > 0.0)) { continue; }
      let p = w.impulse[k];
      let speed = speedOf(u)[k] + w.ambient[k];
      let next = clamp(p - (rest[k] + speed + w.compliance[k] * p) / mobility, w.lower[k], w.upper[k]);
      w.impulse[k] = next;
      u = pushed(u, unitRow(k) * (next - p));
    }
    return u;
  }
  let p = w.impulse;
  let soft = w.diagonal + w.compliance;
  let normal = max(0.0, p.x - (w.bias + speedOf(u).x + w.ambient.x + w.compliance.x * p.x) / soft.x);
  u = pushed(u, vec3f(normal - p.x, 0.0, 0.0));
  let slide = speedOf(u).yz + w.ambient.yz + w.compliance.yz * p.yz;
  let mobility = max(soft.y, soft.z);
  let limit = b.friction * normal;
  var held = p.yz - slide / mobility;
  let size = length(held);
  held = select(held, held * (limit / size), size > limit);
  u = pushed(u, vec3f(0.0, held - p.yz));
  w.impulse = vec3f(normal, held);
  return u;
}

fn unitRow(k: u32) -> vec3f {
  return vec3f(f32(k == 0u), f32(k == 1u), f32(k == 2u));
}
