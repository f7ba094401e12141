import { shaders } from "../../../generated/shaders/newton";
import * as structs from "../../../generated/structs";
import type { GpuContext } from "../../../gpu/device";
import { Kernel } from "../../../gpu/kernel";
import type { PassRecorder } from "../../../gpu/pass-recorder";
import { readBuffer } from "../../../gpu/readback";
import { StructWriter } from "../../../gpu/struct";
import { type NewtonOptions, recoverySpeed, restitutionThreshold } from "../options";
import { type FrameTables, islandSizes, type SystemSize } from "./frame-tables";
import { type LargeEntryPoint, LargePasses, type SharedBuffers } from "./large-passes";

/** Bytes between slots of a uniform with dynamic offset (minUniformBufferOffsetAlignment of every device). */
const uniformSlot = 256;
/** Factor of the option's linear iterations on the GPU, which has no dense factors. */
const LINEAR_FACTOR = 4;
/** Factor of the option's Newton iterations on the GPU. */
const NEWTON_FACTOR = 2;
/** Part of an overlap that a step removes on large islands. */
const SLOW_RECOVERY = 0.25;
/** Least tolerance that f32 can reach [m/s]. */
const LEAST_TOLERANCE = 1e-5;

/** Step of a frame: times, gravity and whether residuals are kept. */
export interface NewtonFrameInput {
  /** [s] of a step */
  readonly h: number;
  readonly substeps: number;
  /** [m/s²] */
  readonly gravity: ArrayLike<number>;
  /** smallest pace of the bodies, see scale.ts */
  readonly pace: number;
  /** number of residuals kept for each island, 0 for none */
  readonly reportSize: number;
}

/** The rigid part of a system with deformable bodies. */
export interface CoupledPart {
  readonly system: Readonly<SystemSize>;
  /** buffers by their names in the shaders; `version` changes when they are reallocated */
  readonly shared: Readonly<Record<string, GPUBuffer>>;
  readonly version: number;
  /** offset of the parameters of a step in the uniform buffer [bytes] */
  offsetOf(substep: number): number;
  /** Encodes one of the passes over rigid bodies or their blocks. */
  run(entry: LargeEntryPoint, threads: number, substep: number): void;
}

type BufferName = Exclude<keyof SharedBuffers, "step">;

/**
 * The non-smooth Newton solver in WGSL: states of bodies and impulses of contacts live on the GPU. Every frame, the
 * host passes its data of bodies and contacts, and all steps of the frame go into one command buffer.
 */
export class GpuNewton {
  /** bytes of a body in `states` */
  static readonly stateSize = structs.BodyState.size;
  /** changes whenever buffers are reallocated */
  version = 0;
  private readonly buffers: Partial<Record<BufferName, GPUBuffer>> = {};
  private readonly passes = new LargePasses(this.context);
  private readonly coupledPasses = new LargePasses(this.context);
  private uniform: GPUBuffer = this.context.createUniformBuffer("newton step", SLOTS * uniformSlot);
  private writer = new StructWriter(structs.NewtonStep, SLOTS, uniformSlot);
  private readonly offsets = new Uint32Array(1);
  private readonly passOffsets = { slot: uniformSlot, firstStep: uniformSlot * islandSizes.length, firstColour: 0 };
  /** the buffers of all kernels; undefined after one was replaced */
  private bound: SharedBuffers | undefined;
  /** made when first needed */
  private move: Kernel | undefined;
  private readonly islands: (Kernel | undefined)[] = [];
  /** numbers in one half of `impulses`; frames use the halves in turn */
  private half = 0;
  private frames = 0;
  private reported = { islands: 0, size: 0 };

  constructor(private readonly context: GpuContext) {}

  /** Poses and velocities of all bodies, one record for each place. */
  get states(): GPUBuffer {
    return this.buffers.states!;
  }

  /** Buffer and byte range of this frame's impulses: four numbers a block (shaders/newton/bindings.wgsl). */
  get impulses(): { buffer: GPUBuffer; offset: number; byteLength: number } {
    return { buffer: this.buffers.impulses!, offset: 4 * this.half * (this.frames % 2), byteLength: 4 * this.half };
  }

  /** Makes room for this number of places of bodies and keeps existing states. */
  reserve(places: number): void {
    const size = GpuNewton.stateSize * places;
    const old = this.buffers.states;
    if (old && old.size >= size) return;
    this.replace("states", 2 * size);
    if (old) this.copy(old, 0, this.buffers.states!, 0, old.size);
    old?.destroy();
  }

