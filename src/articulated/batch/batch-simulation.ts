import { invalid, PliantError, unsupported } from "../../errors";
import { LIMITS_AHEAD, LIMITS_OFF, LIMITS_REACHED } from "../../generated/constants";
import { shaders } from "../../generated/shaders/articulated";
import { describeAdapter, GpuContext, requestContext } from "../../gpu/device";
import { Kernel } from "../../gpu/kernel";
import { readBuffer } from "../../gpu/readback";
import { isSoftware } from "../../gpu/software";
import type { MechanismDescription } from "../description";
import { ArticulatedModel } from "../model";
import { turns } from "../step/pace";
import { checkBatchOptions, type BatchOptions, type CheckedBatchOptions } from "./batch-options";
import { packModel, type PackedModel } from "./pack-model";
import { BatchTape } from "./batch-tape";
import { BatchResets, listWorlds } from "./resets";
import { rowsOf, worldsOf } from "./rows";
import { laneAWorld, WorldRounds, workgroupAWorld, type ParameterValues } from "./world-rounds";
import { rowFields, Variations, type WorldParameters } from "./world-parameters";

/** Most numbers of a world in workgroup memory, which leave some of the 16 KB of every device for what lanes tell each other. */
const mostNear = 3840;
const nearStep = 640;

/** A mechanism of more coordinates, or of more places for contacts, is stepped by a workgroup. */
const largest = { coordinates: 12, contacts: 16 };

/** A turn that no step reaches, so that all are whole ones. */
const NEVER_TURNED = 3e38;

/**
 * Thousands of copies of one mechanism on a GPU, for sampling and learning: the step of `ArticulatedSimulation` in f32, with one
 * invocation or a workgroup for each copy, with limits, motors and servos of single joints, contact of convex shapes with planes and with each other. States and controls are
 * stored world after world in arguments and results, nv numbers each. A world whose state becomes non-finite reads as NaN, and does
 * not affect the others.
 *
 * A policy on the same device needs no copy to the host: it reads `stateBuffer` and writes `controlBuffer` and `resetBuffer`.
 */
export class BatchSimulation {
  readonly nv: number = this.model.nv;
  readonly worlds: number = this.options.worlds;
  /** Invocations of the GPU that step a world. */
  readonly lanes: 1 | 32;
  /**
   * f32 numbers in rows of `worlds` each: coordinates (nv rows), velocities (nv rows), and impulses of the last step, 2 rows for
   * each coordinate with limits and 3 for each contact that there may be. Coordinates and velocities may be written.
   */
  readonly stateBuffer: GPUBuffer;
  /** In the same layout: forces on the coordinates (nv rows), then inputs of motors and servos (a row each). */
  readonly controlBuffer: GPUBuffer;
  /** Coordinates and velocities to which a world is reset, in the layout of `stateBuffer`. */
  readonly startBuffer: GPUBuffer;
  /** A u32 for each world: others than 0 are reset by `resetMarked`. */
  readonly resetBuffer: GPUBuffer;
  private readonly packed: PackedModel;
  /** whether the scratch memory of a world is in workgroup memory */
  private readonly isNear: boolean;
  private readonly records: Readonly<Record<"links" | "segments" | "dofs" | "touches", GPUBuffer>>;
  private variationBuffer: GPUBuffer;
  private readonly variations: Variations;
  private readonly rounds: WorldRounds;
  private values: ParameterValues;
  private kernel: Kernel;
  private readonly resets: BatchResets;
  private steps = 0;
  private disposed = false;

