#import "articulated/batch-model.wgsl"
#import "articulated/rotation-vector.wgsl"

// Twin of src/articulated/step/rotation-step.ts and joints/rotor.ts, which derive the formulas.

const rotorSteps = 6;
const largestTurn = 1.0;

struct RotorTurn {
  rotation: vec4f,
  // angular velocity after, in the axes after
  velocity: vec3f,
}

// The start of a step of a rotation vector.
struct RotationStart {
  omega: vec3f,
  freeOmega: vec3f,
  turned: vec4f,
  shiftRate: vec3f,
  shiftSlide: vec3f,
}

fn symmetric3(d: vec3f, o: vec3f) -> mat3x3f {
  return mat3x3f(d.x, o.x, o.y, o.x, d.y, o.z, o.y, o.z, d.z);
}

// A part of a free rotation: the middle of the angular momenta before and after it, that after it, and η.
struct RotorPart {
  middle: vec3f,
  after: vec3f,
  eta: f32,
}

fn rotorParts(omega: vec3f, dt: f32) -> u32 {
  return u32(max(1.0, min(ceil(dt * length(omega) / largestTurn), 64.0)));
}

fn rotorPart(K: mat3x3f, momentum: vec3f, h: f32) -> RotorPart {
  let x = 0.5 * h * length(K * momentum);
  var eta = h;
  if (x > 1e-3) {
    let turn = sineCosine(x);
    eta = h * turn.x / (turn.y * x);
  }
  var after = momentum;
  for (var n = 0; n < rotorSteps; n++) {
    let middle = 0.5 * (momentum + after);
    let spin = K * middle;
    let miss = after - momentum - eta * cross(middle, spin);
    let slope = identity3() - 0.5 * eta * (crossMatrix(middle) * K - crossMatrix(spin));
    after -= inverse3(slope) * miss;
  }
  return RotorPart(0.5 * (momentum + after), after, eta);
}

fn rotorTurn(segment: BatchSegment, omega: vec3f, dt: f32) -> RotorTurn {
  let B = symmetric3(segment.inertiaDiagonal, segment.inertiaOffDiagonal);
  let K = symmetric3(segment.inverseDiagonal, segment.inverseOffDiagonal);
  let count = rotorParts(omega, dt);
  let h = dt / f32(count);
  var momentum = B * omega;
  var rotation = vec4f(0.0, 0.0, 0.0, 1.0);
  for (var i = 0u; i < count; i++) {
    let part = rotorPart(K, momentum, h);
    let cayley = normalize(vec4f(0.5 * part.eta * (K * part.middle), 1.0));
    // the momentum in the world stays, whatever rounding left
    momentum = rotate(vec4f(-cayley.xyz, cayley.w), momentum);
    rotation = quaternionProduct(rotation, cayley);
  }
  return RotorTurn(normalize(rotation), K * momentum);
}

fn startRotation(segment: BatchSegment, phi: vec3f, rate: vec3f, dt: f32) -> RotationStart {
  let k = rotationCoefficients(dot(phi, phi));
  let jacobian = leftJacobian(phi, k);
  let drift = leftJacobianRate(phi, rate, k) * rate;
  var start = RotationStart(jacobian * rate, vec3f(0.0), vec4f(0.0, 0.0, 0.0, 1.0), vec3f(0.0), vec3f(0.0));
  var miss = dt * drift;
  if (segment.freedom != ROTATION_BOUND) {
    let r = rotationOf(phi, k);
    let body = transpose(r) * start.omega;
    let turn = rotorTurn(segment, body, dt);
    start.turned = turn.rotation;
    start.freeOmega = r * rotate(turn.rotation, turn.velocity);
    let B = symmetric3(segment.inertiaDiagonal, segment.inertiaOffDiagonal);
    let K = symmetric3(segment.inverseDiagonal, segment.inverseOffDiagonal);
    let alpha = r * (K * cross(B * body, body));
    let change = start.freeOmega - start.omega - dt * alpha;
    miss += change;
    if (segment.freedom == ROTATION_FREE) {
      let arm = r * segment.centre;
      start.shiftSlide = dt * cross(start.omega, cross(start.omega, arm)) - cross(change, arm);
    }
  }
  start.shiftRate = inverse3(jacobian) * miss;
  return start;
}
