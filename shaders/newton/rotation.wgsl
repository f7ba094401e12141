#import "math/quaternion.wgsl"
#import "math/sine-cosine.wgsl"

// Unit quaternions x, y, z, w: twin of rotation.ts.

fn rotateBack(q: vec4f, v: vec3f) -> vec3f {
  return rotate(vec4f(-q.xyz, q.w), v);
}

// exp(v) ∘ q: q turned about the world vector v by its length [rad]
fn turnQuaternion(q: vec4f, v: vec3f) -> vec4f {
  let squared = dot(v, v);
  // sin(θ/2)/θ and cos(θ/2), by their series where the quotient would lose digits
  var s = 0.5 - squared / 48.0;
  var w = 1.0 - squared / 8.0;
  if (squared > 1e-3) {
    let angle = sqrt(squared);
    let half = sineCosine(0.5 * angle);
    s = half.x / angle;
    w = half.y;
  }
  let r = quaternionProduct(vec4f(s * v, w), q);
  return r * (1.0 / sqrt(dot(r, r)));
}

// exp(−v) l
fn turnBack(v: vec3f, l: vec3f) -> vec3f {
  let squared = dot(v, v);
  var s = 1.0 - squared / 6.0;
  var c = 0.5 - squared / 24.0;
  if (squared > 1e-3) {
    let angle = sqrt(squared);
    let half = sineCosine(0.5 * angle);
    s = 2.0 * half.x * half.y / angle;
    // (1 − cos θ)/θ², without the difference
    c = 2.0 * half.x * half.x / squared;
  }
  let x = cross(v, l);
  return l - s * x + c * cross(v, x);
}

fn rotationMatrix(q: vec4f) -> mat3x3f {
  return mat3x3f(rotate(q, vec3f(1.0, 0.0, 0.0)), rotate(q, vec3f(0.0, 1.0, 0.0)), rotate(q, vec3f(0.0, 0.0, 1.0)));
}

// R diag(d) Rᵀ
fn turnedDiagonal(r: mat3x3f, d: vec3f) -> mat3x3f {
  return mat3x3f(r[0] * d.x, r[1] * d.y, r[2] * d.z) * transpose(r);
}

fn inverseSymmetric(m: mat3x3f) -> mat3x3f {
  let x = cross(m[1], m[2]);
  let y = cross(m[2], m[0]);
  let z = cross(m[0], m[1]);
  let scale = 1.0 / dot(m[0], x);
  // of a symmetric matrix the inverse is symmetric: rows may stand as columns
  return mat3x3f(x * scale, y * scale, z * scale);
}

// atan(y/x) for x ≥ 0, in (−π/2, π/2): reduction to [−tan π/8, tan π/8] and Cephes' polynomial for f32. The built-in function
// may be off by 4096 units in the last place.
fn arcTangent(y: f32, x: f32) -> f32 {
  let a = abs(y);
  var base = 0.0;
  // t = numerator / denominator
  var n = a;
  var d = x;
  if (a > 2.414213562373095 * x) {
    base = 1.5707963267948966;
    n = -x;
    d = a;
  } else if (a > 0.4142135623730950 * x) {
    base = 0.7853981633974483;
    n = a - x;
    d = a + x;
  }
  var t = 0.0;
  if (d > 0.0) { t = n / d; }
  let z = t * t;
  let series = ((8.05374449538e-2 * z - 1.38776856032e-1) * z + 1.99777106478e-1) * z - 3.33329491539e-1;
  let angle = base + (series * z * t + t);
  return select(angle, -angle, y < 0.0);
}
