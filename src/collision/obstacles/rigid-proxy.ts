import { invalid, nonFinite } from "../../errors";
import type { Vec3 } from "../../math/types";

/** Response of a rigid body to impulses; world axes, at the start of the next frame. */
export interface ProxyResponse {
  /** [1/kg]; 0 for a body that does not yield */
  readonly inverseMass: number;
  /**
   * Direction s in which something else holds the body; at a length of 1 it takes up the whole impulse along s. The
   * body answers to impulses by (I − s sᵀ) / m. Default none
   */
  readonly support?: Vec3;
  /**
   * Share D of each direction in which joints hold a link, as xx, yy, zz, xy, xz, yz, between 0 and I. The link answers
   * by (I − D − s sᵀ) / m. Default none
   */
  readonly blocked?: ArrayLike<number> | undefined;
  /** xx, yy, zz, xy, xz, yz [1/(kg m²)] */
  readonly inverseInertia: ArrayLike<number>;
  /**
   * `inverseMass` and `inverseInertia` as fractions of those of the free body, if other contacts take up the rest;
   * default 1
   */
  readonly mobility?: number | undefined;
  readonly turning?: number | undefined;
  /** `inverseMass`, then `inverseInertia`, of the body if nothing else held it; default none: see `release` */
  readonly free?: ArrayLike<number> | undefined;
  /** center of mass at the start of the frame [m] */
  readonly centre: Vec3;
  /** velocity of the center of mass that the body is moved with in the frame [m/s] */
  readonly velocity: Vec3;
  /** angular velocity in the frame [rad/s], default 0; for a body that carries particles, see `PinTable.proxies` */
  readonly spin?: Vec3;
  /**
   * Velocities at the end of the frame [m/s, rad/s], for the work that impulses do on the body. They differ from those
   * of the frame if the body meets an obstacle. Default `velocity` and `spin`
   */
  readonly endVelocity?: Vec3;
  readonly endSpin?: Vec3;
  /**
   * For a body that falls freely in the frame: its acceleration [m/s²], and its velocity at the start of the frame
   * beyond `velocity` [m/s]. The acceleration then acts substep by substep, as on particles that the body carries.
   * Default none. The other two are the same for its rotation [rad/s², rad/s]
   */
  readonly acceleration?: Vec3;
  readonly drift?: Vec3;
  readonly spinAcceleration?: Vec3;
  readonly spinDrift?: Vec3;
  /**
   * whether that acceleration leads along the exact parabola, independent of substeps; default false: along the path of
   * particles, by symplectic Euler. CPU only
   */
  readonly isSmooth?: boolean;
  /**
   * Force [N] and torque about the center of mass [N m] that contacts are expected to exert, and that the planned
   * motion includes already. The body answers to the rest. Six numbers, default none. CPU only: a GPU would receive
   * them too late
   */
  readonly expected?: ArrayLike<number>;
}

/** Vectors and matrices of a response, by name. */
const given = [
  ...(["inverseInertia", "support", "blocked", "centre", "velocity", "spin", "endVelocity", "endSpin"] as const),
  ...(["acceleration", "drift", "spinAcceleration", "spinDrift", "expected", "free"] as const),
] as const;

function areFinite(values: ArrayLike<number>, count: number): boolean {
  if (values.length !== count) return false;
  for (let i = 0; i < count; i++) if (!Number.isFinite(values[i])) return false;
  return true;
}

/** Offsets of velocity [m/s], spin [rad/s], offset [m] and turn [rad, rotation vector] in what a proxy has yielded. */
export const YIELD = { velocity: 0, spin: 3, offset: 6, turn: 9, size: 12 } as const;

