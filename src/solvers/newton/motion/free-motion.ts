/**
 * Motion of a body that nothing touches, and the step from a velocity to a pose.
 *
 * x, θ   center of mass and orientation, q = (x, θ) (87)
 * u      velocity (ẋ, ω) in world axes (87)
 * ũ      velocity at the end of the step without constraints (46)
 * I      inertia; L = I ω angular momentum
 * δ      mean angular velocity of the free motion minus that at its end
 *
 * The paper adds gyroscopic forces explicitly to ũ, which gains energy. Here the free rotation is stepped by
 *
 *     R⁺ = R⁻ exp(h Ω̄),   L⁺ = exp(−h Ω̄) L⁻ (body axes),   Ω̄ = (Ω⁻ + Ω⁺)/2
 *
 * which keeps the angular momentum in world axes for any Ω̄, and, being symmetric in time, keeps the energy bounded. A
 * pose is then q⁺ = q⁻ ⊕ h (u⁺ + δ), so that without constraints it is the free one: (45) with the exponential map
 * instead of the first-order G (88), whose error is that of a normalized quaternion.
 */

import { atan2, cos, sin, sinCos } from "../../../math/deterministic";
import { add as sum, solve3, transposed } from "../../../math/matrix3";
import type { Vec3 } from "../../../math/types";
import { cross, dot, scaled } from "../../../math/vectors";
import { type BodyModel, type BodyTable, Motion, POSE_SIZE, TWIST_SIZE } from "./bodies";
import { TRUSTED_GAIN } from "./energy-bound";
import { hasStiffness, stiffen } from "./geometric-stiffness";
import { rotationMatrix, turnQuaternion } from "./rotation";

const matrix = new Float64Array(9);
const vector = new Float64Array(3);
const MAX_SPIN_ITERATIONS = 12;
/** The squared change of an iteration that has converged, relative to the squared angular velocity. */
const SETTLED = 1e-16;

/**
 * Fills the scratch of a body for a step: start pose, ũ, δ and the world's inverse inertia at the free end.
 *
 * @param gravity 3 numbers [m/s²]
 * @param h time step [s]
 */
export function predict(bodies: BodyTable, slot: number, gravity: ArrayLike<number>, h: number): void {
  const { model, state, scratch } = bodies;
  const pose = POSE_SIZE * slot;
  const twist = TWIST_SIZE * slot;
  for (let i = 0; i < POSE_SIZE; i++) scratch.startPose[pose + i] = state.pose[pose + i];
  const u = scratch.freeVelocity;
  for (let i = 0; i < TWIST_SIZE; i++) u[twist + i] = state.velocity[twist + i];
  for (let i = 0; i < 3; i++) scratch.spinOffset[3 * slot + i] = 0;
  if (model.motion[slot] === Motion.led) {
    predictLed(bodies, slot);
    return;
  }
  if (model.motion[slot] !== Motion.dynamic || state.asleep[slot] === 1) {
    if (model.motion[slot] === Motion.static || model.motion[slot] === Motion.dynamic)
      u.fill(0, twist, twist + TWIST_SIZE);
    scratch.inverseMass[slot] = 0;
    for (let i = 0; i < TWIST_SIZE; i++) scratch.velocity[twist + i] = u[twist + i];
    scratch.worldInverseInertia.fill(0, 6 * slot, 6 * slot + 6);
    // The body is immovable, but sums over a row still read its response.
    scratch.response.fill(0, twist, twist + TWIST_SIZE);
    return;
  }
  const { force } = state;
  // Damping acts as an implicit drag: it never removes more than the whole velocity.
  const linear = 1 / (1 + h * model.linearDamping[slot]);
  const inverseMass = model.inverseMass[slot];
  scratch.inverseMass[slot] = inverseMass;
  for (let i = 0; i < 3; i++) {
    const acceleration = gravity[i] * model.gravityFactor[slot] + force[twist + i] * inverseMass;
    u[twist + i] = (u[twist + i] + h * acceleration) * linear;
  }
  spin(bodies, slot, h);
  for (let i = 0; i < TWIST_SIZE; i++) scratch.velocity[twist + i] = u[twist + i];
}

