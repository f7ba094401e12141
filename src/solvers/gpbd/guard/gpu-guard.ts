import type { ColliderBuffers } from "../../../collision/obstacles/collider-buffers";
import { ledSpeed, obstacleSpeed } from "../../../collision/obstacles/obstacle-motion";
import * as constants from "../../../generated/constants";
import { shaders } from "../../../generated/shaders/guard";
import * as structs from "../../../generated/structs";
import type { GpuContext } from "../../../gpu/device";
import { type Kernel, KernelMaker } from "../../../gpu/kernel";
import type { PassRecorder } from "../../../gpu/pass-recorder";
import { readBuffer } from "../../../gpu/readback";
import { StructWriter } from "../../../gpu/struct";
import type { GuardStage } from "../phases";
import { type CommonSurfaces, GpuAccount, type GpuGuardedSolver } from "./gpu-account";
import { isGuarded, termOffsets } from "./energy-guard";
import { pinMotion } from "./pin-motion";
import type { GpuTerm } from "../elements/gpu-term";
import { type FrameInput, type GpuFrameInput, pinHolds, type PinTable } from "../../deformable";
import { carrierOf } from "../carried";
import type { GpuInflation } from "../pressure/gpu-inflation";
import type { BuffersOf } from "../../../words";
import { isInflated } from "../pressure/inflation";
import type { GpbdModel } from "../model";
import type { GpbdOptions } from "../options";

/** Whether something but its own elements, contact and exact pins does work on a body: see led.wgsl. */
function needsLook(options: Readonly<GpbdOptions>, { changed, pinned, limits, proxies }: PinTable): boolean {
  return (
    isInflated(options) ||
    (pinned.includes(1) && (changed || limits !== undefined || proxies?.some((proxy) => proxy !== undefined) === true))
  );
}

/** Bodies with more particles have them added up by many workgroups. */
const FEW = 4096;

/** Buffers of the body that the guard works on. */
export type GuardedBuffers =
  BuffersOf<"displacement velocity contact particleAir reaction start pins pinLimits clearance frozenAt step">;

/** The guard of a body's energy on the GPU, see energy-guard.ts and guard.wgsl. */
export class GpuGuard {
  /** Boxes between solids are seen on the CPU alone. */
  declare readonly pressing?: undefined;
  private body: GuardedBuffers | undefined;
  private readonly energies: GPUBuffer;
  private readonly guardSums: GPUBuffer;
  private readonly owned: GPUBuffer;
  private pushes: GPUBuffer;
  private kernels: ReturnType<GpuGuard["makeKernels"]> | undefined;
  private terms: readonly GpuTerm[] = [];
  private turns: readonly { readonly kernel: Kernel; readonly colors: GPUBuffer }[] = [];
  private isKnown = false;
  /** motion of the pins, which is nothing where they rest */
  private readonly lead: GPUBuffer;
  private readonly leadWriter = new StructWriter(structs.Lead, 1);
  private readonly inner: GPUBuffer;
  /** stands for the state of a pressure where there is none */
  private readonly noInside: GPUBuffer;
  /** whether a frame is one of led.wgsl, and whether the last was */
  isLed = false;
  private wasLed = false;
  private wasInflated = false;
  /** where pins are at the end of the frame [m], for the particles that they hold */
  private readonly places: Float64Array;
  private held = new Set<number>();

  constructor(
    private readonly context: GpuContext,
    private readonly model: GpbdModel,
    private readonly colliders: ColliderBuffers,
    /** a `GuardState`, which finish.wgsl reads */
    private readonly state: GPUBuffer,
  ) {
    const { size } = termOffsets(model);
    this.energies = context.createBuffer(`${model.name} energies`, 4 * size);
    const chunks = Math.ceil(model.particleCount / constants.GUARD_CHUNK);
    this.guardSums = context.createBuffer(`${model.name} guard sums`, structs.BodySums.size * chunks);
    this.pushes = context.createBuffer(`${model.name} pushes`, structs.ProxyPush.size);
    this.owned = context.createBuffer(`${model.name} owned energies`, structs.Owned.size);
    this.lead = context.createUniformBuffer(`${model.name} lead`, this.leadWriter.bytes.byteLength);
    this.inner = context.createBuffer(`${model.name} moved by elements`, 32 * model.particleCount);
    this.noInside = context.createBuffer(`${model.name} nothing inside`, structs.Inside.size);
    this.places = new Float64Array(3 * model.particleCount);
  }

  /**
   * Whether it does in a frame.
   *
   * @param isAlone whether the body steps by itself: while it may touch others, no pins may move it
   */
  guards(options: Readonly<GpbdOptions>, pins: PinTable, isAlone = false): boolean {
    this.isLed = needsLook(options, pins);
    return isGuarded(this.model, pins) && (isAlone || !this.isLed);
  }

