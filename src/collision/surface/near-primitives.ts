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
/** Distances are rounded to f32: they count as this part of themselves. */
const ROUNDED = 1 - 1e-6;

/** Vertices, triangles, or edges. */
export class Primitives {
  /** what each may have gone by the next search, see `NearPrimitives` [m] */
  readonly far: Float64Array;
  readonly room: Float64Array;
  /** parts + 1: where the leaves of each part begin */
  readonly starts: Uint32Array;
  readonly count: number;

  constructor(
    { partStart, partOf }: SurfaceMesh,
    readonly tree: ImplicitTree,
    readonly list: Uint32Array,
    /** vertices of each */
    readonly arity: number,
  ) {
    this.count = list.length / arity;
    this.far = new Float64Array(this.count);
    this.room = new Float64Array(this.count);
    this.starts = new Uint32Array(partStart.length);
    for (let i = 0; i < list.length; i += arity) this.starts[partOf[list[i]] + 1]++;
    for (let part = 1; part < this.starts.length; part++) this.starts[part] += this.starts[part - 1];
  }

  /** Sets `far`. */
  measure(reach: Float64Array, gone: Float64Array): void {
    const { list, arity, far } = this;
    for (let k = 0; k < far.length; k++) {
      const at = arity * k;
      let most = reach[list[at]];
      let way = gone[list[at]];
      for (let c = at + 1; c < at + arity; c++) {
        most = Math.max(most, reach[list[c]]);
        way = Math.max(way, gone[list[c]]);
      }
      far[k] = most + way;
    }
  }

  holds(): boolean {
    const { far, room } = this;
    for (let k = 0; k < far.length; k++) if (!(far[k] <= room[k])) return false;
    return true;
  }

  /** Sets the boxes of the leaves around all that their room holds. */
  fill(x: Float64Array, extra: number): void {
    const { tree, list, arity, far, room } = this;
    const { order, boxes } = tree;
    for (let leaf = 0; leaf < order.length; leaf++) {
      const k = order[leaf];
      const margin = far[k] + extra;
      room[k] = margin;
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
  /** positions when the list was made, and how far each particle is from there, beside the mean of all [m] */
  private readonly from: Float64Array;
  private readonly gone: Float64Array;
  private readonly keeps: Float64Array;
  private thickness = -1;
  /** parts × 6: boxes of what the primitives of each may reach [m] */
  private readonly partBoxes: Float64Array;
  private readonly extra: number;
  /** searches since the list was made */
  private searches = 0;

  constructor(private readonly mesh: SurfaceMesh) {
    const edges = new Primitives(mesh, edgeTree(mesh), mesh.edges, 2);
    this.owners = [new Primitives(mesh, vertexTree(mesh), mesh.vertices, 1), edges];
    this.others = [new Primitives(mesh, faceTree(mesh), mesh.faces, 3), edges];
    this.rows = [new Uint32Array(2 * mesh.vertices.length), new Uint32Array(mesh.edges.length)];
    this.from = new Float64Array(3 * mesh.particleCount);
    this.gone = new Float64Array(mesh.particleCount);
    this.keeps = new Float64Array(mesh.keeps.length);
    this.partBoxes = new Float64Array(6 * (mesh.partStart.length - 1));
    this.extra = ROOM * meanLength(mesh);
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
    this.measure(x);
    for (const list of all) list.measure(reach, this.gone);
    const isKnown = thickness === this.thickness && keeps.every((share, k) => share === mesh.keeps[k]);
    if (isKnown && all.every((list) => list.holds())) return;
    let most = 0;
    for (const v of mesh.vertices) most = Math.max(most, this.gone[v]);
    const extra = LASTS * most <= this.searches * this.extra ? this.extra : 0;
    this.searches = 0;
    this.from.set(x);
    this.thickness = thickness;
    keeps.set(mesh.keeps);
    this.measure(x);
    for (const list of all) {
      list.measure(reach, this.gone);
      list.fill(x, extra);
    }
    for (const { tree } of others) tree.refit();
    this.count = 0;
    this.search(VERTEX_FACE, x);
    this.search(EDGE_EDGE, x);
  }

  private measure(x: Float64Array): void {
    const { from, gone, mesh } = this;
    meanOver(mesh.vertices, x, common);
    meanOver(mesh.vertices, from, before);
    for (let c = 0; c < 3; c++) common[c] -= before[c]!;
    for (const v of mesh.vertices) {
      const dx = x[3 * v] - from[3 * v] - common[0];
      const dy = x[3 * v + 1] - from[3 * v + 1] - common[1];
      const dz = x[3 * v + 2] - from[3 * v + 2] - common[2];
      gone[v] = Math.sqrt(dx * dx + dy * dy + dz * dz);
    }
  }

  /** Lists what is near to all owners of a kind: those in a node of their tree, one above its leaves, have their search of the other tree together. */
  private search(kind: number, x: Float64Array): void {
    const { mesh, thickness, partBoxes } = this;
    const own = this.owners[kind];
    const { tree, list, arity, starts } = this.others[kind];
    const parts = starts.length - 1;
    boxesOfParts(own, partBoxes);
    const { order, boxes } = own.tree;
    for (let first = 0; first < own.count; first += BRANCHING) {
      const end = Math.min(first + BRANCHING, own.count);
      let mayTouch = false;
      box.fill(Infinity, 0, 3).fill(-Infinity, 3);
      for (let leaf = first; leaf < end; leaf++) {
        grow(box, 0, boxes, 6 * leaf);
      }
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
          if (apart > kept + own.room[owner] + this.others[kind].room[other]) continue;
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
const common = new Float64Array(3);
const before = new Float64Array(3);

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
  for (let c = 0; c < 3; c++) {
    let sum = 0;
    for (const p of particles) sum += values[3 * p + c];
    out[c] = particles.length > 0 ? sum / particles.length : 0;
  }
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
