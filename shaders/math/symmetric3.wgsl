// Solves A x = b for a symmetric positive definite 3 × 3 matrix by L D Lᵀ.
// xyz: x; w: 1, or 0 when a pivot is not positive.
fn solvePositiveDefinite3(a: mat3x3f, b: vec3f) -> vec4f {
  let d0 = a[0][0];
  let l10 = a[0][1] / d0;
  let l20 = a[0][2] / d0;
  let d1 = a[1][1] - l10 * a[0][1];
  let t = a[1][2] - l20 * a[0][1];
  let l21 = t / d1;
  let d2 = a[2][2] - l20 * a[0][2] - l21 * t;
  if (!(d0 > 0.0 && d1 > 0.0 && d2 > 0.0)) { return vec4f(0.0); }
  let y1 = b.y - l10 * b.x;
  let y2 = b.z - l20 * b.x - l21 * y1;
  let z = y2 / d2;
  let y = y1 / d1 - l21 * z;
  let x = b.x / d0 - l10 * y - l20 * z;
  return vec4f(x, y, z, 1.0);
}

// Lower bound of the eigenvalues by Gershgorin's circles: equation (23) of paper 1.
fn gershgorinBound3(h: mat3x3f) -> f32 {
  let a = abs(h[0][1]);
  let b = abs(h[0][2]);
  let c = abs(h[1][2]);
  return min(h[0][0] - a - b, min(h[1][1] - a - c, h[2][2] - b - c));
}
