/** Contact between surfaces on the GPU: the stages of cpu-surfaces.ts as dispatches of shaders/surface. */
import { GpuSurfaceTrees } from "../../../collision/surface/gpu-trees";
import { REACH_SLACK, SLIDES } from "../../../collision/surface/surface-bounds";
import { factorAt, setThinner } from "../../../collision/contact/contact-material";
import { joinSurfaces, type SurfaceMesh, type SurfacePart } from "../../../collision/surface/surface-mesh";
import { shaders } from "../../../generated/shaders/surface";
import * as structs from "../../../generated/structs";
import type { GpuContext } from "../../../gpu/device";
import { Kernel } from "../../../gpu/kernel";
import { isSoftware } from "../../../gpu/software";
import type { PassRecorder } from "../../../gpu/pass-recorder";
import { readBuffer } from "../../../gpu/readback";
import { StructWriter } from "../../../gpu/struct";
import type { GpuFrameInput } from "../../deformable";
import type { GpuGpbdSolver } from "../gpu/gpu-solver";
import { uniformSlot } from "../elements/gpu-term";
import type { GpuAccount } from "../guard/gpu-account";
import { type GuardStage, searchInterval } from "../phases";
import type { GroupSettings, GroupSurfaces } from "./surface-group";
import { FEW_LANES } from "../../../generated/constants";
import type { TurnKernels } from "../fused/gathered-surfaces";
import { createSurfaceKernels, type SurfaceKernels } from "./surface-kernels";

/** Pairs for which there is room at first, for each vertex of the surfaces. */
export const FIRST_PAIRS = 24;
/** Part of the room for pairs that may be used before more is made: what is read back is a frame or two old. */
const GROW_AT = 0.5;
/** Pairs that a thread has, one after the other, if there is no room left. */
const MOST_ROUNDS = 8;
/** Up to so many pairs one workgroup takes their vertices through all stages of a turn: some two hundred vertices. */
const FEW_PAIRS = 1024;
const noOffsets = new Uint32Array(1);

/** Fewer dispatches, and more work. */
type GatheringCode = Pick<typeof import("../fused/gathered-surfaces"), "createGathered" | "createTouch" | "createTurn">;

/** Pairs for which there is room in groups to come: what one needed the next may need as well. */
interface PairRoom {
  perVertex: number;
}

/** Kernels that copy between a body and the common list. */
interface Exchange {
  /** places, at the start of a turn */
  readonly begin: Kernel;
  /** undefined for a body that is alone */
  readonly gather: Kernel | undefined;
  readonly scatter: Kernel | undefined;
  /** between two pushes, with contact with obstacles: made when it is needed, for these kernels of the body */
  touch: Kernel | undefined;
  touchesFor: object | undefined;
  readonly solver: GpuGpbdSolver;
  /** of a turn, and of the last one of a frame */
  readonly offsets: readonly [Uint32Array, Uint32Array];
  readonly count: number;
}

export class GpuSurfaces implements GroupSurfaces {
  readonly mesh: SurfaceMesh;
  private readonly trees: GpuSurfaceTrees;
  private readonly surfaceShift: GPUBuffer;
  private readonly fixed;
  private readonly exchange: readonly Exchange[];
  /** the body that touches nothing but itself, if that is all: its displacements need no copies */
  private readonly alone: GpuGpbdSolver | undefined;
  /** where there are solids */
  private readonly account: GpuAccount | undefined;
  /** the same in a frame in which some are guarded */
  private open: GpuAccount | undefined;
  private capacity: number;
  private sized;
  /** of the even and the odd searches: each finds the pairs of the other as the old ones */
  private kernels: readonly [SurfaceKernels, SurfaceKernels];
  private searchCount = 0;
  private recorder: PassRecorder | undefined;
  private substeps = 0;
  private turn = 1;
  private isLastTurn = false;
  /** whether displacements of all bodies are gathered */
  private isGathered = false;
  /** whether no projection of the turn has been */
  private isFirst = true;
  private readonly touchOffsets = new Uint32Array(2);
  /** of cloth that stays in the state of its patches: by the stages and that state */
  private turns = new WeakMap<SurfaceKernels, WeakMap<GPUBuffer, TurnKernels>>();
  /** of a turn that has ended in the state of patches alone */
  private ended: TurnKernels | undefined;
  /** in the last search that is known of */
  private pairCount = 0;
  private watching = false;
  private disposed = false;

