import type { GpbdModel } from "../model";
import type { PackedTerm } from "../simd/pack-terms";
import type { ResolvedPlasticity } from "./plasticity";

/** Terms as a faster lane has them. */
export interface TermCopies {
  readonly terms?: readonly PackedTerm[];
  /** Notes that they have changed. */
  forget?(): void;
}

/** The part of a body's elements that flows, on the CPU. */
export interface PlasticBody {
  /** the model with the rest data of the elements as they have flowed */
  readonly model: GpbdModel;
  /** Goes on with another material of the same elements: what has flowed stays. */
  replaceModel(source: GpbdModel): void;
  /**
   * After a frame.
   *
   * @param dt frame time [s]
   * @param copies of the terms in f32, which follow
   * @returns whether any element has flowed
   */
  flow(positions: ArrayLike<number>, dt: number, copies?: TermCopies): boolean;
  /** A copy of `BodyState.plastic`. */
  read(): Float64Array;
  /** @param values default: nothing has flowed */
  write(values?: ArrayLike<number>, copies?: TermCopies): void;
}

/** Part of a strain that becomes permanent in a frame; implicit, so that a long frame takes all of it at most. */
export function flowedPart(plasticity: ResolvedPlasticity, strain: number, dt: number): number {
  if (!(strain > plasticity.yield)) return 0;
  const kept = 1 / (1 + plasticity.creep * dt);
  return 1 - (plasticity.yield + (strain - plasticity.yield) * kept) / strain;
}