  private constructor(
    readonly model: ArticulatedModel,
    private readonly context: GpuContext,
    private readonly ownsDevice: boolean,
    private readonly options: CheckedBatchOptions,
  ) {
    const { worlds } = options;
    const { nv } = model;
    const packed = packModel(model, options);
    this.packed = packed;
    this.lanes = lanesOf(context, options, packed, nv);
    this.isNear = this.lanes === 32 && packed.scratch <= mostNear;
    this.records = {
      links: this.make("links", new Uint8Array(packed.links)),
      segments: this.make("segments", new Uint8Array(packed.segments)),
      dofs: this.make("degrees of freedom", new Uint8Array(packed.dofs)),
      touches: this.make("touches", new Uint8Array(packed.touches)),
    };
    this.stateBuffer = this.make("states", 4 * packed.stateRows * worlds);
    this.controlBuffer = this.make("controls", 4 * packed.controlRows * worlds);
    this.startBuffer = this.make("starts", 8 * nv * worlds);
    this.resetBuffer = this.make("marks", 4 * worlds);
    this.variations = new Variations({ model, worlds, ...packed });
    this.variationBuffer = this.make("variations", this.variations.pack().data);
    this.values = parametersOf(model, options, packed);
    const far = this.isNear ? 1 : packed.scratch;
    const layout = this.lanes === 1 ? laneAWorld : workgroupAWorld;
    this.rounds = new WorldRounds(context, `${model.name} batch`, worlds, far, this.values, layout);
    this.kernel = this.makeKernel();
    this.resets = new BatchResets(context, {
      states: this.stateBuffer,
      starts: this.startBuffer,
      marks: this.resetBuffer,
      batch: this.rounds.parameters,
    });
    this.setState(model.initialPosition, model.initialVelocity);
    this.setStart(model.initialPosition, model.initialVelocity);
  }

  /**
   * @throws PliantError `no-adapter`; `device-limit` if the device cannot hold that many worlds; `invalid-argument` for
   * options out of range or a mechanism without degrees of freedom; `unsupported` for actuators of several joints, and for heightfields
   */
  static async create(
    mechanism: MechanismDescription | ArticulatedModel,
    options: BatchOptions,
  ): Promise<BatchSimulation> {
    const checked = checkBatchOptions(options);
    const model = mechanism instanceof ArticulatedModel ? mechanism : new ArticulatedModel(mechanism);
    requirePlain(model);
    if (model.nv === 0) throw invalid(`mechanism "${model.name}"`, 0, "must have a joint that moves");
    const { device } = options;
    const context = device
      ? new GpuContext(device, describeAdapter(device.adapterInfo))
      : await requestContext(options.gpu ?? globalThis.navigator?.gpu);
    const ownsDevice = device === undefined;
    try {
      return context.allOrNothing(() => new BatchSimulation(model, context, ownsDevice, checked));
    } catch (error) {
      if (ownsDevice) context.device.destroy();
      throw error;
    }
  }

  /** The device of the buffers. */
  get device(): GPUDevice {
    return this.context.device;
  }

  /**
   * Sets the state of all worlds.
   *
   * @param q positions: nv numbers shared by all worlds, or worlds × nv
   * @param qd velocities, in the same form
   * @throws PliantError for a wrong length or numbers that are not finite; nothing is changed then
   */
  setState(q: ArrayLike<number>, qd: ArrayLike<number>): void {
    const data = new Float32Array(this.packed.stateRows * this.worlds);
    data.set(this.stateRows(q, qd));
    this.device.queue.writeBuffer(this.stateBuffer, 0, data);
  }

  /**
   * Sets the states that worlds are reset to, initially those of the mechanism.
   *
   * @param q as `setState`
   * @param qd as `setState`
   * @throws PliantError as `setState`
   */
  setStart(q: ArrayLike<number>, qd: ArrayLike<number>): void {
    this.device.queue.writeBuffer(this.startBuffer, 0, this.stateRows(q, qd));
  }

  /**
   * Sets forces of the joints [N m or N], which persist until they are set again.
   *
   * @param tau nv numbers shared by all worlds, or worlds × nv
   * @throws PliantError as `setState`
   */
  setControl(tau: ArrayLike<number>): void {
    this.check();
    const data = rowsOf(tau, this.nv, this.worlds, "BatchSimulation control");
    this.device.queue.writeBuffer(this.controlBuffer, 0, data);
  }

  /**
   * Sets the inputs of motors and servos, which persist until they are set again; initially 0.
   *
   * @param inputs a number for each actuator, shared by all worlds, or for each of every world
   * @throws PliantError as `setState`
   */
  setInputs(inputs: ArrayLike<number>): void {
    this.check();
    const data = rowsOf(inputs, this.packed.driven.length, this.worlds, "BatchSimulation inputs");
    this.device.queue.writeBuffer(this.controlBuffer, 4 * this.nv * this.worlds, data);
  }