  constructor(
    private readonly context: GpuContext,
    solvers: readonly GpuGpbdSolver[],
    parts: readonly SurfacePart[],
    private readonly room: PairRoom,
    private readonly hasTurns: boolean,
    /** where every vertex adds up what its pairs do */
    private readonly gathering: GatheringCode | undefined,
  ) {
    this.mesh = joinSurfaces(parts);
    const { mesh } = this;
    const n = mesh.particleCount;
    this.alone = solvers.length === 1 && !solvers[0].guard && !hasTurns ? solvers[0] : undefined;
    const places = { surfaceStart: context.createBuffer("surface positions", 16 * n) };
    const surfaceShift = this.alone?.exchanged.displacement ?? context.createBuffer("surface displacements", 32 * n);
    this.surfaceShift = surfaceShift;
    this.trees = new GpuSurfaceTrees(context, mesh, { ...places, surfaceShift });
    const { owners } = this.trees;
    this.fixed = {
      ...places,
      ...this.trees.buffers,
      loads: context.createBuffer("surface loads", 8 * n),
      gone: context.createBuffer("surface ways", 16 * n),
      held: context.createBuffer("held particles", 32 * n),
      mostPairs: context.createBuffer("most surface pairs", 8),
      pairWorkgroups: context.createBuffer("surface workgroups", structs.PairWorkgroups.size, GPUBufferUsage.INDIRECT),
      part: context.createUniformBuffer("surface parts", 2 * uniformSlot * parts.length),
      ownersA: context.createBuffer("surface owners", 8 * owners),
      ownersB: context.createBuffer("surface owners", 8 * owners),
    };
    this.exchange = this.connect(solvers);
    this.account = solvers
      .find(({ guard }) => guard)
      ?.guard!.together(solvers, { ...this.fixed, surfaceShift }, uniformSlot);
    this.capacity = Math.max(FIRST_PAIRS, room.perVertex) * mesh.vertices.length;
    this.sized = this.createSized();
    this.kernels = [this.createKernels(0), this.createKernels(1)];
  }

  beginFrame(frame: GpuFrameInput, substeps: number, turn: number, settings: GroupSettings): void {
    this.recorder = frame.recorder;
    const { fixed, mesh } = this;
    if (substeps !== this.substeps) this.writeParts(substeps, turn);
    this.substeps = substeps;
    this.turn = turn;
    this.trees.write({
      capacity: this.capacity,
      thickness: settings.thickness,
      parting: (settings.partingSpeed * frame.dt * turn) / substeps,
      interval: searchInterval(substeps, turn),
      slack: REACH_SLACK * settings.thickness,
    });
    if (settings.keeps.some((share, k) => share !== mesh.keeps[k])) {
      mesh.keeps.set(settings.keeps);
      this.trees.writeKeeps();
    }
    if (setThinner(mesh, settings.distances, settings.thicknessFactors)) this.trees.writeThinner();
    const { queue } = this.context.device;
    const { friction, frictionFactors } = settings;
    const frictions = Float32Array.from({ length: mesh.particleCount }, (_, p) => friction[mesh.partOf[p]]);
    if (frictionFactors) for (let p = 0; p < frictions.length; p++) frictions[p] *= factorAt(mesh, frictionFactors, p);
    queue.writeBuffer(fixed.loads, frictions.byteLength, frictions);
    this.watch();
  }

