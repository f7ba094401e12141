import type { PassRecorder } from "../../../gpu/pass-recorder";
import type { GpbdModel } from "../model";

/** The part of a body's elements that flows, on the GPU: its last term. */
export interface GpuPlasticBody {
  /** Goes on with another material of the same elements. */
  replaceModel(model: GpbdModel): void;
  /** @param buffers positions at the end of a frame, and elements of the term */
  configure(buffers: { readonly start: GPUBuffer; readonly elements: GPUBuffer }): void;
  /** @param dt frame time [s] */
  beginFrame(recorder: PassRecorder, dt: number): void;
  /** At the end of a frame. */
  dispatch(recorder: PassRecorder): void;
  /** See `BodyState.plastic`. */
  read(): Promise<Float32Array>;
  /** @param values default: nothing has flowed */
  write(values?: ArrayLike<number>): void;
  dispose(): void;
}
