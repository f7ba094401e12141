import { buildIncidence } from "../geometry/surface/incidence";
import type { GpuContext } from "../gpu/device";
import { readBuffer } from "../gpu/readback";
import type { BodyState, DeformableModel, GpuBodyState, GpuSurface } from "./deformable";

/** The state of a body whose solver keeps its state elsewhere. */
export class BodyBuffers implements GpuBodyState {
  readonly positions: GPUBuffer;
  readonly velocities: GPUBuffer;
  readonly surface: GpuSurface;
  private readonly upload: Float32Array<ArrayBuffer>;

  constructor(
    private readonly context: GpuContext,
    { name, faces, particleCount }: DeformableModel,
  ) {
    const named = (what: string): string => `${name} ${what}`;
    const incidence = buildIncidence(faces, particleCount);
    this.upload = new Float32Array(4 * particleCount);
    this.positions = context.createBuffer(named("positions"), this.upload);
    this.velocities = context.createBuffer(named("velocities"), this.upload);
    this.surface = {
      start: this.positions,
      faces: context.createBuffer(named("faces"), faces),
      faceOffsets: context.createBuffer(named("face offsets"), incidence.offsets),
      faceEntries: context.createBuffer(named("face entries"), incidence.entries),
    };
  }

  write({ positions, velocities }: BodyState): void {
    this.writeTriples(this.positions, positions);
    this.writeTriples(this.velocities, velocities);
  }

  async read(): Promise<BodyState> {
    const [positions, velocities] = await Promise.all([
      readBuffer(this.context, this.positions),
      readBuffer(this.context, this.velocities),
    ]);
    return { positions: triples(positions), velocities: triples(velocities) };
  }

  dispose(): void {
    this.velocities.destroy();
    for (const buffer of Object.values(this.surface) as GPUBuffer[]) buffer.destroy();
  }

  private writeTriples(buffer: GPUBuffer, values: ArrayLike<number>): void {
    const { upload } = this;
    for (let p = 0; 4 * p < upload.length; p++) for (let c = 0; c < 3; c++) upload[4 * p + c] = values[3 * p + c]!;
    this.context.device.queue.writeBuffer(buffer, 0, upload);
  }
}

function triples(bytes: ArrayBuffer): Float32Array {
  const source = new Float32Array(bytes);
  const out = new Float32Array((3 * source.length) / 4);
  for (let p = 0; 4 * p < source.length; p++) for (let c = 0; c < 3; c++) out[3 * p + c] = source[4 * p + c]!;
  return out;
}