  begin(substep: number, length: number): void {
    const pass = this.recorder!.stage("surface search");
    this.isLastTurn = length < this.turn;
    this.isGathered = false;
    this.open?.begin(pass);
    const isSearch = this.isSearch(substep);
    const [first] = this.exchange;
    if (isSearch && this.ended) this.ended.predict.dispatch(pass, first.count, this.offsetsOf(first, substep));
    else
      for (const { begin, offsets, count, solver } of this.exchange)
        if (isSearch || !solver.staysInPatches) begin.dispatch(pass, count, offsets[0]);
    this.ended = undefined;
    if (isSearch) this.search(pass);
    const { listed } = this.current;
    if (listed) this.onPairs(listed.orientPairs, pass);
    this.isFirst = true;
  }

  searches(substep: number): boolean {
    return this.isSearch(substep) && !this.ended;
  }

  /** Whether one workgroup takes all particles that have some. */
  get hasFewPairs(): boolean {
    return this.pairCount <= FEW_PAIRS;
  }

  private isSearch(substep: number): boolean {
    return substep % searchInterval(this.substeps, this.turn) === 0;
  }

  private search(pass: GPUComputePassEncoder): void {
    const { mesh } = this;
    this.trees.refit(pass);
    this.searchCount++;
    const { find, fillRows } = this.current;
    for (const kernel of find) kernel.dispatch(pass, this.trees.owners, noOffsets);
    fillRows.dispatch(pass, mesh.particleCount, noOffsets);
  }

  project(substep: number, round: number): void {
    const pass = this.recorder!.stage("surface contact");
    // Elements have moved the bodies since then.
    if (round === 0) this.isGathered = false;
    const { listed, gathered } = this.current;
    const n = this.mesh.particleCount;
    const stages = this.turnStages();
    if (stages && this.hasFewPairs) {
      this.exchange[0].solver.hasTouched = true;
      if (round > 0) return;
      stages.project.dispatch(pass, n + FEW_LANES, this.offsetsOf(this.exchange[0], substep));
      return;
    }
    if (stages) {
      const half = (round & 1) as 0 | 1;
      if (this.isFirst) stages.open.dispatch(pass, n, noOffsets);
      else stages.loads[half].dispatch(pass, n, noOffsets);
      this.isFirst = false;
      stages.push[half].dispatch(pass, n, this.offsetsOf(this.exchange[0], substep));
      this.exchange[0].solver.hasTouched = true;
      return;
    }
    this.gather(pass);
    if (gathered) {
      gathered.loads[this.isFirst ? 0 : 1].dispatch(pass, n, noOffsets);
      this.isFirst = false;
      gathered.push.dispatch(pass, n, noOffsets);
      this.touch(pass, substep);
      return;
    }
    this.onPairs(listed!.evaluatePairs, pass);
    listed!.sumLoads.dispatch(pass, n, noOffsets);
    this.onPairs(listed!.pushPairs, pass);
    listed!.applyPushes.dispatch(pass, n, noOffsets);
    this.scatter(pass, "scatterPushes");
  }

  limit(substep: number): void {
    const pass = this.recorder!.stage("surface contact");
    const { listed, gathered } = this.current;
    const n = this.mesh.particleCount;
    const stages = this.turnStages();
    if (stages) {
      const [entry] = this.exchange;
      entry.solver.hasFinished = true;
      if (!this.hasFewPairs) {
        this.trees.measureMotion(pass);
        for (const kernel of stages.slide) kernel.dispatch(pass, n, noOffsets);
        stages.limit.dispatch(pass, n, entry.offsets[Number(this.isLastTurn) as 0 | 1]);
      } else {
        const next = substep + 1;
        const isSeen = next === this.substeps || (this.isSearch(next) && entry.solver.feelsAir(next));
        const goesOn = !entry.solver.pins.hasLimits && !isSeen;
        const end = stages.end[Number(goesOn) as 0 | 1];
        end.dispatch(pass, n + FEW_LANES, this.offsetsOf(entry, substep));
        this.ended = goesOn ? stages : undefined;
        if (goesOn) return;
      }
      stages.close.dispatch(pass, n, entry.solver.slot(substep));
      return;
    }
    this.gather(pass);
    this.trees.measureMotion(pass);
    if (gathered) for (const kernel of gathered.limit) kernel.dispatch(pass, n, noOffsets);
    else {
      this.onPairs(listed!.dividePairs, pass);
      for (let round = 0; round < SLIDES; round++) {
        listed!.slideVertices.dispatch(pass, n, noOffsets);
        this.onPairs(listed!.dividePairs, pass);
      }
      listed!.limitVertices.dispatch(pass, n, noOffsets);
      if (this.open) listed!.shareMomentum.dispatch(pass, n, noOffsets);
    }
    this.scatter(pass, "scatterPlaces");
  }

