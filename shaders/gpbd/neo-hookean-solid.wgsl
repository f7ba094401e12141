#import "gpbd/tetrahedron.wgsl"
#import "gpbd/green-strain.wgsl"
#import "math/logarithm.wgsl"

// The update of a neo-Hookean tetrahedron in closed form, for (20) and (21) of paper 1; the derivation, and the glossary, are
// in src/solvers/gpbd/neo-hookean-solve.ts. Coefficients: µ, λ [Pa]. The importing module says which: isLogarithmic.

const tetHalvings = 10u;

struct VolumeChange {
  // δ: J' = J (1 + δ)
  delta: f32,
  // φ(Λ) − φ(0)
  value: f32,
}

// ln and f depend on one number each way: J f'(J) + µ, and its derivative by ln J.
fn pressureAndCurvature(j: f32, logJ: f32) -> vec2f {
  let mu = material.coefficients.x;
  let bulk = material.coefficients.y;
  if (isLogarithmic()) {
    return vec2f(bulk * logJ, bulk);
  }
  return vec2f(j * (bulk * (1.0 + j) - mu), (bulk * (1.0 + 2.0 * j) - mu) * (1.0 + j));
}

// V [µ tr(ΛM) + f(J') − f(J)] for Y = ΛM; infinite where J' ≤ 0
fn volumeChange(y: mat3x3f, volume: f32, j: f32, logJ: f32) -> VolumeChange {
  let mu = material.coefficients.x;
  let bulk = material.coefficients.y;
  let first = y[0][0] + y[1][1] + y[2][2];
  let minors = y[0][0] * y[1][1] - y[0][1] * y[1][0] + (y[1][1] * y[2][2] - y[1][2] * y[2][1])
    + (y[2][2] * y[0][0] - y[2][0] * y[0][2]);
  let higher = minors + determinant(y);
  let delta = first + higher;
  if (!(delta > -1.0)) {
    return VolumeChange(delta, 3e38);
  }
  if (isLogarithmic()) {
    let gain = log1p(delta);
    return VolumeChange(delta, volume * (mu * (deficit1p(delta) - higher) + 0.5 * bulk * gain * (2.0 * logJ + gain)));
  }
  let gain = (1.0 + j) * delta;
  return VolumeChange(delta, volume * (0.5 * bulk * gain * (2.0 * j + gain) - mu * (higher + j * delta)));
}

// H v for the Hessian H of the density at rest, isotropic with Lamé's parameters
fn restStress(v: Vector6, lame: f32) -> Vector6 {
  let mu = material.coefficients.x;
  return Vector6(2.0 * mu * v.normal + lame * (v.normal.x + v.normal.y + v.normal.z), 4.0 * mu * v.shear);
}

fn solveTet(state: TetState) -> mat3x3f {
  let mu = material.coefficients.x;
  let volume = state.volume;
  let m = state.m;
  let strain = greenStrain6(state.f);
  let e = matrixOf6(strain, 1.0);
  let c = mat3x3f(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0) + 2.0 * e;
  var base = add6(state.b, 2.0 * volume * mu, symmetricEntries6(e * m));
  var quadratic = kronecker6(c, m + (volume * mu) * (m * m));
  if (material.damping > 0.0) {
    // Kelvin-Voigt, linear in Δλ: s moves by G Δλ, G = S W Sᵀ.
    let viscosity = volume * material.damping / step.h;
    let lame = select(material.coefficients.y - mu, material.coefficients.y, isLogarithmic());
    let before = greenStrain6(state.startF);
    let gram = kronecker6(c, m);
    base = add6(base, viscosity, multiply6(gram, restStress(add6(strain, -1.0, before), lame)));
    quadratic = addMatrix6(quadratic, viscosity, dampingMatrix(gram, lame));
  }
  let j = volumeExcess6(state.f, strain);
  let logJ = log1p(j);
  let inertia = diagonal6(quadratic);

  var lambda = Vector6();
  var k = m;
  var y = mat3x3f();
  var delta = 0.0;
  var objective = 0.0;
  for (var iteration = 0u; iteration < newtonIterations; iteration++) {
    let law = pressureAndCurvature(j + (1.0 + j) * delta, logJ + log1p(delta));
    let kVector = symmetricEntries6(k);
    var gradient = add6(add6(base, 1.0, multiply6(quadratic, lambda)), volume * law.x, kVector);
    // M − K = K Λ M
    gradient = add6(gradient, volume * mu, symmetricEntries6(k * y));
    var hessian = addMatrix6(quadratic, 1.0, outer6(volume * law.y, kVector));
    hessian = addMatrix6(hessian, volume * (mu - law.x), kronecker6(k, k));
    let direction = newtonStepLifted6(hessian, gradient, inertia);
    let slope = dot6(gradient, direction);
    // Strains of 1e-7 are not known in f32.
    if (!(slope < -1e-14 * volume * mu)) {
      break;
    }
    var t = 1.0;
    var accepted = false;
    for (var halving = 0u; halving < tetHalvings; halving++) {
      let trial = add6(lambda, t, direction);
      let trialY = matrixOf6(trial, 0.5) * m;
      let change = volumeChange(trialY, volume, j, logJ);
      let value = dot6(base, trial) + 0.5 * dot6(trial, multiply6(quadratic, trial)) + change.value;
      if (value <= objective + 1e-4 * t * slope + 1e-6 * abs(objective)) {
        accepted = true;
        lambda = trial;
        y = trialY;
        delta = change.delta;
        objective = value;
        break;
      }
      t *= 0.5;
    }
    if (!accepted) {
      break;
    }
    // Folded away with the override for a single iteration.
    if (newtonIterations > 1u && iteration + 1u < newtonIterations) {
      k = afterStretch(m, y, 1.0 + delta);
    }
  }
  return matrixOf6(lambda, 0.5);
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
