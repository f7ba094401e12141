/**
 * Vertices with the triangles near them, and edges with the edges near them: a list that stays complete while nothing goes further than some
 * room, so that most searches for pairs need no tree. It only leaves out what cannot be a pair. So pairs are the same, in the same order,
 * whenever the list was made.
 */
import { resized } from "../../math/arrays";
import { lengthAt } from "../../math/vectors";
import { closestPair, EDGE_EDGE, VERTEX_FACE } from "./pair-geometry";
import { BRANCHING, type ImplicitTree } from "./implicit-tree";
import type { SurfaceMesh } from "./surface-mesh";
import { edgeTree, faceTree, vertexTree } from "./surface-trees";

/** Room of what is listed beyond its reach, as a part of the mean length of edges. */
const ROOM = 0.4;
/** Searches that a list with room has to last for: it is longer than one without. */
const LASTS = 3;
/** Leaves of a block. */
const BLOCK = 64;
/** Distances are rounded to f32: they count as this part of themselves. */
const ROUNDED = 1 - 1e-6;

/** Vertices, triangles, or edges; in blocks of neighbors, each of one body. */
export class Primitives {
  /** body of each block */
  readonly bodies: readonly number[];
  /** block of each primitive */
  readonly blockOf: Uint32Array;
  /** longest reach in each block [m] */
  readonly reach: Float64Array;
  /** mean motion of each block since the list was made, × 3, and the largest way of a vertex beside that [m] */
  readonly mean: Float64Array;
  readonly beside: Float64Array;
  /** how far primitives of a block may be from their places in the list, beside what goes with all of what is near [m] */
  readonly room: Float64Array;
  /** parts + 1: where the leaves of each part begin */
  readonly starts: Uint32Array;
  readonly count: number = this.list.length / this.arity;
  /** first leaf of each block, and the end of the last */
  private readonly leaves: number[] = [];
  /** vertices of each block, once each */
  private readonly vertices: readonly Uint32Array[];

  constructor(
    { partStart, partOf }: SurfaceMesh,
    readonly tree: ImplicitTree,
    readonly list: Uint32Array,
    /** vertices of each */
    readonly arity: number,
  ) {
    const { leaves } = this;
    this.starts = new Uint32Array(partStart.length);
    for (let i = 0; i < list.length; i += arity) this.starts[partOf[list[i]] + 1]++;
    for (let part = 1; part < this.starts.length; part++) {
      this.starts[part] += this.starts[part - 1];
      for (let leaf = this.starts[part - 1]; leaf < this.starts[part]; leaf += BLOCK) leaves.push(leaf);
    }
    const blocks = leaves.push(this.count) - 1;
    this.blockOf = new Uint32Array(this.count);
    this.vertices = Array.from({ length: blocks }, (_, b) => {
      const some = new Set<number>();
      for (let leaf = leaves[b]; leaf < leaves[b + 1]; leaf++) {
        const k = tree.order[leaf];
        this.blockOf[k] = b;
        for (let c = 0; c < arity; c++) some.add(list[arity * k + c]);
      }
      return Uint32Array.from(some);
    });
    this.bodies = this.vertices.map(([v]) => partOf[v]);
    this.reach = new Float64Array(blocks);
    this.mean = new Float64Array(3 * blocks);
    this.beside = new Float64Array(blocks);
    this.room = new Float64Array(blocks);
  }

  /** Sets reaches and motions. */
  measure(reach: Float64Array, from: Float64Array, x: Float64Array): void {
    const { mean } = this;
    for (let b = 0; b < this.vertices.length; b++) {
      const vertices = this.vertices[b];
      let most = 0;
      let [mx, my, mz] = [0, 0, 0];
      for (let k = 0; k < vertices.length; k++) {
        const v = vertices[k];
        most = Math.max(most, reach[v]);
        mx += x[3 * v] - from[3 * v];
        my += x[3 * v + 1] - from[3 * v + 1];
        mz += x[3 * v + 2] - from[3 * v + 2];
      }
      this.reach[b] = most;
      mean[3 * b] = mx /= vertices.length;
      mean[3 * b + 1] = my /= vertices.length;
      mean[3 * b + 2] = mz /= vertices.length;
      let squared = 0;
      for (let k = 0; k < vertices.length; k++) {
        const i = 3 * vertices[k];
        const dx = x[i] - from[i] - mx;
        const dy = x[i + 1] - from[i + 1] - my;
        const dz = x[i + 2] - from[i + 2] - mz;
        squared = Math.max(squared, dx * dx + dy * dy + dz * dz);
      }
      this.beside[b] = Math.sqrt(squared);
    }
  }

