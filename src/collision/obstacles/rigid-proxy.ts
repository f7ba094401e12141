import { PliantError } from "../../errors";
import type { Vec3 } from "../../math/types";

/** How a rigid body answers to impulses; world axes, at the start of the next frame. */
export interface ProxyResponse {
  /** [1/kg]; 0: it does not yield */
  readonly inverseMass: number;
  /**
   * Direction in which something else holds the body, up to a length of 1 for all that comes: it answers to impulses by (I − s sᵀ) / m.
   * Default none
   */
  readonly support?: Vec3;
  /**
   * Of a link, which its joints hold: D with xx, yy, zz, xy, xz, yz, between none of all directions and I. It answers by
   * (I − D − s sᵀ) / m. Default none
   */
  readonly blocked?: ArrayLike<number>;
  /** xx, yy, zz, xy, xz, yz [1/(kg m²)] */
  readonly inverseInertia: ArrayLike<number>;
  /** parts of what the free body has that `inverseMass` and `inverseInertia` are, where other contacts take up the rest; default 1 */
  readonly mobility?: number;
  readonly turning?: number;
  /** centre of mass at the start of the frame [m] */
  readonly centre: Vec3;
  /** velocity of the centre of mass that the body is moved with in the frame [m/s] */
  readonly velocity: Vec3;
  /** how it turns meanwhile [rad/s], default not at all; of a body that carries particles, see `PinTable.proxies` */
  readonly spin?: Vec3;
  /**
   * What it has at the end of the frame [m/s, rad/s], for the work that impulses do on it: what meets an obstacle on its way moves otherwise
   * than it goes on. Default `velocity` and `spin`
   */
  readonly endVelocity?: Vec3;
  readonly endSpin?: Vec3;
  /**
   * What falls freely in the frame: its acceleration [m/s²], and its velocity at the start of the frame beyond `velocity` [m/s]. It acts
   * substep by substep then, as on particles that the body carries. Default none. The same of its rotation [rad/s², rad/s]
   */
  readonly acceleration?: Vec3;
  readonly drift?: Vec3;
  readonly spinAcceleration?: Vec3;
  readonly spinDrift?: Vec3;
  /** The way of that acceleration is the parabola, whatever the substeps; default false: that of particles, by symplectic Euler. On the CPU */
  readonly isSmooth?: boolean;
  /**
   * Force [N] and torque about the centre of mass [N m] that it is moved by already, as contacts are expected to exert them: it answers to the
   * rest. Six numbers, default none. On the CPU: a GPU hears of what they were too late
   */
  readonly expected?: ArrayLike<number>;
}

/** Vectors and matrices of a response, by name. */
const given = [
  ...(["inverseInertia", "support", "blocked", "centre", "velocity", "spin", "endVelocity", "endSpin"] as const),
  ...(["acceleration", "drift", "spinAcceleration", "spinDrift", "expected"] as const),
] as const;

function areFinite(values: ArrayLike<number>, count: number): boolean {
  if (values.length !== count) return false;
  for (let i = 0; i < count; i++) if (!Number.isFinite(values[i])) return false;
  return true;
}

/** Offsets of velocity [m/s], spin [rad/s], offset [m] and turn [rad, rotation vector] in what a proxy has yielded. */
export const YIELD = { velocity: 0, spin: 3, offset: 6, turn: 9, size: 12 } as const;

/**
 * What a rigid body is to deformable ones: its colliders collect the impulses of their contacts. With a response, the
 * colliders also yield to them within the frame, substep by substep; who moves the body takes over both after the frame.
 */