  /** An account for bodies that step together, see `GpuAccount`. */
  together(solvers: readonly GpuGuardedSolver[], common: CommonSurfaces, slot: number): GpuAccount {
    return new GpuAccount(this.context, this.colliders, solvers, common, slot);
  }

  /** To be called when a buffer of the body, its terms or the colliders were replaced. */
  configure(body: GuardedBuffers, terms: readonly GpuTerm[], inflation?: GpuInflation): void {
    const { context, energies, guardSums } = this;
    const { proxies, primitives, data, constants: kinds } = this.colliders;
    const size = structs.ProxyPush.size * Math.max(1, proxies.count);
    if (this.pushes.size !== size) {
      this.pushes.destroy();
      this.pushes = context.createBuffer(`${this.model.name} pushes`, size);
    }
    const { state: guard, pushes, lead, inner, noInside } = this;
    const ofProxies = { proxies: proxies.proxies, proxyStates: proxies.states };
    const all = { ...body, ...ofProxies, guard, energies, guardSums, pushes, lead, inner, inflationState: noInside };
    this.body = body;
    this.kernels = this.makeKernels(all, inflation?.buffers.inflationState ?? noInside);
    const { offsets } = termOffsets(this.model);
    this.terms = terms;
    terms.forEach((term, k) => term.configureEnergy({ buffer: energies, offset: 4 * offsets[k] }));
    for (const { colors } of this.turns) colors.destroy();
    const tetrahedra = terms.flatMap((term) => term.tetrahedra ?? []);
    const rounds = this.turnRounds(tetrahedra.length);
    const make = new KernelMaker(context, shaders);
    this.turns = tetrahedra.map((term) => {
      const colors = context.createBuffer(`${this.model.name} colors`, term.colors);
      const bindings = { ...all, elements: term.elements, colors, colliders: primitives, colliderData: data };
      return { kernel: make.one("guard/turn-back", "turnBack", bindings, { ...kinds, rounds }), colors };
    });
  }

  private makeKernels(
    all: GuardedBuffers & BuffersOf<"proxies proxyStates guard energies guardSums pushes lead inner inflationState">,
    inflationState: GPUBuffer,
  ) {
    const make = new KernelMaker(this.context, shaders);
    const led = ["beginLed", "beforeSweep", "afterSweep", "lookLed", "sumLed", "freeLed"] as const;
    const hasProxies = Number(this.colliders.proxies.count > 0);
    const sums = ["settleGuard", "sumParticles", "guardFew", "guardMany"] as const;
    return {
      ...make.some("guard/led", led, { ...all, inflationState }),
      ...make.some("guard/finish", ["finishLed", "finishGuarded"], all),
      pullLed: make.one("guard/finish", "pullLed", { ...all, moved: all.displacement }),
      ...make.some("guard/guard", sums, all, { hasProxies }),
      sumReactions: make.one("guard/reactions", "sumReactions", all),
    };
  }

  forget(): void {
    this.isKnown = false;
    this.isLed = false;
    this.wasInflated = false;
    this.held.clear();
  }

  /** After the prediction, with what elements and pressure have begun with. */
  predicted(recorder: PassRecorder, offsets: Uint32Array): void {
    if (this.isLed) this.kernels!.beginLed.dispatch(recorder.stage("guard"), this.model.particleCount, offsets);
  }

  /** Before and after a sweep over the elements. */
  swept(recorder: PassRecorder, offsets: Uint32Array, isAfter = false): void {
    if (!this.isLed) return;
    const { beforeSweep, afterSweep } = this.kernels!;
    (isAfter ? afterSweep : beforeSweep).dispatch(recorder.stage("guard"), this.model.particleCount, offsets);
  }

  /** Speed that obstacles may have by themselves in a frame, and that of all obstacles [m/s]. */
  speeds({ colliders, dt }: FrameInput): [number, number] {
    return [Math.min(1e30, ledSpeed(colliders, dt)), Math.min(1e30, obstacleSpeed(colliders, dt))];
  }

