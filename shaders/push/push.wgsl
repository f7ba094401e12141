// A push of a body, twin of src/world/push/apply-push.ts: v ← v + u + ω × (x − c), I ω = L + (r − c) × J. One workgroup.

struct PushParameters {
  // [N s], [m], [N m s], [m/s], [rad/s]
  impulse: vec3f,
  particleCount: u32,
  point: vec3f,
  // whether the point is given, otherwise the center of mass
  hasPoint: u32,
  angularImpulse: vec3f,
  setsLinear: u32,
  linearVelocity: vec3f,
  setsAngular: u32,
  angularVelocity: vec3f,
  // of a blast: radius [m], 0 for none, impulse [N s], and whether it is the same everywhere within
  radius: f32,
  center: vec3f,
  blast: f32,
  isConstant: u32,
}

@group(0) @binding(0) var<storage, read> positions: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> velocities: array<vec4f>;
// [kg], 0 for particles that keep their velocity
@group(0) @binding(2) var<storage, read> masses: array<f32>;
@group(0) @binding(3) var<storage, read> push: PushParameters;

const LANES = 64u;
// Part of the inertia that an axis without inertia gets.
const SINGULAR = 1e-6;

var<workgroup> first: array<vec4f, LANES>;
var<workgroup> second: array<vec3f, LANES>;
var<workgroup> third: array<vec3f, LANES>;
var<workgroup> middle: vec3f;
var<workgroup> linear: vec3f;
var<workgroup> spin: vec3f;
var<workgroup> inverseMass: f32;

fn gather(lane: u32) {
  for (var half = LANES / 2u; half > 0u; half /= 2u) {
    workgroupBarrier();
    if (lane < half) {
      first[lane] += first[lane + half];
      second[lane] += second[lane + half];
      third[lane] += third[lane + half];
    }
  }
  workgroupBarrier();
}

fn sumMotion(lane: u32, origin: vec3f) {
  first[lane] = vec4f();
  second[lane] = vec3f();
  third[lane] = vec3f();
  for (var p = lane; p < push.particleCount; p += LANES) {
    let m = masses[p];
    first[lane] += m * vec4f(positions[p].xyz - origin, 1.0);
    second[lane] += m * velocities[p].xyz;
  }
}

// Diagonal and other entries of the inertia, and the angular momentum.
fn sumTurning(lane: u32) {
  first[lane] = vec4f();
  second[lane] = vec3f();
  third[lane] = vec3f();
  for (var p = lane; p < push.particleCount; p += LANES) {
    let m = masses[p];
    let arm = positions[p].xyz - middle;
    first[lane] += m * vec4f(vec3f(dot(arm, arm)) - arm * arm, 0.0);
    second[lane] -= m * arm.xxy * arm.yzz;
    third[lane] += m * cross(arm, velocities[p].xyz);
  }
}

fn turnOf(diagonal: vec3f, other: vec3f, moment: vec3f) -> vec3f {
  let d = diagonal + SINGULAR * (diagonal.x + diagonal.y + diagonal.z);
  let a = vec3f(d.x, other.x, other.y);
  let b = vec3f(other.x, d.y, other.z);
  let c = vec3f(other.y, other.z, d.z);
  let x = cross(b, c);
  let determinant = dot(a, x);
  if (!(determinant > 0.0)) { return vec3f(); }
  return (x * moment.x + cross(c, a) * moment.y + cross(a, b) * moment.z) / determinant;
}

fn blastAt(place: vec3f) -> vec3f {
  let away = place - push.center;
  let distance = length(away);
  if (!(distance > 0.0 && distance < push.radius)) { return vec3f(); }
  return (push.blast * select(1.0 - distance / push.radius, 1.0, push.isConstant == 1u) / distance) * away;
}

@compute @workgroup_size(64)
fn pushBody(@builtin(local_invocation_id) id: vec3u) {
  let lane = id.x;
  let origin = positions[0].xyz;
  sumMotion(lane, origin);
  gather(lane);
  if (lane == 0u) {
    let mass = first[0].w;
    inverseMass = select(0.0, 1.0 / mass, mass > 0.0);
    middle = origin + inverseMass * first[0].xyz;
    linear = inverseMass * push.impulse;
    if (push.setsLinear == 1u) { linear += push.linearVelocity - inverseMass * second[0]; }
  }
  workgroupBarrier();
  sumTurning(lane);
  gather(lane);
  if (lane == 0u) {
    let point = select(middle, push.point, push.hasPoint == 1u);
    let torque = push.angularImpulse + cross(point - middle, push.impulse);
    spin = turnOf(first[0].xyz, second[0], torque);
    if (push.setsAngular == 1u) { spin += push.angularVelocity - turnOf(first[0].xyz, second[0], third[0]); }
  }
  workgroupBarrier();
  for (var p = lane; p < push.particleCount; p += LANES) {
    if (masses[p] == 0.0) { continue; }
    let place = positions[p].xyz;
    velocities[p] += vec4f(linear + cross(spin, place - middle) + inverseMass * blastAt(place), 0.0);
  }
}
