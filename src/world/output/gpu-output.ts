import { invalid, outOfRange } from "../../errors";
import { shaders } from "../../generated/shaders/gpbd";
import * as structs from "../../generated/structs";
import type { GpuContext } from "../../gpu/device";
import { type Kernel, KernelMaker } from "../../gpu/kernel";
import type { PassRecorder } from "../../gpu/pass-recorder";
import { StructWriter } from "../../gpu/struct";
import type { DeformableModel, GpuSurface } from "../../solvers/deformable";
import { facesOf } from "../../solvers/gpbd/model";
import type { RenderEmbedding, RenderOutput } from "./render-output";
import { distanceBetween } from "../../math/vectors";

const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
const noOffsets = new Uint32Array();

/** A body that is drawn. */
interface Drawn {
  readonly model: DeformableModel;
  readonly surface: GpuSurface;
}

/** Writes a body's vertices into the buffers for drawing, without leaving the GPU. */
export class GpuOutput {
  private readonly owned: GPUBuffer[] = [];
  private readonly vertices: Kernel;
  private readonly strain: Kernel | undefined;
  private readonly vertexCount: number;
  private readonly parameters = new StructWriter(structs.OutputParameters, 1);
  private readonly parameterBuffer: GPUBuffer;

  constructor(
    private readonly context: GpuContext,
    solver: Drawn,
    private readonly output: RenderOutput,
  ) {
    const { model } = solver;
    this.vertexCount = checkOutput(model, output);
    const parameters = context.createUniformBuffer(`${model.name} output`, this.parameters.bytes.byteLength);
    this.parameterBuffer = parameters;
    this.writeParameters(output);
    this.owned.push(parameters);
    const common = { vertices: output.buffer, parameters };
    if (output.embedding) {
      this.vertices = this.embeddedKernel(solver, output.embedding, common);
      return;
    }
    const vertexToParticle = context.createBuffer(`${model.name} vertex map`, vertexEntries(output));
    this.owned.push(vertexToParticle);
    const all = { ...solver.surface, vertexToParticle, ...common };
    const make = new KernelMaker(context, shaders);
    this.vertices = make.one("gpbd/output/output", "writeVertices", all);
    if (output.strainBuffer) {
      const restEdges = context.createBuffer(
        `${model.name} rest edges`,
        restEdgeLengths(model.positions, facesOf(model)),
      );
      this.owned.push(restEdges);
      const bindings = { ...all, colours: output.strainBuffer, restEdges };
      this.strain = make.one("gpbd/output/output", "writeStrain", bindings);
    }
  }

  private embeddedKernel(
    { model, surface }: Drawn,
    embedding: RenderEmbedding,
    common: { vertices: GPUBuffer; parameters: GPUBuffer },
  ): Kernel {
    const { context } = this;
    const normals = new Float32Array(embedding.vertices.length);
    embedding.normals.forEach((value, i) => (normals[i + Math.floor(i / 3)] = value));
    const buffers = {
      corners: context.createBuffer(`${model.name} corners`, embedding.vertices),
      weights: context.createBuffer(`${model.name} weights`, Float32Array.from(embedding.weights)),
      normals: context.createBuffer(`${model.name} normals`, normals),
    };
    this.owned.push(...Object.values(buffers));
    const bindings = { start: surface.start, ...buffers, ...common };
    return new KernelMaker(context, shaders).one("gpbd/output/embedded-output", "writeEmbedded", bindings);
  }

  /**
   * Takes over another transform or strain scale, which a moving mesh needs in every frame.
   *
   * @returns false if the buffers differ: then a new output is needed
   */
  update(output: RenderOutput): boolean {
    const fixed = ["buffer", "vertexToParticle", "reversed", "embedding", "strainBuffer"] as const;
    if (fixed.some((key) => this.output[key] !== output[key])) return false;
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

/** Particles of the vertices; the highest bit is set for vertices of the back. */
function vertexEntries({ vertexToParticle, reversed }: RenderOutput): Uint32Array {
  return vertexToParticle!.map((particle, vertex) => (reversed?.[vertex] ? particle | 0x80000000 : particle));
}

/** Returns the number of vertices. */
function checkOutput(model: DeformableModel, output: RenderOutput): number {
  const { buffer, strainBuffer, vertexToParticle, embedding } = output;
  const object = `render output of ${model.name}`;
  const refuse = (what: string, value: unknown, rule: string): never => {
    throw invalid(`${object} ${what}`, value, rule);
  };
  if ((vertexToParticle === undefined) === (embedding === undefined))
    refuse("vertices", "both or none", "needs either vertexToParticle or an embedding");
  const particles = embedding ? embedding.vertices : vertexToParticle!;
  const count = embedding ? particles.length / 4 : particles.length;
  for (const p of particles)
    if (p >= model.particleCount) {
      const rule = `must be a particle index below ${model.particleCount}`;
      throw outOfRange(`${object} ${embedding ? "embedding" : "vertexToParticle"}`, p, rule);
    }
  if (embedding && (embedding.weights.length !== 4 * count || embedding.normals.length !== 3 * count))
    refuse("embedding", embedding.weights.length, `must have 4 weights and 3 numbers of normals for ${count} vertices`);
  if (embedding && strainBuffer) refuse("strainBuffer", "a buffer", "is not for embedded vertices");
  if (buffer.size < 24 * count) refuse("buffer", buffer.size, `must have 24 bytes for each of ${count} vertices`);
  if (strainBuffer && strainBuffer.size < 16 * count)
    refuse("strainBuffer", strainBuffer.size, `must have 16 bytes for each of ${count} vertices`);
  return count;
}

function restEdgeLengths(positions: Float64Array, faces: Uint32Array): Float32Array {
  const lengths = new Float32Array((faces.length / 3) * 4);
  for (let f = 0; f < faces.length; f += 3)
    for (let corner = 0; corner < 3; corner++) {
      const a = 3 * faces[f + corner];
      const b = 3 * faces[f + ((corner + 1) % 3)];
      lengths[(f / 3) * 4 + corner] = distanceBetween(positions, b, a);
    }
  return lengths;
}
