#import "rods/rod-frame.wgsl"

// Bending and twist at a joint of two edges; twin of strains/rod.ts, which has the derivation.

const rodLeastCosine = 1e-6;

struct RodJoint {
  // before, at and after the joint
  vertices: vec3u,
  // Kelvin-Voigt damping time [s]
  damping: f32,
  // κ̄₁, κ̄₂, sine and cosine of half of τ̄
  rest: vec4f,
  // roots of the stiffnesses [√(N m)]
  stiffness: vec3f,
  firstEdge: u32,
  secondEdge: u32,
}

// A joint at some positions: edges and turns about them.
struct RodPose {
  e0: vec3f,
  turn0: f32,
  e1: vec3f,
  turn1: f32,
}

// ∂s/∂e of the two edges as columns, and ∂s/∂φ.
struct RodGradient {
  e0: mat3x3f,
  e1: mat3x3f,
  turn0: vec3f,
  turn1: vec3f,
}

fn edgeDirection(e: vec3f) -> vec3f {
  return e / max(1e-30, length(e));
}

// the angle 2 atan2(s, c) for c ≥ 0, exact near none
fn twiceAngle(s: f32, c: f32) -> f32 {
  if (abs(s) < 0.02 * c) {
    let t = s / c;
    return 2.0 * t * (1.0 - t * t * (0.3333333333 - 0.2 * t * t));
  }
  return 2.0 * atan2(s, c);
}

fn rodTurn(joint: RodJoint, q0: vec4f, q1: vec4f, pose: RodPose) -> vec4f {
  let first = carryFrame(q0, edgeDirection(pose.e0), pose.turn0);
  let second = carryFrame(q1, edgeDirection(pose.e1), pose.turn1);
  return relativeTurn(first, turnAboutAxis(second, -joint.rest.z, joint.rest.w));
}

fn strainOfTurn(joint: RodJoint, r: vec4f) -> vec3f {
  let c = max(rodLeastCosine, length(r.zw));
  return joint.stiffness * vec3f(2.0 * r.xy / c - joint.rest.xy, twiceAngle(r.z, r.w));
}

fn rodStrain(joint: RodJoint, q0: vec4f, q1: vec4f, pose: RodPose) -> vec3f {
  return strainOfTurn(joint, rodTurn(joint, q0, q1, pose));
}

// Rows of ω of an edge as columns: d₁/|e|, d₂/|e|, h.
fn rodRows(frame: vec4f, before: vec4f, e: vec3f) -> mat3x3f {
  let inverse = 1.0 / max(1e-30, length(e));
  let t = e * inverse;
  let start = axisOf(before);
  let q = frame;
  return mat3x3f(
    inverse * vec3f(1.0 - 2.0 * (q.y * q.y + q.z * q.z), 2.0 * (q.x * q.y + q.w * q.z), 2.0 * (q.x * q.z - q.w * q.y)),
    inverse * vec3f(2.0 * (q.x * q.y - q.w * q.z), 1.0 - 2.0 * (q.x * q.x + q.z * q.z), 2.0 * (q.y * q.z + q.w * q.x)),
    inverse / max(1e-6, 1.0 + dot(start, t)) * cross(start, t),
  );
}

// ∂f/∂e from ∂f/∂ω.
fn alongEdge(rows: mat3x3f, c: vec3f) -> vec3f {
  return c.y * rows[0] - c.x * rows[1] - c.z * rows[2];
}

fn rodGradient(joint: RodJoint, q0: vec4f, q1: vec4f, pose: RodPose) -> RodGradient {
  let first = carryFrame(q0, edgeDirection(pose.e0), pose.turn0);
  let second =
    turnAboutAxis(carryFrame(q1, edgeDirection(pose.e1), pose.turn1), -joint.rest.z, joint.rest.w);
  let r = relativeTurn(first, second);
  let rows0 = rodRows(first, q0, pose.e0);
  let rows1 = rodRows(second, q1, pose.e1);
  let c = max(rodLeastCosine, length(r.zw));
  let c3 = c * c * c;
  // ∂s/∂r: of x, y, z in one, of w in the other
  let byVector = mat3x3f(
    vec3f(2.0 / c, 0.0, -2.0 * r.x * r.z / c3),
    vec3f(0.0, 2.0 / c, -2.0 * r.y * r.z / c3),
    vec3f(0.0, 0.0, 2.0 * r.w / (c * c)),
  );
  let byReal = vec3f(-2.0 * r.x * r.w / c3, -2.0 * r.y * r.w / c3, -2.0 * r.z / (c * c));
  var gradient: RodGradient;
  for (var i = 0; i < 3; i++) {
    let p = 0.5 * (r.w * byVector[i] - byReal[i] * r.xyz);
    let q = 0.5 * cross(byVector[i], r.xyz);
    let c0 = joint.stiffness[i] * (q - p);
    let c1 = joint.stiffness[i] * (q + p);
    gradient.e0[i] = alongEdge(rows0, c0);
    gradient.e1[i] = alongEdge(rows1, c1);
    gradient.turn0[i] = c0.z;
    gradient.turn1[i] = c1.z;
  }
  return gradient;
}
