import { checkAllFinite } from "../../checks";
import { PliantError } from "../../errors";
import { checkNames, type NamesOf } from "../../option-names";
import { shaders } from "../../generated/shaders/articulated";
import * as structs from "../../generated/structs";
import { describeAdapter, GpuContext, requestContext } from "../../gpu/device";
import { Kernel } from "../../gpu/kernel";
import { readBuffer } from "../../gpu/readback";
import { StructWriter } from "../../gpu/struct";
import type { Vec3 } from "../../math/types";
import { requirePlain } from "../require-plain";
import type { MechanismDescription } from "../description";
import { ArticulatedModel } from "../model";
import { turns } from "../step/pace";
import { packModel } from "./pack-model";

export interface BatchOptions {
  /** number of copies */
  worlds: number;
  /** [s] */
  timeStep: number;
  /** [m/s²], default [0, −9.81, 0] */
  gravity?: Vec3 | undefined;
  /** source of a device, default `navigator.gpu` */
  gpu?: GPU | undefined;
  /** a device to share, such as Babylon's; by default the simulation requests one of its own */
  device?: GPUDevice | undefined;
}

const batchOptionNames = {
  worlds: true,
  timeStep: true,
  gravity: true,
  gpu: true,
  device: true,
} satisfies NamesOf<BatchOptions>;

/** Bytes between slots of a uniform with dynamic offset (minUniformBufferOffsetAlignment of every device). */
const uniformSlot = 256;
const workgroup = 64;

/**
 * Thousands of copies of one mechanism on a GPU, for sampling and learning: the step of `ArticulatedSimulation` without
 * contact and limits, in f32, with one invocation for each copy. States and controls are stored world after world, nv
 * numbers each. A world whose state becomes non-finite reads as NaN, and does not affect the others.
 */
export class BatchSimulation {
  readonly nv: number;
  readonly worlds: number;
  private readonly states: GPUBuffer;
  private readonly controls: GPUBuffer;
  private readonly buffers: readonly GPUBuffer[];
  private readonly parameters: GPUBuffer;
  private readonly writer: StructWriter<typeof structs.BatchParameters>;
  private readonly kernel: Kernel;
  private readonly lanes: number;
  private readonly offsets = new Uint32Array(1);
  private steps = 0;
  private disposed = false;

  private constructor(
    readonly model: ArticulatedModel,
    private readonly context: GpuContext,
    private readonly ownsDevice: boolean,
    options: BatchOptions,
  ) {
    const { worlds, timeStep } = options;
    const packed = packModel(model);
    const { nv } = model;
    this.nv = nv;
    this.worlds = worlds;
    const limit = Math.min(context.device.limits.maxStorageBufferBindingSize, context.device.limits.maxBufferSize);
    const fitting = Math.floor(limit / (4 * packed.scratch * workgroup)) * workgroup;
    const most = workgroup * context.device.limits.maxComputeWorkgroupsPerDimension;
    this.lanes = Math.min(fitting, most, Math.ceil(worlds / workgroup) * workgroup);
    const make = (what: string, data: ArrayBufferView | number): GPUBuffer =>
      context.createBuffer(`${model.name} batch ${what}`, data);
    const links = make("links", new Uint8Array(packed.links));
    const segments = make("segments", new Uint8Array(packed.segments));
    const dofs = make("degrees of freedom", new Uint8Array(packed.dofs));
    const ancestors = make("ancestors", packed.ancestors);
    const scratch = make("scratch", 4 * packed.scratch * this.lanes);
    this.states = make("states", 8 * nv * worlds);
    this.controls = make("controls", 4 * nv * worlds);
    this.buffers = [links, segments, dofs, ancestors, scratch, this.states, this.controls];
    const rounds = Math.ceil(worlds / this.lanes);
    this.parameters = context.createUniformBuffer(`${model.name} batch parameters`, rounds * uniformSlot);
    this.writer = new StructWriter(structs.BatchParameters, rounds, uniformSlot);
    for (let round = 0; round < rounds; round++) {
      this.writer.set(round, "gravity", options.gravity ?? [0, -9.81, 0]);
      this.writer.set(round, "timeStep", timeStep);
      this.writer.set(round, "linkCount", model.linkCount);
      this.writer.set(round, "dofCount", nv);
      this.writer.set(round, "worldCount", worlds);
      this.writer.set(round, "firstWorld", round * this.lanes);
      this.writer.set(round, "lanes", this.lanes);
      this.writer.set(round, "scratchSize", packed.scratch);
      this.writer.set(round, "referenceLink", model.mass.indexOf(Math.max(...model.mass)));
      this.writer.set(round, "turns", [turns.steady, turns.calm, turns.longest, turns.mostParts]);
    }
    this.kernel = Kernel.create(context, "articulated/batch-step", shaders["articulated/batch-step"], "stepWorlds", {
      links,
      segments,
      dofs,
      ancestors,
      states: this.states,
      controls: this.controls,
      scratch,
      batch: this.parameters,
    });
    this.setState(model.initialPosition, model.initialVelocity);
  }

