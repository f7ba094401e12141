/**
 * Contact between surfaces on the GPU: the stages of cpu-surfaces.ts as dispatches of shaders/surface.
 */
import { GpuSurfaceTrees } from "../../../collision/surface/gpu-trees";
import { REACH_SLACK, SLIDES } from "../../../collision/surface/surface-bounds";
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
import { gpuProxies, type GpuGpbdSolver } from "../gpu/gpu-solver";
import { uniformSlot } from "../elements/gpu-term";
import type { GpuAccount } from "../guard/gpu-account";
import { type GuardStage, SEARCHES } from "../phases";
import type { GroupBackend, GroupSettings, GroupSurfaces } from "./surface-group";

/** Pairs for which there is room at first, for each vertex of the surfaces. */
export const FIRST_PAIRS = 24;
/** Part of the room for pairs that may be used before more is made: what is read back is a frame or two old. */
const GROW_AT = 0.5;
/** Pairs that a thread has, one after the other, if there is no room left. */
const MOST_ROUNDS = 8;
const noOffsets = new Uint32Array(1);

/** Pairs for which there is room in groups to come: what one needed the next may need as well. */
interface PairRoom {
  perVertex: number;
}

interface SearchKernels {
  readonly count: Kernel;
  readonly scanPairs: Kernel;
  readonly write: Kernel;
  readonly clearRows: Kernel;
  readonly countRows: Kernel;
  readonly scanRows: Kernel;
  readonly fillRows: Kernel;
  readonly sortRows: Kernel;
  readonly evaluate: Kernel;
  readonly loads: Kernel;
  readonly push: Kernel;
  readonly apply: Kernel;
  readonly beginBounds: Kernel;
  readonly orient: Kernel;
  readonly divide: Kernel;
  readonly slide: Kernel;
  readonly limit: Kernel;
}

/** Kernels that copy between a body and the common list. */
interface Exchange {
  readonly gather: Kernel;
  /** undefined for a body that is alone */
  readonly scatter: Kernel | undefined;
  readonly offset: Uint32Array;
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
  private kernels: readonly [SearchKernels, SearchKernels];
  private searches = 0;
  private recorder: PassRecorder | undefined;
  private substeps = 1;
  private watching = false;
  private disposed = false;

  constructor(
    private readonly context: GpuContext,
    solvers: readonly GpuGpbdSolver[],
    parts: readonly SurfacePart[],
    private readonly room: PairRoom,
  ) {
    this.mesh = joinSurfaces(parts);
    const { mesh } = this;
    const n = mesh.particleCount;
    this.alone = solvers.length === 1 && !solvers[0].guard ? solvers[0] : undefined;
    const places = { surfaceStart: context.createBuffer("surface positions", 16 * n) };
    const surfaceShift = this.alone?.exchanged.displacement ?? context.createBuffer("surface displacements", 16 * n);
    this.surfaceShift = surfaceShift;
    this.trees = new GpuSurfaceTrees(context, mesh, { ...places, surfaceShift });
    const { owners } = this.trees;
    this.fixed = {
      ...places,
      ...this.trees.buffers,
      rowStart: context.createBuffer("surface rows", 4 * (n + 1)),
      rowFill: context.createBuffer("surface row lengths", 4 * (n + 1)),
      loads: context.createBuffer("surface loads", 4 * n),
      gone: context.createBuffer("surface ways", 16 * n),
      frictions: context.createBuffer("surface friction", 4 * n),
      mostPairs: context.createBuffer("most surface pairs", 4),
      pairWorkgroups: context.createBuffer("surface workgroups", structs.PairWorkgroups.size, GPUBufferUsage.INDIRECT),
      part: context.createUniformBuffer("surface parts", uniformSlot * parts.length),
      ownersA: context.createBuffer("surface owners", 4 * (owners + 1)),
      ownersB: context.createBuffer("surface owners", 4 * (owners + 1)),
    };
    this.exchange = this.connect(solvers);
    this.account = solvers
      .find(({ guard }) => guard)
      ?.guard!.together(solvers, { ...this.fixed, surfaceShift }, uniformSlot);
    this.capacity = room.perVertex * mesh.vertices.length;
    this.sized = this.createSized();
    this.kernels = [this.createKernels(0), this.createKernels(1)];
  }