/** Predicts a led body: it follows its prescribed motion, with forces, and responds only to impulses in the step. */
function predictLed({ scratch, led }: BodyTable, slot: number): void {
  const { inverseMass, inverseInertia: inverse } = led.get(slot)!;
  const twist = TWIST_SIZE * slot;
  for (let i = 0; i < TWIST_SIZE; i++) scratch.velocity[twist + i] = scratch.freeVelocity[twist + i];
  scratch.inverseMass[slot] = inverseMass;
  const [xx, yy, zz, xy, xz, yz] = [inverse[0], inverse[1], inverse[2], inverse[3], inverse[4], inverse[5]];
  scratch.worldInverseInertia.set([xx, xy, xz, yy, yz, zz], 6 * slot);
}

/** The rotational part of `predict`. */
function spin(bodies: BodyTable, slot: number, h: number): void {
  const { model, state, scratch } = bodies;
  const pose = POSE_SIZE * slot + 3;
  const twist = TWIST_SIZE * slot + 3;
  const u = scratch.freeVelocity;
  const ix = model.inertia[3 * slot];
  const iy = model.inertia[3 * slot + 1];
  const iz = model.inertia[3 * slot + 2];
  if (ix === 0 && iy === 0 && iz === 0) {
    u.fill(0, twist, twist + 3);
    scratch.worldInverseInertia.fill(0, 6 * slot, 6 * slot + 6);
    return;
  }
  rotationMatrix(state.pose, pose, matrix, 0);
  const m = matrix;
  const damping = 1 / (1 + h * model.angularDamping[slot]);
  const wx = u[twist];
  const wy = u[twist + 1];
  const wz = u[twist + 2];
  vector[0] = (m[0] * wx + m[3] * wy + m[6] * wz) * damping;
  vector[1] = (m[1] * wx + m[4] * wy + m[7] * wz) * damping;
  vector[2] = (m[2] * wx + m[5] * wy + m[8] * wz) * damping;
  const ax = vector[0];
  const ay = vector[1];
  const az = vector[2];
  spun[0] = ax;
  spun[1] = ay;
  spun[2] = az;
  const turned = h * Math.sqrt(ax * ax + ay * ay + az * az);
  // The number of parts is limited to bound the cost: a faster body keeps its angular velocity instead of its momentum.
  const isRound = (ix === iy && iy === iz) || turned > MOST_TURN;
  if (isRound || turned <= WHOLE_TURN) turnOnce(model, slot, h, isRound);
  else turnInParts(model, slot, h, Math.ceil(turned / PART_TURN));
  const bx = spun[0];
  const by = spun[1];
  const bz = spun[2];
  // Ω̄ in world axes, which a turn about itself does not change
  const mx = spun[3];
  const my = spun[4];
  const mz = spun[5];
  const ox = m[0] * mx + m[1] * my + m[2] * mz;
  const oy = m[3] * mx + m[4] * my + m[5] * mz;
  const oz = m[6] * mx + m[7] * my + m[8] * mz;
  vector[0] = h * ox;
  vector[1] = h * oy;
  vector[2] = h * oz;
  turnQuaternion(state.pose, pose, vector, scratch.freeRotation, 4 * slot);
  rotationMatrix(scratch.freeRotation, 4 * slot, matrix, 0);
  u[twist] = m[0] * bx + m[1] * by + m[2] * bz;
  u[twist + 1] = m[3] * bx + m[4] * by + m[5] * bz;
  u[twist + 2] = m[6] * bx + m[7] * by + m[8] * bz;
  scratch.spinOffset[3 * slot] = ox - u[twist];
  scratch.spinOffset[3 * slot + 1] = oy - u[twist + 1];
  scratch.spinOffset[3 * slot + 2] = oz - u[twist + 2];
  const inverse = scratch.worldInverseInertia;
  const at = 6 * slot;
  symmetricProduct(m, model.inverseInertia, 3 * slot, inverse, at);
  // The torque acts last: a joint or contact may balance it, so it must not turn the inertia.
  const tx = h * state.force[twist];
  const ty = h * state.force[twist + 1];
  const tz = h * state.force[twist + 2];
  u[twist] += inverse[at] * tx + inverse[at + 1] * ty + inverse[at + 2] * tz;
  u[twist + 1] += inverse[at + 1] * tx + inverse[at + 3] * ty + inverse[at + 4] * tz;
  u[twist + 2] += inverse[at + 2] * tx + inverse[at + 4] * ty + inverse[at + 5] * tz;
  if (hasStiffness(bodies, slot)) {
    symmetricProduct(m, model.inertia, 3 * slot, inertia, 0);
    stiffen(bodies, slot, inertia);
  }
}

const inertia = new Float64Array(6);

/**
 * Angular velocity before a turn, then after it, and its Ω̄, in the axes before each part: 3 numbers each. Numbers that
 * functions pass to each other in arrays need no memory of their own.
 */