  /** Sets the boxes of the leaves around all that their room holds. */
  fill(x: Float64Array): void {
    const { tree, list, arity, room, blockOf } = this;
    const { order, boxes } = tree;
    for (let leaf = 0; leaf < order.length; leaf++) {
      const k = order[leaf];
      const margin = room[blockOf[k]];
      const a = 3 * list[arity * k];
      // A vertex is its own end, and an edge has its second end twice.
      const b = 3 * list[arity * k + (arity > 1 ? 1 : 0)];
      const c = 3 * list[arity * k + arity - 1];
      for (let axis = 0; axis < 3; axis++) {
        const p = x[a + axis];
        const q = x[b + axis];
        const r = x[c + axis];
        boxes[6 * leaf + axis] = Math.min(p, q, r) - margin;
        boxes[6 * leaf + 3 + axis] = Math.max(p, q, r) + margin;
      }
    }
  }

  /** Writes a box around some leaves. */
  boxOf(first: number, end: number, out: Float64Array): void {
    out.fill(Infinity, 0, 3).fill(-Infinity, 3);
    const { boxes } = this.tree;
    for (let leaf = first; leaf < end; leaf++) grow(out, 0, boxes, 6 * leaf);
  }

  /** Boxes of all blocks, blocks × 6. */
  boxesOfBlocks(): Float64Array {
    const { leaves } = this;
    const all = new Float64Array(6 * this.bodies.length);
    for (let b = 0; b < this.bodies.length; b++) this.boxOf(leaves[b], leaves[b + 1], all.subarray(6 * b, 6 * b + 6));
    return all;
  }
}

export class NearPrimitives {
  /** by kind of pair: vertices and edges, and what they are near to */
  readonly owners: readonly [Primitives, Primitives];
  readonly others: readonly [Primitives, Primitives];
  /** by kind of pair: first entry of each owner, and the end of its entries */
  readonly rows: readonly [Uint32Array, Uint32Array];
  /** the other primitive of each entry, and how far off it was at least [m] */
  other = new Uint32Array(0);
  apart = new Float32Array(0);
  private count = 0;
  /** by kind of pair, blocks × blocks: reaches of two, and how far their primitives may have moved against each other since the list was made [m] */
  readonly gone: readonly [Float64Array, Float64Array];
  /** how long that may be while the list is complete [m] */
  private readonly rooms: readonly [Float64Array, Float64Array];
  /** positions when the list was made [m] */
  private readonly from = new Float64Array(3 * this.mesh.particleCount);
  private readonly keeps = new Float64Array(this.mesh.keeps.length);
  private thickness = -1;
  /** parts × 6: boxes of what the primitives of each may reach [m] */
  private readonly partBoxes = new Float64Array(6 * (this.mesh.partStart.length - 1));
  private readonly extra: number = ROOM * meanLength(this.mesh);
  /** searches since the list was made */
  private searches = 0;

  constructor(private readonly mesh: SurfaceMesh) {
    const edges = new Primitives(mesh, edgeTree(mesh), mesh.edges, 2);
    this.owners = [new Primitives(mesh, vertexTree(mesh), mesh.vertices, 1), edges];
    this.others = [new Primitives(mesh, faceTree(mesh), mesh.faces, 3), edges];
    this.rows = [new Uint32Array(2 * mesh.vertices.length), new Uint32Array(mesh.edges.length)];
    const pairsOf = (kind: number): Float64Array =>
      new Float64Array(this.owners[kind].bodies.length * this.others[kind].bodies.length);
    this.gone = [pairsOf(VERTEX_FACE), pairsOf(EDGE_EDGE)];
    this.rooms = [pairsOf(VERTEX_FACE), pairsOf(EDGE_EDGE)];
  }

