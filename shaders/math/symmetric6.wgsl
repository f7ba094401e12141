#import "math/symmetric3.wgsl"
#import "math/factor3.wgsl"

// Symmetric 6 × 6 matrices over the six entries of a symmetric 3 × 3 matrix, (xx, yy, zz) and (xy, yz, zx), in 3 × 3 blocks.

struct Vector6 {
  normal: vec3f,
  shear: vec3f,
}

// [[nn, ns], [nsᵀ, ss]]: columns of ns are those of the shears.
struct Symmetric6 {
  nn: mat3x3f,
  ns: mat3x3f,
  ss: mat3x3f,
}

fn dot6(a: Vector6, b: Vector6) -> f32 {
  return dot(a.normal, b.normal) + dot(a.shear, b.shear);
}

fn add6(a: Vector6, scale: f32, b: Vector6) -> Vector6 {
  return Vector6(a.normal + scale * b.normal, a.shear + scale * b.shear);
}

fn multiply6(h: Symmetric6, x: Vector6) -> Vector6 {
  return Vector6(h.nn * x.normal + h.ns * x.shear, x.normal * h.ns + h.ss * x.shear);
}

fn addMatrix6(a: Symmetric6, scale: f32, b: Symmetric6) -> Symmetric6 {
  return Symmetric6(a.nn + scale * b.nn, a.ns + scale * b.ns, a.ss + scale * b.ss);
}

// scale × k kᵀ
fn outer6(scale: f32, k: Vector6) -> Symmetric6 {
  let n = scale * k.normal;
  let s = scale * k.shear;
  return Symmetric6(
    mat3x3f(n * k.normal.x, n * k.normal.y, n * k.normal.z),
    mat3x3f(n * k.shear.x, n * k.shear.y, n * k.shear.z),
    mat3x3f(s * k.shear.x, s * k.shear.y, s * k.shear.z),
  );
}

// Entries of a symmetric matrix.
fn entries6(a: mat3x3f) -> Vector6 {
  return Vector6(vec3f(a[0][0], a[1][1], a[2][2]), vec3f(a[1][0], a[2][1], a[0][2]));
}

// Entries of the symmetric part of a matrix.
fn symmetricEntries6(a: mat3x3f) -> Vector6 {
  return Vector6(
    vec3f(a[0][0], a[1][1], a[2][2]),
    0.5 * vec3f(a[1][0] + a[0][1], a[2][1] + a[1][2], a[0][2] + a[2][0]),
  );
}

// The symmetric matrix with these entries; off-diagonal ones times `shearScale`.
fn matrixOf6(v: Vector6, shearScale: f32) -> mat3x3f {
  let s = shearScale * v.shear;
  return mat3x3f(v.normal.x, s.x, s.z, s.x, v.normal.y, s.y, s.z, s.y, v.normal.z);
}

fn shearColumn(ak: vec3f, al: vec3f, bk: vec3f, bl: vec3f) -> vec3f {
  return 0.25 * (ak * bl.yzx + al * bk.yzx + ak.yzx * bl + al.yzx * bk);
}

// The matrix of the quadratic form tr(Λ A Λ B) for symmetric A and B, where Λ has the entries of a vector with halved shears:
// entry (ij, kl) is ¼ (A_ik B_jl + A_il B_jk + A_jk B_il + A_jl B_ik).
fn kronecker6(a: mat3x3f, b: mat3x3f) -> Symmetric6 {
  return Symmetric6(
    mat3x3f(a[0] * b[0], a[1] * b[1], a[2] * b[2]),
    0.5 * mat3x3f(a[0] * b[1] + a[1] * b[0], a[1] * b[2] + a[2] * b[1], a[2] * b[0] + a[0] * b[2]),
    mat3x3f(
      shearColumn(a[0], a[1], b[0], b[1]),
      shearColumn(a[1], a[2], b[1], b[2]),
      shearColumn(a[2], a[0], b[2], b[0]),
    ),
  );
}

struct Solution6 {
  x: Vector6,
  // false when a pivot is not positive
  isDefinite: bool,
}

// H x = b by blocks: the Schur complement of nn in registers.
fn solvePositiveDefinite6(h: Symmetric6, b: Vector6) -> Solution6 {
  let outer = factor3(h.nn);
  let y = mat3x3f(solveFactor3(outer, h.ns[0]), solveFactor3(outer, h.ns[1]), solveFactor3(outer, h.ns[2]));
  let inner = factor3(h.ss - transpose(h.ns) * y);
  if (!(all(outer.d > vec3f(0.0)) && all(inner.d > vec3f(0.0)))) { return Solution6(Vector6(), false); }
  let shear = solveFactor3(inner, b.shear - b.normal * y);
  return Solution6(Vector6(solveFactor3(outer, b.normal) - y * shear, shear), true);
}

