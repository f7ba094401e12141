#import "math/tangent.wgsl"
#import "newton/model.wgsl"
#import "newton/rotation.wgsl"

// Rows of J between two bodies and what an invocation keeps for them: twin of contacts.ts and rows.ts.
//
// Row k is (−dₖ, αₖ, dₖ, βₖ): dₖ, αₖ, βₖ are the columns of `direction`, `turnA`, `turnB`, for contacts and joints alike.

struct Work {
  direction: mat3x3f,
  turnA: mat3x3f,
  turnB: mat3x3f,
  // I⁻¹ α and I⁻¹ β
  responseA: mat3x3f,
  responseB: mat3x3f,
  inverseMassA: f32,
  inverseMassB: f32,
  // [J M⁻¹ Jᵀ]ᵢᵢ; 0 where there is no row
  diagonal: vec3f,
  // p
  impulse: vec3f,
  // J u
  speed: vec3f,
  // the part of it that is due to bodies that nothing pushes
  ambient: vec3f,
  // of a contact: Cₙ at the start [m], Cₙ/h as the solver sees it [m/s], where it is
  gap: f32,
  bias: f32,
  // 1 where it bounces in this step
  bounces: f32,
  point: vec3f,
  // of joint rows: C, s, Γ, v̂ and bounds
  value: vec3f,
  share: vec3f,
  compliance: vec3f,
  goal: vec3f,
  lower: vec3f,
  upper: vec3f,
  // linear problem: 1 for unknowns that take part; C and ε; right-hand side; Δp of the others
  engaged: vec3f,
  shift: vec3f,
  rightSide: vec3f,
  forced: vec3f,
  // conjugate residuals: solution, residual, z = D⁻¹ r, A z, search direction, A times it, D⁻¹
  x: vec3f,
  r: vec3f,
  z: vec3f,
  az: vec3f,
  d: vec3f,
  ad: vec3f,
  inverse: vec3f,
  // of large islands: the vector that bodies gather, and the part of joint rows that sweeps leave as it is
  q: vec3f,
  rest: vec3f,
  // impulses to go back to
  kept: vec3f,
  keptValue: vec3f,
  best: vec3f,
}

var<private> w: Work;

struct BodyPose {
  position: vec3f,
  low: vec3f,
  rotation: vec4f,
}

// Centre of B less that of A: near numbers are subtracted, so no digits are lost far from the origin.
fn centresApart(poseA: BodyPose, poseB: BodyPose) -> vec3f {
  return (poseB.position - poseA.position) + (poseB.low - poseA.low);
}

struct Twist {
  linear: vec3f,
  spin: vec3f,
}

// Velocities of the two bodies of a block, 0 for those that nothing pushes.
struct Twists {
  a: Twist,
  b: Twist,
}

// Up to this distance [m] both bodies feel the friction at the same point, between their surfaces.
const NEAR = 0.05;

// J u, but for `ambient`
fn speedOf(u: Twists) -> vec3f {
  return (u.b.linear - u.a.linear) * w.direction + u.a.spin * w.turnA + u.b.spin * w.turnB;
}

// u + M⁻¹ Jᵀ x
fn pushed(u: Twists, x: vec3f) -> Twists {
  let f = w.direction * x;
  return Twists(
    Twist(u.a.linear - w.inverseMassA * f, u.a.spin + w.responseA * x),
    Twist(u.b.linear + w.inverseMassB * f, u.b.spin + w.responseB * x),
  );
}

struct ContactPlace {
  normal: vec3f,
  // from the centres of mass
  armA: vec3f,
  armB: vec3f,
  // point on B less point on A
  apart: vec3f,
}

// Place of a contact for poses of its bodies. Positions are subtracted before arms are added, so the gap loses no digits far
// from the origin.
fn contactPlace(b: Block, poseA: BodyPose, poseB: BodyPose) -> ContactPlace {
  var c = ContactPlace(b.normal, b.anchorA, b.anchorB, vec3f(0.0));
  if (b.kind != BLOCK_ROUND) {
    c.armA = rotate(poseA.rotation, b.anchorA);
    c.armB = rotate(poseB.rotation, b.anchorB);
  }
  if (b.kind == BLOCK_NORMAL_A) {
    c.normal = rotate(poseA.rotation, b.normal);
  } else if (b.kind == BLOCK_NORMAL_B) {
    c.normal = rotate(poseB.rotation, b.normal);
  }
  c.apart = centresApart(poseA, poseB) + (c.armB - c.armA);
  return c;
}

