import type { GpuContext } from "../../../gpu/device";
import { BodyBuffers } from "../../../solvers/body-buffers";
import type { BodyState, FrameInput, GpuDeformableSolver, GpuFrameInput, PinTable } from "../../../solvers/deformable";
import type { NewtonBodyOptions } from "../../../solvers/newton/deformable/body-options";
import type { FemModel } from "../../../solvers/newton/deformable/fem-model";
import type { CpuNewtonDeformable } from "./newton-deformable";
import type { NewtonGuest } from "./newton-guest";
import type { NewtonSystem } from "./newton-system";
import type { RigidWorld } from "../rigid-world";

/**
 * A deformable body of the Newton solver in a world on the GPU. If the GPU lane solves it, its vertices for drawing
 * never leave the GPU; otherwise they are uploaded after the step.
 */
export class GpuNewtonDeformable implements GpuDeformableSolver {
  readonly gpuState: BodyBuffers;
  private staysOnCpu = false;

  constructor(
    context: GpuContext,
    private readonly solver: CpuNewtonDeformable,
    private readonly rigid: RigidWorld,
    readonly system: NewtonSystem,
  ) {
    this.gpuState = new BodyBuffers(context, solver.model);
    this.mirror();
  }

  get model(): FemModel {
    return this.solver.model;
  }

  get body() {
    return this.solver.body;
  }

  replaceModel(model: FemModel): void {
    this.solver.replaceModel(model);
  }

  get lane(): "cpu" | "webgpu" {
    return this.rigid.softLane;
  }

  /** for other bodies, which meet it on the CPU only */
  get guest(): NewtonGuest | undefined {
    return this.staysOnCpu ? this.solver.guest : undefined;
  }

  get hostState(): BodyState | undefined {
    return this.lane === "cpu" ? this.solver.state : undefined;
  }

  stayOnCpu(isWanted: boolean): boolean {
    // It expects nothing from others any more.
    if (this.staysOnCpu && !isWanted) this.solver.body.outer.fill(0);
    this.staysOnCpu = isWanted;
    return this.rigid.keepSoftOnCpu(this, isWanted);
  }

  come(): Promise<void> {
    return this.rigid.settled();
  }

  prepare(frame: FrameInput, options: Readonly<NewtonBodyOptions>, pins: PinTable): void {
    this.solver.prepare(frame, options, pins);
    this.system.join(this);
  }

  finish(frame: GpuFrameInput): void {
    this.solver.finish(frame);
  }

  show(frame: GpuFrameInput): void {
    const solved = this.rigid.softOutput(this.solver.body);
    if (!solved) {
      this.mirror();
      return;
    }
    // Copies have to be outside of passes.
    frame.recorder.end();
    const { encoder } = frame.recorder;
    const size = 16 * this.model.particleCount;
    encoder.copyBufferToBuffer(solved.buffer, solved.positions, this.gpuState.positions, 0, size);
    encoder.copyBufferToBuffer(solved.buffer, solved.velocities, this.gpuState.velocities, 0, size);
  }

  async readState(): Promise<BodyState> {
    await this.rigid.settled();
    return this.solver.readState();
  }

  writeState(state: BodyState): void {
    this.solver.writeState(state);
    this.mirror();
  }

  pushed(): void {
    this.solver.pushed();
    this.mirror();
  }

  saveMemory(): readonly Float64Array[] {
    return this.solver.saveMemory();
  }

  loadMemory(memory: readonly Float64Array[]): void {
    this.solver.loadMemory(memory);
  }

  async frozenAt(): Promise<number> {
    await this.rigid.settled();
    return this.solver.frozenAt();
  }

  dispose(): void {
    this.rigid.keepSoftOnCpu(this, false);
    this.solver.dispose();
    this.gpuState.dispose();
  }

  private mirror(): void {
    this.gpuState.write(this.solver.state);
  }
}
