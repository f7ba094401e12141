import type { GpuContext } from "../../gpu/device";
import { BodyBuffers } from "../../solvers/body-buffers";
import type { BodyState, DeformableModel, GpuDeformableSolver } from "../../solvers/deformable";
import { WaitingOnCpu } from "./waiting-solver";

/** A stand-in with buffers for drawing and readbacks. */
export class WaitingOnGpu extends WaitingOnCpu implements GpuDeformableSolver {
  readonly gpuState: BodyBuffers;

  constructor(context: GpuContext, model: DeformableModel) {
    super(model);
    this.gpuState = new BodyBuffers(context, model);
    this.gpuState.write(this.state);
  }

  override writeState(state: BodyState): void {
    super.writeState(state);
    this.gpuState.write(state);
  }

  override dispose(): void {
    this.gpuState.dispose();
  }
}