/** Rigid bodies that contacts and joints connect, so that each yields to what the others are given. */
export interface ProxyIsland {
  readonly proxies: readonly RigidProxy[];
  /** [kg] */
  readonly mass: number;
  /** six numbers each: impulse [N s] and angular impulse about the center of mass [N m s] */
  readonly impulses: Float64Array;
  /** six numbers each [m/s, rad/s] */
  readonly changes: Float64Array;
  /** whether something that does not yield bears some of them */
  readonly stands?: boolean;
  /**
   * Writes the changes of velocity by the impulses of a substep to `changes`, and adds those of contacts and joints to `impulses`.
   *
   * @param h length of the substep [s]
   * @param rest time from its end to that of the frame [s]
   */
  respond(h: number, rest: number): void;
  /** After the frame: bodies that are not proxies move by what they were given. */
  settle?(): void;
  /**
   * Adds the changes of velocity of all proxies by an impulse and its moment about the center of mass of one of them, if that is known
   * beforehand: contacts and joints of bodies answer to all that acts in a substep.
   */
  answer?(place: number, wrench: Float64Array, changes: Float64Array): void;
  /** Adds to impulses on all proxies those of joints by which these hold one another, on supports that bear as `answer` has it. */
  addPulls?(impulses: Float64Array): void;
}

/**
 * A rigid body as deformable bodies see it: its colliders collect the impulses of their contacts. With a response, the
 * colliders also yield to these impulses within the frame, substep by substep. The solver of the rigid body takes over
 * both, impulses and displacement, after the frame.
 */
export class RigidProxy {
  /**
   * Impulse [N s] that was not taken over yet, and its angular impulse [N m s] about the center of mass of each substep. About the
   * present center of mass it would be wrong by the impulse times the way that the body has moved since.
   */
  readonly wrench = new Float64Array(6);
  /** Σ J · u over those impulses, with the velocities with which deformable bodies came at the body [J]; infinite where a GPU solves them */
  drive = 0;
  /**
   * The part of the forces on the body in its next step that comes from deformable bodies, because other bodies seemed to hold it:
   * impulse [N s], angular impulse about the center of mass [N m s], and their `drive` [J].
   */
  readonly held = new Float64Array(8);
  /** [1/kg] */
  inverseMass = 0;
  /** xx, yy, zz, xy, xz, yz [1/(kg m²)], world axes */
  readonly inverseInertia = new Float64Array(6);
  mobility = 1;
  turning = 1;
  readonly free = new Float64Array(7);
  /** whether the body answers as a free one in this frame, though others seemed to hold it */
  isReleased = false;
  readonly support = new Float64Array(3);
  readonly blocked = new Float64Array(6);
  /** center of mass at the start of the frame [m], and its velocity [m/s] */
  readonly centre = new Float64Array(3);
  readonly velocity = new Float64Array(3);
  readonly spin = new Float64Array(3);
  readonly endVelocity = new Float64Array(3);
  readonly endSpin = new Float64Array(3);
  readonly acceleration = new Float64Array(3);
  readonly drift = new Float64Array(3);
  readonly spinAcceleration = new Float64Array(3);
  readonly spinDrift = new Float64Array(3);
  /** delay with which the acceleration acts after the start of a substep, as a part of the substep */
  lag = 0;
  readonly expected = new Float64Array(6);
  /** number of particles that the proxy carries */
  carried = 0;
  /** its share of the mass of what it answers together with, by the number of those that carry particles [kg]; 0 without others */
  borne = 0;
  /** where it answers together with others in this frame */
  seat: { readonly island: ProxyIsland; readonly place: number } | undefined;
  /** center of mass at the end of the frame by the planned velocity [m] */
  readonly end = new Float64Array(3);
  /** motion of the colliders by contact that nobody has taken over, see YIELD; rotation about the center of mass */
  readonly yielded = new Float64Array(YIELD.size);
  /** center of mass in this substep [m] */
  readonly centreNow = new Float64Array(3);
  /** its way in this substep, before contact yields anything [m] */
  readonly way = new Float64Array(3);
  /** whether the body sleeps with those that push it: it keeps what it knows of the last frame */
  rests = false;
  /** number of particles and faces that the proxy pushed in the last substep */
  contacts = 0;
  /** the same of a GPU, as far as that is known */
  gpuContacts = 0;
  /** whether a GPU does not know yet that it was loaded: what comes from there is of another time */
  isLoaded = false;
  /** frames since impulses were taken over last */
  quiet = Infinity;
  /** offset and turn at the start of the frame */
  readonly base = new Float64Array(6);
  /** motion taken over since the last frame began, which the GPU has not subtracted yet */
  readonly taken = new Float64Array(YIELD.size);

