// Neo-Hookean with fibres; twin of src/materials/neo-hookean-membrane.ts. Coefficients: µ, λ, a_u, a_v [N/m].

// Below this squared area ratio the logarithm goes on as its Taylor parabola.
const collapseThreshold = 1e-3;

// ln D and its first two derivatives.
fn extendedLog(d: f32) -> vec3f {
  let e = collapseThreshold;
  if (d >= e) { return vec3f(log(d), 1.0 / d, -1.0 / (d * d)); }
  let r = (d - e) / e;
  return vec3f(log(e) + r - 0.5 * r * r, (1.0 - r) / e, -1.0 / (e * e));
}

// D − 1 for D = det C. Near rest everything is computed from this small number, so that no digits cancel.
fn determinantExcess(s: vec3f) -> f32 {
  return 2.0 * (s.x + s.z) + 4.0 * (s.x * s.z - s.y * s.y);
}

// x − ln(1 + x) for |x| < 0.35, by ln(1 + x) = 2 artanh t with t = x / (2 + x). WGSL's own logarithm is known to 5e-7 only
// around 1, where cloth lives.
fn logarithmDeficit(x: f32) -> f32 {
  let t = x / (2.0 + x);
  let t2 = t * t;
  return x * t - 2.0 * t * t2 * (1.0 / 3.0 + t2 * (0.2 + t2 * (1.0 / 7.0 + t2 / 9.0)));
}

const smallExcess = 0.35;

fn determinantLog(s: vec3f) -> vec3f {
  let excess = determinantExcess(s);
  if (abs(excess) < smallExcess) {
    let inverse = 1.0 / (1.0 + excess);
    return vec3f(excess - logarithmDeficit(excess), inverse, -inverse * inverse);
  }
  return extendedLog(1.0 + excess);
}

// E_uu + E_vv − ½ ln D
fn shearPart(s: vec3f, log: f32) -> f32 {
  let excess = determinantExcess(s);
  if (abs(excess) < smallExcess) { return 0.5 * logarithmDeficit(excess) - 2.0 * (s.x * s.z - s.y * s.y); }
  return s.x + s.z - 0.5 * log;
}

fn energyDensity(s: vec3f) -> f32 {
  let c = material.coefficients;
  let log = determinantLog(s).x;
  return c.x * shearPart(s, log) + 0.125 * c.y * log * log + 0.5 * (c.z * s.x * s.x + c.w * s.z * s.z);
}

// The part of µ is µ (1 − L' (1 + 2 E_vv)) = µ L' (1/L' − 1 − 2 E_vv), where 1/L' − 1 is D − 1 unless L is continued.
fn energyGradient(s: vec3f) -> vec3f {
  let c = material.coefficients;
  let log = determinantLog(s);
  let excess = determinantExcess(s);
  let rise = select(1.0 / log.y - 1.0, excess, 1.0 + excess >= collapseThreshold);
  let shear = c.x * log.y;
  let volume = 0.5 * c.y * log.x * log.y;
  return vec3f(
    shear * (rise - 2.0 * s.z) + volume * (1.0 + 2.0 * s.z) + c.z * s.x,
    4.0 * (shear - volume) * s.y,
    shear * (rise - 2.0 * s.x) + volume * (1.0 + 2.0 * s.x) + c.w * s.z,
  );
}

fn energyHessian(s: vec3f) -> mat3x3f {
  let c = material.coefficients;
  let log = determinantLog(s);
  let slope = -0.5 * c.x + 0.25 * c.y * log.x;
  let d = slope * log.y;
  let dPrime = 0.25 * c.y * log.y * log.y + slope * log.z;
  let g = vec3f(4.0 * s.z + 2.0, -8.0 * s.y, 4.0 * s.x + 2.0);
  var h = mat3x3f(dPrime * g.x * g, dPrime * g.y * g, dPrime * g.z * g);
  h[0][0] += c.z;
  h[0][2] += 4.0 * d;
  h[1][1] -= 8.0 * d;
  h[2][0] += 4.0 * d;
  h[2][2] += c.w;
  return h;
}