  /** Encodes a frame. */
  frame(recorder: PassRecorder, tables: FrameTables, input: NewtonFrameInput, options: Readonly<NewtonOptions>): void {
    this.upload(tables, input);
    this.writeSteps(tables, input, options);
    this.offsets[0] = 0;
    this.move ??= Kernel.create(this.context, "newton/bodies", shaders["newton/bodies"], "moveBodies", this.bindings);
    this.move.dispatch(recorder.stage("rigid bodies"), tables.inputs.count, this.offsets);
    for (let k = 0; k < islandSizes.length; k++) {
      if (tables.islandCounts[k] === 0) continue;
      this.offsets[0] = k * uniformSlot;
      const kernel = (this.islands[k] ??= this.createIsland(islandSizes[k]));
      kernel.dispatchWorkgroups(recorder.stage("rigid islands"), tables.islandCounts[k], this.offsets);
    }
    if (tables.large.blocks > 0) this.encodeLarge(recorder, tables, input, options);
  }

  /**
   * The system with deformable bodies; call this after `frame`. Its solver encodes its passes.
   *
   * @param substeps substeps of the frame
   */
  coupledPart(recorder: PassRecorder, tables: FrameTables, substeps: number): CoupledPart {
    const { coupledPasses, bindings } = this;
    coupledPasses.begin(recorder, tables.coupled);
    const first = islandSizes.length + substeps + tables.large.colours;
    return {
      system: tables.coupled,
      shared: { ...bindings, ...coupledPasses.buffers },
      // Both only grow, and so does their sum.
      version: this.version + coupledPasses.version,
      offsetOf: (substep) => uniformSlot * (first + substep),
      run: (entry, threads, substep) => coupledPasses.run(bindings, entry, threads, uniformSlot * (first + substep)),
    };
  }

  private encodeLarge(
    recorder: PassRecorder,
    tables: FrameTables,
    input: NewtonFrameInput,
    options: Readonly<NewtonOptions>,
  ): void {
    const { passOffsets } = this;
    passOffsets.firstColour = passOffsets.firstStep + uniformSlot * input.substeps;
    for (let substep = 0; substep < input.substeps; substep++)
      this.passes.encode(recorder, this.bindings, tables.large, substep, passOffsets, options);
  }

  /** ‖residual‖₂ [m/s] of each island of the last frame, at the start and after every Newton iteration of its last step. */
  async readReports(): Promise<number[][]> {
    const { islands, size } = this.reported;
    if (islands === 0 || size === 0) return [];
    const data = new Float32Array(await readBuffer(this.context, this.buffers.reports!, 4 * islands * size));
    return Array.from({ length: islands }, (_, k) => {
      const count = Math.min(data[k * size], size - 1);
      return Array.from(data.subarray(k * size + 1, k * size + 1 + count));
    });
  }

  dispose(): void {
    for (const buffer of Object.values(this.buffers)) buffer.destroy();
    this.uniform.destroy();
    this.passes.dispose();
    this.coupledPasses.dispose();
  }

  private upload(tables: FrameTables, input: NewtonFrameInput): void {
    this.reserve(tables.inputs.count);
    for (const name of ["inputs", "blocks", "joints", "rows"] as const)
      this.write(name, tables[name].f32, tables[name].byteLength);
    this.write("lists", tables.lists.words, 4 * tables.lists.count);
    this.grow("reports", Math.max(4, 4 * tables.islandCount * input.reportSize));
    this.reported = { islands: tables.islandCount, size: input.reportSize };
    this.frames++;
    const numbers = 4 * tables.blocks.count;
    if (numbers <= this.half && this.buffers.impulses) return;
    const old = this.buffers.impulses;
    const half = Math.max(256, 2 * numbers);
    this.replace("impulses", 8 * half);
    // impulses of the last frame are in the other half
    if (old) this.copy(old, this.oldOffset(this.half), this.buffers.impulses!, this.oldOffset(half), 4 * this.half);
    old?.destroy();
    this.half = half;
  }

  private oldOffset(half: number): number {
    return 4 * half * ((this.frames + 1) % 2);
  }

