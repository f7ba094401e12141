// Up to this angle turns are linear [rad]: they stretch a body by half its square.
const LINEAR_TURN: f32 = 0.03;

// P(Θ) − 1 with Cayley's rotation by 2 arctan |Θ|/2 about Θ, see turning.ts.
fn cayleyChange(v: vec3f) -> mat3x3f {
  let s = 1.0 / (1.0 + 0.25 * dot(v, v));
  let c = 0.5 * s;
  return mat3x3f(
    vec3f(-c * (v.y * v.y + v.z * v.z), c * v.x * v.y + s * v.z, c * v.x * v.z - s * v.y),
    vec3f(c * v.x * v.y - s * v.z, -c * (v.x * v.x + v.z * v.z), c * v.y * v.z + s * v.x),
    vec3f(c * v.x * v.z + s * v.y, c * v.y * v.z - s * v.x, -c * (v.x * v.x + v.y * v.y)),
  );
}

// (P(start + θ) − P(start)) v, or θ × v where both are small
fn turnedFrom(start: vec3f, theta: vec3f, v: vec3f) -> vec3f {
  let end = start + theta;
  if (max(dot(start, start), dot(end, end)) < LINEAR_TURN * LINEAR_TURN) { return cross(theta, v); }
  return cayleyChange(end) * v - cayleyChange(start) * v;
}
