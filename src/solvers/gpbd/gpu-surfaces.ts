/**
 * Contact between surfaces on the GPU: the stages of cpu-surfaces.ts as dispatches of shaders/surface.
 */
import type { ImplicitTree } from "../../collision/surface/implicit-tree";
import type { SurfaceContactSettings } from "../../collision/surface/surface-contact";
import { joinSurfaces, type SurfaceMesh, type SurfacePart } from "../../collision/surface/surface-mesh";
import { edgeTree, faceTree } from "../../collision/surface/surface-trees";
import { shaders, structs } from "../../generated/shaders";
import type { GpuContext } from "../../gpu/device";
import { Kernel } from "../../gpu/kernel";
import type { PassRecorder } from "../../gpu/pass-recorder";
import { readBuffer } from "../../gpu/readback";
import { StructWriter } from "../../gpu/struct";
import type { GpuFrameInput } from "../deformable";
import { gpuProxies, type GpuGpbdSolver } from "./gpu-solver";
import { uniformSlot } from "./gpu-term";
import { SEARCHES } from "./phases";
import type { GroupBackend, GroupSurfaces } from "./surface-group";

/** Pairs for which there is room at first, for each particle of the surfaces. */
const FIRST_PAIRS = 24;
/** Part of the room for pairs that may be used before more is made: what is read back is a frame or two old. */
const GROW_AT = 0.5;
const noOffsets = new Uint32Array(1);

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
}