  /**
   * @throws PliantError `no-adapter`; `device-limit` if the device cannot hold that many worlds; `invalid-argument` for
   * options out of range or a mechanism without degrees of freedom
   */
  static async create(
    mechanism: MechanismDescription | ArticulatedModel,
    options: BatchOptions,
  ): Promise<BatchSimulation> {
    checkNames("BatchSimulation", options, batchOptionNames);
    const { worlds, timeStep, gravity } = options;
    if (!(Number.isInteger(worlds) && worlds > 0))
      throw new PliantError("invalid-argument", "BatchSimulation.worlds", worlds, "must be a positive whole number");
    if (!(Number.isFinite(timeStep) && timeStep > 0))
      throw new PliantError("invalid-argument", "BatchSimulation.timeStep", timeStep, "must be positive");
    if (gravity && !(gravity.length === 3 && gravity.every(Number.isFinite)))
      throw new PliantError("non-finite", "BatchSimulation.gravity", gravity, "must be three finite numbers");
    const model = mechanism instanceof ArticulatedModel ? mechanism : new ArticulatedModel(mechanism);
    requirePlain(model, "BatchSimulation");
    if (model.nv === 0)
      throw new PliantError("invalid-argument", `mechanism "${model.name}"`, 0, "must have a joint that moves");
    const { device } = options;
    const context = device
      ? new GpuContext(device, describeAdapter(device.adapterInfo))
      : await requestContext(options.gpu ?? globalThis.navigator?.gpu);
    const ownsDevice = device === undefined;
    try {
      return context.allOrNothing(() => new BatchSimulation(model, context, ownsDevice, options));
    } catch (error) {
      if (ownsDevice) context.device.destroy();
      throw error;
    }
  }

  /**
   * @param q positions: nv numbers shared by all worlds, or worlds × nv
   * @param qd velocities, in the same form
   * @throws PliantError for a wrong length or numbers that are not finite; nothing is changed then
   */
  setState(q: ArrayLike<number>, qd: ArrayLike<number>): void {
    this.check();
    const { nv, worlds } = this;
    const data = new Float32Array(2 * nv * worlds);
    this.spread(q, "q", data, 0);
    this.spread(qd, "qd", data, nv * worlds);
    this.context.device.queue.writeBuffer(this.states, 0, data);
  }

  /**
   * Sets forces of the joints [N m or N], which persist until they are set again.
   *
   * @param tau nv numbers shared by all worlds, or worlds × nv
   * @throws PliantError as `setState`
   */
  setControl(tau: ArrayLike<number>): void {
    this.check();
    const data = new Float32Array(this.nv * this.worlds);
    this.spread(tau, "control", data, 0);
    this.context.device.queue.writeBuffer(this.controls, 0, data);
  }

  /** Submits steps of all worlds without waiting for them. */
  step(count = 1): void {
    this.check();
    if (!(Number.isInteger(count) && count > 0))
      throw new PliantError("invalid-argument", "BatchSimulation.step", count, "must be a positive whole number");
    const { device } = this.context;
    if (count !== this.steps) {
      this.steps = count;
      for (let round = 0; round < this.writer.count; round++) this.writer.set(round, "steps", count);
      device.queue.writeBuffer(this.parameters, 0, this.writer.bytes);
    }
    const encoder = device.createCommandEncoder({ label: "Pliant batch" });
    const pass = encoder.beginComputePass({ label: "batch step" });
    for (let round = 0; round < this.writer.count; round++) {
      this.offsets[0] = round * uniformSlot;
      this.kernel.dispatch(pass, Math.min(this.lanes, this.worlds - round * this.lanes), this.offsets);
    }
    pass.end();
    device.queue.submit([encoder.finish()]);
  }

  /** @returns worlds × nv each */
  async readState(): Promise<{ q: Float32Array; qd: Float32Array }> {
    this.check();
    const { nv, worlds } = this;
    const data = new Float32Array(await readBuffer(this.context, this.states, 8 * nv * worlds));
    const q = new Float32Array(nv * worlds);
    const qd = new Float32Array(nv * worlds);
    for (let k = 0; k < nv; k++)
      for (let w = 0; w < worlds; w++) {
        q[w * nv + k] = data[k * worlds + w];
        qd[w * nv + k] = data[(nv + k) * worlds + w];
      }
    return { q, qd };
  }

  dispose(): void {
    if (this.disposed) return;
    this.disposed = true;
    for (const buffer of this.buffers) buffer.destroy();
    this.parameters.destroy();
    if (this.ownsDevice) this.context.device.destroy();
  }

  /** Reorders values from world after world to coordinate after coordinate. */
  private spread(values: ArrayLike<number>, what: string, out: Float32Array, at: number): void {
    const { nv, worlds } = this;
    if (values.length !== nv && values.length !== nv * worlds)
      throw new PliantError(
        "invalid-argument",
        `BatchSimulation ${what}`,
        values.length,
        `length must be ${nv} or ${nv * worlds}`,
      );
    checkAllFinite(values, `BatchSimulation ${what}`);
    const stride = values.length === nv ? 0 : nv;
    for (let w = 0; w < worlds; w++) for (let k = 0; k < nv; k++) out[at + k * worlds + w] = values[w * stride + k];
  }

  private check(): void {
    if (this.disposed) throw new PliantError("disposed", "BatchSimulation", "a call", "was disposed");
  }
}
