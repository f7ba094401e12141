#import "newton/model.wgsl"
#import "newton/rotation.wgsl"
#import "newton/precise.wgsl"

// Motion of a body that nothing touches, and the way from a velocity to a pose: twin of free-motion.ts.

struct FreeMotion {
  // ũ
  velocity: vec3f,
  spin: vec3f,
  // δ: mean angular velocity of the free motion less that at its end
  offset: vec3f,
  // orientation at its end
  rotation: vec4f,
  inverseInertia: mat3x3f,
  // 1 where stiffness of joints is part of the inertia
  isStiffened: f32,
}

const SPIN_ITERATIONS = 12u;
// The squared change of an iteration that has converged, relative to the squared angular velocity.
const SETTLED = 1e-8;
// Turns of a step [rad] up to this are taken at once, others in parts of about that.
const WHOLE_TURN = 0.7;
const PART_TURN = 0.25;
// see energy-bound.ts
const TRUSTED_GAIN = 1.02;
// a: h² r·f / I up to which the explicit step is left alone; see geometric-stiffness.ts
const EXPLICIT_STIFFNESS = 0.5;

fn canTurn(body: BodyInput) -> bool {
  return any(body.inertia != vec3f(0.0));
}

struct FreeTurn {
  // angular velocity after, and Ω̄
  after: vec3f,
  mean: vec3f,
}

fn turnOnce(body: BodyInput, a: vec3f, h: f32) -> FreeTurn {
  let l = body.inertia * a;
  var b = a;
  var change = a;
  for (var k = 0u; k < SPIN_ITERATIONS && !(dot(change, change) <= 1e-14 * dot(a, a)); k++) {
    let c = body.inverseInertia * turnBack(0.5 * h * (a + b), l);
    change = c - b;
    b = c;
  }
  if (!(dot(change, change) <= SETTLED * dot(a, a))) { b = solvedTurn(body, a, h); }
  return FreeTurn(b, 0.5 * (a + b));
}

// Newton's method for the same, see free-motion.ts. Moments in parts of the largest one: products of three are not too small then.
fn solvedTurn(body: BodyInput, a: vec3f, h: f32) -> vec3f {
  let moments = body.inertia / max(body.inertia.x, max(body.inertia.y, body.inertia.z));
  var b = a;
  for (var k = 0u; k < SPIN_ITERATIONS; k++) {
    let v = 0.5 * h * (a + b);
    let squared = dot(v, v);
    let half = sineCosine(0.5 * sqrt(squared));
    let c1 = select(0.5 - squared / 24.0, 2.0 * half.x * half.x / squared, squared > 1e-3);
    let c2 = 1.0 / 6.0 - squared * (1.0 / 120.0 - squared / 5040.0);
    let l = turnBack(v, moments * a);
    var slopes = mat3x3f();
    for (var i = 0u; i < 3u; i++) {
      var e = vec3f(0.0);
      e[i] = 1.0;
      let across = cross(v, e);
      slopes[i] = moments * e - 0.5 * h * cross(l, e - c1 * across + c2 * cross(v, across));
    }
    let error = l - moments * b;
    let normal = cross(slopes[1], slopes[2]);
    let change = vec3f(
      dot(normal, error), dot(cross(slopes[2], slopes[0]), error), dot(cross(slopes[0], slopes[1]), error),
    ) / dot(slopes[0], normal);
    b += change;
    if (dot(change, change) <= SETTLED * dot(a, a)) { return b; }
  }
  return a;
}

// From the angular velocity in body axes.
fn freeTurn(body: BodyInput, a: vec3f, h: f32) -> FreeTurn {
  if (body.inertia.x == body.inertia.y && body.inertia.y == body.inertia.z) { return FreeTurn(a, a); }
  let turned = h * length(a);
  if (turned <= WHOLE_TURN) { return turnOnce(body, a, h); }
  let parts = ceil(turned / PART_TURN);
  var after = a;
  var q = vec4f(0.0, 0.0, 0.0, 1.0);
  for (var k = 0.0; k < parts; k += 1.0) {
    let part = turnOnce(body, after, h / parts);
    let speed = length(part.mean);
    let half = sineCosine(0.5 * h / parts * speed);
    q = quaternionProduct(q, vec4f(half.x / speed * part.mean, half.y));
    after = part.after;
  }
  q = q * select(1.0, -1.0, q.w < 0.0);
  let sine = length(q.xyz);
  return FreeTurn(after, select(vec3f(0.0), 2.0 * arcTangent(sine, q.w) / (sine * h) * q.xyz, sine > 0.0));
}