  /** @throws PliantError `invalid-argument` for a negative inverse mass, `non-finite`; nothing is changed then */
  setResponse(response: ProxyResponse): void {
    const { inverseMass, velocity, spin, mobility = 1, turning = 1, isSmooth } = response;
    const { endVelocity = velocity, endSpin = spin } = response;
    const all = { ...response, endVelocity, endSpin };
    const values = given.map((name) => all[name] ?? new Float64Array(this[name].length));
    const isValid =
      [inverseMass, mobility, turning].every(Number.isFinite) &&
      given.every((name, k) => areFinite(values[k], this[name].length));
    if (!isValid) throw nonFinite("RigidProxy.setResponse", response, "must be finite numbers");
    if (inverseMass < 0) throw invalid("RigidProxy.inverseMass", inverseMass, "must not be negative");
    this.inverseMass = inverseMass;
    this.mobility = mobility;
    this.turning = turning;
    this.isReleased = false;
    this.lag = isSmooth ? 0.5 : 0;
    given.forEach((name, k) => this[name].set(values[k]));
  }

  /** To the end of the frame the body answers as a free one, but for its support. */
  release(): void {
    const { free } = this;
    if (!(free[0] > 0)) return;
    this.isReleased = true;
    this.inverseMass = free[0];
    this.mobility = this.turning = 1;
    this.inverseInertia.set(free.subarray(1));
  }

  /** @internal a frame of `dt` seconds begins */
  beginFrame(dt: number): void {
    for (let c = 0; c < 3; c++) this.end[c] = this.centre[c] + dt * this.velocity[c];
    this.base.set(this.yielded.subarray(YIELD.offset));
  }

  /** @internal copies of all state that later frames depend on */
  save(): readonly Float64Array[] {
    return [
      Float64Array.of(
        ...[this.inverseMass, this.contacts, this.mobility, this.turning, this.lag],
        ...[this.drive, this.borne, this.quiet, this.isReleased ? 1 : 0, this.gpuContacts],
      ),
      ...this.arrays.map((values) => values.slice()),
    ];
  }

  /** @internal */
  load([numbers, ...arrays]: readonly Float64Array[]): void {
    [this.inverseMass, this.contacts, this.mobility, this.turning, this.lag, this.drive, this.borne, this.quiet] =
      numbers;
    this.isReleased = numbers[8] > 0;
    this.gpuContacts = numbers[9] ?? 0;
    this.isLoaded = true;
    this.arrays.forEach((values, k) => values.set(arrays[k]));
  }

  private get arrays(): readonly Float64Array[] {
    const { wrench, end, yielded, centreNow, base, taken, held } = this;
    return [wrench, end, yielded, centreNow, base, taken, held, ...given.map((name) => this[name])];
  }

  /** @internal hands out the impulses and displacement so far, and moves `yielded` to `taken` */
  take(wrench: Float64Array, displacement: Float64Array): boolean {
    wrench.set(this.wrench);
    displacement.set(this.yielded.subarray(YIELD.offset));
    for (let i = 0; i < YIELD.size; i++) this.taken[i] += this.yielded[i];
    this.quiet = this.wrench.some((value) => value !== 0) ? 0 : this.quiet + 1;
    this.wrench.fill(0);
    this.drive = 0;
    this.yielded.fill(0);
    return wrench.some((value) => value !== 0) || displacement.some((value) => value !== 0);
  }
}
