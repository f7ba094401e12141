import type { ColliderBuffers } from "../../../collision/obstacles/collider-buffers";
import * as constants from "../../../generated/constants";
import { shaders } from "../../../generated/shaders/guard";
import * as structs from "../../../generated/structs";
import type { GpuContext } from "../../../gpu/device";
import { type Kernel, KernelMaker } from "../../../gpu/kernel";
import type { GuardStage } from "../phases";
import type { GpbdModel } from "../model";
import type { PassRecorder } from "../../../gpu/pass-recorder";
import type { BuffersOf, Words } from "../../../words";

/** The common list of surfaces of bodies that step together. */
export interface CommonSurfaces {
  /** x − x⁻ of all particles */
  readonly surfaceShift: GPUBuffer;
  /** see bounds.wgsl */
  readonly held: GPUBuffer;
  /** a `SurfaceRange` of each body */
  readonly part: GPUBuffer;
}

/** Place of a body's `SurfaceRange`, and of its sums. */
interface Place {
  readonly part: number;
  readonly offset: Uint32Array;
  readonly sums: number;
  readonly chunks: number;
}

/** Buffers of a body that its kernels here read and write. */
type BodyBuffer = "start displacement velocity clearance contact particleAir reaction pins pinLimits frozenAt step";

/** A body on a GPU that steps side by side with others. */
export interface GpuGuardedSolver {
  readonly model: GpbdModel;
  /** others when its buffers are */
  readonly kernels: object | undefined;
  /** in a frame */
  readonly current: { readonly recorder: PassRecorder; readonly isGuarded: boolean } | undefined;
  readonly guard:
    | {
        readonly buffers: BuffersOf<BodyBuffer | "energies owned guard lead">;
        dispatchEnergies(recorder: PassRecorder): void;
      }
    | undefined;
  finishGuarded: Kernel | undefined;
  readonly bindings: BuffersOf<BodyBuffer>;
  slot(substep: number, second?: number): Uint32Array;
}

type Kernels<Names extends string> = Readonly<Record<Words<Names>, Kernel>>;

/** A body in a frame of the account. */
interface Entry {
  readonly solver: GpuGuardedSolver;
  readonly place: Place;
  readonly moved: Kernels<"scatterPushes scatterPlaces">;
  readonly guarded:
    | Kernels<"enterAccount sumParticles sumReactions weighAccount leaveAccount finishGuarded">
    | undefined;
  readonly partner: Kernels<"sumWork giveBack"> | undefined;
}

const noOffsets = new Uint32Array();

/** Sums of bodies begin at places that a binding may begin at: 256 bytes, of which they are sixteenths. */
const SUMS_A_SLOT = 16;

/**
 * The account that solids have together while they step side by side, on the GPU; see energy-guard.ts, guard.wgsl and partner.wgsl.
 * Made for bodies that are near each other; which of them are guarded may change from frame to frame.
 */
export class GpuAccount implements GuardStage {
  private readonly make = new KernelMaker(this.context, shaders);
  private readonly state: GPUBuffer;
  private readonly ownedByAll: GPUBuffer;
  private readonly sums: GPUBuffer;
  /** what contact moved particles by in the substep */
  private readonly surfacePushed: GPUBuffer;
  private readonly places: readonly Place[];
  private pushes: GPUBuffer;
  private entries: readonly Entry[] = [];
  private decide: Kernel | undefined;
  private readonly clear: Kernel;
  private madeFor: readonly unknown[] = [];

  constructor(
    private readonly context: GpuContext,
    private readonly colliders: ColliderBuffers,
    private readonly solvers: readonly GpuGuardedSolver[],
    private readonly common: CommonSurfaces,
    /** from the range of one body to that of the next [bytes] */
    slot: number,
  ) {
    let size = 0;
    this.places = solvers.map(({ model }, k) => {
      const chunks = Math.ceil(model.particleCount / constants.GUARD_CHUNK);
      const place = { part: k * slot, offset: Uint32Array.of(k * slot), sums: size, chunks };
      size += SUMS_A_SLOT * Math.ceil(chunks / SUMS_A_SLOT);
      return place;
    });
    this.sums = context.createBuffer("guard sums", structs.BodySums.size * size);
    this.state = context.createBuffer("guard account", structs.GuardState.size);
    this.ownedByAll = context.createBuffer("guard energies", structs.Owned.size);
    this.pushes = context.createBuffer("pushes", structs.ProxyPush.size);
    const surfacePushed = (this.surfacePushed = context.createBuffer("surface pushes", common.surfaceShift.size));
    this.clear = this.make.one("guard/partner", "clearPushes", { surfacePushed });
  }

  /**
   * Begins a frame, after all bodies have.
   *
   * @returns undefined where none of them is guarded
   */
  open(): this | undefined {
    const { solvers } = this;
    const guarded = solvers.filter(({ current }) => current!.isGuarded);
    if (guarded.length === 0) return undefined;
    this.configure();
    for (const { solver, guarded: kernels } of this.entries) {
      solver.finishGuarded = kernels?.finishGuarded;
      kernels?.enterAccount.dispatchWorkgroups(solver.current!.recorder.stage("guard"), 1, noOffsets);
    }
    return this;
  }

