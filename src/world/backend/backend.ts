import type { GpuContext } from "../../gpu/device";
import type { CpuDeformableSolver, DeformableSolver, FrameInput } from "../../solvers/deformable";
import type { Part } from "../../part";
import type { RenderOutput } from "../output/render-output";
import type { BodyModel, BodySettings } from "./body-settings";
import type { SystemHost } from "./systems";
import type { WaitingSolver } from "./waiting-solver";

/** `reference` is the CPU in f64 throughout; `cpu` may take f32 where that is faster. */
export type BackendName = "cpu" | "reference" | "webgpu";

/** A state for drawing and bounds, which came to the CPU. */
export interface SeenState {
  readonly positions: Float32Array;
  readonly velocities: Float32Array;
  /** as `BodyState.frames`; from a GPU without angular speeds */
  readonly frames?: Float32Array | Float64Array | undefined;
}

/** The present state of a solver that has it on the CPU. */
export function seenNow({ state, readFrames }: Pick<CpuDeformableSolver, "state" | "readFrames">): SeenState {
  const { positions, velocities, frames } = state;
  return {
    positions: Float32Array.from(positions),
    velocities: Float32Array.from(velocities),
    frames: readFrames?.() ?? frames,
  };
}

/** The processor that computes a world: the CPU or a GPU. */
export interface Backend {
  readonly name: BackendName;
  /** "cpu", or the name that the GPU adapter gives itself */
  readonly adapter: string;
  /** context of a backend on a GPU */
  readonly context?: GpuContext;
  /** The same backend on another device, or on one of an adapter; only for a backend on a GPU. */
  on?(device: GPUDevice): Backend;
  onAdapter?(adapter: GPUAdapter): Promise<Backend>;
  /** Code that solves bodies of a model. @throws PliantError for a model of an unknown solver */
  partFor(model: BodyModel): Part<unknown>;
  /** The stand-in for a body's solver while its part is not loaded. */
  createWaiting(model: BodyModel): WaitingSolver;
  /**
   * Creates the solver, once the model's part is loaded. @throws PliantError for a model that does not fit the device
   */
  createSolver(model: BodyModel, host: SystemHost, options: BodySettings): DeformableSolver;
  /** As `createSolver`, on the CPU: for a body of GPBD that meets others there. Only for a backend on a GPU. */
  createOnCpu?(model: BodyModel, host: SystemHost, options: BodySettings): DeformableSolver;
  /** Runs one frame: uploads changes, calls `work` with the frame, submits. */
  frame(input: FrameInput, work: (frame: FrameInput) => void): void;
  /** Writes a body's vertices for drawing after each step, or stops that; only on a GPU. */
  setRenderOutput(solver: DeformableSolver, output: RenderOutput | undefined): void;
  /**
   * Brings the positions and velocities of a body to the CPU without waiting.
   *
   * @returns false if too many copies are under way already
   */
  readLater(solver: DeformableSolver, receive: (state: SeenState) => void): boolean;
  /** whether the host knows what steps have done to rigid bodies */
  readonly isSettled: boolean;
  /** Resolves when everything submitted is done. */
  settled(): Promise<void>;
  /** Milliseconds by stage of the last frame, if the backend can measure them. */
  times(): Promise<Readonly<Record<string, number>> | undefined>;
  dispose(): void;
}