  beginFrame(frame: GpuFrameInput, substeps: number, settings: GroupSettings): void {
    this.recorder = frame.recorder;
    this.substeps = substeps;
    const { fixed, mesh } = this;
    this.trees.write({
      capacity: this.capacity,
      thickness: settings.thickness,
      parting: (settings.partingSpeed * frame.dt) / substeps,
      interval: this.interval,
      slack: REACH_SLACK * settings.thickness,
    });
    if (settings.keeps.some((share, k) => share !== mesh.keeps[k])) {
      mesh.keeps.set(settings.keeps);
      this.trees.writeKeeps();
    }
    const { queue } = this.context.device;
    const frictions = Float32Array.from({ length: mesh.particleCount }, (_, p) => settings.friction[mesh.partOf[p]]);
    queue.writeBuffer(fixed.frictions, 0, frictions);
    this.watch();
  }

  begin(substep: number): void {
    const pass = this.recorder!.stage("surface search");
    this.open?.begin(pass);
    this.gather("surface search", true);
    if (substep % this.interval === 0) this.search(pass);
    this.onPairs(this.current.orient, pass);
  }

  private search(pass: GPUComputePassEncoder): void {
    const { mesh } = this;
    this.trees.refit(pass);
    this.searches++;
    const { count, scanPairs, write, clearRows, countRows, scanRows, fillRows, sortRows } = this.current;
    const { owners } = this.trees;
    count.dispatch(pass, owners, noOffsets);
    scanPairs.dispatchWorkgroups(pass, 1, noOffsets);
    write.dispatch(pass, owners, noOffsets);
    clearRows.dispatch(pass, mesh.particleCount + 1, noOffsets);
    this.onPairs(countRows, pass);
    scanRows.dispatchWorkgroups(pass, 1, noOffsets);
    this.onPairs(fillRows, pass);
    sortRows.dispatch(pass, mesh.particleCount, noOffsets);
    this.current.beginBounds.dispatch(pass, mesh.particleCount, noOffsets);
  }

  project(): void {
    const pass = this.recorder!.stage("surface contact");
    const { evaluate, loads, push, apply } = this.current;
    const n = this.mesh.particleCount;
    this.gather("surface contact");
    this.onPairs(evaluate, pass);
    loads.dispatch(pass, n, noOffsets);
    this.onPairs(push, pass);
    apply.dispatch(pass, n, noOffsets);
    this.scatter(pass, "scatterPushes");
  }