const spun = new Float64Array(6);
/** Turns of a step up to this [rad] are computed at once, others in parts of this size, so that iteration converges. */
const WHOLE_TURN = 0.7;
const PART_TURN = 0.25;
/** Largest turn in a step that is computed in parts [rad]: 6000 rad/s at 60 Hz. */
const MOST_TURN = 100;

/** Fills `spun` from a, the angular velocity in it, in the body's axes. */
function turnOnce({ inertia, inverseInertia }: BodyModel, slot: number, h: number, isRound: boolean): void {
  const ax = spun[0];
  const ay = spun[1];
  const az = spun[2];
  let bx = ax;
  let by = ay;
  let bz = az;
  if (!isRound) {
    momentum[0] = inertia[3 * slot] * ax;
    momentum[1] = inertia[3 * slot + 1] * ay;
    momentum[2] = inertia[3 * slot + 2] * az;
    const scale = ax * ax + ay * ay + az * az;
    let change = 0;
    for (let k = 0; k < MAX_SPIN_ITERATIONS; k++) {
      vector[0] = 0.5 * h * (ax + bx);
      vector[1] = 0.5 * h * (ay + by);
      vector[2] = 0.5 * h * (az + bz);
      turnBack();
      const cx = inverseInertia[3 * slot] * vector[0];
      const cy = inverseInertia[3 * slot + 1] * vector[1];
      const cz = inverseInertia[3 * slot + 2] * vector[2];
      change = (cx - bx) * (cx - bx) + (cy - by) * (cy - by) + (cz - bz) * (cz - bz);
      bx = cx;
      by = cy;
      bz = cz;
      if (change <= 1e-28 * scale) break;
    }
    if (!(change <= SETTLED * scale)) {
      solveTurn(inertia, 3 * slot, h);
      bx = vector[0];
      by = vector[1];
      bz = vector[2];
    }
  }
  spun[0] = bx;
  spun[1] = by;
  spun[2] = bz;
  spun[3] = 0.5 * (ax + bx);
  spun[4] = 0.5 * (ay + by);
  spun[5] = 0.5 * (az + bz);
}

/**
 * Newton's method for the same. Between moments of inertia of very different size the iteration does not converge: a thin bar, of which one is
 * a five-hundredth of the others, got any energy from rounding. With l = exp(−h Ω̄) L⁻ and the right Jacobian J of the exponential map,
 * the derivative of I b − l by b is I − ½ h l× J.
 *
 * @param diagonal the moments from `at` on; a is in `spun`, L⁻ in `momentum`, and b goes into `vector`
 */
function solveTurn(diagonal: Float64Array, at: number, h: number): void {
  const a: Vec3 = [spun[0], spun[1], spun[2]];
  const moments: Vec3 = [diagonal[at], diagonal[at + 1], diagonal[at + 2]];
  let b = a;
  for (let k = 0; k < MAX_SPIN_ITERATIONS; k++) {
    const v = scaled(sum(a, b), 0.5 * h);
    const squared = dot(v, v);
    const angle = Math.sqrt(squared);
    // J e = e − c₁ v×e + c₂ v×(v×e)
    const c1 = squared > 1e-8 ? (1 - cos(angle)) / squared : 1 / 2;
    const c2 = squared > 1e-8 ? (1 - sin(angle) / angle) / squared : 1 / 6;
    vector.set(v);
    turnBack();
    const l: Vec3 = [vector[0], vector[1], vector[2]];
    const column = (i: number): Vec3 => {
      const e: Vec3 = [i === 0 ? 1 : 0, i === 1 ? 1 : 0, i === 2 ? 1 : 0];
      const across = cross(v, e);
      const turned = sum(e, sum(scaled(across, -c1), scaled(cross(v, across), c2)));
      return sum(scaled(e, moments[i]), scaled(cross(l, turned), -0.5 * h));
    };
    const slopes = transposed([...column(0), ...column(1), ...column(2)]);
    const change = solve3(slopes, [l[0] - moments[0] * b[0], l[1] - moments[1] * b[1], l[2] - moments[2] * b[2]]);
    b = sum(b, change);
    if (dot(change, change) <= 1e-24 * dot(a, a)) {
      vector.set(b);
      return;
    }
  }
  vector.set(a);
}

const partRotation = new Float64Array(4);