  /** Of a turn of cloth that stays in the state of its patches. */
  private turnStages(): TurnKernels | undefined {
    const { context, current, gathering } = this;
    const { solver } = this.exchange[0];
    const state = solver.turnState;
    if (!state || !current.gathered) return undefined;
    const known = this.turns.get(current) ?? new WeakMap<GPUBuffer, TurnKernels>();
    this.turns.set(current, known);
    let stages = known.get(state);
    if (!stages) {
      const { bindings, constants } = solver.obstacles;
      const { start: bodyStart, velocity: bodyVelocity, clearance: bodyClearance } = bindings;
      const body = { ...bindings, state, bodyStart, bodyVelocity, bodyClearance };
      stages = gathering!.createTurn(context, { ...this.fixed, ...body, ...current.all }, constants, current.gathered);
      known.set(state, stages);
    }
    return stages;
  }

  /** Of a substep of a body, and of a turn that ends with it. */
  private offsetsOf({ solver, offsets }: Exchange, substep: number): Uint32Array {
    this.touchOffsets[0] = solver.slot(substep)[0]!;
    this.touchOffsets[1] = offsets[Number(this.isLastTurn) as 0 | 1][0]!;
    return this.touchOffsets;
  }

  /** Takes pushes to the bodies, lets obstacles push those that need no more dispatches for that, and gathers all of these again. */
  private touch(pass: GPUComputePassEncoder, substep: number): void {
    this.isGathered = true;
    for (const entry of this.exchange) {
      const { solver, scatter, count } = entry;
      if (!solver.touchesParticlesAlone) {
        scatter!.dispatch(pass, count, entry.offsets[Number(this.isLastTurn) as 0 | 1]);
        this.isGathered = false;
        continue;
      }
      if (entry.touchesFor !== solver.kernels) {
        entry.touchesFor = solver.kernels;
        const { bindings, constants } = solver.obstacles;
        const all = { ...this.fixed, surfaceShift: this.surfaceShift, ...bindings };
        entry.touch = this.gathering!.createTouch(this.context, all, constants);
      }
      entry.touch!.dispatch(pass, count, this.offsetsOf(entry, substep));
      solver.hasTouched = true;
    }
  }

  openAccount(): GuardStage | undefined {
    return (this.open = this.account?.open());
  }

  dispose(): void {
    this.disposed = true;
    this.account?.dispose();
    for (const buffer of [...Object.values(this.fixed), ...Object.values(this.sized)]) buffer.destroy();
    if (!this.alone) this.surfaceShift.destroy();
  }

  /** The GPU alone knows how many pairs there are. It waits longer for that number than it takes for threads that have nothing to do. */
  private onPairs(kernel: Kernel, pass: GPUComputePassEncoder): void {
    if (isSoftware(this.context)) kernel.dispatchIndirect(pass, this.fixed.pairWorkgroups, noOffsets);
    else kernel.dispatch(pass, Math.ceil(this.capacity / MOST_ROUNDS), noOffsets);
  }

  private get current(): SurfaceKernels {
    return this.kernels[(this.searchCount & 1) as 0 | 1];
  }

  private gather(pass: GPUComputePassEncoder): void {
    if (this.isGathered) return;
    for (const { gather, offsets, count } of this.exchange) gather?.dispatch(pass, count, offsets[0]);
  }

  private scatter(pass: GPUComputePassEncoder, kind: "scatterPushes" | "scatterPlaces"): void {
    if (this.open) this.open[kind](pass);
    else
      for (const { scatter, offsets, count } of this.exchange)
        scatter?.dispatch(pass, count, offsets[Number(this.isLastTurn) as 0 | 1]);
  }

