import { edgeKey } from "../surface/twin-sides";
/** Corners of a tetrahedron at the ends of each of its edges. */
export const EDGES = [
  [0, 1],
  [0, 2],
  [0, 3],
  [1, 2],
  [1, 3],
  [2, 3],
] as const;

/** Every edge of some tetrahedra once, as pairs of vertices with the lower first, in order of first occurrence. */
export function tetrahedronEdges(tetrahedra: ArrayLike<number>): Uint32Array {
  const seen = new Set<number>();
  const pairs: number[] = [];
  for (let t = 0; t < tetrahedra.length; t += 4)
    for (const [i, j] of EDGES) {
      const [a, b] = [tetrahedra[t + i], tetrahedra[t + j]];
      const [low, high] = [Math.min(a, b), Math.max(a, b)];
      if (seen.has(edgeKey(low, high))) continue;
      seen.add(edgeKey(low, high));
      pairs.push(low, high);
    }
  return Uint32Array.from(pairs);
}