/** The same in parts; Ω̄ is the total turn divided by h. */
function turnInParts(model: BodyModel, slot: number, h: number, parts: number): void {
  const part = h / parts;
  const q = partRotation;
  q[0] = q[1] = q[2] = 0;
  q[3] = 1;
  for (let k = 0; k < parts; k++) {
    turnOnce(model, slot, part, false);
    const x = spun[3];
    const y = spun[4];
    const z = spun[5];
    const speed = Math.sqrt(x * x + y * y + z * z);
    sine[0] = 0.5 * part * speed;
    sinCos(sine);
    const s = sine[0] / speed;
    const c = sine[1];
    const a = q[0];
    const b = q[1];
    const d = q[2];
    const w = q[3];
    q[0] = w * s * x + a * c + b * s * z - d * s * y;
    q[1] = w * s * y + b * c + d * s * x - a * s * z;
    q[2] = w * s * z + d * c + a * s * y - b * s * x;
    q[3] = w * c - s * (a * x + b * y + d * z);
  }
  const length = Math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
  const sign = q[3] < 0 ? -1 : 1;
  const scale = length > 0 ? (2 * sign * atan2(length, sign * q[3])) / (length * h) : 0;
  for (let i = 0; i < 3; i++) spun[3 + i] = scale * q[i];
}

const momentum = new Float64Array(3);
const sine = new Float64Array(2);

/** v ← exp(−v) l, for v = `vector` and l = `momentum` */
function turnBack(): void {
  const vx = vector[0];
  const vy = vector[1];
  const vz = vector[2];
  const lx = momentum[0];
  const ly = momentum[1];
  const lz = momentum[2];
  const squared = vx * vx + vy * vy + vz * vz;
  let s = 1 - squared / 6;
  let c = 0.5 - squared / 24;
  if (squared > 1e-8) {
    const angle = Math.sqrt(squared);
    sine[0] = angle;
    sinCos(sine);
    s = sine[0] / angle;
    c = (1 - sine[1]) / squared;
  }
  // Rodrigues: l − s v×l + c v×(v×l)
  const px = vy * lz - vz * ly;
  const py = vz * lx - vx * lz;
  const pz = vx * ly - vy * lx;
  vector[0] = lx - s * px + c * (vy * pz - vz * py);
  vector[1] = ly - s * py + c * (vz * px - vx * pz);
  vector[2] = lz - s * pz + c * (vx * py - vy * px);
}

/** R diag(d) Rᵀ, for three numbers of d from `at` on; its upper half: xx, xy, xz, yy, yz, zz */
function symmetricProduct(m: Float64Array, d: Float64Array, at: number, out: Float64Array, to: number): void {
  const a = d[at];
  const b = d[at + 1];
  const c = d[at + 2];
  out[to] = a * m[0] * m[0] + b * m[1] * m[1] + c * m[2] * m[2];
  out[to + 1] = a * m[0] * m[3] + b * m[1] * m[4] + c * m[2] * m[5];
  out[to + 2] = a * m[0] * m[6] + b * m[1] * m[7] + c * m[2] * m[8];
  out[to + 3] = a * m[3] * m[3] + b * m[4] * m[4] + c * m[5] * m[5];
  out[to + 4] = a * m[3] * m[6] + b * m[4] * m[7] + c * m[5] * m[8];
  out[to + 5] = a * m[6] * m[6] + b * m[7] * m[7] + c * m[8] * m[8];
}

/**
 * For a body that nothing touched in the step: a constant force moves it along a parabola, x⁺ = x⁻ + h (u⁻ + ũ)/2, from
 * which (45) differs by h² a/2. Call this before the velocity becomes the state.
 *
 * @param out receives the shift to add to the position [m]
 */
export function ballisticShift(bodies: BodyTable, slot: number, h: number, out: Float64Array): void {
  const at = TWIST_SIZE * slot;
  const { freeVelocity } = bodies.scratch;
  for (let i = 0; i < 3; i++) out[i] = -0.5 * h * (freeVelocity[at + i] - bodies.state.velocity[at + i]);
}

/**
 * Copies the velocity of the scratch to the state, after the pose. Impulses changed the angular momentum for the
 * inertia at the end of the free motion; the state gets the angular velocity with that momentum at the true end.
 *
 * @returns whether the energy grew by that: the body turned far from the free motion, and its momentum has come to lie along an axis of
 * little inertia. Its spin is then reduced to the energy that it had
 */
export function keepVelocity(bodies: BodyTable, slot: number): boolean {
  const { state, scratch, model } = bodies;
  const twist = TWIST_SIZE * slot;
  const u = scratch.velocity;
  for (let i = 0; i < TWIST_SIZE; i++) state.velocity[twist + i] = u[twist + i];
  if (model.motion[slot] !== Motion.dynamic) return false;
  const hasGained = keepMomentum(bodies, slot);
  limitSpeeds(bodies, slot);
  return hasGained;
}