  /**
   * Sets numbers that differ from world to world, for all steps from now on. Kinds that are not given stay as they are.
   *
   * @throws PliantError for unknown names, wrong lengths, and numbers that are out of range; nothing is changed then
   */
  setParameters(parameters: WorldParameters): void {
    this.check();
    const isNew = this.variations.set(parameters);
    const { data, first } = this.variations.pack();
    if (!isNew) {
      this.device.queue.writeBuffer(this.variationBuffer, 0, data);
      return;
    }
    const before = this.variationBuffer;
    this.variationBuffer = this.make("variations", data);
    before.destroy();
    const rows = Object.fromEntries([...first].map(([kind, row]) => [rowFields[kind], row]));
    this.values = { ...this.values, ...rows };
    this.rounds.set(rows);
    this.kernel = this.makeKernel();
  }

  /**
   * Resets some worlds, without waiting for it; the others go on.
   *
   * @param which numbers of worlds, or a list of true and false for all worlds
   * @param q positions: nv numbers shared by these worlds, or nv for each. Default those of `setStart`, also for velocities.
   * @param qd velocities, in the same form. Default 0 if positions are given.
   * @throws PliantError for worlds that there are not, for wrong lengths, and numbers that are not finite; nothing is changed then
   */
  reset(which: ArrayLike<number> | readonly boolean[], q?: ArrayLike<number>, qd?: ArrayLike<number>): void {
    this.check();
    this.rounds.write();
    this.resets.list(listWorlds(which, this.worlds), this.nv, q, qd);
  }

  /** Resets the worlds that are marked in `resetBuffer`, clears the marks, and waits for neither. */
  resetMarked(): void {
    this.check();
    this.rounds.write();
    this.resets.marked(this.worlds);
  }

  /** Submits steps of all worlds without waiting for them. */
  step(count = 1): void {
    this.check();
    if (!(Number.isInteger(count) && count > 0))
      throw invalid("BatchSimulation.step", count, "must be a positive whole number");
    if (count !== this.steps) this.rounds.set({ steps: count });
    this.steps = count;
    this.rounds.write();
    const encoder = this.device.createCommandEncoder({ label: "Pliant batch" });
    this.rounds.dispatch(this.kernel, encoder);
    this.device.queue.submit([encoder.finish()]);
  }

  /**
   * A tape of steps whose gradients are taken in reverse. To be disposed before the batch.
   *
   * @param capacity number of steps that it can remember; each takes as much memory as all states and controls
   * @throws PliantError `unsupported` with restitution, for `frictionCone: "round"`, and without `fastMotion: "whole"`
   */
  makeTape(capacity: number): BatchTape {
    this.check();
    const { context, model, options, packed, records } = this;
    return new BatchTape(
      {
        context,
        model,
        options,
        packed,
        records,
        states: this.stateBuffer,
        controls: this.controlBuffer,
        variations: () => this.variationBuffer,
        values: () => this.values,
        step: () => this.step(),
        check: () => this.check(),
      },
      capacity,
    );
  }

  /** @returns worlds × nv each */
  async readState(): Promise<{ q: Float32Array; qd: Float32Array }> {
    this.check();
    const { nv, worlds } = this;
    const data = new Float32Array(await readBuffer(this.context, this.stateBuffer, 8 * nv * worlds));
    return { q: worldsOf(data, 0, nv, worlds), qd: worldsOf(data, nv, nv, worlds) };
  }

  dispose(): void {
    if (this.disposed) return;
    this.disposed = true;
    const { stateBuffer, controlBuffer, startBuffer, resetBuffer, variationBuffer } = this;
    const own = [stateBuffer, controlBuffer, startBuffer, resetBuffer, variationBuffer];
    for (const buffer of [...Object.values(this.records), ...own]) buffer.destroy();
    this.rounds.dispose();
    this.resets.dispose();
    if (this.ownsDevice) this.device.destroy();
  }

