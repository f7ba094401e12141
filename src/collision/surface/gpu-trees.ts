/**
 * A `SurfaceMesh` on the GPU: its lists in one buffer, and trees of boxes around triangles and edges, updated before a
 * search; shaders/surface has the kernels.
 */
import { shaders } from "../../generated/shaders/surface";
import * as structs from "../../generated/structs";
import type { GpuContext } from "../../gpu/device";
import { type Kernel, KernelMaker } from "../../gpu/kernel";
import { StructWriter } from "../../gpu/struct";
import { SLACK } from "./candidate-pairs";
import type { ImplicitTree } from "./implicit-tree";
import type { SurfaceMesh } from "./surface-mesh";
import { edgeTree, faceTree } from "./surface-trees";

const noOffsets = new Uint32Array(1);

/** The part of `SurfaceParameters` that changes from frame to frame. */
export interface SurfaceSearchSettings {
  /** number of pairs that there is room for */
  readonly capacity: number;
  /** distance that surfaces keep [m] */
  readonly thickness: number;
  /** distance by which surfaces that are too close part in a substep [m] */
  readonly parting: number;
  /** substeps from one search to the next */
  readonly interval: number;
  /** see `CandidatePairs.find` [m] */
  readonly slack?: number;
}

export class GpuSurfaceTrees {
  /** buffers by their names in the shaders */
  readonly buffers;
  /** starts of `SurfaceMesh.keeps` and `thinner` in `topology` */
  private readonly keepsAt: number;
  private readonly thinnerAt: number;
  private readonly trees: readonly [ImplicitTree, ImplicitTree] = [faceTree(this.mesh), edgeTree(this.mesh)];
  private readonly parameters = new StructWriter(structs.SurfaceParameters, 1);
  private readonly kernels: Readonly<Record<"meanMotion" | "lowerBoxes" | "upperBoxes", Kernel>>;

  /** @param places particleCount × vec4f each: positions of particles, and their expected displacements [m] */
  constructor(
    private readonly context: GpuContext,
    private readonly mesh: SurfaceMesh,
    places: { readonly surfaceStart: GPUBuffer; readonly surfaceShift: GPUBuffer },
  ) {
    const { data, layout } = packTopology(mesh, this.trees);
    this.keepsAt = layout.keeps!;
    this.thinnerAt = layout.thinner!;
    const nodes = this.trees[0].boxes.length / 6 + this.trees[1].boxes.length / 6;
    this.buffers = {
      surface: context.createUniformBuffer("surface parameters", structs.SurfaceParameters.size),
      levels: context.createUniformBuffer("surface levels", structs.SurfaceLevels.size),
      topology: context.createBuffer("surface topology", data),
      boxes: context.createBuffer("surface boxes", 32 * nodes),
      nearest: context.createBuffer("nearest surfaces", 8 * (mesh.particleCount + 1) + 4 * Math.ceil(this.owners / 64)),
      commonMotion: context.createBuffer("surface motion", 16),
    };
    for (const [field, value] of Object.entries(layout))
      this.parameters.set(0, field as keyof typeof structs.SurfaceParameters.fields, value);
    this.trees.forEach((tree, k) => {
      const starts = [...tree.levelStart, 0, 0, 0, 0, 0, 0, 0, 0];
      this.parameters.set(0, k === 0 ? "faceLevels0" : "edgeLevels0", starts.slice(0, 4));
      this.parameters.set(0, k === 0 ? "faceLevels1" : "edgeLevels1", starts.slice(4, 8));
    });
    this.writeLevels(layout.edgeNodes);
    const all = { ...this.buffers, ...places };
    const entries = ["meanMotion", "lowerBoxes", "upperBoxes"] as const;
    this.kernels = new KernelMaker(context, shaders).some("surface/boxes", entries, all);
  }

  /** Number of primitives that search for pairs: vertices, then edges. */
  get owners(): number {
    return this.mesh.vertices.length + this.mesh.edges.length / 2;
  }

  write({ capacity, thickness, parting, interval, slack = 0.5 * SLACK * thickness }: SurfaceSearchSettings): void {
    const { parameters } = this;
    parameters.set(0, "capacity", capacity);
    parameters.set(0, "thickness", thickness);
    parameters.set(0, "parting", parting);
    parameters.set(0, "interval", interval);
    parameters.set(0, "slack", slack);
    this.context.device.queue.writeBuffer(this.buffers.surface, 0, parameters.bytes);
  }

