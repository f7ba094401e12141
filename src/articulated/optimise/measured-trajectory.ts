import { invalid, nonFinite } from "../../errors";
import { checkLikelyNames, optionNames } from "../../option-names";

/** Measurements of one run of the mechanism. */
export interface MeasuredTrajectory {
  /** initial state: nv numbers each; the first guess if it is estimated */
  readonly position: ArrayLike<number>;
  readonly velocity: ArrayLike<number>;
  /** controls of all steps, steps × nu; default no control forces */
  readonly controls?: ArrayLike<number>;
  /** measured coordinates after every `every`-th step, samples × nv; NaN for coordinates that were not measured */
  readonly positions: ArrayLike<number>;
  /** measured velocities at the same moments, samples × nv; NaN for those that were not measured; default none */
  readonly velocities?: ArrayLike<number>;
  /** steps between samples, default 1 */
  readonly every?: number;
}

const measuredNames = optionNames<MeasuredTrajectory>()("position velocity controls positions velocities every");

/** Measurements as `identify` reads them. */
export interface Trajectory {
  readonly steps: number;
  readonly every: number;
  readonly controls: Float64Array;
  /** q, then q̇ of each sample */
  readonly measured: Float64Array;
}

/**
 * Checks and copies measurements.
 *
 * @param name of the measurements, for messages
 * @throws PliantError for lists of a wrong length
 */
export function readTrajectory(given: MeasuredTrajectory, name: string, nv: number, nu: number): Trajectory {
  checkLikelyNames(name, given, measuredNames);
  const every = given.every ?? 1;
  if (!(Number.isInteger(every) && every > 0)) throw invalid(`${name}.every`, every, "must be a positive integer");
  const samples = given.positions.length / nv;
  if (!(Number.isInteger(samples) && samples > 0))
    throw invalid(`${name}.positions`, given.positions.length, `must be rows of ${nv}`);
  const steps = samples * every;
  const controls = list(given.controls ?? 0, steps * nu, `${name}.controls`);
  const { velocities } = given;
  const nx = 2 * nv;
  if (velocities !== undefined && velocities.length !== samples * nv)
    throw invalid(`${name}.velocities`, velocities.length, `must hold ${samples * nv} numbers`);
  const measured = new Float64Array(samples * nx).fill(Number.NaN);
  for (let sample = 0; sample < samples; sample++)
    for (let i = 0; i < nv; i++) {
      measured[sample * nx + i] = given.positions[sample * nv + i];
      if (velocities !== undefined) measured[sample * nx + nv + i] = velocities[sample * nv + i];
    }
  return { steps, every, controls, measured };
}

/** A copy with `count` numbers, finite ones unless infinite ones are allowed. */
export function list(given: number | ArrayLike<number>, count: number, name: string, infinite = false): Float64Array {
  if (typeof given !== "number" && given.length !== count)
    throw invalid(name, given.length, `must hold ${count} numbers`);
  const copy = Float64Array.from({ length: count }, (_, i) => (typeof given === "number" ? given : given[i]));
  const bad = copy.find((value) => (infinite ? Number.isNaN(value) : !Number.isFinite(value)));
  if (bad !== undefined) throw nonFinite(name, bad, "must be finite");
  return copy;
}