  /** At the start of a substep. */
  begin(pass: GPUComputePassEncoder): void {
    this.clear.dispatch(pass, this.surfacePushed.size / 16, noOffsets);
  }

  /** Displacements after a projection. */
  scatterPushes(pass: GPUComputePassEncoder): void {
    for (const { solver, place, moved } of this.entries)
      moved.scatterPushes.dispatch(pass, solver.model.particleCount, place.offset);
  }

  /** Instead of the displacements, once surfaces have shortened them. */
  scatterPlaces(pass: GPUComputePassEncoder): void {
    for (const { solver, place, moved } of this.entries)
      moved.scatterPlaces.dispatch(pass, solver.model.particleCount, place.offset);
  }

  hold(substep: number): void {
    const { entries, colliders } = this;
    const { count } = colliders.proxies;
    let first: GpuGuardedSolver | undefined;
    for (const { solver, place, guarded, partner } of entries) {
      const pass = solver.current!.recorder.stage("guard");
      if (guarded) {
        if (count > 0) guarded.sumReactions.dispatchWorkgroups(pass, count, solver.slot(substep));
        guarded.sumParticles.dispatch(pass, place.chunks, solver.slot(substep));
        first ??= solver;
      } else partner!.sumWork.dispatch(pass, place.chunks, solver.slot(substep, place.part));
    }
    this.decide!.dispatchWorkgroups(first!.current!.recorder.stage("guard"), 1, first!.slot(substep));
    for (const { solver, place, partner } of entries)
      partner?.giveBack.dispatch(solver.current!.recorder.stage("guard"), solver.model.particleCount, place.offset);
  }

  settle(): void {
    const guarded = this.entries.filter((entry) => entry.guarded);
    for (const { solver, guarded: kernels } of guarded) {
      solver.guard!.dispatchEnergies(solver.current!.recorder);
      kernels!.weighAccount.dispatchWorkgroups(solver.current!.recorder.stage("guard"), 1, solver.slot(0));
    }
    for (const { solver, guarded: kernels } of guarded)
      kernels!.leaveAccount.dispatchWorkgroups(solver.current!.recorder.stage("guard"), 1, noOffsets);
  }

  dispose(): void {
    for (const buffer of [this.state, this.ownedByAll, this.sums, this.surfacePushed, this.pushes]) buffer.destroy();
  }

  /** Kernels for these bodies; does something only when the buffers of one were reallocated, or its guard was turned on or off. */
  private configure(): void {
    const { solvers, context, colliders, state, sums, common, make } = this;
    const { proxies, version } = colliders;
    const key = [version, ...solvers.flatMap(({ kernels, current }) => [kernels, current!.isGuarded])];
    if (key.length === this.madeFor.length && key.every((part, k) => part === this.madeFor[k])) return;
    this.madeFor = key;
    const size = structs.ProxyPush.size * Math.max(1, proxies.count);
    if (this.pushes.size !== size) {
      this.pushes.destroy();
      this.pushes = context.createBuffer("pushes", size);
    }
    // Sums of bodies that were here before do not count.
    context.device.queue.writeBuffer(sums, 0, new Uint8Array(sums.size));
    const { pushes } = this;
    const ofProxies = { pushes, proxies: proxies.proxies, proxyStates: proxies.states };
    let isFirst = 1;
    this.entries = solvers.map((solver, k): Entry => {
      const place = this.places[k];
      const guardSums = {
        buffer: sums,
        offset: structs.BodySums.size * place.sums,
        size: structs.BodySums.size * place.chunks,
      };
      const all = { ...solver.bindings, ...common, surfacePushed: this.surfacePushed, guardSums, guard: state };
      const moved = make.some("guard/partner", ["scatterPlaces", "scatterPushes"], all);
      if (!solver.current!.isGuarded) {
        const partner = make.some("guard/partner", ["sumWork", "giveBack"], all);
        return { solver, place, moved, guarded: undefined, partner };
      }
      const body = { ...solver.guard!.buffers, ...ofProxies, account: state, ownedByAll: this.ownedByAll };
      const joint = { ...body, guard: state, guardSums };
      const hasProxies = Number(proxies.count > 0);
      if (isFirst === 1)
        this.decide = make.one("guard/guard", "guardMany", { ...joint, guardSums: sums }, { hasProxies, touches: 1 });
      const guarded = {
        enterAccount: make.one("guard/guard", "enterAccount", body, { isFirst }),
        sumParticles: make.one("guard/guard", "sumParticles", joint, { touches: 1 }),
        sumReactions: make.one("guard/reactions", "sumReactions", body),
        ...make.some("guard/guard", ["weighAccount", "leaveAccount"], body),
        finishGuarded: make.one("guard/finish", "finishGuarded", all),
      };
      isFirst = 0;
      return { solver, place, moved, guarded, partner: undefined };
    });
  }
}
