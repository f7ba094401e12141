import { invalid, PliantError, unsupported } from "../../errors";
import { GRADIENT_SCRATCH } from "../../generated/constants";
import { shaders } from "../../generated/shaders/articulated";
import type { GpuContext } from "../../gpu/device";
import { Kernel } from "../../gpu/kernel";
import { readBuffer } from "../../gpu/readback";
import type { ArticulatedModel } from "../model";
import type { CheckedBatchOptions } from "./batch-options";
import type { PackedModel } from "./pack-model";
import { rowsOf, worldsOf } from "./rows";
import { WorldRounds, type ParameterValues } from "./world-rounds";

/** The parts of a batch that its tape uses. */
export interface TapeSource {
  readonly context: GpuContext;
  readonly model: ArticulatedModel;
  readonly options: CheckedBatchOptions;
  readonly packed: PackedModel;
  readonly records: Readonly<Record<"links" | "segments" | "dofs" | "touches", GPUBuffer>>;
  readonly states: GPUBuffer;
  readonly controls: GPUBuffer;
  /** parameters of worlds: their buffer, and values of `BatchParameters` that say where they are */
  variations(): GPUBuffer;
  values(): ParameterValues;
  step(): void;
  /** @throws PliantError `disposed` */
  check(): void;
}

/** Gradients of a loss in all worlds, world after world. */
export interface BatchGradient {
  /** worlds × nv each: by coordinates, velocities, and forces of `setControl` */
  readonly position: Float32Array;
  readonly velocity: Float32Array;
  readonly control: Float32Array;
  /** worlds × actuators */
  readonly input: Float32Array;
}

/**
 * Steps of a batch that can be differentiated in reverse: `step` remembers state and controls, and `pullBack` takes the gradient of a
 * loss from behind the last remembered step to before it, on the GPU. Contacts and limits count as open, sticking or slipping as in the
 * step. The parameters of worlds must be those of the steps.
 */
export class BatchTape {
  /**
   * f32 numbers in rows of `worlds` each: gradients by coordinates (nv rows) and velocities (nv rows), which may be written or
   * added to; then by forces (nv rows) and inputs (a row each) of the step that was pulled last.
   */
  readonly gradientBuffer: GPUBuffer;
  /** State before a step with the gradient behind it, and its controls. */
  private readonly work: GPUBuffer;
  private readonly controls: GPUBuffer;
  private readonly rounds: WorldRounds;
  private readonly slots: { readonly states: GPUBuffer; readonly controls: GPUBuffer }[] = [];
  private kernel: Kernel | undefined;
  private variations: GPUBuffer | undefined;
  private recorded = 0;
  private disposed = false;

  /** @throws PliantError as `BatchSimulation.makeTape` */
  constructor(
    private readonly source: TapeSource,
    readonly capacity: number,
  ) {
    const { context, model, options, packed } = source;
    if (!(Number.isInteger(capacity) && capacity > 0))
      throw invalid("BatchTape.capacity", capacity, "must be a positive whole number");
    const refuse = (what: string): never => {
      throw unsupported("BatchTape", model.name, `must be of a batch ${what}`);
    };
    if (options.fastMotion !== "whole" && options.actuators.length === 0) refuse('with fastMotion: "whole"');
    if (options.frictionCone === "round") refuse('with frictionCone: "pyramid"');
    if (packed.bounces) refuse("without restitution");
    const bytes = 4 * options.worlds;
    const make = (what: string, rows: number): GPUBuffer =>
      context.createBuffer(`${model.name} tape ${what}`, bytes * rows);
    const gradientRows = 2 * model.nv + packed.controlRows;
    const size = packed.scratch + GRADIENT_SCRATCH * model.linkCount;
    [this.gradientBuffer, this.work, this.controls, this.rounds] = context.allOrNothing(() => [
      make("gradient", gradientRows),
      make("work", packed.stateRows + gradientRows),
      make("controls", packed.controlRows),
      new WorldRounds(context, `${model.name} tape`, options.worlds, size, source.values()),
    ]);
  }

  /** Number of steps that can be pulled back. */
  get count(): number {
    return this.recorded;
  }

