#import "solids/tetrahedron.wgsl"
#import "solids/green-strain.wgsl"
#import "math/packed6.wgsl"
#import "math/logarithm.wgsl"

// The update of a neo-Hookean tetrahedron in closed form, for (20) and (21) of paper 1; the derivation, and the glossary, are
// in src/solvers/gpbd/elements/solids/neo-hookean-solve.ts. Coefficients: µ, λ [Pa]. The importing module says which: isLogarithmic.

const tetHalvings = 10u;

// Whether displacements of quadratic elements begin at nothing, see `ElementScratch.isCold` in local-solve.ts.
override isCold: bool = false;

// J f'(J) + µ, and its derivative by ln J, at J = 1 + j
fn pressureAndCurvature(j: f32, logJ: f32) -> vec2f {
  let mu = material.coefficients.x;
  let bulk = material.coefficients.y;
  if (isLogarithmic) { return vec2f(bulk * logJ, bulk); }
  return vec2f(j * (bulk * (1.0 + j) - mu), (bulk * (1.0 + 2.0 * j) - mu) * (1.0 + j));
}

struct TetStep {
  // ΔΛ
  lambda: Vector6,
  // J becomes J (1 + ε)
  epsilon: f32,
  isAccepted: bool,
}

// One Newton iteration, from a Λ at which F (I + ΛM) has the determinant 1 + j.
//
// Along the direction D, with Z = D K, 1 + ε = det(I + t Z) = 1 + t z₁ + t² z₂ + t³ z₃ has the invariants of Z for
// coefficients, and D : K = z₁, tr(Z Z) = z₁² − 2 z₂. So dᵀQd = −slope − V c z₁² − V (µ − p) (z₁² − 2 z₂) follows from H d = −g,
// and a trial of the line search takes a few scalars. If descent6 changed the sign of pivots because of rounding, this is more than
// dᵀQd, which only makes the search more careful.
//
// rest: B + 2Vµ sym(EM) + QΛ + Vµ (M − K), the gradient but for V p K
fn newtonStep(quadratic: Packed6, rest: Vector6, k: Vector6, volume: f32, j: f32, logJ: f32) -> TetStep {
  let mu = material.coefficients.x;
  let bulk = material.coefficients.y;
  let law = pressureAndCurvature(j, logJ);
  let gradient = add6(rest, volume * law.x, k);
  // An indefinite Hessian does without its negative parts (newtonDirection in neo-hookean-solve.ts). A loop, so that the solve
  // is in the code once.
  var parts = vec2f(mu - law.x, law.y);
  var found: Descent6;
  for (var attempt = 0u; attempt < 2u && !found.isDefinite; attempt++) {
    if (attempt > 0u) { parts = max(parts, vec2f(0.0)); }
    found = descent6(plusSquares6(quadratic, volume * parts.x, volume * parts.y, k), gradient);
  }
  let direction = found.x;
  let slope = dot6(gradient, direction);
  let z = matrixOf6(direction, 0.5) * matrixOf6(k, 1.0);
  let z1 = z[0][0] + z[1][1] + z[2][2];
  let z2 = z[0][0] * z[1][1] - z[0][1] * z[1][0] + (z[1][1] * z[2][2] - z[1][2] * z[2][1])
    + (z[2][2] * z[0][0] - z[2][0] * z[0][2]);
  let z3 = determinant(z);
  let curve = -slope - volume * (parts.y * z1 * z1 + parts.x * (z1 * z1 - 2.0 * z2));
  let ascent = slope - volume * law.x * z1;
  var t = 1.0;
  var epsilon = 0.0;
  // Strains of 1e-7 are not known in f32.
  var isAccepted = false;
  var left = select(0u, tetHalvings, slope < -1e-14 * volume * mu);
  while (left > 0u) {
    let higher = t * t * (z2 + t * z3);
    epsilon = t * z1 + higher;
    // V [µ (t z₁ − ln(1 + ε)) + …] of (20), V [−µ (…)] of (21), both as they come without cancellation
    var barrier = 0.0;
    if (isLogarithmic) {
      let gain = log1p(epsilon);
      barrier = mu * (deficit1p(epsilon) - higher) + 0.5 * bulk * gain * (2.0 * logJ + gain);
    } else {
      let gain = (1.0 + j) * epsilon;
      barrier = 0.5 * bulk * gain * (2.0 * j + gain) - mu * (higher + j * epsilon);
    }
    let value = t * ascent + 0.5 * t * t * curve + volume * barrier;
    let twice = select(epsilon, 2.0 * t * (z1 + 2.0 * t * (z2 + 2.0 * t * z3)), isCold);
    let rounding = 1e-6 * (abs(t * ascent) + t * t * abs(curve));
    if (min(epsilon, twice) > -1.0 && value <= 1e-4 * t * slope + rounding) {
      isAccepted = true;
      break;
    }
    t *= 0.5;
    left--;
  }
  // Far from rest f32 overflows: a direction that is no number is not taken, not even no part of it.
  if (!isAccepted) { return TetStep(Vector6(), 0.0, false); }
  return TetStep(Vector6(t * direction.normal, t * direction.shear), epsilon, true);
}

// H v for the Hessian H of the density at rest, isotropic with Lamé's parameters
fn restStress(v: Vector6, lame: f32) -> Vector6 {
  let mu = material.coefficients.x;
  return Vector6(2.0 * mu * v.normal + lame * (v.normal.x + v.normal.y + v.normal.z), 4.0 * mu * v.shear);
}

