import { DistanceHeap } from "./distance-heap";
import { buildEdges } from "./surface/edges";
import { distanceBetween } from "../math/vectors";

/** Neighbors of each vertex along edges, compressed rows, with lengths [m]. */
export interface EdgeGraph {
  readonly offsets: Uint32Array;
  readonly neighbours: Uint32Array;
  readonly lengths: Float64Array;
}

/** @param segments pairs of vertices; undefined for the edges of `faces` */
export function edgeGraph(
  positions: ArrayLike<number>,
  faces: ArrayLike<number>,
  segments?: ArrayLike<number>,
): EdgeGraph {
  const pairs = segments ?? buildEdges(faces).vertices;
  const vertexCount = positions.length / 3;
  const offsets = new Uint32Array(vertexCount + 1);
  for (let i = 0; i < pairs.length; i++) offsets[pairs[i] + 1]++;
  for (let v = 0; v < vertexCount; v++) offsets[v + 1] += offsets[v];
  const next = offsets.slice(0, vertexCount);
  const neighbours = new Uint32Array(pairs.length);
  const lengths = new Float64Array(pairs.length);
  for (let i = 0; i < pairs.length; i += 2) {
    const [a, b] = [pairs[i], pairs[i + 1]];
    const length = distanceBetween(positions, 3 * b, 3 * a);
    for (const [from, to] of [
      [a, b],
      [b, a],
    ] as const) {
      neighbours[next[from]] = to;
      lengths[next[from]++] = length;
    }
  }
  return { offsets, neighbours, lengths };
}

/**
 * Distance along edges from the nearest source vertex (Dijkstra), and the number of that source. An inextensible body
 * stays within these distances.
 *
 * @returns Infinity for vertices that no source reaches
 */
export function reachFrom(
  graph: EdgeGraph,
  sources: Iterable<number>,
): { distances: Float64Array; nearest: Int32Array } {
  const vertexCount = graph.offsets.length - 1;
  const distances = new Float64Array(vertexCount).fill(Infinity);
  const nearest = new Int32Array(vertexCount).fill(-1);
  // Stale entries are skipped when they come up.
  const heap = new DistanceHeap();
  for (const source of sources) {
    distances[source] = 0;
    nearest[source] = source;
    heap.push(0, source);
  }
  while (!heap.isEmpty) {
    const { distance, item: vertex } = heap.pop();
    if (distance > distances[vertex]) continue;
    for (let i = graph.offsets[vertex]; i < graph.offsets[vertex + 1]; i++) {
      const to = graph.neighbours[i];
      const reached = distance + graph.lengths[i];
      if (reached >= distances[to]) continue;
      distances[to] = reached;
      nearest[to] = nearest[vertex]!;
      heap.push(reached, to);
    }
  }
  return { distances, nearest };
}