  /**
   * Takes a step of the batch, and remembers what was before it.
   *
   * @throws PliantError `invalid-argument` if the tape is full
   */
  step(): void {
    this.check();
    const { source, slots, capacity } = this;
    if (this.recorded === capacity)
      throw invalid("BatchTape.step", capacity, "must not be more steps than the capacity");
    const { context, model, states, controls } = source;
    if (slots.length === this.recorded)
      slots.push({
        states: context.createBuffer(`${model.name} tape states`, states.size),
        controls: context.createBuffer(`${model.name} tape controls`, controls.size),
      });
    const slot = slots[this.recorded++];
    const encoder = context.device.createCommandEncoder({ label: "Pliant tape" });
    encoder.copyBufferToBuffer(states, 0, slot.states, 0, states.size);
    encoder.copyBufferToBuffer(controls, 0, slot.controls, 0, controls.size);
    context.device.queue.submit([encoder.finish()]);
    source.step();
  }

  /** Forgets all steps. */
  clear(): void {
    this.recorded = 0;
  }

  /**
   * Sets the gradient of the loss by the state after the last remembered step.
   *
   * @param position nv numbers shared by all worlds, or worlds × nv
   * @param velocity in the same form
   * @throws PliantError for a wrong length or numbers that are not finite
   */
  setGradient(position: ArrayLike<number>, velocity: ArrayLike<number>): void {
    this.check();
    const { context, model, options } = this.source;
    const { queue } = context.device;
    const { worlds } = options;
    const [byPosition, byVelocity] = [
      rowsOf(position, model.nv, worlds, "BatchTape position"),
      rowsOf(velocity, model.nv, worlds, "BatchTape velocity"),
    ];
    queue.writeBuffer(this.gradientBuffer, 0, byPosition);
    queue.writeBuffer(this.gradientBuffer, byPosition.byteLength, byVelocity);
  }

  /**
   * Replaces the gradient by that before the last remembered step, and forgets this step. Submits without waiting.
   *
   * @throws PliantError `invalid-argument` if no step is remembered
   */
  pullBack(): void {
    this.check();
    const { source, work, gradientBuffer, rounds } = this;
    if (this.recorded === 0) throw invalid("BatchTape.pullBack", 0, "must have a step that is remembered");
    const { device } = source.context;
    const slot = this.slots[--this.recorded];
    const behind = 4 * source.packed.stateRows * source.options.worlds;
    const size = work.size - behind;
    const kernel = this.kernelNow();
    rounds.write();
    const encoder = device.createCommandEncoder({ label: "Pliant tape" });
    encoder.copyBufferToBuffer(slot.states, 0, work, 0, behind);
    encoder.copyBufferToBuffer(slot.controls, 0, this.controls, 0, slot.controls.size);
    encoder.copyBufferToBuffer(gradientBuffer, 0, work, behind, size);
    rounds.dispatch(kernel, encoder);
    encoder.copyBufferToBuffer(work, behind, gradientBuffer, 0, size);
    device.queue.submit([encoder.finish()]);
  }

  async readGradient(): Promise<BatchGradient> {
    this.check();
    const { context, model, options, packed } = this.source;
    const { nv } = model;
    const rows = 2 * nv + packed.controlRows;
    const data = new Float32Array(await readBuffer(context, this.gradientBuffer, 4 * rows * options.worlds));
    const from = (row: number, width: number): Float32Array => worldsOf(data, row, width, options.worlds);
    return {
      position: from(0, nv),
      velocity: from(nv, nv),
      control: from(2 * nv, nv),
      input: from(3 * nv, packed.controlRows - nv),
    };
  }

  dispose(): void {
    if (this.disposed) return;
    this.disposed = true;
    for (const { states, controls } of this.slots) {
      states.destroy();
      controls.destroy();
    }
    for (const buffer of [this.gradientBuffer, this.work, this.controls]) buffer.destroy();
    this.rounds.dispose();
  }

  private check(): void {
    this.source.check();
    if (this.disposed) throw new PliantError("disposed", "BatchTape", "a call", "was disposed");
  }

  /** The kernel for the present parameters of worlds. */
  private kernelNow(): Kernel {
    const { source, rounds } = this;
    const variations = source.variations();
    if (this.kernel && this.variations === variations) return this.kernel;
    this.variations = variations;
    rounds.set(source.values());
    const name = "articulated/gradient/batch-gradient";
    const bindings = {
      ...source.records,
      states: this.work,
      controls: this.controls,
      scratch: rounds.scratch,
      variations,
      batch: rounds.parameters,
    };
    const constants = { withPairs: Number(source.packed.hasPairs) };
    this.kernel = Kernel.create(source.context, name, shaders[name], "pullWorlds", bindings, constants);
    return this.kernel;
  }
}
