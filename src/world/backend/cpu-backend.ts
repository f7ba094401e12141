import { unsupported } from "../../errors";
import type { CpuDeformableSolver, FrameInput } from "../../solvers/deformable";
import { seenNow, type Backend, type SeenState } from "./backend";
import type { Part } from "../../part";
import type { BodyModel, BodySettings } from "./body-settings";
import { cpuPartOf, solverKindOf } from "./solvers";
import type { SystemHost } from "./systems";
import { WaitingOnCpu } from "./waiting-solver";

/** The CPU as a backend, or the f64 reference alone: works everywhere that JavaScript does. */
export class CpuBackend implements Backend {
  readonly adapter = "cpu";

  constructor(readonly name: "cpu" | "reference") {}

  partFor(model: BodyModel): Part<unknown> {
    return cpuPartOf(solverKindOf(model), this.name);
  }

  createWaiting(model: BodyModel): WaitingOnCpu {
    return new WaitingOnCpu(model);
  }

  createSolver(model: BodyModel, host: SystemHost, options: BodySettings): CpuDeformableSolver {
    return cpuPartOf(solverKindOf(model), this.name).loaded!.create(model, host, options);
  }

  frame(input: FrameInput, work: (frame: FrameInput) => void): void {
    work(input);
  }

  setRenderOutput(): void {
    throw unsupported("setRenderOutput", this.name, "needs the webgpu backend");
  }

  readLater(solver: CpuDeformableSolver, receive: (state: SeenState) => void): boolean {
    receive(seenNow(solver));
    return true;
  }

  readonly isSettled = true;

  async settled(): Promise<void> {
    // A step is done when it returns.
  }

  async times(): Promise<undefined> {
    return undefined;
  }

  dispose(): void {
    // There is nothing to free outside the heap.
  }
}
