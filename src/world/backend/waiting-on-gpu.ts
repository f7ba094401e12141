import type { GpuContext } from "../../gpu/device";
import { BodyBuffers } from "../../solvers/body-buffers";
import type { BodyState, DeformableModel, GpuDeformableSolver, GpuSurface } from "../../solvers/deformable";
import { WaitingOnCpu } from "./waiting-solver";

/** A stand-in with buffers for drawing and readbacks. */
export class WaitingOnGpu extends WaitingOnCpu implements GpuDeformableSolver {
  private readonly buffers: BodyBuffers;

  constructor(context: GpuContext, model: DeformableModel) {
    super(model);
    this.buffers = new BodyBuffers(context, model);
    this.buffers.write(this.state);
  }

  get positions(): GPUBuffer {
    return this.buffers.positions;
  }

  get velocities(): GPUBuffer {
    return this.buffers.velocities;
  }

  get surface(): GpuSurface {
    return this.buffers.surface;
  }

  override writeState(state: BodyState): void {
    super.writeState(state);
    this.buffers.write(state);
  }

  override dispose(): void {
    this.buffers.dispose();
  }
}
