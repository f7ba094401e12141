#import "math/symmetric3.wgsl"
#import "math/logarithm.wgsl"

// The local problem of one hyperelastic element in its principal stretches: twin of proximal.ts and principal-density.ts.
// Of a membrane the third stretch is 1 and stays: `dimension` 2.

struct LocalGlobalMaterial {
  // Lamé's parameters over w
  mu: f32,
  lambda: f32,
  // strain limiting
  least: f32,
  greatest: f32,
  model: u32,
  // of the elastic forces: what acts of them
  share: f32,
}

// in the order of `principalModels`
const MODEL_ARAP = 0u;
const MODEL_COROTATIONAL = 1u;
const MODEL_NEO_HOOKEAN = 2u;
const MODEL_STABLE_NEO_HOOKEAN = 3u;
const MODEL_STVK = 4u;

const PROXIMAL_STEPS = 20u;

// J − 1 with the digits that it has near rest
fn volumeChange(e: vec3f) -> f32 {
  return e.x + e.y + e.z + (e.x * e.y + e.y * e.z + e.z * e.x) + e.x * e.y * e.z;
}

// ψ/w + ½ ‖s − σ‖²; s positive for a barrier
fn proximalValue(m: LocalGlobalMaterial, s: vec3f, sigma: vec3f) -> f32 {
  let e = s - 1.0;
  let distance = 0.5 * dot(s - sigma, s - sigma);
  if (m.model == MODEL_STVK) {
    let green = e + 0.5 * e * e;
    let trace = green.x + green.y + green.z;
    return distance + m.mu * dot(green, green) + 0.5 * m.lambda * trace * trace;
  }
  let half = 0.5 * dot(e, e) + e.x + e.y + e.z;
  let j = volumeChange(e);
  if (m.model == MODEL_STABLE_NEO_HOOKEAN) { return distance + m.mu * (half - j) + 0.5 * (m.lambda + m.mu) * j * j; }
  let l = log1p(j);
  return distance + m.mu * (half - l) + 0.5 * m.lambda * l * l;
}

struct ProximalDerivatives {
  gradient: vec3f,
  hessian: mat3x3f,
}

fn proximalDerivatives(m: LocalGlobalMaterial, s: vec3f, sigma: vec3f, dimension: u32) -> ProximalDerivatives {
  let e = s - 1.0;
  var g = s - sigma;
  var h = mat3x3f();
  if (m.model == MODEL_STVK) {
    let green = e + 0.5 * e * e;
    let trace = green.x + green.y + green.z;
    g += s * (2.0 * m.mu * green + m.lambda * trace);
    h = mat3x3f(m.lambda * s.x * s, m.lambda * s.y * s, m.lambda * s.z * s);
    for (var i = 0u; i < 3u; i++) { h[i][i] += 1.0 + 2.0 * m.mu * (green[i] + s[i] * s[i]) + m.lambda * trace; }
  } else if (m.model == MODEL_STABLE_NEO_HOOKEAN) {
    let a = (m.lambda + m.mu) * volumeChange(e) - m.mu;
    let others = s.yzx * s.zxy;
    g += m.mu * s + a * others;
    let k = m.lambda + m.mu;
    h = mat3x3f(k * others.x * others, k * others.y * others, k * others.z * others);
    h[0] += vec3f(1.0 + m.mu, a * s.z, a * s.y);
    h[1] += vec3f(a * s.z, 1.0 + m.mu, a * s.x);
    h[2] += vec3f(a * s.y, a * s.x, 1.0 + m.mu);
  } else {
    let inverse = 1.0 / s;
    let l = m.lambda * log1p(volumeChange(e));
    // µ (s − 1/s) keeps its digits near rest
    g += m.mu * e * (s + 1.0) * inverse + l * inverse;
    let k = m.lambda;
    h = mat3x3f(k * inverse.x * inverse, k * inverse.y * inverse, k * inverse.z * inverse);
    for (var i = 0u; i < 3u; i++) { h[i][i] += 1.0 + m.mu + (m.mu - l) * inverse[i] * inverse[i]; }
  }
  if (dimension == 2u) {
    g.z = 0.0;
    h[0].z = 0.0;
    h[1].z = 0.0;
    h[2] = vec3f(0.0, 0.0, 1.0);
  }
  return ProximalDerivatives(g, h);
}

// Newton's method with a line search; where the Hessian is not definite it is shifted until it is.
fn newtonStretches(m: LocalGlobalMaterial, sigma: vec3f, dimension: u32) -> vec3f {
  let isBarrier = m.model == MODEL_NEO_HOOKEAN;
  var s = sigma;
  if (isBarrier) {
    // A barrier needs a start where it has a value.
    s = max(s, vec3f(0.05));
  }
  for (var iteration = 0u; iteration < PROXIMAL_STEPS; iteration++) {
    let at = proximalDerivatives(m, s, sigma, dimension);
    let diagonal = vec3f(at.hessian[0][0], at.hessian[1][1], at.hessian[2][2]);
    let scale = max(abs(diagonal.x), max(abs(diagonal.y), abs(diagonal.z)));
    let largest = max(abs(at.gradient.x), max(abs(at.gradient.y), abs(at.gradient.z)));
    // also leaves what is not finite as it is
    if (!(largest > 1e-7 * scale && largest < 1e30)) { break; }
    var shift = 0.0;
    var h = at.hessian;
    var change = solvePositiveDefinite3(h, at.gradient);
    for (var tries = 0u; change.w == 0.0 && tries < 40u; tries++) {
      shift = max(2.0 * shift, 1e-3 * scale);
      for (var i = 0u; i < 3u; i++) { h[i][i] = diagonal[i] + shift; }
      change = solvePositiveDefinite3(h, at.gradient);
    }
    let most = max(abs(change.x), max(abs(change.y), abs(change.z)));
    if (shift == 0.0 && most < 0.02 * min(1.0, min(abs(s.x), min(abs(s.y), abs(s.z))))) {
      // Near the minimum a step is good, and values say nothing any more: their last digits are too coarse.
      s -= change.xyz;
      if (most < 1e-6) { break; }
      continue;
    }
    let value = proximalValue(m, s, sigma);
    let slope = dot(at.gradient, change.xyz);
    var t = 1.0;
    var isDown = false;
    for (; t > 1e-6; t *= 0.5) {
      let trial = s - t * change.xyz;
      // A product of two negative stretches is no way around the barrier.
      if (isBarrier && !all(trial > vec3f(0.0))) { continue; }
      let next = proximalValue(m, trial, sigma);
      if (next <= value - 1e-4 * t * slope) {
        s = trial;
        isDown = true;
        break;
      }
    }
    if (!isDown) { break; }
  }
  return s;
}

// argmin ½ ‖s − σ‖² + ψ(s)/w
fn proximalStretches(m: LocalGlobalMaterial, stretches: vec3f, dimension: u32) -> vec3f {
  var sigma = stretches;
  if (dimension == 2u) { sigma.z = 1.0; }
  var s = vec3f(1.0);
  if (m.model == MODEL_COROTATIONAL) {
    let e = sigma - 1.0;
    let trace = (e.x + e.y + e.z) / (1.0 + 2.0 * m.mu + f32(dimension) * m.lambda);
    s = 1.0 + (e - m.lambda * trace) / (1.0 + 2.0 * m.mu);
  } else if (m.model != MODEL_ARAP) {
    s = newtonStretches(m, sigma, dimension);
  }
  return clamp(s, vec3f(m.least), vec3f(m.greatest));
}