  /**
   * Makes the list complete for all that may touch within a reach.
   *
   * @param x positions, particleCount × 3 [m]
   * @param reach of each particle [m]
   * @param thickness largest distance that surfaces keep [m]
   */
  update(x: Float64Array, reach: Float64Array, thickness: number): void {
    const { mesh, keeps, owners, others } = this;
    const all = [...owners, others[VERTEX_FACE]];
    this.searches++;
    for (const list of all) list.measure(reach, this.from, x);
    this.move(VERTEX_FACE);
    this.move(EDGE_EDGE);
    const isKnown = thickness === this.thickness && keeps.every((share, k) => share === mesh.keeps[k]);
    if (isKnown && this.holds(VERTEX_FACE) && this.holds(EDGE_EDGE)) return;
    for (const { room } of all) room.fill(this.extra);
    this.giveRoom(VERTEX_FACE);
    this.giveRoom(EDGE_EDGE);
    this.searches = 0;
    this.from.set(x);
    this.thickness = thickness;
    keeps.set(mesh.keeps);
    for (const list of all) {
      for (let b = 0; b < list.room.length; b++) list.room[b] += list.reach[b];
      list.fill(x);
    }
    for (const { tree } of others) tree.refit();
    this.count = 0;
    for (const list of all) list.measure(reach, x, x);
    for (const kind of [VERTEX_FACE, EDGE_EDGE]) {
      this.move(kind);
      this.setRooms(kind);
      this.search(kind, x);
    }
  }

  /** Sets `gone`. */
  private move(kind: number): void {
    const [a, b] = [this.owners[kind], this.others[kind]];
    const gone = this.gone[kind];
    for (let i = 0, m = 0; i < a.bodies.length; i++)
      for (let k = 0; k < b.bodies.length; k++, m++) {
        const dx = a.mean[3 * i] - b.mean[3 * k];
        const dy = a.mean[3 * i + 1] - b.mean[3 * k + 1];
        const dz = a.mean[3 * i + 2] - b.mean[3 * k + 2];
        const way = a.beside[i] + b.beside[k] + Math.sqrt(dx * dx + dy * dy + dz * dz);
        gone[m] = a.reach[i] + b.reach[k] + way;
      }
  }

  private holds(kind: number): boolean {
    const [gone, rooms] = [this.gone[kind], this.rooms[kind]];
    for (let m = 0; m < gone.length; m++) if (!(gone[m] <= rooms[m])) return false;
    return true;
  }

  /** Takes extra room from blocks that moved so fast against what is near them that it would not last. */
  private giveRoom(kind: number): void {
    const [a, b] = [this.owners[kind], this.others[kind]];
    const [gone, rooms] = [this.gone[kind], this.rooms[kind]];
    const most = (2 * this.searches * this.extra) / LASTS;
    for (let i = 0, m = 0; i < a.room.length; i++)
      for (let k = 0; k < b.room.length; k++, m++)
        if (!(gone[m] <= rooms[m] || gone[m] - a.reach[i] - b.reach[k] <= most)) a.room[i] = b.room[k] = 0;
  }

  /** Blocks that are further apart than what primitives may touch in have more room. */
  private setRooms(kind: number): void {
    const { mesh, thickness } = this;
    const [a, b] = [this.owners[kind], this.others[kind]];
    const [first, second] = [a.boxesOfBlocks(), b.boxesOfBlocks()];
    const parts = mesh.partStart.length - 1;
    for (let i = 0, m = 0; i < a.bodies.length; i++)
      for (let k = 0; k < b.bodies.length; k++, m++) {
        let gap = mesh.keeps[parts * a.bodies[i] + b.bodies[k]] > 0 ? thickness : Infinity;
        for (let c = 0; c < 3; c++)
          gap = Math.max(gap, first[6 * i + c] - second[6 * k + 3 + c], second[6 * k + c] - first[6 * i + 3 + c]);
        this.rooms[kind][m] = a.room[i] + b.room[k] + gap - thickness;
      }
  }

