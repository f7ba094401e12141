// Twin of src/articulated/joints/rotation-vector.ts, which derives what is computed here.

#import "math/quaternion.wgsl"
#import "math/sine-cosine.wgsl"

const pi = 3.14159265358979;
const longestRotationVector = 1.25 * pi;

struct RotationCoefficients {
  a: f32,
  // derivative by s = |φ|²
  a1: f32,
  b: f32,
  b1: f32,
  c: f32,
}

fn rotationCoefficients(s: f32) -> RotationCoefficients {
  if (s < 1.0) {
    // 1/(2n)! … as in the series of the twin, as many terms as f32 sees
    var seriesA = array<f32, 6>(1.0 / 2.0, -1.0 / 24.0, 1.0 / 720.0, -1.0 / 40320.0, 1.0 / 3628800.0, -1.0 / 479001600.0);
    var seriesB = array<f32, 6>(1.0 / 6.0, -1.0 / 120.0, 1.0 / 5040.0, -1.0 / 362880.0, 1.0 / 39916800.0, -1.0 / 6227020800.0);
    var seriesC = array<f32, 6>(1.0, -1.0 / 6.0, 1.0 / 120.0, -1.0 / 5040.0, 1.0 / 362880.0, -1.0 / 39916800.0);
    var r = RotationCoefficients();
    for (var n = 5; n >= 0; n--) {
      r.a1 = r.a1 * s + r.a;
      r.a = r.a * s + seriesA[n];
      r.b1 = r.b1 * s + r.b;
      r.b = r.b * s + seriesB[n];
      r.c = r.c * s + seriesC[n];
    }
    return r;
  }
  let angle = sqrt(s);
  let turn = sineCosine(angle);
  let c = turn.x / angle;
  let c1 = (turn.y - c) / (2.0 * s);
  let a = (1.0 - turn.y) / s;
  let b = (1.0 - c) / s;
  return RotationCoefficients(a, (0.5 * c - a) / s, b, (-c1 - b) / s, c);
}

// φ×, as columns
fn crossMatrix(v: vec3f) -> mat3x3f {
  return mat3x3f(vec3f(0.0, v.z, -v.y), vec3f(-v.z, 0.0, v.x), vec3f(v.y, -v.x, 0.0));
}

// u wᵀ
fn outer(u: vec3f, w: vec3f) -> mat3x3f {
  return mat3x3f(u * w.x, u * w.y, u * w.z);
}

fn identity3() -> mat3x3f {
  return mat3x3f(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0);
}

// φφᵀ − s 1
fn crossSquared(phi: vec3f) -> mat3x3f {
  return outer(phi, phi) - dot(phi, phi) * identity3();
}

fn rotationOf(phi: vec3f, k: RotationCoefficients) -> mat3x3f {
  return identity3() + k.c * crossMatrix(phi) + k.a * crossSquared(phi);
}

fn leftJacobian(phi: vec3f, k: RotationCoefficients) -> mat3x3f {
  return identity3() + k.a * crossMatrix(phi) + k.b * crossSquared(phi);
}

// dJ/dt while φ moves with velocity w
fn leftJacobianRate(phi: vec3f, w: vec3f, k: RotationCoefficients) -> mat3x3f {
  let s1 = 2.0 * dot(phi, w);
  let q1 = outer(phi, w) + outer(w, phi) - s1 * identity3();
  return k.a1 * s1 * crossMatrix(phi) + k.a * crossMatrix(w) + k.b1 * s1 * crossSquared(phi) + k.b * q1;
}

fn quaternionOf(phi: vec3f) -> vec4f {
  let angle = length(phi);
  let turn = sineCosine(0.5 * angle);
  if (angle < 1e-3) { return vec4f((0.5 - angle * angle / 48.0) * phi, turn.y); }
  return vec4f(turn.x / angle * phi, turn.y);
}

// Of the rotation vectors of q below a full turn the one that is nearest to another.
fn nearestVector(q: vec4f, expected: vec3f) -> vec3f {
  let sine = length(q.xyz);
  if (sine < 1e-12) { return vec3f(0.0); }
  // atan2 may be off by 2⁻¹¹: a Newton step of its own
  var angle = 2.0 * atan2(sine, q.w);
  let turn = sineCosine(0.5 * angle);
  angle += 2.0 * (sine * turn.y - q.w * turn.x) / length(q);
  let one = angle / sine * q.xyz;
  let other = (angle - 2.0 * pi) / sine * q.xyz;
  if (distance(one, expected) <= distance(other, expected)) { return one; }
  return other;
}

fn inverse3(m: mat3x3f) -> mat3x3f {
  let x = cross(m[1], m[2]);
  let y = cross(m[2], m[0]);
  let z = cross(m[0], m[1]);
  return transpose(mat3x3f(x, y, z) * (1.0 / dot(m[0], x)));
}
