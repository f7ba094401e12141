// Singular values of a 3 × 3 matrix by one-sided Jacobi rotations; twin of src/math/eigen/svd3.ts. A V = U Σ, U and V are rotations,
// σ₁ ≥ σ₂ ≥ |σ₃|, and σ₃ has the sign of det A. Small singular values keep their digits, as AᵀA is not formed. Of a singular
// matrix, missing directions are completed to a basis.

struct Svd3 {
  u: mat3x3f,
  sigma: vec3f,
  v: mat3x3f,
}

// Rotations, three of them a sweep.
const svdRotations = 24u;

// (cos, sin) of the turn that makes two columns orthogonal; no turn where they are.
fn orthogonalTurn(x: vec3f, y: vec3f) -> vec2f {
  let xx = dot(x, x);
  let yy = dot(y, y);
  let xy = dot(x, y);
  if (!(abs(xy) > 1e-7 * sqrt(xx) * sqrt(yy)) || abs(xy) < 1e-30) { return vec2f(1.0, 0.0); }
  let zeta = (yy - xx) / (2.0 * xy);
  let t = select(-1.0, 1.0, zeta >= 0.0) / (abs(zeta) + sqrt(1.0 + min(zeta * zeta, 1e30)));
  let c = inverseSqrt(1.0 + t * t);
  return vec2f(c, c * t);
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

// Columns are named, not indexed: an index that is not known when the shader is compiled would put them into memory.
fn svd3(a: mat3x3f) -> Svd3 {
  let largest = max(abs(a[0]), max(abs(a[1]), abs(a[2])));
  let scale = max(largest.x, max(largest.y, largest.z));
  var v0 = vec3f(1.0, 0.0, 0.0);
  var v1 = vec3f(0.0, 1.0, 0.0);
  var v2 = vec3f(0.0, 0.0, 1.0);
  if (!(scale > 0.0)) { return Svd3(mat3x3f(v0, v1, v2), vec3f(0.0), mat3x3f(v0, v1, v2)); }
  var b0 = a[0] * (1.0 / scale);
  var b1 = a[1] * (1.0 / scale);
  var b2 = a[2] * (1.0 / scale);
  var still = 0u;
  for (var rotation = 0u; rotation < svdRotations && still < 3u; rotation++) {
    let turn = orthogonalTurn(b0, b1);
    still = select(0u, still + 1u, turn.y == 0.0);
    // The pair that was turned goes on by one column, so that all pairs have their turn; a cycle of three keeps V a rotation.
    let b = turn.x * b0 - turn.y * b1;
    b0 = turn.y * b0 + turn.x * b1;
    b1 = b2;
    b2 = b;
    let v = turn.x * v0 - turn.y * v1;
    v0 = turn.y * v0 + turn.x * v1;
    v1 = v2;
    v2 = v;
  }
  // The longest column first, by cycles; of the others the longer next, the last one negated so that V stays a rotation.
  let lengths = vec3f(dot(b0, b0), dot(b1, b1), dot(b2, b2));
  let second = lengths.y > lengths.x && lengths.y >= lengths.z;
  let third = !second && lengths.z > lengths.x;
  let b = mat3x3f(b0, b1, b2);
  let v = mat3x3f(v0, v1, v2);
  b0 = select(select(b[0], b[1], second), b[2], third);
  v0 = select(select(v[0], v[1], second), v[2], third);
  b1 = select(select(b[1], b[2], second), b[0], third);
  v1 = select(select(v[1], v[2], second), v[0], third);
  b2 = select(select(b[2], b[0], second), b[1], third);
  v2 = select(select(v[2], v[0], second), v[1], third);
  let swapped = dot(b2, b2) > dot(b1, b1);
  let b12 = mat2x3f(b1, b2);
  let v12 = mat2x3f(v1, v2);
  b1 = select(b12[0], b12[1], swapped);
  v1 = select(v12[0], v12[1], swapped);
  b2 = select(b12[1], -b12[0], swapped);
  v2 = select(v12[1], -v12[0], swapped);
  let u0 = normalize(b0);
  let rest = b1 - dot(u0, b1) * u0;
  let size = length(rest);
  var u1 = unitAcross(u0);
  if (size > 1e-12) {
    u1 = rest / size;
    // once more, as little may have been left
    u1 = normalize(u1 - dot(u0, u1) * u0);
  }
  let u2 = cross(u0, u1);
  return Svd3(mat3x3f(u0, u1, u2), scale * vec3f(dot(u0, b0), dot(u1, b1), dot(u2, b2)), mat3x3f(v0, v1, v2));
}
