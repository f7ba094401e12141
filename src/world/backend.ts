import type { GpbdModel } from "../solvers/gpbd/model";
import type { FrameInput, GpbdSolver } from "../solvers/gpbd/solver";
import type { RenderOutput } from "./render-output";

/** Where a world is computed. */
export interface Backend {
  readonly name: "cpu" | "webgpu";
  /** "cpu", or what the GPU adapter calls itself */
  readonly adapter: string;
  createSolver(model: GpbdModel): GpbdSolver;
  /** Runs one frame: uploads what changed, calls `work` with the frame, submits. */
  frame(input: FrameInput, work: (frame: FrameInput) => void): void;
  /** Has a body's vertices written for drawing after each step, or no longer; only on a GPU. */
  setRenderOutput(solver: GpbdSolver, output: RenderOutput | undefined): void;
  /**
   * Brings the positions of a body (and its velocities, when wanted) to the CPU without waiting.
   *
   * @returns false when too many copies are under way already
   */
  readLater(
    solver: GpbdSolver,
    receive: (state: { positions: Float32Array; velocities: Float32Array }) => void,
  ): boolean;
  /** Resolves when everything submitted is done. */
  settled(): Promise<void>;
  /** Milliseconds by stage of the last frame, where the backend can tell. */
  times(): Promise<Readonly<Record<string, number>> | undefined>;
  dispose(): void;
}
