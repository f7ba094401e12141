#import "math/symmetric3.wgsl"
#import "math/symmetric6.wgsl"

// Symmetric 9 × 9 matrices over the rows of a 3 × 3 matrix, in 3 × 3 blocks. A vector of nine is a mat3x3f whose columns are those rows.

// Lower blocks; block cd takes row d to row c.
struct Symmetric9 {
  a00: mat3x3f,
  a10: mat3x3f,
  a11: mat3x3f,
  a20: mat3x3f,
  a21: mat3x3f,
  a22: mat3x3f,
}

// The lower rows one after the other.
fn symmetric9(h: array<f32, 45>) -> Symmetric9 {
  return Symmetric9(
    mat3x3f(h[0], h[1], h[3], h[1], h[2], h[4], h[3], h[4], h[5]),
    mat3x3f(h[6], h[10], h[15], h[7], h[11], h[16], h[8], h[12], h[17]),
    mat3x3f(h[9], h[13], h[18], h[13], h[14], h[19], h[18], h[19], h[20]),
    mat3x3f(h[21], h[28], h[36], h[22], h[29], h[37], h[23], h[30], h[38]),
    mat3x3f(h[24], h[31], h[39], h[25], h[32], h[40], h[26], h[33], h[41]),
    mat3x3f(h[27], h[34], h[42], h[34], h[35], h[43], h[42], h[43], h[44]),
  );
}

fn addMatrix9(a: Symmetric9, scale: f32, b: Symmetric9) -> Symmetric9 {
  return Symmetric9(
    a.a00 + scale * b.a00,
    a.a10 + scale * b.a10,
    a.a11 + scale * b.a11,
    a.a20 + scale * b.a20,
    a.a21 + scale * b.a21,
    a.a22 + scale * b.a22,
  );
}

fn multiply9(h: Symmetric9, x: mat3x3f) -> mat3x3f {
  return mat3x3f(
    h.a00 * x[0] + x[1] * h.a10 + x[2] * h.a20,
    h.a10 * x[0] + h.a11 * x[1] + x[2] * h.a21,
    h.a20 * x[0] + h.a21 * x[1] + h.a22 * x[2],
  );
}

fn dot9(a: mat3x3f, b: mat3x3f) -> f32 {
  return dot(a[0], b[0]) + dot(a[1], b[1]) + dot(a[2], b[2]);
}

// Factors of a symmetric 3 × 3 matrix whose pivots, taken for positive, are raised to `least`.
fn factorAbove3(a: mat3x3f, least: vec3f) -> Factor3 {
  let i0 = 1.0 / max(abs(a[0][0]), least.x);
  let l10 = a[0][1] * i0;
  let l20 = a[0][2] * i0;
  let i1 = 1.0 / max(abs(a[1][1] - l10 * a[0][1]), least.y);
  let t = a[1][2] - l20 * a[0][1];
  let l21 = t * i1;
  let i2 = 1.0 / max(abs(a[2][2] - l20 * a[0][2] - l21 * t), least.z);
  return Factor3(vec3f(l10, l20, l21), vec3f(1.0), vec3f(i0, i1, i2));
}

fn solveColumns3(f: Factor3, b: mat3x3f) -> mat3x3f {
  return mat3x3f(solveFactor3(f, b[0]), solveFactor3(f, b[1]), solveFactor3(f, b[2]));
}

// −H⁻¹ g for H = I ⊗ M + scale (I ⊗ M) A (I ⊗ M). If A is positive, pivots of H are at least those of M; otherwise
// they count as positive and are raised to a hundredth of those, so that this always goes downhill.
fn descent9(m: mat3x3f, scale: f32, a: Symmetric9, g: mat3x3f) -> mat3x3f {
  // Two pinned vertices leave M singular, with directions that move nothing; they must not stop the factor.
  let lift = 1e-6 * (m[0][0] + m[1][1] + m[2][2]);
  let inertia = m + mat3x3f(lift, 0.0, 0.0, 0.0, lift, 0.0, 0.0, 0.0, lift);
  let least = max(0.01 * abs(factor3(inertia).d), vec3f(1e-37));
  let right = scale * m;
  let h10 = m * a.a10 * right;
  let h20 = m * a.a20 * right;
  let h21 = m * a.a21 * right;
  let f0 = factorAbove3(inertia + m * a.a00 * right, least);
  let y10 = solveColumns3(f0, transpose(h10));
  let y20 = solveColumns3(f0, transpose(h20));
  let f1 = factorAbove3(inertia + m * a.a11 * right - h10 * y10, least);
  let b21 = h21 - h20 * y10;
  let z21 = solveColumns3(f1, transpose(b21));
  let f2 = factorAbove3(inertia + m * a.a22 * right - h20 * y20 - b21 * z21, least);
  let x0 = solveFactor3(f0, -g[0]);
  let x1 = solveFactor3(f1, -g[1] - h10 * x0);
  let c = solveFactor3(f2, -g[2] - h20 * x0 - b21 * x1);
  let b = x1 - z21 * c;
  return mat3x3f(x0 - y10 * b - y20 * c, b, c);
}