export class RigidProxy {
  /**
   * Impulse [N s] that was not taken over yet, and angular impulse [N m s] about where the centre of mass was in each substep: one that has moved on
   * since would be turned by an impulse times that way.
   */
  readonly wrench = new Float64Array(6);
  /** Σ J · u over those impulses, with the velocities with which deformable bodies came at the body [J]; infinite where a GPU solves them */
  drive = 0;
  /**
   * What of the forces on the body in its next step comes from deformable bodies, as others seemed to hold it: impulse [N s] and angular impulse
   * about the center of mass [N m s], and their `drive` [J].
   */
  readonly held = new Float64Array(7);
  /** [1/kg] */
  inverseMass = 0;
  /** xx, yy, zz, xy, xz, yz [1/(kg m²)], world axes */
  readonly inverseInertia = new Float64Array(6);
  mobility = 1;
  turning = 1;
  readonly support = new Float64Array(3);
  readonly blocked = new Float64Array(6);
  /** centre of mass at the start of the frame [m], and its velocity [m/s] */
  readonly centre = new Float64Array(3);
  readonly velocity = new Float64Array(3);
  readonly spin = new Float64Array(3);
  readonly endVelocity = new Float64Array(3);
  readonly endSpin = new Float64Array(3);
  readonly acceleration = new Float64Array(3);
  readonly drift = new Float64Array(3);
  readonly spinAcceleration = new Float64Array(3);
  readonly spinDrift = new Float64Array(3);
  /** part of a substep by which the acceleration acts later than at its start */
  lag = 0;
  readonly expected = new Float64Array(6);
  /** particles that it carries */
  carried = 0;
  /** where that takes the centre of mass by the end of the frame [m] */
  readonly end = new Float64Array(3);
  /** how the colliders have moved by contact and nobody has taken over yet, see YIELD; turned about the centre of mass */
  readonly yielded = new Float64Array(YIELD.size);
  /** centre of mass in this substep [m] */
  readonly centreNow = new Float64Array(3);
  /** particles and faces that it pushed in the last substep */
  contacts = 0;
  /** offset and turn at the start of the frame */
  readonly base = new Float64Array(6);
  /** what was taken over since the last frame began, for a GPU that does not know yet */
  readonly taken = new Float64Array(YIELD.size);

  /**
   * @throws PliantError `invalid-argument` for a negative inverse mass, `non-finite`; nothing is changed then
   */
  setResponse(response: ProxyResponse): void {
    const { inverseMass, velocity, spin, mobility = 1, turning = 1, isSmooth } = response;
    const { endVelocity = velocity, endSpin = spin } = response;
    const all = { ...response, endVelocity, endSpin };
    const values = given.map((name) => all[name] ?? new Float64Array(this[name].length));
    const isValid =
      [inverseMass, mobility, turning].every(Number.isFinite) &&
      given.every((name, k) => areFinite(values[k], this[name].length));
    if (!isValid) throw new PliantError("non-finite", "RigidProxy.setResponse", response, "must be finite numbers");
    if (inverseMass < 0)
      throw new PliantError("invalid-argument", "RigidProxy.inverseMass", inverseMass, "must not be negative");
    this.inverseMass = inverseMass;
    this.mobility = mobility;
    this.turning = turning;
    this.lag = isSmooth ? 0.5 : 0;
    given.forEach((name, k) => this[name].set(values[k]));
  }

  /** @internal a frame of `dt` seconds begins */
  beginFrame(dt: number): void {
    for (let c = 0; c < 3; c++) this.end[c] = this.centre[c] + dt * this.velocity[c];
    this.base.set(this.yielded.subarray(YIELD.offset));
  }

  /** @internal all that it goes on with, copied */
  save(): readonly Float64Array[] {
    return [
      Float64Array.of(this.inverseMass, this.contacts, this.mobility, this.turning, this.lag, this.drive),
      ...this.arrays.map((values) => values.slice()),
    ];
  }

  /** @internal */
  load([numbers, ...arrays]: readonly Float64Array[]): void {
    [this.inverseMass, this.contacts, this.mobility, this.turning, this.lag, this.drive] = numbers;
    this.arrays.forEach((values, k) => values.set(arrays[k]));
  }

  private get arrays(): readonly Float64Array[] {
    const { wrench, end, yielded, centreNow, base, taken, held } = this;
    return [wrench, end, yielded, centreNow, base, taken, held, ...given.map((name) => this[name])];
  }

  /** @internal takes over what is known: moves it from `yielded` to `taken`, and out */
  take(wrench: Float64Array, displacement: Float64Array): boolean {
    wrench.set(this.wrench);
    displacement.set(this.yielded.subarray(YIELD.offset));
    for (let i = 0; i < YIELD.size; i++) this.taken[i] += this.yielded[i];
    this.wrench.fill(0);
    this.drive = 0;
    this.yielded.fill(0);
    return wrench.some((value) => value !== 0) || displacement.some((value) => value !== 0);
  }
}