  limit(): void {
    const pass = this.recorder!.stage("surface contact");
    const { divide, slide, limit } = this.current;
    this.gather("surface contact");
    this.trees.measureMotion(pass);
    this.onPairs(divide, pass);
    for (let round = 0; round < SLIDES; round++) {
      slide.dispatch(pass, this.mesh.particleCount, noOffsets);
      this.onPairs(divide, pass);
    }
    limit.dispatch(pass, this.mesh.particleCount, noOffsets);
    this.scatter(pass, "scatterPlaces");
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

  private get current(): SearchKernels {
    return this.kernels[(this.searches & 1) as 0 | 1];
  }

  /** substeps from one search to the next */
  private get interval(): number {
    return Math.max(1, Math.floor(this.substeps / SEARCHES));
  }

  /** @param isFirst in the substep: positions are new */
  private gather(stage: string, isFirst = false): void {
    if (this.alone && !isFirst) return;
    const pass = this.recorder!.stage(stage);
    for (const { gather, offset, count } of this.exchange) gather.dispatch(pass, count, offset);
  }

  private scatter(pass: GPUComputePassEncoder, kind: "scatterPushes" | "scatterPlaces"): void {
    if (this.open) this.open[kind](pass);
    else for (const { scatter, offset, count } of this.exchange) scatter?.dispatch(pass, count, offset);
  }

  /** Buffers for the pairs. */
  private createSized() {
    const { context, capacity } = this;
    const size = structs.SurfacePair.size * capacity;
    return {
      pairsA: context.createBuffer("surface pairs", size),
      pairsB: context.createBuffer("surface pairs", size),
      rowEntries: context.createBuffer("surface row entries", 16 * capacity),
    };
  }

  /** @param parity which of the two lists of pairs is the new one */
  private createKernels(parity: 0 | 1): SearchKernels {
    const { context, fixed, sized, alone, surfaceShift } = this;
    const isFirst = parity === 0;
    const isAlone = { isAlone: Number(alone !== undefined) };
    const all = {
      ...fixed,
      surfaceShift,
      // Kernels that do not use it need one all the same.
      clearance: alone?.exchanged.clearance ?? fixed.loads,
      rowEntries: sized.rowEntries,
      pairs: isFirst ? sized.pairsA : sized.pairsB,
      oldPairs: isFirst ? sized.pairsB : sized.pairsA,
      ownerStart: isFirst ? fixed.ownersA : fixed.ownersB,
      oldStart: isFirst ? fixed.ownersB : fixed.ownersA,
    };
    const { "surface/pairs": pairs, "surface/scan": scan, "surface/incidence": rows } = shaders;
    const { "surface/resolve": resolve, "surface/bounds": bounds } = shaders;
    const onPairs = { ...all, counts: all.ownerStart };
    const onRows = { ...all, counts: all.rowStart };
    return {
      count: Kernel.create(context, "surface/pairs", pairs, "findPairs", all, { writesPairs: 0 }),
      scanPairs: Kernel.create(context, "surface/scan", scan, "scan", onPairs, { countsPairs: 1 }),
      write: Kernel.create(context, "surface/pairs", pairs, "findPairs", all, { writesPairs: 1 }),
      clearRows: Kernel.create(context, "surface/incidence", rows, "clearRows", all),
      countRows: Kernel.create(context, "surface/incidence", rows, "countRows", all),
      scanRows: Kernel.create(context, "surface/scan", scan, "scan", onRows, { countsPairs: 0 }),
      fillRows: Kernel.create(context, "surface/incidence", rows, "fillRows", all),
      sortRows: Kernel.create(context, "surface/incidence", rows, "sortRows", all),
      evaluate: Kernel.create(context, "surface/resolve", resolve, "evaluatePairs", all),
      loads: Kernel.create(context, "surface/resolve", resolve, "sumLoads", all),
      push: Kernel.create(context, "surface/resolve", resolve, "pushPairs", all),
      apply: Kernel.create(context, "surface/resolve", resolve, "applyPushes", all, isAlone),
      beginBounds: Kernel.create(context, "surface/bounds", bounds, "beginBounds", all),
      orient: Kernel.create(context, "surface/bounds", bounds, "orientPairs", all),
      divide: Kernel.create(context, "surface/bounds", bounds, "dividePairs", all),
      slide: Kernel.create(context, "surface/bounds", bounds, "slideVertices", all, isAlone),
      limit: Kernel.create(context, "surface/bounds", bounds, "limitVertices", all, isAlone),
    };
  }

  private connect(solvers: readonly GpuGpbdSolver[]): Exchange[] {
    const { context, fixed, mesh, surfaceShift } = this;
    const writer = new StructWriter(structs.SurfaceRange, solvers.length, uniformSlot);
    const module = shaders["surface/exchange"];
    const list = solvers.map((solver, k) => {
      const first = mesh.partStart[k];
      const count = mesh.partStart[k + 1] - first;
      writer.set(k, "first", first);
      writer.set(k, "count", count);
      const all = { ...fixed, surfaceShift, ...solver.exchanged };
      return {
        gather: Kernel.create(context, "surface/exchange", module, this.alone ? "gatherStart" : "gatherSurface", all),
        scatter: this.alone ? undefined : Kernel.create(context, "surface/exchange", module, "scatterSurface", all),
        offset: Uint32Array.of(k * uniformSlot),
        count,
      };
    });
    context.device.queue.writeBuffer(fixed.part, 0, writer.bytes);
    return list;
  }

  /** Looks now and then whether there is room for all pairs, and makes more before there is none left. */
  private watch(): void {
    if (this.watching) return;
    this.watching = true;
    void readBuffer(this.context, this.fixed.mostPairs, 4)
      .then((bytes) => {
        this.watching = false;
        if (this.disposed || new Uint32Array(bytes)[0] < GROW_AT * this.capacity) return;
        this.capacity = 2 * Math.max(this.capacity, new Uint32Array(bytes)[0]);
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

/** Groups of bodies on a device. */
export function gpuGroups(context: GpuContext): GroupBackend<GpuGpbdSolver> {
  const room = { perVertex: FIRST_PAIRS };
  return {
    createSurfaces: (solvers, parts) => new GpuSurfaces(context, solvers, parts, room),
    createProxies: (frame, solvers) => gpuProxies(frame as GpuFrameInput, solvers),
  };
}
