// Impulses of one contact with friction, as twins of the solvers of src/articulated/lcp and of src/articulated/step/round-friction.ts.

// Impulses that change by less than this part of the largest are found.
const impulseRounding = 1e-6;
// Volume that rows span, as a part of the product of their lengths, that is rounding.
const dependentRows = 1e-6;
// Whether friction is bounded by Coulomb's cone, and not along each tangent by itself.
override roundCone: bool = false;

// The solution of A x = -b with the row of a tangent replaced by x = side µ x_n: side −1 or 1 where it slips, 0 where it sticks. A row that nothing
// moves has no impulse.
fn solveSides(a: mat3x3f, own: vec3f, b: vec3f, side: vec2f, friction: f32) -> vec3f {
  // columns of this matrix are rows of A
  var rows = a;
  var right = -b;
  for (var c = 1u; c < 3u; c++) {
    if (side[c - 1u] != 0.0 || own[c] == 0.0) {
      rows[c] = vec3f(select(-side[c - 1u] * friction, 0.0, own[c] == 0.0), 0.0, 0.0);
      rows[c][c] = 1.0;
      right[c] = 0.0;
    }
  }
  return solveRows(rows, right);
}

// x with dot(rows[c], x) = right[c]. Links that can move against each other in two ways alone have rows that depend on each other: a pull, which
// no contact gives.
fn solveRows(rows: mat3x3f, right: vec3f) -> vec3f {
  let yz = cross(rows[1], rows[2]);
  let x = right.x * yz + right.y * cross(rows[2], rows[0]) + right.z * cross(rows[0], rows[1]);
  let volume = dot(rows[0], yz);
  let sizes = length(rows[0]) * length(rows[1]) * length(rows[2]);
  return select(vec3f(-1e20, 0.0, 0.0), x / volume, abs(volume) > dependentRows * sizes);
}

// Impulses of a contact alone, where b are its velocities without any: of all ways in which its tangents stick or slip, the one that fits best.
// Row by row, Gauss-Seidel does not end where a push along the normal moves a tangent as much as itself.
fn solveContact(a: mat3x3f, b: vec3f, friction: f32) -> vec3f {
  let own = vec3f(a[0].x, a[1].y, a[2].z);
  if (b.x >= 0.0 || own.x == 0.0) { return vec3f(0.0); }
  var best = vec3f(-b.x / own.x, 0.0, 0.0);
  var least = 1e30;
  for (var i = 0u; i < 9u; i++) {
    let side = vec2f(sideOf(i % 3u), sideOf(i / 3u));
    let x = solveSides(a, own, b, side, friction);
    let w = a * x + b;
    // velocities, or impulses in their unit, by which it does not fit
    var wrong = max(0.0, -x.x) * own.x;
    for (var c = 1u; c < 3u; c++) {
      let s = side[c - 1u];
      wrong = max(wrong, select(s * w[c], (abs(x[c]) - friction * x.x) * own[c], s == 0.0));
    }
    if (wrong < least) {
      least = wrong;
      best = x;
    }
    if (least <= impulseRounding * length(b)) { break; }
  }
  let bound = friction * max(best.x, 0.0);
  return vec3f(max(best.x, 0.0), clamp(best.y, -bound, bound), clamp(best.z, -bound, bound));
}

// The same with Coulomb's cone, f_t = -µ f_n d, where d is the direction of slip.
fn solveCone(a: mat3x3f, b: vec3f, friction: f32) -> vec3f {
  let own = vec3f(a[0].x, a[1].y, a[2].z);
  if (b.x >= 0.0 || own.x == 0.0) { return vec3f(0.0); }
  let held = solveSides(a, own, b, vec2f(0.0), friction);
  if (held.x >= 0.0 && length(held.yz) <= friction * held.x) { return held; }
  // The velocity of slip turns from the left of d to its right where d is along it.
  var best = vec3f(-b.x / own.x, 0.0, 0.0);
  for (var i = 0u; i < 8u; i++) {
    var left = eighth(i);
    var right = eighth(i + 1u);
    if (leftOf(left, slipAlong(a, b, friction, left)) < 0.0 || leftOf(right, slipAlong(a, b, friction, right)) >= 0.0) { continue; }
    for (var n = 0u; n < 24u; n++) {
      let middle = normalize(left + right);
      if (leftOf(middle, slipAlong(a, b, friction, middle)) < 0.0) {
        right = middle;
      } else {
        left = middle;
      }
    }
    let slip = slipAlong(a, b, friction, left);
    if (slip.z > 0.0 && dot(slip.xy, left) > 0.0) { best = slip.z * vec3f(1.0, -friction * left); }
  }
  return select(best, vec3f(0.0), own == vec3f(0.0));
}

// Velocity along the tangents of a contact that slips along d, and its impulse along the normal; after that impulse nothing moves along the normal.
fn slipAlong(a: mat3x3f, b: vec3f, friction: f32, d: vec2f) -> vec3f {
  let answer = a * vec3f(1.0, -friction * d);
  let impulse = -b.x / answer.x;
  return vec3f(b.yz + impulse * answer.yz, impulse);
}

fn leftOf(d: vec2f, slip: vec3f) -> f32 {
  return d.x * slip.y - d.y * slip.x;
}

// Directions around a circle.
fn eighth(i: u32) -> vec2f {
  let side = select(1.0, -1.0, (i & 4u) != 0u);
  let d = side * normalize(vec2f(select(1.0, 0.0, (i & 3u) == 2u), select(1.0, 0.0, (i & 3u) == 0u)));
  return select(d, vec2f(-d.x, d.y), (i & 3u) == 3u);
}

fn sideOf(i: u32) -> f32 {
  return select(select(0.0, 1.0, i == 1u), -1.0, i == 2u);
}