// Rows of a contact, its gap and its place.
fn setUpContact(b: Block, poseA: BodyPose, poseB: BodyPose, h: f32) {
  var c = contactPlace(b, poseA, poseB);
  w.gap = dot(c.normal, c.apart);
  w.bias = select(max(step.recovery * w.gap / h, -step.recoverySpeed), w.gap / h, w.gap >= 0.0);
  w.point = poseA.position + c.armA + 0.5 * c.apart;
  if (abs(w.gap) <= NEAR) {
    c.armA += 0.5 * c.apart;
    c.armB -= 0.5 * c.apart;
  }
  let tangent = tangentOf(c.normal);
  w.direction = mat3x3f(c.normal, tangent, cross(c.normal, tangent));
  setArms(c.armA, c.armB);
}

// Newton's law of impact, for a contact that will be met in this step and closes faster than the threshold: it parts with e′
// times the speed at which it closes. A contact is met a gap before it touches: e′ gives the height of the bounce at the
// surface, see impact.ts. Other contacts push meanwhile as if nothing bounced, so an impact is not passed on through a row.
fn setBounce(b: Block, startSpeed: f32, freeSpeed: f32, h: f32) {
  let e = b.restitution;
  let closing = -startSpeed;
  // change of the speed in the step by forces
  let gain = freeSpeed - startSpeed;
  w.bounces = 0.0;
  if (b.kind == BLOCK_JOINT || !(e > 0.0) || !(closing > step.restitutionThreshold)) { return; }
  if (w.gap + h * (gain - closing) >= 0.0) { return; }
  let work = 2.0 * gain * w.gap / h;
  let squared = e * e * (closing * closing - work) + work;
  w.bounces = 1.0;
  w.bias = -sqrt(max(squared, 0.0)) - gain;
}

// Contacts give way by a trifle: rows that depend on each other, as those of the corners of a face do, would else share the load
// as rounding wills, until friction leaves its cone. By `SOFTNESS` of the mobility, but no more than makes so many [m/s] with
// the impulse that the contact starts from; new ones are hard.
const SOFTNESS = 1e-4;
const PRESSED = 5e-5;
const CREEPING = 3e-5;

fn softenContact() {
  if (w.bounces > 0.0 || !(w.impulse.x > 0.0)) { return; }
  let normal = min(SOFTNESS * w.diagonal.x, PRESSED / w.impulse.x);
  let friction = min(SOFTNESS * max(w.diagonal.y, w.diagonal.z), CREEPING / max(length(w.impulse.yz), 1e-30));
  w.compliance = vec3f(normal, friction, friction);
}

fn setArms(armA: vec3f, armB: vec3f) {
  let d = w.direction;
  w.turnA = mat3x3f(cross(d[0], armA), cross(d[1], armA), cross(d[2], armA));
  w.turnB = mat3x3f(cross(armB, d[0]), cross(armB, d[1]), cross(armB, d[2]));
}

// M⁻¹ Jᵀ and the diagonal, after J.
fn setResponse(inverseA: mat3x3f, inverseB: mat3x3f) {
  w.responseA = inverseA * w.turnA;
  w.responseB = inverseB * w.turnB;
  let mass = w.inverseMassA + w.inverseMassB;
  let d = w.direction;
  w.diagonal = vec3f(
    mass * dot(d[0], d[0]) + dot(w.turnA[0], w.responseA[0]) + dot(w.turnB[0], w.responseB[0]),
    mass * dot(d[1], d[1]) + dot(w.turnA[1], w.responseA[1]) + dot(w.turnB[1], w.responseB[1]),
    mass * dot(d[2], d[2]) + dot(w.turnA[2], w.responseA[2]) + dot(w.turnB[2], w.responseB[2]),
  );
}

// The tangential part of an impulse in world axes, and back.
fn worldFriction(p: vec3f) -> vec3f {
  return w.direction[1] * p.y + w.direction[2] * p.z;
}

fn contactImpulse(normal: f32, friction: vec3f) -> vec3f {
  return vec3f(normal, dot(w.direction[1], friction), dot(w.direction[2], friction));
}