export class GpuSurfaces implements GroupSurfaces {
  readonly mesh: SurfaceMesh;
  private readonly trees: readonly [ImplicitTree, ImplicitTree];
  private readonly layout: Record<string, number>;
  private readonly parameters: StructWriter<typeof structs.SurfaceParameters>;
  private readonly fixed;
  private readonly levels: readonly { offset: Uint32Array; count: number }[];
  private readonly exchange: readonly { gather: Kernel; scatter: Kernel; offset: Uint32Array; count: number }[];
  private readonly leafBoxes: Kernel;
  private readonly innerBoxes: Kernel;
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
  ) {
    this.mesh = joinSurfaces(parts);
    const { mesh } = this;
    const n = mesh.particleCount;
    this.trees = [faceTree(mesh), edgeTree(mesh)];
    const { data, layout } = packTopology(mesh, this.trees);
    this.layout = layout;
    this.parameters = new StructWriter(structs.SurfaceParameters, 1);
    const nodes = this.trees[0].boxes.length / 6 + this.trees[1].boxes.length / 6;
    const owners = mesh.vertices.length + mesh.edges.length / 2;
    this.fixed = {
      surface: context.createUniformBuffer("surface parameters", structs.SurfaceParameters.size),
      surfaceStart: context.createBuffer("surface positions", 16 * n),
      surfaceShift: context.createBuffer("surface displacements", 16 * n),
      topology: context.createBuffer("surface topology", data),
      boxes: context.createBuffer("surface boxes", 32 * nodes),
      rowStart: context.createBuffer("surface rows", 4 * (n + 1)),
      rowFill: context.createBuffer("surface row lengths", 4 * (n + 1)),
      loads: context.createBuffer("surface loads", 4 * n),
      frictions: context.createBuffer("surface friction", 4 * n),
      mostPairs: context.createBuffer("most surface pairs", 4),
      pairWorkgroups: context.createBuffer("surface workgroups", structs.PairWorkgroups.size, GPUBufferUsage.INDIRECT),
      level: context.createUniformBuffer("surface levels", uniformSlot * 16),
      part: context.createUniformBuffer("surface parts", uniformSlot * parts.length),
      ownersA: context.createBuffer("surface owners", 4 * (owners + 1)),
      ownersB: context.createBuffer("surface owners", 4 * (owners + 1)),
    };
    this.levels = this.writeLevels();
    this.exchange = this.connect(solvers);
    const boxes = shaders["surface/boxes"];
    this.leafBoxes = Kernel.create(context, "surface/boxes", boxes, "leafBoxes", this.fixed);
    this.innerBoxes = Kernel.create(context, "surface/boxes", boxes, "innerBoxes", this.fixed);
    this.capacity = FIRST_PAIRS * mesh.vertices.length;
    this.sized = this.createSized();
    this.kernels = [this.createKernels(0), this.createKernels(1)];
  }

  beginFrame(frame: GpuFrameInput, substeps: number, settings: SurfaceContactSettings): void {
    this.recorder = frame.recorder;
    this.substeps = substeps;
    const { parameters, fixed, mesh } = this;
    const values = {
      ...this.layout,
      capacity: this.capacity,
      thickness: settings.thickness,
      parting: (settings.partingSpeed * frame.dt) / substeps,
      interval: this.interval,
    };
    for (const [field, value] of Object.entries(values))
      parameters.set(0, field as keyof typeof structs.SurfaceParameters.fields, value);
    this.trees.forEach((tree, k) => {
      const starts = [...tree.levelStart, 0, 0, 0, 0, 0, 0, 0, 0];
      parameters.set(0, k === 0 ? "faceLevels0" : "edgeLevels0", starts.slice(0, 4));
      parameters.set(0, k === 0 ? "faceLevels1" : "edgeLevels1", starts.slice(4, 8));
    });
    const { queue } = this.context.device;
    queue.writeBuffer(fixed.surface, 0, parameters.bytes);
    const frictions = Float32Array.from({ length: mesh.particleCount }, (_, p) => settings.friction[mesh.partOf[p]!]!);
    queue.writeBuffer(fixed.frictions, 0, frictions);
    this.watch();
  }

  begin(substep: number): void {
    if (substep % this.interval !== 0) return;
    const pass = this.recorder!.stage("surface search");
    const { mesh } = this;
    this.gather("surface search");
    this.leafBoxes.dispatch(pass, mesh.faces.length / 3 + mesh.edges.length / 2, noOffsets);
    for (const { offset, count } of this.levels) this.innerBoxes.dispatch(pass, count, offset);
    this.searches++;
    const { count, scanPairs, write, clearRows, countRows, scanRows, fillRows, sortRows } = this.current;
    const owners = mesh.vertices.length + mesh.edges.length / 2;
    const { pairWorkgroups } = this.fixed;
    count.dispatch(pass, owners, noOffsets);
    scanPairs.dispatchWorkgroups(pass, 1, noOffsets);
    write.dispatch(pass, owners, noOffsets);
    clearRows.dispatch(pass, mesh.particleCount + 1, noOffsets);
    countRows.dispatchIndirect(pass, pairWorkgroups, noOffsets);
    scanRows.dispatchWorkgroups(pass, 1, noOffsets);
    fillRows.dispatchIndirect(pass, pairWorkgroups, noOffsets);
    sortRows.dispatch(pass, mesh.particleCount, noOffsets);
  }

  project(): void {
    const pass = this.recorder!.stage("surface contact");
    const { evaluate, loads, push, apply } = this.current;
    const { pairWorkgroups } = this.fixed;
    const n = this.mesh.particleCount;
    this.gather("surface contact");
    evaluate.dispatchIndirect(pass, pairWorkgroups, noOffsets);
    loads.dispatch(pass, n, noOffsets);
    push.dispatchIndirect(pass, pairWorkgroups, noOffsets);
    apply.dispatch(pass, n, noOffsets);
    for (const { scatter, offset, count } of this.exchange) scatter.dispatch(pass, count, offset);
  }

  dispose(): void {
    this.disposed = true;
    for (const buffer of [...Object.values(this.fixed), ...Object.values(this.sized)]) buffer.destroy();
  }

  private get current(): SearchKernels {
    return this.kernels[(this.searches & 1) as 0 | 1];
  }

  /** substeps from one search to the next */
  private get interval(): number {
    return Math.max(1, Math.floor(this.substeps / SEARCHES));
  }

  private gather(stage: string): void {
    const pass = this.recorder!.stage(stage);
    for (const { gather, offset, count } of this.exchange) gather.dispatch(pass, count, offset);
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
    const { context, fixed, sized } = this;
    const isFirst = parity === 0;
    const all = {
      ...fixed,
      rowEntries: sized.rowEntries,
      pairs: isFirst ? sized.pairsA : sized.pairsB,
      oldPairs: isFirst ? sized.pairsB : sized.pairsA,
      ownerStart: isFirst ? fixed.ownersA : fixed.ownersB,
      oldStart: isFirst ? fixed.ownersB : fixed.ownersA,
    };
    const { "surface/pairs": pairs, "surface/scan": scan, "surface/incidence": rows } = shaders;
    const resolve = shaders["surface/resolve"];
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
      apply: Kernel.create(context, "surface/resolve", resolve, "applyPushes", all),
    };
  }

  /** Kernels that copy between the bodies and the common list. */
  private connect(solvers: readonly GpuGpbdSolver[]) {
    const { context, fixed, mesh } = this;
    const writer = new StructWriter(structs.SurfaceRange, solvers.length, uniformSlot);
    const module = shaders["surface/exchange"];
    const list = solvers.map((solver, k) => {
      const first = mesh.partStart[k]!;
      const count = mesh.partStart[k + 1]! - first;
      writer.set(k, "first", first);
      writer.set(k, "count", count);
      const all = { ...fixed, start: solver.positions, displacement: solver.lastSubstep.displacement };
      return {
        gather: Kernel.create(context, "surface/exchange", module, "gatherSurface", all),
        scatter: Kernel.create(context, "surface/exchange", module, "scatterSurface", all),
        offset: Uint32Array.of(k * uniformSlot),
        count,
      };
    });
    context.device.queue.writeBuffer(fixed.part, 0, writer.bytes);
    return list;
  }

  /** Levels of both trees above the leaves, from the lowest up. */
  private writeLevels() {
    const writer = new StructWriter(structs.SurfaceLevel, 16, uniformSlot);
    const list: { offset: Uint32Array; count: number }[] = [];
    this.trees.forEach((tree, k) => {
      const base = k === 0 ? 0 : this.layout.edgeNodes!;
      for (let level = 1; level < tree.depth; level++) {
        const [children, first, end] = [level - 1, level, level + 1].map((l) => tree.levelStart[l]!) as [
          number,
          number,
          number,
        ];
        const at = list.length;
        writer.set(at, "first", base + first);
        writer.set(at, "children", base + children);
        writer.set(at, "childrenEnd", base + first);
        writer.set(at, "count", end - first);
        list.push({ offset: Uint32Array.of(at * uniformSlot), count: end - first });
      }
    });
    this.context.device.queue.writeBuffer(this.fixed.level, 0, writer.bytes);
    return list;
  }

  /** Looks now and then whether there is room for all pairs, and makes more before there is none left. */
  private watch(): void {
    if (this.watching) return;
    this.watching = true;
    void readBuffer(this.context, this.fixed.mostPairs, 4)
      .then((bytes) => {
        this.watching = false;
        if (this.disposed || new Uint32Array(bytes)[0]! < GROW_AT * this.capacity) return;
        this.capacity = 2 * Math.max(this.capacity, new Uint32Array(bytes)[0]!);
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

/** Lists that do not change, in one buffer, and where they begin in it. */
function packTopology(
  mesh: SurfaceMesh,
  [faces, edges]: readonly [ImplicitTree, ImplicitTree],
): { data: Uint32Array<ArrayBuffer>; layout: Record<string, number> } {
  const rest = new ArrayBuffer(16 * mesh.particleCount);
  const floats = new Float32Array(rest);
  const codes = new Uint32Array(rest);
  for (let p = 0; p < mesh.particleCount; p++) {
    for (let c = 0; c < 3; c++) floats[4 * p + c] = mesh.restPositions[3 * p + c]!;
    const part = mesh.partOf[p]!;
    codes[4 * p + 3] = 4 * part + 2 * mesh.selfCollision[part]! + mesh.bodyCollision[part]!;
  }
  const lists = {
    vertices: mesh.vertices,
    edges: mesh.edges,
    faces: mesh.faces,
    faceOrder: faces.order,
    edgeOrder: edges.order,
    rest: codes,
  };
  const layout: Record<string, number> = {
    particleCount: mesh.particleCount,
    vertexCount: mesh.vertices.length,
    edgeCount: mesh.edges.length / 2,
    faceCount: mesh.faces.length / 3,
    edgeNodes: faces.boxes.length / 6,
    // Of ropes there are no faces: their tree has no node to begin at.
    faceDepth: faces.leafCount > 0 ? faces.depth : 0,
    edgeDepth: edges.leafCount > 0 ? edges.depth : 0,
  };
  let length = 0;
  for (const [name, list] of Object.entries(lists)) {
    if (name !== "vertices") layout[name] = length;
    length += list.length;
  }
  const data = new Uint32Array(length);
  let at = 0;
  for (const list of Object.values(lists)) {
    data.set(list, at);
    at += list.length;
  }
  return { data, layout };
}

/** Groups of bodies on a device. */
export function gpuGroups(context: GpuContext): GroupBackend<GpuGpbdSolver> {
  return {
    createSurfaces: (solvers, parts) => new GpuSurfaces(context, solvers, parts),
    createProxies: (frame, solvers) => gpuProxies(frame as GpuFrameInput, solvers),
  };
}
