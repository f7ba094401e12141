// Neo-Hookean with fibres; twin of src/materials/neo-hookean-membrane.ts. Coefficients: µ, λ, a_u, a_v [N/m].

// Below this squared area ratio the logarithm goes on as its Taylor parabola.
const collapseThreshold = 1e-3;

// ln D and its first two derivatives.
fn extendedLog(d: f32) -> vec3f {
  let e = collapseThreshold;
  if (d >= e) {
    return vec3f(log(d), 1.0 / d, -1.0 / (d * d));
  }
  let r = (d - e) / e;
  return vec3f(log(e) + r - 0.5 * r * r, (1.0 - r) / e, -1.0 / (e * e));
}

// D = det C, as D − 1 first: near rest the logarithm of 1 + small keeps its digits.
fn determinantLog(s: vec3f) -> vec3f {
  let excess = 2.0 * (s.x + s.z) + 4.0 * (s.x * s.z - s.y * s.y);
  if (abs(excess) < 0.02) {
    let series = excess * (1.0 - excess * (0.5 - excess * (1.0 / 3.0 - excess * (0.25 - 0.2 * excess))));
    let inverse = 1.0 / (1.0 + excess);
    return vec3f(series, inverse, -inverse * inverse);
  }
  return extendedLog(1.0 + excess);
}

fn energyDensity(s: vec3f) -> f32 {
  let c = material.coefficients;
  let log = determinantLog(s).x;
  return c.x * (s.x + s.z - 0.5 * log) + 0.125 * c.y * log * log + 0.5 * (c.z * s.x * s.x + c.w * s.z * s.z);
}

fn energyGradient(s: vec3f) -> vec3f {
  let c = material.coefficients;
  let log = determinantLog(s);
  let d = (-0.5 * c.x + 0.25 * c.y * log.x) * log.y;
  return vec3f(
    c.x + d * (4.0 * s.z + 2.0) + c.z * s.x,
    -8.0 * d * s.y,
    c.x + d * (4.0 * s.x + 2.0) + c.w * s.z,
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
