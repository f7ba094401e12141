import { PliantError } from "../errors";
import { shaders, structs } from "../generated/shaders";
import type { GpuContext } from "../gpu/device";
import { Kernel } from "../gpu/kernel";
import type { PassRecorder } from "../gpu/pass-recorder";
import { StructWriter } from "../gpu/struct";
import type { DeformableModel, GpuDeformableSolver } from "../solvers/deformable";
import type { RenderOutput } from "./render-output";

const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
const noOffsets = new Uint32Array();

/** Writes a body's vertices where they are drawn from, without leaving the GPU. */
export class GpuOutput {
  private readonly owned: GPUBuffer[] = [];
  private readonly vertices: Kernel;
  private readonly strain: Kernel | undefined;
  private readonly vertexCount: number;
  private readonly parameters = new StructWriter(structs.OutputParameters, 1);
  private readonly parameterBuffer: GPUBuffer;

  constructor(
    private readonly context: GpuContext,
    solver: GpuDeformableSolver,
    private readonly output: RenderOutput,
  ) {
    const { model } = solver;
    checkOutput(model, output);
    this.vertexCount = output.vertexToParticle.length;
    const parameters = context.createUniformBuffer(`${model.name} output`, this.parameters.bytes.byteLength);
    this.parameterBuffer = parameters;
    this.writeParameters(output);
    const vertexToParticle = context.createBuffer(`${model.name} vertex map`, output.vertexToParticle);
    this.owned.push(parameters, vertexToParticle);
    const all = { ...solver.surface, vertexToParticle, vertices: output.buffer, parameters };
    this.vertices = Kernel.create(context, "gpbd/output", shaders["gpbd/output"], "writeVertices", all);
    if (output.strainBuffer) {
      const restEdges = context.createBuffer(`${model.name} rest edges`, restEdgeLengths(model));
      this.owned.push(restEdges);
      const bindings = { ...all, colours: output.strainBuffer, restEdges };
      this.strain = Kernel.create(context, "gpbd/output", shaders["gpbd/output"], "writeStrain", bindings);
    }
  }

  /**
   * Takes over another transform or strain scale, as a mesh that moves needs in every frame.
   *
   * @returns false where the buffers are others: then it takes a new output
   */
  update(output: RenderOutput): boolean {
    const { buffer, vertexToParticle, strainBuffer } = this.output;
    const same = buffer === output.buffer && vertexToParticle === output.vertexToParticle;
    if (!same || strainBuffer !== output.strainBuffer) return false;
    this.writeParameters(output);
    return true;
  }

  private writeParameters(output: RenderOutput): void {
    this.parameters.set(0, "worldToLocal", output.worldToLocal ?? identity);
    this.parameters.set(0, "vertexCount", this.vertexCount);
    this.parameters.set(0, "strainScale", output.strainScale ?? 0.05);
    this.context.device.queue.writeBuffer(this.parameterBuffer, 0, this.parameters.bytes);
  }

  encode(recorder: PassRecorder): void {
    this.vertices.dispatch(recorder.stage("output"), this.vertexCount, noOffsets);
    this.strain?.dispatch(recorder.stage("output"), this.vertexCount, noOffsets);
  }

  dispose(): void {
    for (const buffer of this.owned) buffer.destroy();
  }
}

function checkOutput(model: DeformableModel, { buffer, strainBuffer, vertexToParticle }: RenderOutput): void {
  const object = `render output of ${model.name}`;
  const count = vertexToParticle.length;
  for (const p of vertexToParticle)
    if (p >= model.particleCount) {
      const rule = `must be a particle index below ${model.particleCount}`;
      throw new PliantError("index-out-of-range", `${object} vertexToParticle`, p, rule);
    }
  if (buffer.size < 24 * count) {
    const rule = `must have 24 bytes for each of ${count} vertices`;
    throw new PliantError("invalid-argument", `${object} buffer`, buffer.size, rule);
  }
  if (strainBuffer && strainBuffer.size < 16 * count) {
    const rule = `must have 16 bytes for each of ${count} vertices`;
    throw new PliantError("invalid-argument", `${object} strainBuffer`, strainBuffer.size, rule);
  }
}

function restEdgeLengths(model: { positions: Float64Array; faces: Uint32Array }): Float32Array {
  const { positions, faces } = model;
  const lengths = new Float32Array((faces.length / 3) * 4);
  for (let f = 0; f < faces.length; f += 3)
    for (let corner = 0; corner < 3; corner++) {
      const a = 3 * faces[f + corner]!;
      const b = 3 * faces[f + ((corner + 1) % 3)]!;
      lengths[(f / 3) * 4 + corner] = Math.hypot(...[0, 1, 2].map((c) => positions[b + c]! - positions[a + c]!));
    }
  return lengths;
}
