import { dispatchesOf, type CommandCount } from "./commands";
import { SMALL_GPU, type GpuProfile } from "../../src/solvers/gpbd/fused/fused-cost";

/** A kind of GPU, by round figures of data sheets and of published measurements of launch times. Nothing here was measured on one. */
export interface NamedProfile extends GpuProfile {
  /** [GB/s] */
  readonly bandwidth: number;
  /** [TFLOP/s] in f32 */
  readonly rate: number;
}

export const profiles = {
  integrated: { ...SMALL_GPU, bandwidth: 60, rate: 1.5 },
  "RTX 4080": { dispatch: 3, barrier: 0.6, round: 0.9, cores: 76, bandwidth: 717, rate: 48.7 },
  H200: { dispatch: 3, barrier: 0.7, round: 1.1, cores: 132, bandwidth: 4800, rate: 67 },
} satisfies Record<string, NamedProfile>;

export type ProfileName = keyof typeof profiles;

/** The wait for an indirect dispatch over that for a direct one: its arguments are read after the barrier. */
const INDIRECT = 1.5;
/** Traffic [bytes] and operations of a thread: a membrane with its three corners. */
const THREAD = { bytes: 200, operations: 600, efficiency: 0.25 };
/** Threads of most workgroups. */
const THREADS = 64;

/**
 * Time of a frame by a model [ms]: every dispatch waits for the one before it, then takes the time for what its threads move, or for what
 * they calculate, whichever is longer. Indirect dispatches count as waits alone: their work is not known.
 *
 * @param inside time between the waits for dispatches that take several stages [µs], if there are such
 */
export function estimate(count: CommandCount, profile: NamedProfile, inside = 0): number {
  const { direct, indirect, workgroups } = dispatchesOf(count);
  const threads = THREADS * workgroups;
  const moving = (threads * THREAD.bytes) / (profile.bandwidth * 1e3);
  const calculating = (threads * THREAD.operations) / (THREAD.efficiency * profile.rate * 1e6);
  const waits = profile.dispatch * (direct + INDIRECT * indirect);
  return 1e-3 * (waits + Math.max(moving, calculating) + inside);
}
