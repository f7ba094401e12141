/**
 * The state of a guest after a frame among bodies of GPBD. Its answer to impulses is linear: a blow that turns it by more than a small part of a
 * turn stretches it, and one that moves its parts far crushes it beyond what its law allows. Such a state has more elastic energy than the
 * impulses had work: a cube of 16 mm that was hit off its middle, five of its sizes from where it was, had 2e5 J from a blow of 0.4 J. The next step
 * turned a part of that into motion. Then the way of the answer is split into one of the body as a whole, whose rotation is a true one, and the
 * rest d, of which as large a part s is taken as the energy permits:
 *
 *     x = c + R(θ) (r + s d),  v = V + ω × (x − c) + s R(θ) e,   θ = I⁻¹ Σ m r × D,  d = D − D̄ − θ × r
 *
 * D is the way beside that of its own step, r the places after that about its center, c and V center and velocity of the linear answer, e what the
 * velocities have beside a rigid motion, and ω gives the angular momentum of the linear answer. So momentum and angular momentum are what the
 * impulses gave, whatever s is. A guest that something holds does not go as a whole: it takes the part s of all of the answer.
 */
import { massOf } from "../../mass";
import { cos, sin } from "../../../math/deterministic";
import { inverse3, type Matrix3, times } from "../../../math/matrix3";
import { turn, unitQuaternion } from "../../../math/quaternions";
import type { Vec3 } from "../../../math/types";
import { cross, norm } from "../../../math/vectors";
import type { FrameInput } from "../../deformable";
import type { Guest } from "../../guest";

/** Part of the energy that there is by which a frame may gain, and of the work of impulses: where stress changes in a blow, a linear answer is no better. */
const GAIN = 0.02;
const LINEAR = 0.25;
/** Halvings that find s. */
const HALVINGS = 12;
/** Part of the largest moment of inertia that is added to it: a straight rope has none about its axis. */
const THIN = 1e-9;

/** The linear answer of a guest. */
export interface LinearAnswer {
  /** way beside that of its own step, and change of velocity, particleCount × 3 [m], [m/s] */
  readonly ways: Float64Array;
  readonly yielded: Float64Array;
  /** work of the impulses on it [J] */
  readonly work: number;
  /** whether objects or pins hold it */
  readonly isHeld: boolean;
  readonly frame: FrameInput;
}

/**
 * Gives a guest its state after a frame, when its own is that of its step.
 *
 * @returns whether that is the linear answer
 */
export function land(guest: Guest, answer: LinearAnswer): boolean {
  const { state } = guest;
  const own = { x: state.positions.slice(), v: state.velocities.slice() };
  const most = limitOf(guest, own, answer);
  const { gravity } = answer.frame;
  const isWithin = (): boolean =>
    energyOf(guest, own.x, gravity, state.velocities) <= most() && !(answer.isHeld && isDeep(guest, own, answer.frame));
  for (let i = 0; i < own.x.length; i++) {
    state.positions[i] += answer.ways[i]!;
    state.velocities[i] += answer.yielded[i]!;
  }
  if (isWithin()) return true;
  const place = answer.isHeld ? partly(guest, own, answer) : turned(guest, own, answer);
  place(1);
  if (isWithin()) return false;
  let [low, high] = [0, 1];
  for (let n = 0; n < HALVINGS; n++) {
    const middle = (low + high) / 2;
    place(middle);
    if (isWithin()) low = middle;
    else high = middle;
  }
  place(low);
  return false;
}

interface Own {
  readonly x: Float64Array;
  readonly v: Float64Array;
}

/** Energy that the guest may have: that at the start of the frame or after its own step, with the work of what pushed it [J]. */
function limitOf(guest: Guest, own: Own, { work, isHeld, frame }: LinearAnswer): () => number {
  const { gravity, dt } = frame;
  const slack = massOf(guest.model) * (norm(gravity) * dt) ** 2 + LINEAR * Math.abs(work);
  const stepped = energyOf(guest, own.x, gravity, own.v);
  let most: number | undefined;
  return () => {
    if (most !== undefined) return most;
    if (isHeld) return (most = (1 + GAIN) * Math.max(stepped + work, 0) + slack);
    const { positions } = guest.state;
    const kept = positions.slice();
    positions.set(guest.start);
    const pushed = guest.push.reduce((sum, force, i) => sum + force * (own.x[i] - guest.start[i]), 0);
    const begun = energyOf(guest, own.x, gravity, guest.startVelocities) + pushed;
    positions.set(kept);
    return (most = (1 + GAIN) * Math.max(stepped + work, begun + work, 0) + slack);
  };
}

/** Whether it is now deep in an object that its own step did not bring it into: the search for these within the frame may have missed some. */
function isDeep(guest: Guest, own: Own, { dt, colliders }: FrameInput): boolean {
  const { positions } = guest.state;
  const now = positions.slice();
  const pushed = own.x.map((x, i) => (now[i] - x) / dt) as Float64Array;
  if (!pushed.some((speed) => Math.abs(speed) * dt > guest.distance)) return false;
  positions.set(own.x);
  const hits = guest.hits(pushed, dt, colliders);
  positions.set(now);
  for (let n = 0; n < hits.count; n++) if (hits.speedWith(n, pushed) * dt < -guest.distance) return true;
  return false;
}

