import type { GpuContext } from "../../gpu/device";
import type { DeformableSolver, FrameInput } from "../../solvers/deformable";
import type { Part } from "./part";
import type { RenderOutput } from "../output/render-output";
import type { BodyModel, BodySettings } from "./body-settings";
import type { SystemHost } from "./systems";
import type { WaitingSolver } from "./waiting-solver";

/** Where a world is computed. */
export interface Backend {
  readonly name: "cpu" | "webgpu";
  /** "cpu", or what the GPU adapter calls itself */
  readonly adapter: string;
  /** of a backend on a GPU */
  readonly context?: GpuContext;
  /** This backend on another device, of a backend on a GPU. */
  on?(context: GpuContext): Backend;
  /** Code that solves bodies of a model. @throws PliantError for a model of an unknown solver */
  partFor(model: BodyModel): Part<unknown>;
  /** What stands for a body's solver while its part is not loaded. */
  createWaiting(model: BodyModel): WaitingSolver;
  /** Once the model's part is loaded. @throws PliantError for a model that does not fit the device */
  createSolver(model: BodyModel, host: SystemHost, options: BodySettings): DeformableSolver;
  /** Runs one frame: uploads what changed, calls `work` with the frame, submits. */
  frame(input: FrameInput, work: (frame: FrameInput) => void): void;
  /** Has a body's vertices written for drawing after each step, or no longer; only on a GPU. */
  setRenderOutput(solver: DeformableSolver, output: RenderOutput | undefined): void;
  /**
   * Brings the positions of a body (and its velocities, when wanted) to the CPU without waiting.
   *
   * @returns false when too many copies are under way already
   */
  readLater(
    solver: DeformableSolver,
    receive: (state: { positions: Float32Array; velocities: Float32Array }) => void,
  ): boolean;
  /** Resolves when everything submitted is done. */
  settled(): Promise<void>;
  /** Milliseconds by stage of the last frame, where the backend can tell. */
  times(): Promise<Readonly<Record<string, number>> | undefined>;
  dispose(): void;
}