  private writeSteps(tables: FrameTables, input: NewtonFrameInput, options: Readonly<NewtonOptions>): void {
    const coupledAt = islandSizes.length + input.substeps + tables.large.colours;
    const slots = coupledAt + input.substeps;
    if (slots > this.writer.count) {
      this.uniform.destroy();
      this.uniform = this.context.createUniformBuffer("newton step", 2 * slots * uniformSlot);
      this.writer = new StructWriter(structs.NewtonStep, 2 * slots, uniformSlot);
      this.forgetKernels();
    }
    let first = 0;
    for (let slot = 0; slot < slots; slot++) {
      this.writeStep(slot, tables, input, options);
      this.writer.set(slot, "firstIsland", first);
      if (slot >= coupledAt) {
        this.writer.set(slot, "firstIsland", tables.coupledIsland);
        this.writer.set(slot, "substep", slot - coupledAt);
      } else if (slot < islandSizes.length) first += tables.islandCounts[slot];
      else if (slot < islandSizes.length + input.substeps) this.writer.set(slot, "substep", slot - islandSizes.length);
      else this.writer.set(slot, "colour", slot - islandSizes.length - input.substeps);
    }
    const { writer } = this;
    this.context.device.queue.writeBuffer(this.uniform, 0, writer.bytes, 0, slots * uniformSlot);
  }

  private writeStep(
    slot: number,
    tables: FrameTables,
    input: NewtonFrameInput,
    options: Readonly<NewtonOptions>,
  ): void {
    const { writer } = this;
    const isLarge = slot >= islandSizes.length;
    const now = this.frames % 2;
    writer.set(slot, "gravity", input.gravity);
    writer.set(slot, "h", input.h);
    writer.set(slot, "substeps", input.substeps);
    writer.set(slot, "newtonIterations", NEWTON_FACTOR * options.newtonIterations);
    writer.set(slot, "linearIterations", LINEAR_FACTOR * options.linearIterations);
    writer.set(slot, "linearTolerance", options.linearTolerance);
    writer.set(slot, "ncp", options.ncp === "minimum-map" ? 0 : 1);
    writer.set(slot, "preconditioner", ["effective-mass", "time-step", "identity"].indexOf(options.preconditioner));
    writer.set(slot, "regularization", options.regularization);
    writer.set(slot, "damping", options.damping);
    writer.set(slot, "tolerance", input.pace * Math.max(LEAST_TOLERANCE, options.tolerance));
    writer.set(slot, "recoverySpeed", Math.min(recoverySpeed(options, input.pace), 1e9));
    writer.set(slot, "restitutionThreshold", Math.min(restitutionThreshold(options, input.pace), 1e9));
    writer.set(slot, "warmStart", options.warmStart ? 1 : 0);
    writer.set(slot, "safeguard", options.safeguard ? 1 : 0);
    writer.set(slot, "oldImpulses", this.half * (1 - now));
    writer.set(slot, "newImpulses", this.half * now);
    writer.set(slot, "bodyCount", tables.inputs.count);
    writer.set(slot, "reportSize", input.reportSize);
    writer.set(slot, "recovery", isLarge && options.safeguard ? SLOW_RECOVERY : 1);
  }

  private get bindings(): SharedBuffers {
    return (this.bound ??= { ...(this.buffers as Record<BufferName, GPUBuffer>), step: this.uniform });
  }

  private createIsland({ blocks, bodies }: { blocks: number; bodies: number }): Kernel {
    const constants = { WIDTH: blocks, BODIES: bodies };
    const module = shaders["newton/island"];
    return Kernel.create(this.context, "newton/island", module, "solveIslands", this.bindings, constants);
  }

  private write(
    name: BufferName,
    data: Float32Array<ArrayBuffer> | Uint32Array<ArrayBuffer>,
    byteLength: number,
  ): void {
    this.grow(name, byteLength);
    if (byteLength > 0)
      this.context.device.queue.writeBuffer(this.buffers[name]!, 0, data.buffer, data.byteOffset, byteLength);
  }

  private grow(name: BufferName, byteLength: number): void {
    const old = this.buffers[name];
    if (old && old.size >= byteLength) return;
    this.replace(name, 2 * byteLength);
    old?.destroy();
  }

  private replace(name: BufferName, byteLength: number): void {
    this.buffers[name] = this.context.createBuffer(`newton ${name}`, Math.max(1024, byteLength));
    this.forgetKernels();
    this.version++;
  }

  private forgetKernels(): void {
    this.bound = undefined;
    this.move = undefined;
    this.islands.length = 0;
    this.passes.forget();
    this.coupledPasses.forget();
  }

  private copy(from: GPUBuffer, fromAt: number, to: GPUBuffer, toAt: number, byteLength: number): void {
    if (byteLength === 0) return;
    const encoder = this.context.device.createCommandEncoder({ label: "newton growth" });
    encoder.copyBufferToBuffer(from, fromAt, to, toAt, byteLength);
    this.context.device.queue.submit([encoder.finish()]);
  }
}

/** Number of slots: one for each size of islands, and some for steps and colors. */
const SLOTS = islandSizes.length + 17;
