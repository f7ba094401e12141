// L D Lᵀ of a symmetric 3 × 3 matrix: l10, l20, l21, the pivots and what they divide by.
struct Factor3 {
  l: vec3f,
  d: vec3f,
  inverse: vec3f,
}

fn factor3(a: mat3x3f) -> Factor3 {
  let i0 = 1.0 / a[0][0];
  let l10 = a[0][1] * i0;
  let l20 = a[0][2] * i0;
  let d1 = a[1][1] - l10 * a[0][1];
  let t = a[1][2] - l20 * a[0][1];
  let i1 = 1.0 / d1;
  let l21 = t * i1;
  let d2 = a[2][2] - l20 * a[0][2] - l21 * t;
  return Factor3(vec3f(l10, l20, l21), vec3f(a[0][0], d1, d2), vec3f(i0, i1, 1.0 / d2));
}

fn solveFactor3(f: Factor3, b: vec3f) -> vec3f {
  let y1 = b.y - f.l.x * b.x;
  let z = (b.z - f.l.y * b.x - f.l.z * y1) * f.inverse.z;
  let y = y1 * f.inverse.y - f.l.z * z;
  return vec3f(b.x * f.inverse.x - f.l.x * y - f.l.y * z, y, z);
}