  /**
   * Begins a frame that is guarded, after `guards`. Finds out what the body has, where nothing is known of it.
   *
   * @param seen last known places of the particles, n × 3 [m]
   */
  beginFrame(
    { colliders, dt, recorder }: GpuFrameInput,
    options: Readonly<GpbdOptions>,
    pins: PinTable,
    seen: ArrayLike<number>,
    offsets: Uint32Array,
  ): void {
    const { places, leadWriter: writer } = this;
    const held: number[] = [];
    const to = pins.targets;
    for (let p = 0; p < this.model.particleCount; p++) {
      if (!pinHolds(pins, p) || carrierOf(pins, colliders, p) >= 0) continue;
      held.push(p);
      if (!this.held.has(p)) for (let i = 3 * p; i < 3 * p + 3; i++) places[i] = seen[i];
    }
    const motion = held.length > 0 ? pinMotion(this.model, held, to, places, dt) : undefined;
    for (const p of held) for (let i = 3 * p; i < 3 * p + 3; i++) places[i] = to[i];
    this.held = new Set(held);
    const isNow = isInflated(options);
    this.isLed ||= motion !== undefined;
    writer.put(0, {
      ...(motion ?? { velocity: [0, 0, 0], spin: [0, 0, 0], centre: [0, 0, 0], drive: 0, blow: 0 }),
      part: 1 / options.substeps,
      isInflated: Number(isNow),
      wasInflated: Number(isNow && this.wasInflated),
    });
    this.wasInflated = isNow;
    this.context.device.queue.writeBuffer(this.lead, 0, writer.bytes);
    if (this.isKnown && this.wasLed) this.kernels!.freeLed.dispatchWorkgroups(recorder.stage("guard"), 1, offsets);
    this.wasLed = this.isLed;
    if (this.isKnown) return;
    this.context.device.queue.writeBuffer(
      this.state,
      structs.GuardState.fields.budget.offset,
      Float32Array.of(constants.NO_BUDGET),
    );
    this.isKnown = true;
    // A body that begins inside out has no account, and is not turned back.
    this.weigh(recorder, offsets);
  }

  /** The account of a body that steps by itself. */
  alone(solver: GpuGuardedSolver): GuardStage {
    solver.finishGuarded = this.isLed ? this.kernels!.finishLed : this.kernels!.finishGuarded;
    return {
      hold: (substep) => this.dispatch(solver.current!.recorder, solver.slot(substep)),
      settle: () => this.settle(solver.current!.recorder, solver.slot(0)),
    };
  }

  private weigh(recorder: PassRecorder, offsets: Uint32Array): void {
    this.dispatchEnergies(recorder);
    this.kernels!.settleGuard.dispatchWorkgroups(recorder.stage("guard"), 1, offsets);
  }

  /** After a frame by itself. */
  settle(recorder: PassRecorder, offsets: Uint32Array): void {
    this.weigh(recorder, offsets);
    for (let round = 0; round < constants.TURN_ROUNDS; round += this.turnRounds(this.turns.length))
      for (const { kernel } of this.turns) kernel.dispatchWorkgroups(recorder.stage("guard"), 1, offsets);
  }

  /** Rounds of turn-back.wgsl in a dispatch. */
  private turnRounds(terms: number): number {
    return terms === 1 ? constants.TURN_ROUNDS : 1;
  }

  /** Elastic energies of all elements. */
  dispatchEnergies(recorder: PassRecorder): void {
    for (const term of this.terms) term.dispatchEnergy(recorder.stage("guard"));
  }

  /** Buffers of the body that kernels of an account use. */
  get buffers() {
    return { ...this.body!, guard: this.state, energies: this.energies, owned: this.owned, lead: this.lead };
  }

  /** When all projections of a substep by itself are done. */
  dispatch(recorder: PassRecorder, offsets: Uint32Array): void {
    const { sumParticles, guardFew, guardMany, sumReactions, pullLed, lookLed, sumLed } = this.kernels!;
    const { particleCount } = this.model;
    const { count } = this.colliders.proxies;
    if (count > 0) sumReactions.dispatchWorkgroups(recorder.stage("rigid proxies"), count, offsets);
    const isLarge = this.isLed || particleCount > FEW;
    const stage = recorder.stage("guard");
    if (this.isLed) {
      pullLed.dispatch(stage, particleCount, offsets);
      lookLed.dispatchWorkgroups(stage, 1, offsets);
    }
    const sum = this.isLed ? sumLed : sumParticles;
    if (isLarge) sum.dispatch(stage, Math.ceil(particleCount / constants.GUARD_CHUNK), offsets);
    (isLarge ? guardMany : guardFew).dispatchWorkgroups(stage, 1, offsets);
  }

  /** Substeps that were held back. */
  async guarded(): Promise<number> {
    const { offset } = structs.GuardState.fields.guarded;
    return new Uint32Array(await readBuffer(this.context, this.state))[offset / 4];
  }

  dispose(): void {
    for (const buffer of [this.energies, this.guardSums, this.pushes, this.owned, this.lead, this.inner, this.noInside])
      buffer.destroy();
    for (const { colors } of this.turns) colors.destroy();
  }
}
