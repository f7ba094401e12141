import type { ColliderBuffers } from "../../../collision/obstacles/collider-buffers";
import { ledSpeed, obstacleSpeed } from "../../../collision/obstacles/obstacle-motion";
import * as constants from "../../../generated/constants";
import { shaders } from "../../../generated/shaders/guard";
import * as structs from "../../../generated/structs";
import type { GpuContext } from "../../../gpu/device";
import { Kernel } from "../../../gpu/kernel";
import type { PassRecorder } from "../../../gpu/pass-recorder";
import { readBuffer } from "../../../gpu/readback";
import type { GuardStage } from "../phases";
import { type CommonSurfaces, GpuAccount, type GpuGuardedSolver } from "./gpu-account";
import { isGuarded, termOffsets } from "./energy-guard";
import type { GpuTerm } from "../elements/gpu-term";
import type { FrameInput, PinTable } from "../../deformable";
import type { GpbdModel } from "../model";
import type { GpbdOptions } from "../options";

/** Bodies with more particles have them added up by many workgroups. */
const FEW = 2048;

/** Buffers of the body that the guard works on. */
export interface GuardedBuffers {
  readonly displacement: GPUBuffer;
  readonly velocity: GPUBuffer;
  readonly contact: GPUBuffer;
  readonly particleAir: GPUBuffer;
  readonly reaction: GPUBuffer;
  readonly start: GPUBuffer;
  readonly pins: GPUBuffer;
  readonly pinLimits: GPUBuffer;
  readonly clearance: GPUBuffer;
  readonly frozenAt: GPUBuffer;
  readonly step: GPUBuffer;
}

interface Kernels {
  readonly settle: Kernel;
  readonly sumParticles: Kernel;
  readonly few: Kernel;
  readonly many: Kernel;
  readonly sumReactions: Kernel;
  readonly finish: Kernel;
}

/** The guard of a body's energy on the GPU, see energy-guard.ts and guard.wgsl. */
export class GpuGuard {
  private body: GuardedBuffers | undefined;
  private readonly energies: GPUBuffer;
  private readonly guardSums: GPUBuffer;
  private readonly owned: GPUBuffer;
  private pushes: GPUBuffer;
  private kernels: Kernels | undefined;
  private terms: readonly GpuTerm[] = [];
  private isKnown = false;

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
  }

  /** Whether it does in a frame. */
  guards(options: Readonly<GpbdOptions>, pins: PinTable): boolean {
    return isGuarded(this.model, options, pins);
  }

  /** An account for bodies that step together, see `GpuAccount`. */
  together(solvers: readonly GpuGuardedSolver[], common: CommonSurfaces, slot: number): GpuAccount {
    return new GpuAccount(this.context, this.colliders, solvers, common, slot);
  }

  /** To be called when a buffer of the body, its terms or the colliders were replaced. */
  configure(body: GuardedBuffers, terms: readonly GpuTerm[]): void {
    const { context, energies, guardSums } = this;
    const { proxies } = this.colliders;
    const size = structs.ProxyPush.size * Math.max(1, proxies.count);
    if (this.pushes.size !== size) {
      this.pushes.destroy();
      this.pushes = context.createBuffer(`${this.model.name} pushes`, size);
    }
    const { state: guard, pushes } = this;
    const all = { ...body, guard, energies, guardSums, pushes, proxies: proxies.proxies, proxyStates: proxies.states };
    this.body = body;
    const create = (entry: "settleGuard" | "sumParticles" | "guardFew" | "guardMany"): Kernel =>
      Kernel.create(context, "guard/guard", shaders["guard/guard"], entry, all, {
        hasProxies: Number(proxies.count > 0),
      });
    this.kernels = {
      settle: create("settleGuard"),
      sumParticles: create("sumParticles"),
      few: create("guardFew"),
      many: create("guardMany"),
      finish: Kernel.create(context, "guard/finish", shaders["guard/finish"], "finishGuarded", all),
      sumReactions: Kernel.create(context, "guard/reactions", shaders["guard/reactions"], "sumReactions", all),
    };
    const { offsets } = termOffsets(this.model);
    this.terms = terms;
    terms.forEach((term, k) => term.configureEnergy({ buffer: energies, offset: 4 * offsets[k] }));
  }

  forget(): void {
    this.isKnown = false;
  }

  /** Speed that obstacles may have by themselves in a frame, and that of all obstacles [m/s]. */
  speeds({ colliders, dt }: FrameInput): [number, number] {
    return [Math.min(1e30, ledSpeed(colliders, dt)), Math.min(1e30, obstacleSpeed(colliders, dt))];
  }

  /** Finds out what the body has, where nothing is known of it. */
  beginFrame(recorder: PassRecorder, offsets: Uint32Array): void {
    if (this.isKnown) return;
    this.context.device.queue.writeBuffer(
      this.state,
      structs.GuardState.fields.budget.offset,
      Float32Array.of(constants.NO_BUDGET),
    );
    this.isKnown = true;
    this.settle(recorder, offsets);
  }

  /** The account of a body that steps by itself. */
  alone(solver: GpuGuardedSolver): GuardStage {
    solver.finishGuarded = this.kernels!.finish;
    return {
      hold: (substep) => this.dispatch(solver.current!.recorder, solver.slot(substep)),
      settle: () => this.settle(solver.current!.recorder, solver.slot(0)),
    };
  }

  /** After a frame by itself. */
  settle(recorder: PassRecorder, offsets: Uint32Array): void {
    this.dispatchEnergies(recorder);
    this.kernels!.settle.dispatchWorkgroups(recorder.stage("guard"), 1, offsets);
  }

  /** Elastic energies of all elements. */
  dispatchEnergies(recorder: PassRecorder): void {
    for (const term of this.terms) term.dispatchEnergy(recorder.stage("guard"));
  }

  /** Buffers of the body that kernels of an account use. */
  get buffers() {
    return { ...this.body!, guard: this.state, energies: this.energies, owned: this.owned };
  }

  /** When all projections of a substep by itself are done. */
  dispatch(recorder: PassRecorder, offsets: Uint32Array): void {
    const { sumParticles, few, many, sumReactions } = this.kernels!;
    const { particleCount } = this.model;
    const { count } = this.colliders.proxies;
    if (count > 0) sumReactions.dispatchWorkgroups(recorder.stage("rigid proxies"), count, offsets);
    const isLarge = particleCount > FEW;
    const stage = recorder.stage("guard");
    if (isLarge) sumParticles.dispatch(stage, Math.ceil(particleCount / constants.GUARD_CHUNK), offsets);
    (isLarge ? many : few).dispatchWorkgroups(stage, 1, offsets);
  }

  /** Substeps that were held back. */
  async guarded(): Promise<number> {
    const { offset } = structs.GuardState.fields.guarded;
    return new Uint32Array(await readBuffer(this.context, this.state))[offset / 4];
  }

  dispose(): void {
    for (const buffer of [this.energies, this.guardSums, this.pushes, this.owned]) buffer.destroy();
  }
}
