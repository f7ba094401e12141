import { shaders } from "../../../generated/shaders/solids";
import { PlasticParameters, Rows } from "../../../generated/structs";
import type { GpuContext } from "../../../gpu/device";
import { Kernel } from "../../../gpu/kernel";
import type { PassRecorder } from "../../../gpu/pass-recorder";
import { readBuffer } from "../../../gpu/readback";
import { StructWriter } from "../../../gpu/struct";
import type { EnergyTerm, GpbdModel } from "../model";
import type { GpuPlasticBody } from "./gpu-plastic-body";

/** Numbers of an element's rest data. */
const REST = 10;
/** In place of an infinite strain. */
const ANY = 1e30;
/** Numbers of `Rows` on the GPU. */
const ROWS = Rows.size / 4;

/** Plastic flow of a body's tetrahedra on the GPU, see plastic-flow.ts and plastic-flow.wgsl. */
export class GpuPlasticFlow implements GpuPlasticBody {
  private readonly shapes: GPUBuffer;
  private readonly rests: GPUBuffer;
  private readonly parameters: GPUBuffer;
  private readonly writer = new StructWriter(PlasticParameters, 1);
  private readonly none = new Uint32Array();
  private kernels: { readonly flow: Kernel; readonly takeShapes: Kernel } | undefined;
  /** whether elements were written since they took their shapes */
  private isStale = false;

  /** @param model has one term, of linear tetrahedra */
  constructor(
    private readonly context: GpuContext,
    private model: GpbdModel,
  ) {
    const size = 4 * ROWS * this.term.elementCount;
    this.shapes = context.createBuffer(`${model.name} plastic shapes`, size);
    this.rests = context.createBuffer(`${model.name} gradients at rest`, size);
    this.parameters = context.createBuffer(`${model.name} plasticity`, this.writer.bytes.byteLength);
    this.write();
    this.replaceModel(model);
  }

  private get term(): EnergyTerm {
    return this.model.terms[0];
  }

  replaceModel(model: GpbdModel): void {
    this.model = model;
    const { rest } = this.term;
    this.writeRows(this.rests, (e, i) => rest[REST * e + i]!);
  }

  configure(buffers: { readonly start: GPUBuffer; readonly elements: GPUBuffer }): void {
    const module = shaders["solids/plastic-flow"];
    const { shapes, rests, parameters: plasticity, context } = this;
    const all = { ...buffers, shapes, rests, plasticity };
    this.kernels = {
      flow: Kernel.create(context, "solids/plastic-flow", module, "flow", all),
      takeShapes: Kernel.create(context, "solids/plastic-flow", module, "takeShapes", all),
    };
    this.isStale = true;
  }

  beginFrame(recorder: PassRecorder, dt: number): void {
    const { plasticity } = this.model;
    const { elementCount } = this.term;
    this.writer.put(0, {
      yieldStrain: plasticity?.yield ?? ANY,
      kept: plasticity ? 1 / (1 + plasticity.creep * dt) : 1,
      most: Math.min(ANY, plasticity?.max ?? ANY),
      elementCount,
    });
    this.context.device.queue.writeBuffer(this.parameters, 0, this.writer.bytes);
    if (this.isStale) this.kernels!.takeShapes.dispatch(recorder.stage("plasticity"), elementCount, this.none);
    this.isStale = false;
  }

  dispatch(recorder: PassRecorder): void {
    this.kernels!.flow.dispatch(recorder.stage("plasticity"), this.term.elementCount, this.none);
  }

  async read(): Promise<Float32Array> {
    const rows = new Float32Array(await readBuffer(this.context, this.shapes));
    return rows.filter((_, i) => i % 4 < 3);
  }

  write(shapes?: ArrayLike<number>): void {
    this.writeRows(this.shapes, (e, i) => shapes?.[9 * e + i] ?? (i % 4 === 0 ? 1 : 0));
    this.isStale = true;
  }

  private writeRows(buffer: GPUBuffer, valueOf: (element: number, i: number) => number): void {
    const rows = new Float32Array(ROWS * this.term.elementCount);
    for (let e = 0; e < this.term.elementCount; e++)
      for (let i = 0; i < 9; i++) rows[ROWS * e + 4 * Math.floor(i / 3) + (i % 3)] = valueOf(e, i);
    this.context.device.queue.writeBuffer(buffer, 0, rows);
  }

  dispose(): void {
    for (const buffer of [this.shapes, this.rests, this.parameters]) buffer.destroy();
  }
}
