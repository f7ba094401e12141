/** The arithmetic of pushes, which worlds load when a body is pushed for the first time. */
import type { Vec3 } from "../../math/types";
import { cross, norm, scaled, subtract } from "../../math/vectors";
import {
  type BodyState,
  type CpuDeformableSolver,
  type DeformableSolver,
  type GpuDeformableSolver,
  pinHolds,
  type PinTable,
} from "../../solvers/deformable";
import { rigidMotion, turnOf } from "../../solvers/rigid-motion";
import type { Blast, Push } from "./push";

const ZERO: Vec3 = [0, 0, 0];
const sum = (a: Vec3, b: Vec3): Vec3 => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];

/** A body that is pushed. */
export interface PushedBody {
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

/** Pushes a body whose state the CPU knows. @returns false if it has to be read first */
export function pushNow(body: PushedBody, pushes: readonly Push[]): boolean {
  const solver = body.stepper as CpuDeformableSolver & GpuDeformableSolver;
  const state = body.isWaiting ? undefined : (solver.state ?? solver.hostState);
  if (state) {
    const masses = freeMasses(body);
    for (const push of pushes) applyPush(push, masses, state);
    solver.pushed?.();
    body.goOnFrom(state, false);
  } else if (body.known) pushFrom(body, body.known, pushes);
  return state !== undefined || body.known !== undefined;
}

/** Lets a body go on from its state with some pushes. */
export function pushFrom(body: PushedBody, state: BodyState, pushes: readonly Push[]): void {
  const { positions, velocities } = state;
  const next = { ...state, positions: Float64Array.from(positions), velocities: Float64Array.from(velocities) };
  const masses = freeMasses(body);
  for (const push of pushes) applyPush(push, masses, next);
  body.goOnFrom(next, true);
}

/** [kg], 0 where pins hold */
function freeMasses({ model, pins }: PushedBody): Float64Array {
  return model.masses.map((mass, p) => (pinHolds(pins, p) ? 0 : mass));
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

/** Impulse of a blast on a body that is at a place as a whole [N s]. */
function blastAt({ center, radius, impulse, falloff = "linear" }: Blast, x: BodyState["positions"], at: number): Vec3 {
  const away = subtract(x.subarray(at, at + 3), center);
  const distance = norm(away);
  if (!(distance > 0 && distance < radius)) return ZERO;
  return scaled(away, (impulse * (falloff === "linear" ? 1 - distance / radius : 1)) / distance);
}