// stiffness: h² K of the joints' forces [kg m²]
fn predict(body: BodyInput, state: BodyState, stiffness: mat3x3f, gravity: vec3f, h: f32) -> FreeMotion {
  var free: FreeMotion;
  let acceleration = gravity * body.gravityFactor + body.force * body.inverseMass;
  free.velocity = (state.velocity + h * acceleration) / (1.0 + h * body.linearDamping);
  free.rotation = state.rotation;
  if (!canTurn(body)) { return free; }
  // body axes from here to Ω̄
  let a = rotateBack(state.rotation, state.spin) / (1.0 + h * body.angularDamping);
  let turn = freeTurn(body, a, h);
  let mean = rotate(state.rotation, turn.mean);
  free.rotation = turnQuaternion(state.rotation, h * mean);
  free.spin = rotate(free.rotation, turn.after);
  free.offset = mean - free.spin;
  let axes = rotationMatrix(free.rotation);
  free.inverseInertia = turnedDiagonal(axes, body.inverseInertia);
  free.spin += free.inverseInertia * (h * body.torque);
  let part = implicitPart(body, stiffness);
  if (part > 0.0) {
    free.isStiffened = 1.0;
    let inertia = turnedDiagonal(axes, body.inertia);
    let l = inertia * free.spin;
    free.inverseInertia = inverseSymmetric(inertia + part * stiffness);
    free.spin = free.inverseInertia * l;
  }
  return free;
}

// c of geometric-stiffness.ts
fn implicitPart(body: BodyInput, stiffness: mat3x3f) -> f32 {
  let load = 0.5 * (stiffness[0].x + stiffness[1].y + stiffness[2].z);
  let least = min(body.inertia.x, min(body.inertia.y, body.inertia.z));
  return select(0.0, 1.0 - EXPLICIT_STIFFNESS * least / load, load > EXPLICIT_STIFFNESS * least);
}

// h² r·f (1 − r̂ r̂ᵀ) of a force f [N] at the arm r [m]
fn geometricStiffness(arm: vec3f, force: vec3f, h: f32) -> mat3x3f {
  let load = h * h * dot(arm, force);
  if (!(load > 0.0)) { return mat3x3f(); }
  let r = arm * (load / dot(arm, arm));
  return mat3x3f(
    vec3f(load, 0.0, 0.0) - r * arm.x,
    vec3f(0.0, load, 0.0) - r * arm.y,
    vec3f(0.0, 0.0, load) - r * arm.z,
  );
}

// (50)
fn advancedRotation(rotation: vec4f, spin: vec3f, offset: vec3f, h: f32) -> vec4f {
  return turnQuaternion(rotation, h * (spin + offset));
}

// Angular velocity at the end of the step with the angular momentum that the impulses left. If that has come to lie along an axis of little
// inertia, and the body would have more energy by it, the spin is reduced to the energy that it had. See `keepVelocity`.
fn keptSpin(body: BodyInput, freeRotation: vec4f, endRotation: vec4f, velocity: vec3f, spin: vec3f) -> vec3f {
  if (body.inertia.x == body.inertia.y && body.inertia.y == body.inertia.z) { return spin; }
  let l = rotate(freeRotation, body.inertia * rotateBack(freeRotation, spin));
  let kept = rotate(endRotation, body.inverseInertia * rotateBack(endRotation, l));
  let before = dot(l, spin);
  let after = dot(l, kept);
  let moving = select(0.0, dot(velocity, velocity) / body.inverseMass, body.inverseMass > 0.0);
  return kept * select(1.0, sqrt(before / after), after + moving > TRUSTED_GAIN * (before + moving));
}

fn limited(v: vec3f, most: f32) -> vec3f {
  let squared = dot(v, v);
  return select(v, v * (most / sqrt(squared)), squared > most * most);
}