fn diagonal6(h: Symmetric6) -> Vector6 {
  return Vector6(vec3f(h.nn[0][0], h.nn[1][1], h.nn[2][2]), vec3f(h.ss[0][0], h.ss[1][1], h.ss[2][2]));
}

// Lower bound of the eigenvalues of D H D for a diagonal matrix D, as in section 4.2 of paper 1: five sweeps of the QR
// algorithm bring it closer to diagonal, then Gershgorin's circles (23) bound what is left. Rarely needed, so in memory.
fn eigenvalueBound6(h: Symmetric6, d: Vector6) -> f32 {
  var a: array<array<f32, 6>, 6>;
  var scale = array<f32, 6>(d.normal.x, d.normal.y, d.normal.z, d.shear.x, d.shear.y, d.shear.z);
  for (var i = 0u; i < 3u; i++) {
    for (var j = 0u; j < 3u; j++) {
      a[i][j] = h.nn[j][i] * scale[i] * scale[j];
      a[i][j + 3u] = h.ns[j][i] * scale[i] * scale[j + 3u];
      a[j + 3u][i] = a[i][j + 3u];
      a[i + 3u][j + 3u] = h.ss[j][i] * scale[i + 3u] * scale[j + 3u];
    }
  }
  for (var sweep = 0u; sweep < 5u; sweep++) {
    // H = Q R by Givens rotations of rows, then R Q by the same rotations of columns.
    var rotations: array<vec2f, 15>;
    var count = 0u;
    for (var j = 0u; j < 5u; j++) {
      for (var i = j + 1u; i < 6u; i++) {
        let v = vec2f(a[j][j], a[i][j]);
        let size = length(v);
        let r = select(vec2f(1.0, 0.0), v / size, size > 0.0);
        rotations[count] = r;
        count++;
        for (var m = 0u; m < 6u; m++) {
          let x = a[j][m];
          let y = a[i][m];
          a[j][m] = r.x * x + r.y * y;
          a[i][m] = r.x * y - r.y * x;
        }
      }
    }
    count = 0u;
    for (var j = 0u; j < 5u; j++) {
      for (var i = j + 1u; i < 6u; i++) {
        let r = rotations[count];
        count++;
        for (var m = 0u; m < 6u; m++) {
          let x = a[m][j];
          let y = a[m][i];
          a[m][j] = r.x * x + r.y * y;
          a[m][i] = r.x * y - r.y * x;
        }
      }
    }
  }
  var bound = 3e38;
  for (var i = 0u; i < 6u; i++) {
    var row = a[i][i];
    for (var j = 0u; j < 6u; j++) { row -= select(0.0, abs(a[i][j]), i != j); }
    bound = min(bound, row);
  }
  return bound;
}

// −H⁻¹ ∇φ; where H is not positive definite it is shifted by the bound of its lowest eigenvalue, measured by `inertia`, the
// positive diagonal of the matrix without the energy. A loop, so that the solve is in the code once.
fn newtonStep6(h: Symmetric6, gradient: Vector6, inertia: Vector6) -> Vector6 {
  let downhill = Vector6(-gradient.normal, -gradient.shear);
  var shift = 0.0;
  for (var attempt = 0u; attempt < 2u; attempt++) {
    let solved = solvePositiveDefinite6(plusDiagonal6(h, shift, inertia), downhill);
    if (solved.isDefinite) { return solved.x; }
    let unit = Vector6(inverseSqrt(inertia.normal), inverseSqrt(inertia.shear));
    shift = 0.01 + max(0.0, -eigenvalueBound6(h, unit));
  }
  return Vector6(downhill.normal / inertia.normal, downhill.shear / inertia.shear);
}

// H + scale × diag(v)
fn plusDiagonal6(h: Symmetric6, scale: f32, v: Vector6) -> Symmetric6 {
  let n = scale * v.normal;
  let s = scale * v.shear;
  return Symmetric6(
    h.nn + mat3x3f(n.x, 0.0, 0.0, 0.0, n.y, 0.0, 0.0, 0.0, n.z),
    h.ns,
    h.ss + mat3x3f(s.x, 0.0, 0.0, 0.0, s.y, 0.0, 0.0, 0.0, s.z),
  );
}

// The same where directions may have neither inertia nor energy, as pinned vertices leave them: those must not stop the factor.
fn newtonStepLifted6(h: Symmetric6, gradient: Vector6, inertia: Vector6) -> Vector6 {
  let lift = 1e-6 * dot(inertia.normal + inertia.shear, vec3f(1.0));
  let one = Vector6(vec3f(1.0), vec3f(1.0));
  return newtonStep6(plusDiagonal6(h, lift, one), gradient, add6(inertia, lift, one));
}
