// Singular values of a 3 × 3 matrix by one-sided Jacobi rotations; twin of src/math/svd3.ts. A V = U Σ, U and V are rotations,
// σ₁ ≥ σ₂ ≥ |σ₃|, and σ₃ has the sign of det A. Small singular values keep their digits, as AᵀA is not formed. Of a singular
// matrix, missing directions are completed to a basis.

struct Svd3 {
  u: mat3x3f,
  sigma: vec3f,
  v: mat3x3f,
}

const svdSweeps = 8u;

// Turns columns p and q of B, and of V with it, so that those of B are orthogonal. False when they were.
fn orthogonaliseColumns(b: ptr<function, mat3x3f>, v: ptr<function, mat3x3f>, p: u32, q: u32) -> bool {
  let x = (*b)[p];
  let y = (*b)[q];
  let xx = dot(x, x);
  let yy = dot(y, y);
  let xy = dot(x, y);
  if (!(abs(xy) > 1e-7 * sqrt(xx) * sqrt(yy)) || abs(xy) < 1e-30) {
    return false;
  }
  let zeta = (yy - xx) / (2.0 * xy);
  let t = select(-1.0, 1.0, zeta >= 0.0) / (abs(zeta) + sqrt(1.0 + min(zeta * zeta, 1e30)));
  let c = inverseSqrt(1.0 + t * t);
  let s = c * t;
  (*b)[p] = c * x - s * y;
  (*b)[q] = s * x + c * y;
  let vx = (*v)[p];
  let vy = (*v)[q];
  (*v)[p] = c * vx - s * vy;
  (*v)[q] = s * vx + c * vy;
  return true;
}

// The longer of two columns first; one is negated, so that V stays a rotation.
fn sortColumns(b: ptr<function, mat3x3f>, v: ptr<function, mat3x3f>, p: u32, q: u32) {
  let x = (*b)[p];
  let y = (*b)[q];
  if (dot(x, x) >= dot(y, y)) {
    return;
  }
  (*b)[p] = y;
  (*b)[q] = -x;
  let vx = (*v)[p];
  (*v)[p] = (*v)[q];
  (*v)[q] = -vx;
}

// A unit vector across another; it leans on the axis that is farthest from that.
fn unitAcross(x: vec3f) -> vec3f {
  let a = abs(x);
  var axis = vec3f(0.0, 0.0, 1.0);
  if (a.x <= a.y && a.x <= a.z) {
    axis = vec3f(1.0, 0.0, 0.0);
  } else if (a.y <= a.z) {
    axis = vec3f(0.0, 1.0, 0.0);
  }
  return normalize(axis - dot(axis, x) * x);
}

fn svd3(a: mat3x3f) -> Svd3 {
  let largest = max(abs(a[0]), max(abs(a[1]), abs(a[2])));
  let scale = max(largest.x, max(largest.y, largest.z));
  var v = mat3x3f(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0);
  if (!(scale > 0.0)) {
    return Svd3(v, vec3f(0.0), v);
  }
  var b = a * (1.0 / scale);
  for (var sweep = 0u; sweep < svdSweeps; sweep++) {
    let first = orthogonaliseColumns(&b, &v, 0u, 1u);
    let second = orthogonaliseColumns(&b, &v, 0u, 2u);
    let third = orthogonaliseColumns(&b, &v, 1u, 2u);
    if (!(first || second || third)) {
      break;
    }
  }
  sortColumns(&b, &v, 0u, 1u);
  sortColumns(&b, &v, 1u, 2u);
  sortColumns(&b, &v, 0u, 1u);
  let u0 = b[0] / length(b[0]);
  let rest = b[1] - dot(u0, b[1]) * u0;
  let size = length(rest);
  var u1 = unitAcross(u0);
  if (size > 1e-12) {
    u1 = rest / size;
    // once more, as little may have been left
    u1 = normalize(u1 - dot(u0, u1) * u0);
  }
  let u2 = cross(u0, u1);
  return Svd3(mat3x3f(u0, u1, u2), scale * vec3f(dot(u0, b[0]), dot(u1, b[1]), dot(u2, b[2])), v);
}
