#import "math/symmetric6.wgsl"

// Symmetric 6 × 6 matrices of which every entry is kept, and computed, once. Symmetric 3 × 3 matrices are Vector6 here: their
// diagonal, and (xy, yz, zx).

// [[nn, ns], [nsᵀ, ss]]: diagonals of the outer blocks, and their entries (01, 12, 20)
struct Packed6 {
  nnDiagonal: vec3f,
  nnSide: vec3f,
  ns: mat3x3f,
  ssDiagonal: vec3f,
  ssSide: vec3f,
}

fn packed6(h: Symmetric6) -> Packed6 {
  let nn = entries6(h.nn);
  let ss = entries6(h.ss);
  return Packed6(nn.normal, nn.shear, h.ns, ss.normal, ss.shear);
}

fn addPacked6(a: Packed6, scale: f32, b: Packed6) -> Packed6 {
  return Packed6(
    a.nnDiagonal + scale * b.nnDiagonal,
    a.nnSide + scale * b.nnSide,
    a.ns + scale * b.ns,
    a.ssDiagonal + scale * b.ssDiagonal,
    a.ssSide + scale * b.ssSide,
  );
}

fn multiplyPacked6(h: Packed6, x: Vector6) -> Vector6 {
  let n = h.nnDiagonal * x.normal + h.nnSide * x.normal.yzx + h.nnSide.zxy * x.normal.zxy;
  let s = h.ssDiagonal * x.shear + h.ssSide * x.shear.yzx + h.ssSide.zxy * x.shear.zxy;
  return Vector6(n + h.ns * x.shear, x.normal * h.ns + s);
}

// The symmetric part of A B.
fn symmetricProduct6(a: Vector6, b: Vector6) -> Vector6 {
  return Vector6(
    a.normal * b.normal + a.shear * b.shear + a.shear.zxy * b.shear.zxy,
    0.5 * (b.shear * (a.normal + a.normal.yzx) + a.shear * (b.normal + b.normal.yzx)
      + a.shear.zxy * b.shear.yzx + a.shear.yzx * b.shear.zxy),
  );
}

// A A
fn square6(a: Vector6) -> Vector6 {
  let s = a.shear * a.shear;
  return Vector6(a.normal * a.normal + s + s.zxy, a.shear * (a.normal + a.normal.yzx) + a.shear.zxy * a.shear.yzx);
}

// As kronecker6: the matrix of the quadratic form tr(Λ A Λ B).
fn kroneckerPacked6(a: Vector6, b: Vector6) -> Packed6 {
  let h = Vector6(0.5 * b.normal, 0.5 * b.shear);
  let a0 = vec3f(a.normal.x, a.shear.x, a.shear.z);
  let a1 = vec3f(a.shear.x, a.normal.y, a.shear.y);
  let a2 = vec3f(a.shear.z, a.shear.y, a.normal.z);
  let h0 = vec3f(h.normal.x, h.shear.x, h.shear.z);
  let h1 = vec3f(h.shear.x, h.normal.y, h.shear.y);
  let h2 = vec3f(h.shear.z, h.shear.y, h.normal.z);
  return Packed6(
    a.normal * b.normal,
    a.shear * b.shear,
    mat3x3f(a0 * h1 + a1 * h0, a1 * h2 + a2 * h1, a2 * h0 + a0 * h2),
    a.shear * h.shear + 0.5 * (a.normal * h.normal.yzx + a.normal.yzx * h.normal),
    0.5 * (a.shear * h.shear.yzx + a.shear.yzx * h.shear + a.shear.zxy * h.normal.yzx + a.normal.yzx * h.shear.zxy),
  );
}

// H + a A + c k kᵀ, where A is the matrix of the quadratic form tr(Λ K Λ K) and k has the entries of K
fn plusSquares6(h: Packed6, a: f32, c: f32, k: Vector6) -> Packed6 {
  let ka = Vector6(a * k.normal, a * k.shear);
  let kc = Vector6(c * k.normal, c * k.shear);
  let k0 = vec3f(k.normal.x, k.shear.x, k.shear.z);
  let k1 = vec3f(k.shear.x, k.normal.y, k.shear.y);
  let k2 = vec3f(k.shear.z, k.shear.y, k.normal.z);
  let a0 = vec3f(ka.normal.x, ka.shear.x, ka.shear.z);
  let a1 = vec3f(ka.shear.x, ka.normal.y, ka.shear.y);
  let a2 = vec3f(ka.shear.z, ka.shear.y, ka.normal.z);
  return Packed6(
    h.nnDiagonal + (ka.normal + kc.normal) * k.normal,
    h.nnSide + ka.shear * k.shear + kc.normal * k.normal.yzx,
    h.ns + mat3x3f(a0 * k1 + kc.normal * k.shear.x, a1 * k2 + kc.normal * k.shear.y, a2 * k0 + kc.normal * k.shear.z),
    h.ssDiagonal + 0.5 * ka.normal * k.normal.yzx + (0.5 * ka.shear + kc.shear) * k.shear,
    h.ssSide + 0.5 * ka.shear.zxy * k.normal.yzx + (0.5 * ka.shear + kc.shear) * k.shear.yzx,
  );
}

// Factors of a symmetric 3 × 3 matrix that take negative pivots for positive ones.
fn factorDescending3(diagonal: vec3f, side: vec3f) -> Factor3 {
  let i0 = 1.0 / max(abs(diagonal.x), 1e-37);
  let l10 = side.x * i0;
  let l20 = side.z * i0;
  let d1 = diagonal.y - l10 * side.x;
  let i1 = 1.0 / max(abs(d1), 1e-37);
  let t = side.y - l20 * side.x;
  let l21 = t * i1;
  let d2 = diagonal.z - l20 * side.z - l21 * t;
  let i2 = 1.0 / max(abs(d2), 1e-37);
  return Factor3(vec3f(l10, l20, l21), vec3f(diagonal.x, d1, d2), vec3f(i0, i1, i2));
}

struct Descent6 {
  // −H⁻¹ g
  x: Vector6,
  // false when a pivot is not positive
  isDefinite: bool,
}

// If H is not positive definite, its negative pivots count as positive ones, so that this always goes downhill.
fn descent6(h: Packed6, g: Vector6) -> Descent6 {
  let outer = factorDescending3(h.nnDiagonal, h.nnSide);
  let y = mat3x3f(solveFactor3(outer, h.ns[0]), solveFactor3(outer, h.ns[1]), solveFactor3(outer, h.ns[2]));
  let inner = factorDescending3(
    h.ssDiagonal - vec3f(dot(h.ns[0], y[0]), dot(h.ns[1], y[1]), dot(h.ns[2], y[2])),
    h.ssSide - vec3f(dot(h.ns[0], y[1]), dot(h.ns[1], y[2]), dot(h.ns[2], y[0])),
  );
  let shear = solveFactor3(inner, g.normal * y - g.shear);
  let isDefinite = min(min(outer.d.x, outer.d.y), min(outer.d.z, inner.d.x)) > 0.0 && min(inner.d.y, inner.d.z) > 0.0;
  return Descent6(Vector6(-solveFactor3(outer, g.normal) - y * shear, shear), isDefinite);
}