fn solveTet(given: TetState) -> mat3x3f {
  var state = given;
  if (isCold) { state.m *= 0.5; }
  let mu = material.coefficients.x;
  let volume = state.volume;
  let m = entries6(state.m);
  let strain = greenStrain6(state.f);
  let b = symmetricEntries6(transpose(state.f) * state.d);
  var base = add6(b, 2.0 * volume * mu, symmetricProduct6(strain, m));
  let c = Vector6(1.0 + 2.0 * strain.normal, 2.0 * strain.shear);
  var quadratic = kroneckerPacked6(c, add6(m, volume * mu, square6(m)));
  if (isDamped) {
    // Kelvin-Voigt, linear in Δλ: s moves by G Δλ, G = S W Sᵀ.
    let viscosity = volume * material.damping / step.h;
    let lame = select(material.coefficients.y - mu, material.coefficients.y, isLogarithmic);
    let before = greenStrain6(state.startF);
    let gram = kronecker6(matrixOf6(c, 1.0), state.m);
    base = add6(base, viscosity, multiply6(gram, restStress(add6(strain, -1.0, before), lame)));
    quadratic = addPacked6(quadratic, viscosity, packed6(dampingMatrix(gram, lame)));
  }
  // Directions may have neither inertia nor energy, as pinned vertices leave them: those must not stop the factor.
  let lift = 1e-6 * dot(quadratic.nnDiagonal + quadratic.ssDiagonal, vec3f(1.0));
  quadratic.nnDiagonal += lift;
  quadratic.ssDiagonal += lift;
  var j = volumeExcess6(state.f, strain);
  var logJ = 0.0;
  if (isLogarithmic) { logJ = log1p(j); }

  let first = add6(base, volume * pressureAndCurvature(j, logJ).x, m);
  var moved = newtonStep(quadratic, base, m, volume, j, logJ);
  var lambda = moved.lambda;
  // Left out by the override for a single iteration.
  if (newtonIterations > 1u) {
    var total = 1.0;
    for (var iteration = 1u; iteration < newtonIterations && moved.isAccepted; iteration++) {
      total *= 1.0 + moved.epsilon;
      j += (1.0 + j) * moved.epsilon;
      if (isLogarithmic) { logJ += log1p(moved.epsilon); }
      let y = matrixOf6(lambda, 0.5) * state.m;
      let k = afterStretch(state.m, y, total);
      // M − K = K Λ M
      let rest = add6(add6(base, 1.0, multiplyPacked6(quadratic, lambda)), volume * mu, symmetricEntries6(k * y));
      moved = newtonStep(quadratic, rest, entries6(k), volume, j, logJ);
      lambda = add6(lambda, 1.0, moved.lambda);
    }
  }
  let found = state.f * matrixOf6(lambda, 0.5);
  if (!isCold) { return found; }
  let weighed = found * state.m;
  let inertia = dot(weighed[0], found[0]) + dot(weighed[1], found[1]) + dot(weighed[2], found[2]);
  let elastic = -dot6(first, lambda) - inertia;
  return select(1.0, 0.5 + 0.5 * inertia / elastic, elastic > inertia) * found;
}

// K = M (I + Y)⁻¹, symmetric but for rounding
fn afterStretch(m: mat3x3f, y: mat3x3f, determinant: f32) -> mat3x3f {
  let a = vec3f(1.0, 0.0, 0.0) + y[0];
  let b = vec3f(0.0, 1.0, 0.0) + y[1];
  let c = vec3f(0.0, 0.0, 1.0) + y[2];
  let inverse = transpose(mat3x3f(cross(b, c), cross(c, a), cross(a, b))) * (1.0 / determinant);
  let k = m * inverse;
  return 0.5 * (k + transpose(k));
}

// G H G
fn dampingMatrix(gram: Symmetric6, lame: f32) -> Symmetric6 {
  let mu = material.coefficients.x;
  let sn = transpose(gram.ns);
  // rows of G that belong to normal strains, added up: what the trace sees
  let trace = Vector6(
    gram.nn[0] + gram.nn[1] + gram.nn[2],
    vec3f(1.0) * gram.ns,
  );
  var out = outer6(lame, trace);
  out.nn += 2.0 * mu * (gram.nn * gram.nn) + 4.0 * mu * (gram.ns * sn);
  out.ns += 2.0 * mu * (gram.nn * gram.ns) + 4.0 * mu * (gram.ns * gram.ss);
  out.ss += 2.0 * mu * (sn * gram.ns) + 4.0 * mu * (gram.ss * gram.ss);
  return out;
}

// ψ: tr E − ln J = ½ (2 tr E − x) + ½ (x − ln(1 + x)) with x = det C − 1, and J − 1 = j in place of ln J has ½ j² for the second part.
fn storedDensity(f: mat3x3f) -> f32 {
  let s = greenStrain6(f);
  let x = determinantExcess6(s);
  let trace = s.normal.x + s.normal.y + s.normal.z;
  let minors = trace * trace - dot(s.normal, s.normal) - 2.0 * dot(s.shear, s.shear);
  let higher = minors + 4.0 * determinant(matrixOf6(s, 1.0));
  let c = material.coefficients;
  if (isLogarithmic) {
    let logJ = 0.5 * log1p(x);
    return c.x * (0.5 * deficit1p(x) - higher) + 0.5 * c.y * logJ * logJ;
  }
  let j = volumeExcess6(f, s);
  return c.x * (0.5 * j * j - higher) + 0.5 * c.y * j * j;
}