  /** Call after a change of `SurfaceMesh.keeps`. */
  writeKeeps(): void {
    this.writeList(this.keepsAt, this.mesh.keeps);
  }

  /** Call after a change of `SurfaceMesh.thinner`. */
  writeThinner(): void {
    this.writeList(this.thinnerAt, this.mesh.thinner);
  }

  private writeList(at: number, list: Float64Array): void {
    this.context.device.queue.writeBuffer(this.buffers.topology, 4 * at, Float32Array.from(list));
  }

  /** Writes the mean displacement of the vertices to `commonMotion`. */
  measureMotion(pass: GPUComputePassEncoder): void {
    this.kernels.meanMotion.dispatchWorkgroups(pass, 1, noOffsets);
  }

  /** Writes the reach of vertices to w of `surfaceStart`, updates boxes of all nodes, and forgets what a search has found. */
  refit(pass: GPUComputePassEncoder): void {
    const { particleCount, faces, edges } = this.mesh;
    this.measureMotion(pass);
    const { lowerBoxes, upperBoxes } = this.kernels;
    const workgroups = (things: number): number => lowerBoxes.workgroupsFor(things);
    const leaves = workgroups(faces.length / 3) + workgroups(edges.length / 2);
    lowerBoxes.dispatchWorkgroups(pass, Math.max(leaves, workgroups(particleCount)), noOffsets);
    upperBoxes.dispatchWorkgroups(pass, 1, noOffsets);
  }

  dispose(): void {
    for (const buffer of Object.values(this.buffers)) buffer.destroy();
  }

  /** Writes the levels of both trees above the leaves. */
  private writeLevels(edgeNodes: number): void {
    const writer = new StructWriter(structs.SurfaceLevel, structs.SurfaceLevels.size / structs.SurfaceLevel.size);
    this.trees.forEach((tree, k) => {
      const base = k === 0 ? 0 : edgeNodes;
      for (let level = 1; level < tree.depth; level++) {
        const [children, first, end] = [level - 1, level, level + 1].map((l) => tree.levelStart[l]);
        const childrenEnd = base + first;
        writer.put(2 * level + k, { first: childrenEnd, children: base + children, childrenEnd, count: end - first });
      }
    });
    this.context.device.queue.writeBuffer(this.buffers.levels, 0, writer.bytes);
  }
}

/** Packs lists that do not change into one buffer; returns their starts, too. */
function packTopology(
  mesh: SurfaceMesh,
  [faces, edges]: readonly [ImplicitTree, ImplicitTree],
): { data: Uint32Array<ArrayBuffer>; layout: Record<string, number> } {
  const rest = new ArrayBuffer(16 * mesh.particleCount);
  const floats = new Float32Array(rest);
  const codes = new Uint32Array(rest);
  for (let p = 0; p < mesh.particleCount; p++) {
    for (let c = 0; c < 3; c++) floats[4 * p + c] = mesh.restPositions[3 * p + c]!;
    codes[4 * p + 3] = mesh.partOf[p]!;
  }
  const lists = {
    vertices: mesh.vertices,
    edges: mesh.edges,
    faces: mesh.faces,
    faceOrder: faces.order,
    edgeOrder: edges.order,
    rest: codes,
    keeps: new Uint32Array(Float32Array.from(mesh.keeps).buffer),
    thinner: new Uint32Array(Float32Array.from(mesh.thinner).buffer),
    own: Uint32Array.from(mesh.own),
    faceLeaves: leavesOf(mesh, mesh.faces, 3),
    edgeLeaves: leavesOf(mesh, mesh.edges, 2),
  };
  const layout: Record<string, number> = {
    particleCount: mesh.particleCount,
    partCount: mesh.partStart.length - 1,
    vertexCount: mesh.vertices.length,
    edgeCount: mesh.edges.length / 2,
    faceCount: mesh.faces.length / 3,
    faceEdges: mesh.faceEdges,
    edgeNodes: faces.boxes.length / 6,
    // Ropes have no faces: the face tree has no root then.
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

/** Start of each body's primitives in the order of a tree, and the end of all: those of a body are contiguous. */
function leavesOf({ partOf, partStart }: SurfaceMesh, list: Uint32Array, arity: number): Uint32Array {
  const starts = new Uint32Array(partStart.length);
  for (let at = 0; at < list.length; at += arity) starts[partOf[list[at]] + 1]++;
  for (let k = 1; k < starts.length; k++) starts[k] += starts[k - 1];
  return starts;
}
