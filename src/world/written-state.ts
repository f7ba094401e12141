import { invalid, nonFinite } from "../errors";
import type { BodyState, DeformableModel } from "../solvers/deformable";
import type { GpbdModel } from "../solvers/gpbd/model";
import type { BodyModel } from "./backend/body-settings";

/** A state to put a body into: particleCount × 3 each [m, m/s]. */
export interface WrittenState {
  positions: ArrayLike<number>;
  /** default zero */
  velocities?: ArrayLike<number> | undefined;
  /** frames of the rods' edges, see `BodyState.frames`; default: frames without twist */
  frames?: ArrayLike<number> | undefined;
  /** of a body with plasticity, see `BodyState.plastic`; default: no permanent deformation */
  plastic?: ArrayLike<number> | undefined;
  /** number of particles in use, for a body that tears */
  inUse?: number | undefined;
}

/**
 * The arrays of a state, copied and checked.
 *
 * @param label names the body in errors
 * @throws PliantError for the wrong number of values or values that are not finite
 */
export function checkedState(label: string, model: BodyModel, state: WrittenState) {
  const count = 3 * model.particleCount;
  const positions = checkedValues(`${label} positions`, state.positions, count);
  const velocities = state.velocities
    ? checkedValues(`${label} velocities`, state.velocities, count)
    : new Float64Array(count);
  const edges = "rods" in model && model.rods ? model.rods.edges.length / 2 : 0;
  const frames = state.frames && checkedValues(`${label} frames`, state.frames, 5 * edges);
  const elements = "terms" in model && "plasticity" in model ? model.terms.at(-1)!.elementCount : 0;
  const plastic = state.plastic && checkedValues(`${label} plastic`, state.plastic, 9 * elements);
  return { positions, velocities, frames, plastic };
}

/** The state of a model at the start, at rest. */
export function firstState(model: DeformableModel): BodyState {
  const positions = model.positions.slice();
  const q = (model as Partial<GpbdModel>).rods?.frames;
  const frameOf = (_: unknown, i: number): number => (i % 5 < 4 ? q![i - Math.floor(i / 5)] : 0);
  const frames = q && Float64Array.from({ length: (5 * q.length) / 4 }, frameOf);
  return { positions, velocities: new Float64Array(positions.length), frames };
}

function checkedValues(label: string, source: ArrayLike<number>, count: number): Float64Array {
  if (source.length !== count) throw invalid(label, source.length, `must be ${count} numbers`);
  const values = Float64Array.from(source);
  const bad = values.findIndex((value) => !Number.isFinite(value));
  if (bad >= 0) throw nonFinite(`${label} ${bad}`, values[bad], "must be finite");
  return values;
}
