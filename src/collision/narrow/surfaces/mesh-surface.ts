import { edgeKey, sidesOfEdges, nextCorner } from "../../../geometry/surface/twin-sides";
import { triangleSize } from "../../../geometry/surface/validate-mesh";
import type { IdList } from "../../../math/arrays";
import { degenerate } from "../../../errors";
import { weldVertices } from "../../../geometry/surface/weld";
import { buildTriangleTree, closestTriangle, type TriangleTree } from "../../../geometry/triangles/bvh";
import { triangleNormal } from "../../../geometry/triangles/triangle";
import { lengthAt } from "../../../math/vectors";
import { rayMeetsBox } from "../../shape/ray-box";
import { setTriangle } from "../shapes/convex";
import { EdgeState, edgeState, SLENDER, type SurfaceTriangle, type TriangleSurface } from "./triangle-surface";

const MAX_DEPTH = 64;
/** Twice the area of a triangle that is rounding, as a part of the square of its longest edge. */
const ROUNDING = 1e-9;

/** A triangle mesh, found through a tree of boxes. */
export class MeshSurface implements TriangleSurface {
  readonly isBottomless = false;
  readonly isClosed: boolean;
  readonly isSlender: boolean;
  readonly bounds: Float64Array;
  /** the user's number of each triangle in the tree */
  private readonly kept: Uint32Array;
  readonly tree: TriangleTree;
  /** 3 a triangle, in the order of the tree */
  private readonly edges: Uint8Array;
  /** 9 a triangle */
  private readonly across: Float64Array;
  /** 3 a triangle each, see SurfaceTriangle */
  private readonly ownsEdge: Uint8Array;
  private readonly ownsCorner: Uint8Array;
  /** 3 a triangle: numbers of its corners among the welded points */
  private readonly cornersOf: Uint32Array;
  private readonly points: Float64Array;
  /** first place in `ring` of each point, and the end of the last */
  private readonly ringStart: Uint32Array;
  /** points at the other ends of the edges of each point */
  private readonly ring: Uint32Array;
  private readonly stack = new Uint32Array(MAX_DEPTH);
  private readonly inverse = new Float64Array(3);

  /**
   * Triangles without area are left out. A closed mesh that is wound inside out is reversed.
   *
   * @throws PliantError `degenerate-geometry` if no triangle has an area
   */
  constructor(positions: Float64Array, indices: ArrayLike<number>, object: string) {
    const { indices: welded, positions: points } = weldVertices(positions, indices);
    const kept: number[] = [];
    let isSlender = false;
    for (let t = 0; t < indices.length / 3; t++) {
      const { area, longest } = triangleSize(points, welded[3 * t], welded[3 * t + 1], welded[3 * t + 2]);
      if (!(2 * area > ROUNDING * longest * longest)) continue;
      kept.push(t);
      if (longest * longest > 2 * SLENDER * area) isSlender = true;
    }
    if (kept.length === 0) throw degenerate(object, indices.length / 3, "must have a triangle with an area");
    this.isSlender = isSlender;
    this.isClosed = isClosed(welded, kept);
    const flip = this.isClosed && volume(points, welded, kept) < 0;
    const corners = new Float64Array(9 * kept.length);
    const vertexOf = new Uint32Array(3 * kept.length);
    kept.forEach((t, i) => {
      for (let k = 0; k < 3; k++) {
        const v = welded[3 * t + (flip && k > 0 ? 3 - k : k)];
        vertexOf[3 * i + k] = v;
        for (let c = 0; c < 3; c++) corners[9 * i + 3 * k + c] = points[3 * v + c];
      }
    });
    this.tree = buildTriangleTree(corners);
    this.kept = Uint32Array.from(kept);
    this.bounds = this.tree.boxes.slice(0, 6);
    this.edges = new Uint8Array(3 * kept.length);
    this.ownsEdge = new Uint8Array(3 * kept.length);
    this.ownsCorner = new Uint8Array(3 * kept.length);
    this.across = new Float64Array(9 * kept.length);
    this.findNeighbours(vertexOf);
    this.points = Float64Array.from(points);
    this.cornersOf = new Uint32Array(3 * kept.length);
    for (let t = 0; t < kept.length; t++)
      for (let k = 0; k < 3; k++) this.cornersOf[3 * t + k] = vertexOf[3 * this.tree.source[t] + k];
    [this.ringStart, this.ring] = rings(vertexOf, this.points.length / 3);
    const met = new Uint8Array(this.points.length / 3);
    this.cornersOf.forEach((point, at) => {
      this.ownsCorner[at] = 1 - met[point];
      met[point] = 1;
    });
  }