/** Kinetic, elastic and potential energy, that relative to some places [J]. */
function energyOf(guest: Guest, from: Float64Array, gravity: Vec3, v: Float64Array): number {
  const { model, state } = guest;
  let sum = 0;
  for (let i = 0; i < v.length; i++) {
    const m = model.masses[Math.floor(i / 3)];
    sum += m * (0.5 * v[i] * v[i] - gravity[i % 3] * (state.positions[i] - from[i]));
  }
  return sum + guest.elasticEnergy();
}

/** Sets a part of all of the answer. */
function partly({ state }: Guest, own: Own, { ways, yielded }: LinearAnswer): (share: number) => void {
  return (share) => {
    for (let i = 0; i < ways.length; i++) {
      state.positions[i] = own.x[i] + share * ways[i]!;
      state.velocities[i] = own.v[i] + share * yielded[i]!;
    }
  };
}

/** Sets the motion as a whole, and a part of the rest. */
function turned({ model, state }: Guest, own: Own, { ways, yielded }: LinearAnswer): (share: number) => void {
  const { masses } = model;
  const v = own.v.map((value, i) => value + yielded[i]!) as Float64Array;
  const [middle, way, velocity] = [own.x, ways, v].map((of) => meanOf(masses, of));
  const r = beside(own.x, middle);
  const [d, e] = [beside(ways, way), beside(v, velocity)];
  // about the center of the linear answer, where all of it is known
  const linear = r.map((value, i) => value + d[i]!) as Float64Array;
  const spin = momentOf(masses, linear, e);
  const inertia = inverseInertia(masses, r);
  const angle = times(inertia, momentOf(masses, r, d));
  takeTurn(d, angle, r);
  takeTurn(e, times(inertia, momentOf(masses, r, e)), r);
  const half = norm(angle) / 2;
  const part = half > 0 ? sin(half) / (2 * half) : 0.5;
  const rotation = unitQuaternion([part * angle[0], part * angle[1], part * angle[2], cos(half)]);
  const [x, rest] = [new Float64Array(r.length), new Float64Array(r.length)];
  return (share) => {
    for (let i = 0; i < x.length; i += 3) {
      x.set(
        turn(
          rotation,
          [0, 1, 2].map((c) => r[i + c] + share * d[i + c]),
        ),
        i,
      );
      rest.set(
        turn(
          rotation,
          [0, 1, 2].map((c) => share * e[i + c]),
        ),
        i,
      );
    }
    const own = momentOf(masses, x, rest);
    const left: Vec3 = [spin[0] - own[0], spin[1] - own[1], spin[2] - own[2]];
    const omega = times(inverseInertia(masses, x), left);
    for (let i = 0; i < x.length; i += 3) {
      const turning = cross(omega, [x[i], x[i + 1], x[i + 2]]);
      for (let c = 0; c < 3; c++) {
        state.positions[i + c] = middle[c] + way[c] + x[i + c]!;
        state.velocities[i + c] = velocity[c] + turning[c] + rest[i + c]!;
      }
    }
  };
}

function meanOf(masses: Float64Array, of: Float64Array): Vec3 {
  const sum = [0, 0, 0];
  let mass = 0;
  for (let p = 0; p < masses.length; p++) {
    mass += masses[p]!;
    for (let c = 0; c < 3; c++) sum[c] += masses[p] * of[3 * p + c];
  }
  return [sum[0] / mass, sum[1] / mass, sum[2] / mass];
}

const beside = (of: Float64Array, mean: Vec3): Float64Array => of.map((value, i) => value - mean[i % 3]);

/** Σ m a × b */
function momentOf(masses: Float64Array, a: Float64Array, b: Float64Array): Vec3 {
  const sum: [number, number, number] = [0, 0, 0];
  for (let p = 0, i = 0; p < masses.length; p++, i += 3) {
    sum[0] += masses[p] * (a[i + 1] * b[i + 2] - a[i + 2] * b[i + 1]);
    sum[1] += masses[p] * (a[i + 2] * b[i] - a[i] * b[i + 2]);
    sum[2] += masses[p] * (a[i] * b[i + 1] - a[i + 1] * b[i]);
  }
  return sum;
}

function inverseInertia(masses: Float64Array, r: Float64Array): Matrix3 {
  let [xx, yy, zz, xy, xz, yz] = [0, 0, 0, 0, 0, 0];
  for (let p = 0, i = 0; p < masses.length; p++, i += 3) {
    const [m, x, y, z] = [masses[p], r[i], r[i + 1], r[i + 2]];
    xx += m * x * x;
    yy += m * y * y;
    zz += m * z * z;
    xy += m * x * y;
    xz += m * x * z;
    yz += m * y * z;
  }
  const thin = THIN * (xx + yy + zz);
  return inverse3([yy + zz + thin, -xy, -xz, -xy, xx + zz + thin, -yz, -xz, -yz, xx + yy + thin]);
}

/** Takes ω × r off. */
function takeTurn(of: Float64Array, omega: Vec3, r: Float64Array): void {
  for (let i = 0; i < of.length; i += 3)
    cross(omega, [r[i], r[i + 1], r[i + 2]]).forEach((value, c) => (of[i + c] -= value));
}
