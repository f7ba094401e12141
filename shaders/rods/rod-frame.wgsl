#import "math/sine-cosine.wgsl"

// Frames of the material along a rod, as unit quaternions; twin of rod-set.ts.

// Third axis of a frame.
fn axisOf(q: vec4f) -> vec3f {
  return vec3f(2.0 * (q.x * q.z + q.w * q.y), 2.0 * (q.y * q.z - q.w * q.x), 1.0 - 2.0 * (q.x * q.x + q.y * q.y));
}

// q R(e₃, angle), with sine and cosine of half of the angle.
fn turnAboutAxis(q: vec4f, s: f32, c: f32) -> vec4f {
  return vec4f(c * q.x + s * q.y, c * q.y - s * q.x, c * q.z + s * q.w, c * q.w - s * q.z);
}

// q = P(t⁻ → t) q⁻ R(e₃, φ): a frame after its edge went to the direction t and it turned by φ.
fn carryFrame(q: vec4f, t: vec3f, turn: f32) -> vec4f {
  let before = axisOf(q);
  // The real part 1 + t⁻·t, with the digits that it has where the edge is nearly turned round.
  let sum = before + t;
  var p = vec4f(cross(before, t), 0.5 * dot(sum, sum));
  if (p.w < 1e-6) {
    p = vec4f(
      1.0 - 2.0 * (q.y * q.y + q.z * q.z), 2.0 * (q.x * q.y + q.w * q.z), 2.0 * (q.x * q.z - q.w * q.y), 0.0,
    );
  }
  let half = sineCosine(0.5 * turn);
  let a = turnAboutAxis(q, half.x, half.y);
  return normalize(vec4f(p.w * a.xyz + a.w * p.xyz + cross(p.xyz, a.xyz), p.w * a.w - dot(p.xyz, a.xyz)));
}

// q̄₀ q₁ with the sign for which w is not negative.
fn relativeTurn(q0: vec4f, q1: vec4f) -> vec4f {
  let r = vec4f(q0.w * q1.xyz - q1.w * q0.xyz - cross(q0.xyz, q1.xyz), dot(q0, q1));
  return select(r, -r, r.w < 0.0);
}