  get triangleCount(): number {
    return this.tree.triangleCount;
  }

  source(triangle: number): number {
    return this.kept[this.tree.source[triangle]];
  }

  isExtreme(triangle: number, corner: number, dx: number, dy: number, dz: number, slack: number): boolean {
    const { points: p, ringStart, ring } = this;
    const point = this.cornersOf[3 * triangle + corner];
    const o = 3 * point;
    for (let i = ringStart[point]; i < ringStart[point + 1]; i++) {
      const q = 3 * ring[i];
      const ex = p[q] - p[o];
      const ey = p[q + 1] - p[o + 1];
      const ez = p[q + 2] - p[o + 2];
      const along = ex * dx + ey * dy + ez * dz;
      if (along > 0 && along * along > slack * slack * (ex * ex + ey * ey + ez * ez)) return false;
    }
    return true;
  }

  fetch(triangle: number, out: SurfaceTriangle): void {
    out.index = triangle;
    setTriangle(out.convex, this.tree.corners, 9 * triangle);
    for (let k = 0; k < 3; k++) {
      out.edges[k] = this.edges[3 * triangle + k];
      out.ownsEdge[k] = this.ownsEdge[3 * triangle + k];
      out.ownsCorner[k] = this.ownsCorner[3 * triangle + k];
    }
    for (let k = 0; k < 9; k++) out.across[k] = this.across[9 * triangle + k];
  }

  query(box: Float64Array, out: IdList): void {
    const { boxes, second, first, end, corners } = this.tree;
    const { stack } = this;
    let top = 0;
    stack[0] = 0;
    while (top >= 0) {
      const node = stack[top--];
      const b = 6 * node;
      if (
        boxes[b] > box[3] ||
        boxes[b + 1] > box[4] ||
        boxes[b + 2] > box[5] ||
        boxes[b + 3] < box[0] ||
        boxes[b + 4] < box[1] ||
        boxes[b + 5] < box[2]
      )
        continue;
      if (second[node] !== 0) {
        stack[++top] = second[node];
        stack[++top] = node + 1;
        continue;
      }
      for (let t = first[node]; t < end[node]; t++) if (meetsBox(corners, 9 * t, box)) out.push(t);
    }
  }

  distance(point: Float64Array, most: number): number {
    const x = point[0];
    const y = point[1];
    const z = point[2];
    if (closestTriangle(this.tree, x, y, z, most * most, -1, closest) < 0) return Infinity;
    closest[0] -= x;
    closest[1] -= y;
    closest[2] -= z;
    return lengthAt(closest, 0);
  }

  queryRay(start: Float64Array, direction: Float64Array, length: number, out: IdList): void {
    const { boxes, second, first, end } = this.tree;
    const { stack, inverse } = this;
    for (let k = 0; k < 3; k++) inverse[k] = 1 / direction[k];
    let top = 0;
    stack[0] = 0;
    while (top >= 0) {
      const node = stack[top--];
      if (!rayMeetsBox(boxes, 6 * node, start, inverse, length)) continue;
      if (second[node] === 0) for (let t = first[node]; t < end[node]; t++) out.push(t);
      else {
        stack[++top] = second[node];
        stack[++top] = node + 1;
      }
    }
  }

