/** The arithmetic of pushes, which worlds load when a body is pushed for the first time. */
import type { Vec3 } from "../../math/types";
import { Part } from "../../part";
import { cross, lengthAt, norm, scaled, subtract } from "../../math/vectors";
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
  readonly model: { readonly masses: Float64Array; readonly positions: Float64Array };
  readonly latestPositions: Float32Array | undefined;
  readonly pins: PinTable;
  readonly stepper: DeformableSolver;
  /** whether its solver is loading */
  readonly isWaiting: boolean;
  readonly isDisposed: boolean;
  /** its present state, where it is known */
  readonly known: BodyState | undefined;
  goOnFrom(state: BodyState | undefined, isNew: boolean, faster?: number): void;
}

const gpuPart = new Part(() => import("./gpu-push"));

/** Pushes a body. @returns false if its state has to be read first, or code to be loaded */
export function pushNow(body: PushedBody, pushes: readonly Push[]): boolean {
  const solver = body.stepper as CpuDeformableSolver & GpuDeformableSolver;
  const state = body.isWaiting ? undefined : (solver.state ?? solver.hostState);
  const masses = freeMasses(body);
  if (state) {
    for (const push of pushes) applyPush(push, masses, state);
    solver.pushed?.();
    body.goOnFrom(state, false);
    return true;
  }
  if (body.known) {
    pushFrom(body, body.known, pushes);
    return true;
  }
  const { motion } = solver;
  if (!motion || !gpuPart.loaded) return false;
  for (const push of pushes) gpuPart.loaded.pushOnGpu(motion, push, masses);
  solver.pushed?.();
  body.goOnFrom(undefined, false, speedOf(body, pushes, masses));
  return true;
}

/** Pushes a body when its state has come, or the code for it. @param isStale whether something else has put it elsewhere meanwhile */
export async function pushLater(body: PushedBody, pushes: readonly Push[], isStale: () => boolean): Promise<void> {
  const solver = body.stepper as GpuDeformableSolver;
  if (solver.motion) await gpuPart.load();
  const state = solver.motion ? undefined : await solver.readState();
  if (isStale() || body.isDisposed) return;
  if (state) pushFrom(body, state, pushes);
  else pushNow(body, pushes);
}

/** The speed that pushes add at most, by the places that were seen last [m/s]. */
function speedOf({ model, latestPositions }: PushedBody, pushes: readonly Push[], masses: Float64Array): number {
  const positions = Float64Array.from(latestPositions ?? model.positions);
  const velocities = new Float64Array(positions.length);
  for (const push of pushes) applyPush(push, masses, { positions, velocities });
  let most = 0;
  for (let i = 0; i < velocities.length; i += 3) most = Math.max(most, lengthAt(velocities, i));
  return most;
}

/** Lets a body go on from its state with some pushes. */
function pushFrom(body: PushedBody, state: BodyState, pushes: readonly Push[]): void {
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