  /** Lists what is near to all owners of a kind: those in a node of their tree, one above its leaves, have their search of the other tree together. */
  private search(kind: number, x: Float64Array): void {
    const { mesh, thickness, partBoxes } = this;
    const own = this.owners[kind];
    const { tree, list, arity, starts, blockOf } = this.others[kind];
    const parts = starts.length - 1;
    boxesOfParts(own, partBoxes);
    const { order, boxes } = own.tree;
    for (let first = 0; first < own.count; first += BRANCHING) {
      const end = Math.min(first + BRANCHING, own.count);
      let mayTouch = false;
      own.boxOf(first, end, box);
      for (let c = 0; c < 3; c++) {
        box[c] -= thickness;
        box[3 + c] += thickness;
      }
      const [low, high] = [
        mesh.partOf[own.list[own.arity * order[first]]],
        mesh.partOf[own.list[own.arity * order[end - 1]]],
      ];
      for (let part = low; part <= high && !mayTouch; part++)
        for (let o = 0; o < parts && !mayTouch; o++)
          mayTouch = mesh.keeps[part * parts + o] > 0 && meet(partBoxes, 6 * o, box, 0, 0);
      tree.foundCount = 0;
      // Most parts are nowhere nearer than to themselves, and few touch themselves.
      const skips = low === high && mesh.keeps[low * parts + low] === 0;
      if (mayTouch) tree.query(box, 0, starts[low], starts[skips ? low + 1 : low]);
      for (let leaf = first; leaf < end; leaf++) {
        const owner = order[leaf];
        this.rows[kind][2 * owner] = this.count;
        const room = own.room[own.blockOf[owner]];
        for (let c = 0; c < own.arity; c++) four[c] = own.list[own.arity * owner + c]!;
        const row = parts * mesh.partOf[four[0]];
        for (let k = 0; k < tree.foundCount; k++) {
          const place = tree.found[k];
          if (!meet(tree.boxes, 6 * place, boxes, 6 * leaf, thickness)) continue;
          const other = tree.order[place];
          // Each pair of edges is tested once.
          if (kind === EDGE_EDGE && other <= owner) continue;
          for (let c = 0; c < arity; c++) four[own.arity + c] = list[arity * other + c]!;
          const kept = thickness * mesh.keeps[row + mesh.partOf[four[3]]];
          if (kept === 0 || sharesVertex(own.arity)) continue;
          closestPair(kind, x, four, 0, weights, 0, separation, 0);
          const apart = lengthAt(separation, 0);
          if (apart > kept + room + this.others[kind].room[blockOf[other]]) continue;
          if (this.count === this.other.length) this.grow();
          this.other[this.count] = other;
          this.apart[this.count++] = ROUNDED * apart;
        }
        this.rows[kind][2 * owner + 1] = this.count;
      }
    }
  }

  private grow(): void {
    const capacity = Math.max(1024, 2 * this.count);
    this.other = resized(this.other, new Uint32Array(capacity));
    this.apart = resized(this.apart, new Float32Array(capacity));
  }
}

const four = new Uint32Array(4);
const weights = new Float64Array(4);
const separation = new Float64Array(3);
const box = new Float64Array(6);

/** Boxes of the primitives of each part. */
function boxesOfParts({ tree: { boxes }, starts }: Primitives, out: Float64Array): void {
  for (let part = 0; part < starts.length - 1; part++) {
    out.fill(Infinity, 6 * part, 6 * part + 3).fill(-Infinity, 6 * part + 3, 6 * part + 6);
    for (let leaf = starts[part]; leaf < starts[part + 1]; leaf++) grow(out, 6 * part, boxes, 6 * leaf);
  }
}

/** Makes a box hold another one. A place that is no number is nowhere. */
function grow(of: Float64Array, at: number, boxes: Float64Array, from: number): void {
  for (let c = 0; c < 3; c++) {
    if (boxes[from + c] < of[at + c]) of[at + c] = boxes[from + c]!;
    if (boxes[from + 3 + c] > of[at + 3 + c]) of[at + 3 + c] = boxes[from + 3 + c]!;
  }
}

function meet(a: Float64Array, i: number, b: Float64Array, k: number, margin: number): boolean {
  return (
    a[i] <= b[k + 3] + margin &&
    a[i + 3] >= b[k] - margin &&
    a[i + 1] <= b[k + 4] + margin &&
    a[i + 4] >= b[k + 1] - margin &&
    a[i + 2] <= b[k + 5] + margin &&
    a[i + 5] >= b[k + 2] - margin
  );
}

function sharesVertex(own: number): boolean {
  for (let i = 0; i < own; i++) for (let k = own; k < 4; k++) if (four[i] === four[k]) return true;
  return false;
}

/** Mean of a vector over some particles. */
export function meanOver(particles: Uint32Array, values: Float64Array, out: Float64Array): void {
  let [x, y, z] = [0, 0, 0];
  for (let k = 0; k < particles.length; k++) {
    const i = 3 * particles[k];
    x += values[i];
    y += values[i + 1];
    z += values[i + 2];
  }
  const count = Math.max(1, particles.length);
  out[0] = x / count;
  out[1] = y / count;
  out[2] = z / count;
}

function meanLength({ edges, restPositions: x }: SurfaceMesh): number {
  let sum = 0;
  for (let e = 0; e < edges.length; e += 2) {
    let squared = 0;
    for (let c = 0; c < 3; c++) squared += (x[3 * edges[e] + c] - x[3 * edges[e + 1] + c]) ** 2;
    sum += Math.sqrt(squared);
  }
  return edges.length > 0 ? (2 * sum) / edges.length : 0;
}
