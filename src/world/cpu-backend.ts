import { PliantError } from "../errors";
import { CpuGpbdSolver } from "../solvers/gpbd/cpu-solver";
import type { GpbdModel } from "../solvers/gpbd/model";
import type { FrameInput, GpbdSolver } from "../solvers/gpbd/solver";
import type { Backend } from "./backend";

/** The f64 reference as a backend: works wherever JavaScript does. */
export class CpuBackend implements Backend {
  readonly name = "cpu";
  readonly adapter = "cpu";

  createSolver(model: GpbdModel): GpbdSolver {
    return new CpuGpbdSolver(model);
  }

  frame(input: FrameInput, work: (frame: FrameInput) => void): void {
    work(input);
  }

  setRenderOutput(): void {
    throw new PliantError("unsupported", "setRenderOutput", this.name, "needs the webgpu backend");
  }

  readLater(
    solver: GpbdSolver,
    receive: (state: { positions: Float32Array; velocities: Float32Array }) => void,
  ): boolean {
    const { positions, velocities } = (solver as CpuGpbdSolver).state;
    receive({ positions: Float32Array.from(positions), velocities: Float32Array.from(velocities) });
    return true;
  }

  async settled(): Promise<void> {
    // A step is done when it returns.
  }

  async times(): Promise<undefined> {
    return undefined;
  }

  dispose(): void {
    // Nothing outside the heap is held.
  }
}
