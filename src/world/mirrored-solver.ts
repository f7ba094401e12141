import { buildIncidence } from "../geometry/incidence";
import type { GpuContext } from "../gpu/device";
import type {
  BodyState,
  CpuDeformableSolver,
  DeformableOptions,
  FrameInput,
  GpuDeformableSolver,
  PinTable,
} from "../solvers/deformable";

/** A body that is solved on the CPU in a world on the GPU: after each step its state goes there, to be drawn. */
export class MirroredSolver implements GpuDeformableSolver {
  readonly model;
  readonly positions: GPUBuffer;
  readonly velocities: GPUBuffer;
  readonly surface;
  private readonly upload: Float32Array<ArrayBuffer>;

  constructor(
    private readonly context: GpuContext,
    private readonly solver: CpuDeformableSolver,
  ) {
    const { model } = solver;
    this.model = model;
    const named = (what: string): string => `${model.name} ${what}`;
    const incidence = buildIncidence(model.faces, model.particleCount);
    this.upload = new Float32Array(4 * model.particleCount);
    this.positions = context.createBuffer(named("positions"), this.upload);
    this.velocities = context.createBuffer(named("velocities"), this.upload);
    this.surface = {
      start: this.positions,
      faces: context.createBuffer(named("faces"), model.faces),
      faceOffsets: context.createBuffer(named("face offsets"), incidence.offsets),
      faceEntries: context.createBuffer(named("face entries"), incidence.entries),
    };
    this.mirror();
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
    this.velocities.destroy();
    for (const buffer of Object.values(this.surface)) buffer.destroy();
  }

  private mirror(): void {
    const { positions, velocities } = this.solver.state;
    this.write(this.positions, positions);
    this.write(this.velocities, velocities);
  }

  private write(buffer: GPUBuffer, triples: ArrayLike<number>): void {
    const { upload } = this;
    for (let p = 0; p < this.model.particleCount; p++)
      for (let c = 0; c < 3; c++) upload[4 * p + c] = triples[3 * p + c]!;
    this.context.device.queue.writeBuffer(buffer, 0, upload);
  }
}