/** Limits the velocity of a dynamic body to its greatest speeds. */
export function limitSpeeds({ state, model }: BodyTable, slot: number): void {
  limit(state.velocity, TWIST_SIZE * slot, model.maxLinearSpeed[slot]);
  limit(state.velocity, TWIST_SIZE * slot + 3, model.maxAngularSpeed[slot]);
}

/**
 * Limits the motion of a body in a step to its greatest speed. Impulses of contradictory constraints may be unbounded;
 * `keepVelocity` limits their effect on velocities, and this function that on poses.
 *
 * @param h time step [s]
 */
export function limitTravel(bodies: BodyTable, slot: number, h: number): void {
  const { state, scratch, model } = bodies;
  const at = POSE_SIZE * slot;
  let squared = 0;
  for (let i = 0; i < 3; i++) {
    const way = state.pose[at + i] - scratch.startPose[at + i];
    squared += way * way;
  }
  const most = h * model.maxLinearSpeed[slot];
  if (squared <= most * most) return;
  const scale = most / Math.sqrt(squared);
  for (let i = 0; i < 3; i++) {
    const from = scratch.startPose[at + i];
    state.pose[at + i] = from + scale * (state.pose[at + i] - from);
  }
}

/** Computes the angular velocity in the state from the angular momentum after the impulses; see `keepVelocity`. */
function keepMomentum(bodies: BodyTable, slot: number): boolean {
  const { state, scratch, model } = bodies;
  const twist = TWIST_SIZE * slot;
  const u = scratch.velocity;
  const ix = model.inertia[3 * slot];
  const iy = model.inertia[3 * slot + 1];
  const iz = model.inertia[3 * slot + 2];
  if (ix === iy && iy === iz) return false;
  if (hasStiffness(bodies, slot)) return false;
  // L⁺ = I(free end) u⁺
  rotationMatrix(scratch.freeRotation, 4 * slot, matrix, 0);
  const m = matrix;
  const wx = u[twist + 3];
  const wy = u[twist + 4];
  const wz = u[twist + 5];
  const bx = ix * (m[0] * wx + m[3] * wy + m[6] * wz);
  const by = iy * (m[1] * wx + m[4] * wy + m[7] * wz);
  const bz = iz * (m[2] * wx + m[5] * wy + m[8] * wz);
  const lx = m[0] * bx + m[1] * by + m[2] * bz;
  const ly = m[3] * bx + m[4] * by + m[5] * bz;
  const lz = m[6] * bx + m[7] * by + m[8] * bz;
  rotationMatrix(state.pose, POSE_SIZE * slot + 3, matrix, 0);
  const cx = model.inverseInertia[3 * slot] * (m[0] * lx + m[3] * ly + m[6] * lz);
  const cy = model.inverseInertia[3 * slot + 1] * (m[1] * lx + m[4] * ly + m[7] * lz);
  const cz = model.inverseInertia[3 * slot + 2] * (m[2] * lx + m[5] * ly + m[8] * lz);
  const v = state.velocity;
  v[twist + 3] = m[0] * cx + m[1] * cy + m[2] * cz;
  v[twist + 4] = m[3] * cx + m[4] * cy + m[5] * cz;
  v[twist + 5] = m[6] * cx + m[7] * cy + m[8] * cz;
  // A free body keeps ω·L as well: what turns it between the two is no force.
  const before = lx * wx + ly * wy + lz * wz;
  const after = lx * v[twist + 3] + ly * v[twist + 4] + lz * v[twist + 5];
  let moving = v[twist] * v[twist] + v[twist + 1] * v[twist + 1] + v[twist + 2] * v[twist + 2];
  moving = model.inverseMass[slot] > 0 ? moving / model.inverseMass[slot] : 0;
  if (!(after + moving > TRUSTED_GAIN * (before + moving))) return false;
  const scale = Math.sqrt(before / after);
  for (let i = twist + 3; i < twist + 6; i++) v[i] *= scale;
  return true;
}

/** Shortens a vector to at most a length. */
function limit(v: Float64Array, at: number, most: number): void {
  const squared = v[at] * v[at] + v[at + 1] * v[at + 1] + v[at + 2] * v[at + 2];
  if (squared <= most * most) return;
  const scale = most / Math.sqrt(squared);
  for (let i = 0; i < 3; i++) v[at + i] *= scale;
}