  /** Buffers for the pairs. */
  private createSized() {
    const { context, capacity } = this;
    const size = structs.SurfacePair.size * capacity;
    return {
      pairsA: context.createBuffer("surface pairs", size),
      pairsB: context.createBuffer("surface pairs", size),
      rows: context.createBuffer("surface rows", 16 * capacity + 8 * this.mesh.particleCount),
    };
  }

  /** @param parity which of the two lists of pairs is the new one */
  private createKernels(parity: 0 | 1): SurfaceKernels {
    const { context, fixed, sized, alone, surfaceShift, gathering } = this;
    const isFirst = parity === 0;
    const all = {
      ...fixed,
      surfaceShift,
      // Kernels that do not use it need one all the same.
      clearance: alone?.exchanged.clearance ?? fixed.loads,
      rows: sized.rows,
      pairs: isFirst ? sized.pairsA : sized.pairsB,
      oldPairs: isFirst ? sized.pairsB : sized.pairsA,
      ownerPairs: isFirst ? fixed.ownersA : fixed.ownersB,
      oldOwnerPairs: isFirst ? fixed.ownersB : fixed.ownersA,
    };
    return createSurfaceKernels(context, all, alone !== undefined, gathering?.createGathered);
  }

  private connect(solvers: readonly GpuGpbdSolver[]): Exchange[] {
    const { context, fixed, mesh, surfaceShift, alone, hasTurns, gathering } = this;
    const module = shaders["surface/exchange"];
    return solvers.map((solver, k) => {
      const all = { ...fixed, surfaceShift, ...solver.exchanged };
      const kernel = (entry: keyof (typeof module)["entryPoints"]): Kernel =>
        Kernel.create(context, "surface/exchange", module, entry, all);
      const begin = kernel(alone ? "gatherStart" : "gatherSurface");
      return {
        begin,
        gather: alone ? undefined : hasTurns ? kernel("gatherTurn") : begin,
        scatter: alone
          ? undefined
          : kernel(gathering ? "scatterGathered" : hasTurns ? "scatterTurn" : "scatterSurface"),
        touch: undefined,
        touchesFor: undefined,
        solver,
        offsets: [Uint32Array.of(k * uniformSlot), Uint32Array.of((solvers.length + k) * uniformSlot)],
        count: mesh.partStart[k + 1] - mesh.partStart[k],
      };
    });
  }

  /** Which particles each body has, and which part of a turn's displacements its last substep has not. */
  private writeParts(substeps: number, turn: number): void {
    const { fixed, mesh, exchange, context } = this;
    const writer = new StructWriter(structs.SurfaceRange, 2 * exchange.length, uniformSlot);
    exchange.forEach(({ count }, k) => {
      const range = { first: mesh.partStart[k], count };
      writer.put(k, { ...range, before: 1 - 1 / turn });
      writer.put(exchange.length + k, { ...range, before: 1 - 1 / (substeps % turn || turn) });
    });
    context.device.queue.writeBuffer(fixed.part, 0, writer.bytes);
  }

  /** Looks now and then whether there is room for all pairs, and makes more before there is none left. */
  private watch(): void {
    if (this.watching) return;
    this.watching = true;
    void readBuffer(this.context, this.fixed.mostPairs, 8)
      .then((bytes) => {
        this.watching = false;
        const [most, last] = new Uint32Array(bytes);
        this.pairCount = last;
        if (this.disposed || most < GROW_AT * this.capacity) return;
        this.capacity = 2 * Math.max(this.capacity, most);
        this.room.perVertex = Math.max(this.room.perVertex, Math.ceil(this.capacity / this.mesh.vertices.length));
        for (const buffer of Object.values(this.sized)) buffer.destroy();
        this.sized = this.createSized();
        this.kernels = [this.createKernels(0), this.createKernels(1)];
        // The new lists are empty: what is known of sides is found anew.
        for (const owners of [this.fixed.ownersA, this.fixed.ownersB])
          this.context.device.queue.writeBuffer(owners, 0, new Uint32Array(owners.size / 4));
      })
      .catch(() => undefined);
  }
}
