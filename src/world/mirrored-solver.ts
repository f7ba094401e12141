import type { GpuContext } from "../gpu/device";
import { BodyBuffers } from "../solvers/body-buffers";
import type {
  BodyState,
  CpuDeformableSolver,
  DeformableModel,
  DeformableOptions,
  FrameInput,
  GpuDeformableSolver,
  GpuSurface,
  PinTable,
} from "../solvers/deformable";

/** A body that is solved on the CPU in a world on the GPU: after each step its state goes there, to be drawn. */
export class MirroredSolver implements GpuDeformableSolver {
  private readonly buffers: BodyBuffers;

  constructor(
    context: GpuContext,
    private readonly solver: CpuDeformableSolver,
  ) {
    this.buffers = new BodyBuffers(context, solver.model);
    this.mirror();
  }

  get model(): DeformableModel {
    return this.solver.model;
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

  prepare(frame: FrameInput, options: Readonly<DeformableOptions>, pins: PinTable): void {
    this.solver.prepare?.(frame, options, pins);
  }

  step(frame: FrameInput, options: Readonly<DeformableOptions>, pins: PinTable): void {
    this.solver.step(frame, options, pins);
    this.mirror();
  }

  get factorisation(): CpuDeformableSolver["factorisation"] {
    return this.solver.factorisation;
  }

  get replaceModel(): CpuDeformableSolver["replaceModel"] {
    return this.solver.replaceModel?.bind(this.solver);
  }

  readState(): Promise<BodyState> {
    return this.solver.readState();
  }

  writeState(state: BodyState): void {
    this.solver.writeState(state);
    this.mirror();
  }

  frozenAt(): Promise<number> {
    return this.solver.frozenAt();
  }

  dispose(): void {
    this.solver.dispose();
    this.buffers.dispose();
  }

  private mirror(): void {
    this.buffers.write(this.solver.state);
  }
}
