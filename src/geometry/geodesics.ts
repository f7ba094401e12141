import { DisjointSets } from "../math/disjoint-sets";
import { buildIncidence } from "./surface/incidence";
import { DistanceHeap } from "./distance-heap";

/** The nearest anchors of each vertex of a surface, by the length of the way to them within the surface. */
export interface NearestAnchors {
  /** places for each vertex */
  readonly most: number;
  /** vertexCount × most: anchors, nearest first; −1 at places that are left over */
  readonly anchors: Int32Array;
  /** vertexCount × most [m] */
  readonly distances: Float64Array;
}

/**
 * Distances within a surface from its vertices to the nearest of some anchors. Fronts go out from all anchors at once, as in Dijkstra's
 * algorithm, over edges and across faces: a face is laid flat into the plane in which the two distances of an edge place the anchor, so
 * that the distance is exact where the surface can be laid flat. Over obtuse corners, and where a corner of the surface bends the way, it
 * goes along edges, which is never shorter than the true way.
 *
 * @param positions vertexCount × 3 [m]
 * @param faces vertex indices × 3
 * @param isSource vertexCount, 1 for anchors
 * @param most number of anchors that are wanted for each vertex; at most half of them are of one group of anchors that edges connect
 */
export function nearestAnchors(
  positions: ArrayLike<number>,
  faces: ArrayLike<number>,
  isSource: ArrayLike<number>,
  most: number,
): NearestAnchors {
  const vertexCount = positions.length / 3;
  const around = buildIncidence(faces, vertexCount);
  const anchors = new Int32Array(most * vertexCount).fill(-1);
  const distances = new Float64Array(most * vertexCount).fill(Infinity);
  const known = new Uint32Array(vertexCount);
  const groups = connectedSources(faces, isSource);
  const placeOf = (vertex: number, anchor: number): number => {
    for (let i = most * vertex; i < most * vertex + known[vertex]; i++) if (anchors[i] === anchor) return i;
    return -1;
  };
  /** Whether a vertex needs no way to this anchor. */
  const isServed = (vertex: number, anchor: number): boolean => {
    let alike = 0;
    for (let i = most * vertex; i < most * vertex + known[vertex]; i++) {
      if (anchors[i] === anchor) return true;
      if (groups[anchors[i]] === groups[anchor]) alike++;
    }
    return known[vertex] === most || 2 * alike >= most;
  };
  const between = (a: number, b: number): number => {
    let sum = 0;
    for (let c = 0; c < 3; c++) sum += (positions[3 * b + c] - positions[3 * a + c]) ** 2;
    return Math.sqrt(sum);
  };

  const heap = new DistanceHeap();
  /** shortest ways found so far, by anchor and vertex as one number */
  const ways = new Map<number, number>();
  const offer = (distance: number, vertex: number, anchor: number): void => {
    const item = vertexCount * anchor + vertex;
    if (distance >= (ways.get(item) ?? Infinity) || isServed(vertex, anchor)) return;
    ways.set(item, distance);
    heap.push(rounded(distance), item);
  };
  for (let vertex = 0; vertex < vertexCount; vertex++) if (isSource[vertex] === 1) offer(0, vertex, vertex);
  while (!heap.isEmpty) {
    const { item } = heap.pop();
    const [distance, vertex, anchor] = [ways.get(item)!, item % vertexCount, Math.floor(item / vertexCount)];
    if (isServed(vertex, anchor)) continue;
    const place = most * vertex + known[vertex]++;
    anchors[place] = anchor;
    distances[place] = distance;
    for (let i = around.offsets[vertex]; i < around.offsets[vertex + 1]; i++) {
      const corner = around.entries[i];
      const first = corner - (corner % 3);
      const left = faces[first + ((corner + 1) % 3)];
      const right = faces[first + ((corner + 2) % 3)];
      for (const [to, side] of [
        [left, right],
        [right, left],
      ]) {
        const edge = between(vertex, to);
        offer(distance + edge, to, anchor);
        const other = placeOf(side, anchor);
        if (other < 0) continue;
        const across = acrossFace(distance, distances[other], between(vertex, side), edge, between(side, to));
        if (across < Infinity) offer(across, to, anchor);
      }
    }
  }
  return { most, anchors, distances };
}

/** To 16 bits (Veltkamp's splitting): the rounding of a mesh must not decide which of two anchors is nearer. */
function rounded(distance: number): number {
  const scaled = distance * (2 ** 37 + 1);
  return scaled - (scaled - distance);
}

/** For each source, the lowest of those that it is connected with by edges between sources. */
function connectedSources(faces: ArrayLike<number>, isSource: ArrayLike<number>): Int32Array {
  const sets = new DisjointSets(isSource.length);
  for (let i = 0; i < faces.length; i++) {
    const [a, b] = [faces[i], faces[i % 3 === 2 ? i - 2 : i + 1]];
    if (isSource[a] === 1 && isSource[b] === 1) sets.join(a, b);
  }
  return Int32Array.from(isSource, (_, vertex) => sets.rootOf(vertex));
}

/**
 * Distance of the third corner of a triangle from a point that lies beyond the edge of the other two, all in one plane; Infinity if the
 * straight way does not cross that edge.
 *
 * @param a distance of the first corner from the point
 * @param b distance of the second
 * @param edge length between these two
 * @param toA length from the first corner to the third
 * @param toB length from the second corner to the third
 */
function acrossFace(a: number, b: number, edge: number, toA: number, toB: number): number {
  // The first corner is the origin, and the second lies on the x axis.
  const x = (a * a - b * b + edge * edge) / (2 * edge);
  const y2 = a * a - x * x;
  const thirdX = (toA * toA - toB * toB + edge * edge) / (2 * edge);
  const height2 = toA * toA - thirdX * thirdX;
  if (!(y2 >= 0) || !(height2 > 0)) return Infinity;
  const y = Math.sqrt(y2);
  const height = Math.sqrt(height2);
  const crossing = x + ((thirdX - x) * y) / (y + height);
  if (!(crossing >= 0 && crossing <= edge)) return Infinity;
  return Math.sqrt((thirdX - x) ** 2 + (y + height) ** 2);
}