  private findNeighbours(vertexOf: Uint32Array): void {
    const { corners, source, triangleCount } = this.tree;
    const normals = new Float64Array(3 * triangleCount);
    for (let t = 0; t < triangleCount; t++) normals.set(normalOf(corners, 9 * t), 3 * t);
    const placed = Uint32Array.from(
      { length: 3 * triangleCount },
      (_, i) => vertexOf[3 * source[Math.floor(i / 3)] + (i % 3)],
    );
    const sides = sidesOfEdges(placed);
    for (let t = 0; t < triangleCount; t++)
      for (let k = 0; k < 3; k++) {
        const at = 3 * t + k;
        const ownSides = sides.get(edgeKey(placed[at], placed[nextCorner(at)]))!;
        const others = ownSides.map((i) => Math.floor(i / 3)).filter((other) => other !== t);
        this.ownsEdge[at] = others.every((other) => other > t) ? 1 : 0;
        if (others.length !== 1) {
          this.edges[at] = EdgeState.rim;
          continue;
        }
        const from = 9 * t + 3 * k;
        const to = 9 * t + 3 * ((k + 1) % 3);
        const e = [0, 1, 2].map((c) => corners[to + c] - corners[from + c]);
        this.edges[at] = edgeState(normals, 3 * t, normals, 3 * others[0], e[0], e[1], e[2]);
        this.across.set(normals.subarray(3 * others[0], 3 * others[0] + 3), 3 * at);
      }
  }
}

/** Returns the start of each point's list, and the lists: points that share an edge with the point. */
function rings(vertexOf: Uint32Array, count: number): [Uint32Array, Uint32Array] {
  const around = Array.from({ length: count }, () => new Set<number>());
  for (let i = 0; i < vertexOf.length; i += 3)
    for (let k = 0; k < 3; k++) {
      around[vertexOf[i + k]].add(vertexOf[i + ((k + 1) % 3)]);
      around[vertexOf[i + ((k + 1) % 3)]].add(vertexOf[i + k]);
    }
  const start = new Uint32Array(count + 1);
  around.forEach((points, i) => (start[i + 1] = start[i] + points.size));
  return [start, Uint32Array.from(around.flatMap((points) => [...points]))];
}

function meetsBox(c: Float64Array, i: number, box: Float64Array): boolean {
  for (let k = 0; k < 3; k++) {
    const [p, q, r] = [c[i + k], c[i + 3 + k], c[i + 6 + k]];
    if (Math.min(p, q, r) > box[3 + k] || Math.max(p, q, r) < box[k]) return false;
  }
  return true;
}

const normal = new Float64Array(3);
const closest = new Float64Array(6);

function normalOf(c: Float64Array, i: number): [number, number, number] {
  triangleNormal(c, i, i + 3, i + 6, normal);
  const [x, y, z] = normal;
  const scale = 1 / Math.sqrt(x * x + y * y + z * z);
  return [x * scale, y * scale, z * scale];
}

/** Whether every edge is traversed once in each direction. */
function isClosed(indices: ArrayLike<number>, kept: readonly number[]): boolean {
  const corners = kept.flatMap((t) => [0, 1, 2].map((k) => indices[3 * t + k]));
  return [...sidesOfEdges(corners).values()].every(
    (sides) => sides.length === 2 && corners[sides[0]] !== corners[sides[1]],
  );
}

/** Six times the signed volume, from the first corner. */
function volume(p: ArrayLike<number>, indices: ArrayLike<number>, kept: readonly number[]): number {
  const o = 3 * indices[3 * kept[0]];
  let sum = 0;
  for (const t of kept) {
    const [a, b, c] = [0, 1, 2].map((k) => [0, 1, 2].map((i) => p[3 * indices[3 * t + k] + i] - p[o + i]));
    sum += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
  }
  return sum;
}
