/** Changes of the motion of a deformable body between two steps. */
import { checkFinite } from "../checks";
import { cross, norm, scaled, subtract } from "../math/vectors";
import type { Vec3 } from "../math/types";
import { checkNames, optionNames } from "../option-names";
import { finiteVector, notNegative } from "./rigid/checks";
import {
  type BodyState,
  type CpuDeformableSolver,
  type DeformableSolver,
  type GpuDeformableSolver,
  pinHolds,
  type PinTable,
} from "../solvers/deformable";
import { rigidMotion, turnOf } from "../solvers/rigid-motion";

const ZERO: Vec3 = [0, 0, 0];
const sum = (a: Vec3, b: Vec3): Vec3 => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];

/** A blast from a point, see `Push.blast`. */
export interface Blast {
  /** [m], world space */
  readonly center: Vec3;
  /** particles further away feel nothing [m] */
  readonly radius: number;
  /** impulse on a body that is at the center as a whole [N s]; negative ones pull */
  readonly impulse: number;
  /** how the impulse goes down with the distance: `constant` up to the radius, or `linear`, to nothing there; default `linear` */
  readonly falloff?: "constant" | "linear";
}

/**
 * A change of the motion of a body, see `DeformableBody.push`. Impulses act on its free particles as on a rigid body of their mass; the body deforms
 * in the steps that follow.
 */
export interface Push {
  /** [N s] */
  readonly impulse?: Vec3;
  /** where `impulse` acts [m], world space; default the center of mass */
  readonly point?: Vec3;
  /** [N m s] */
  readonly angularImpulse?: Vec3;
  /** mean velocity that the body gets [m/s]; how its particles move against each other stays */
  readonly linearVelocity?: Vec3;
  /** mean angular velocity about the center of mass that the body gets [rad/s] */
  readonly angularVelocity?: Vec3;
  readonly blast?: Blast;
}

const names = optionNames<Push>()("impulse point angularImpulse linearVelocity angularVelocity blast");
const blastNames = optionNames<Blast>()("center radius impulse falloff");

/** @throws PliantError for a name that it does not have, or a value that is not finite */
export function checkPush(object: string, push: Push): void {
  checkNames(object, push, names);
  const { blast, ...vectors } = push;
  for (const [name, value] of Object.entries(vectors))
    if (value !== undefined) finiteVector(`${object} ${name}`, value);
  if (!blast) return;
  checkNames(`${object} blast`, blast, blastNames);
  finiteVector(`${object} blast.center`, blast.center);
  notNegative(`${object} blast.radius`, blast.radius);
  checkFinite(blast.impulse, `${object} blast.impulse`);
}

/**
 * Changes velocities by a push: first the mean ones that it sets, then by its impulses.
 *
 *     v ← v + u + ω × (x − c),   u = J/m,   I ω = L + (r − c) × J
 *
 * @param masses [kg], 0 for particles that keep their velocity
 * @param state velocities are changed [m, m/s]
 */
export function applyPush(push: Push, masses: Float64Array, { positions: x, velocities: v }: BodyState): void {
  const mass = masses.reduce((sum, m) => sum + m, 0);
  if (!(mass > 0)) return;
  const particles = [masses, x, v] as const;
  const { middle, mean } = rigidMotion([particles]);
  const { impulse = ZERO, angularImpulse = ZERO, point = middle, linearVelocity = mean, angularVelocity, blast } = push;
  const torque = sum(angularImpulse, cross(subtract(point, middle), impulse));
  let spin = turnOf([particles], torque);
  if (angularVelocity) spin = sum(spin, subtract(angularVelocity, turnOf([particles])));
  const linear = sum(subtract(linearVelocity, mean), scaled(impulse, 1 / mass));
  for (let p = 0; p < masses.length; p++) {
    if (masses[p] === 0) continue;
    const arm = [x[3 * p] - middle[0], x[3 * p + 1] - middle[1], x[3 * p + 2] - middle[2]];
    const turning = cross(spin, arm);
    const blown = blast ? blastAt(blast, x, 3 * p) : ZERO;
    for (let c = 0; c < 3; c++) v[3 * p + c] += linear[c] + turning[c] + blown[c] / mass;
  }
}

/** A state with the velocities after some pushes. */
export function pushed(state: BodyState, pushes: readonly Push[], masses: Float64Array): BodyState {
  const { positions, velocities } = state;
  const next = { ...state, positions: Float64Array.from(positions), velocities: Float64Array.from(velocities) };
  for (const push of pushes) applyPush(push, masses, next);
  return next;
}

/** A body that is pushed. */
interface PushedBody {
  readonly model: { readonly masses: Float64Array };
  readonly pins: PinTable;
  readonly stepper: DeformableSolver;
  /** whether its solver is loading */
  readonly isWaiting: boolean;
  readonly isDisposed: boolean;
  /** its present state, where it is known */
  readonly known: BodyState | undefined;
  goOnFrom(state: BodyState, isNew: boolean): void;
}

/** The pushes of a body. Those that need its state from a GPU wait for it, and so does the next step. */
export class Pushes {
  /** resolves when none waits any more */
  done: Promise<void> | undefined;
  private waiting: Push[] = [];

  constructor(private readonly body: PushedBody) {}

  get areWaiting(): boolean {
    return this.waiting.length > 0;
  }

  give(push: Push): void {
    const { body, waiting } = this;
    const solver = body.stepper as CpuDeformableSolver & GpuDeformableSolver;
    const state = body.isWaiting ? undefined : (solver.state ?? solver.hostState);
    if (state) {
      applyPush(push, freeMasses(body), state);
      solver.pushed?.();
      body.goOnFrom(state, false);
    } else if (body.known) body.goOnFrom(pushed(body.known, [push], freeMasses(body)), true);
    else if (waiting.push(push) === 1) this.done = this.wait(waiting);
  }

  /** The body is put elsewhere. */
  forget(): void {
    this.waiting = [];
  }

  private async wait(mine: Push[]): Promise<void> {
    const { body } = this;
    const state = await body.stepper.readState().catch(() => undefined);
    if (this.waiting !== mine) return;
    this.forget();
    if (state && !body.isDisposed) body.goOnFrom(pushed(state, mine, freeMasses(body)), true);
  }
}

/** [kg], 0 where pins hold */
function freeMasses({ model, pins }: PushedBody): Float64Array {
  return model.masses.map((mass, p) => (pinHolds(pins, p) ? 0 : mass));
}

/** Impulse of a blast on a body that is at a place as a whole [N s]. */
function blastAt({ center, radius, impulse, falloff = "linear" }: Blast, x: BodyState["positions"], at: number): Vec3 {
  const away = subtract(x.subarray(at, at + 3), center);
  const distance = norm(away);
  if (!(distance > 0 && distance < radius)) return ZERO;
  return scaled(away, (impulse * (falloff === "linear" ? 1 - distance / radius : 1)) / distance);
}