  private make(what: string, data: ArrayBufferView | number): GPUBuffer {
    return this.context.createBuffer(`${this.model.name} batch ${what}`, data);
  }

  private makeKernel(): Kernel {
    const bindings = {
      ...this.records,
      scratch: this.rounds.scratch,
      states: this.stateBuffer,
      controls: this.controlBuffer,
      variations: this.variationBuffer,
      batch: this.rounds.parameters,
    };
    const { context, packed, isNear, options } = this;
    const kinds = { withPairs: Number(packed.hasPairs), roundCone: Number(options.frictionCone === "round") };
    if (this.lanes === 1) return Kernel.create(context, oneLane, shaders[oneLane], "stepWorlds", bindings, kinds);
    // Few sizes, so that mechanisms share pipelines.
    const nearNumbers = isNear ? Math.ceil(packed.scratch / nearStep) * nearStep : 1;
    const constants = { ...kinds, isNear: Number(isNear), nearNumbers };
    return Kernel.create(context, manyLanes, shaders[manyLanes], "stepWorlds", bindings, constants);
  }

  /** Rows of positions and velocities. */
  private stateRows(q: ArrayLike<number>, qd: ArrayLike<number>): Float32Array<ArrayBuffer> {
    this.check();
    const { nv, worlds } = this;
    const data = new Float32Array(2 * nv * worlds);
    data.set(rowsOf(q, nv, worlds, "BatchSimulation q"));
    data.set(rowsOf(qd, nv, worlds, "BatchSimulation qd"), nv * worlds);
    return data;
  }

  private check(): void {
    if (this.disposed) throw new PliantError("disposed", "BatchSimulation", "a call", "was disposed");
  }
}

const oneLane = "articulated/batch-step";
const manyLanes = "articulated/batch-step-lanes";

function lanesOf(context: GpuContext, { lanes }: CheckedBatchOptions, { contacts }: PackedModel, nv: number): 1 | 32 {
  if (lanes !== "auto") return lanes;
  const isLarge = nv > largest.coordinates || contacts > largest.contacts;
  return isLarge && !isSoftware(context) ? 32 : 1;
}

/** Parameters that all rounds of worlds share. */
function parametersOf(model: ArticulatedModel, options: CheckedBatchOptions, packed: PackedModel): ParameterValues {
  const isWhole = options.fastMotion === "whole" || options.actuators.length > 0;
  return {
    gravity: options.gravity,
    timeStep: options.timeStep,
    linkCount: model.linkCount,
    dofCount: model.nv,
    worldCount: options.worlds,
    referenceLink: model.mass.indexOf(Math.max(...model.mass)),
    limits: options.limits === "ahead" ? LIMITS_AHEAD : options.limits ? LIMITS_REACHED : LIMITS_OFF,
    stateRows: packed.stateRows,
    driveCount: packed.driven.length,
    touchCount: packed.touchCount,
    rowStart: packed.rowStart,
    rowSize: packed.rowSize,
    contactStart: packed.contactStart,
    ways: packed.ways,
    ...packed.parts,
    sweeps: options.sweeps,
    correction: options.penetrationCorrection,
    bounceThreshold: options.bounceThreshold,
    turns: [isWhole ? NEVER_TURNED : turns.steady, turns.calm, turns.longest, turns.mostParts],
    ...Object.fromEntries(Object.values(rowFields).map((field) => [field, -1])),
  };
}

/**
 * Requires a mechanism without couplings, dry friction in joints and compensated weights: a batch does not have them.
 *
 * @throws PliantError `unsupported`
 */
function requirePlain(model: ArticulatedModel): void {
  const refuse = (what: string): never => {
    throw unsupported("BatchSimulation", model.name, `must have no ${what}; ArticulatedSimulation does`);
  };
  if (model.couplings.length > 0) refuse("couplings of joints");
  if (model.closures.length > 0) refuse("closures");
  if (model.frictionLoss.some((value) => value > 0)) refuse("frictionLoss");
  if (model.gravityCompensation.some((value) => value !== 0)) refuse("gravityCompensation");
}
