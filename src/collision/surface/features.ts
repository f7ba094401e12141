/**
 * Which pair counts where several have the same closest points: a vertex above a corner of a triangle has those with each triangle around that
 * corner, and its edges have them with the edges there. One pair of a vertex with a triangle is enough, that of the first triangle which has the
 * corner or edge; two edges count where they cross. Parallel ones do not: where they begin to be side by side, an end of one is on the other.
 */
import { areParallel, EDGE_EDGE } from "./pair-geometry";

/** Bits of a triangle's corners and edges, and of an edge of triangles. */
const CORNERS = [1, 2, 4] as const;
const EDGES = [8, 16, 32] as const;
/** Bits of two edges: whether the first is one of a triangle, and the second. */
export const FIRST_OF_FACES = 1;
export const SECOND_OF_FACES = 2;
/** A vertex and a triangle that count wherever their closest points are: on one body each triangle keeps its own distance, that at rest. */
export const ALL_FEATURES = 63;

/** Weight below which a closest point is at the other end of an edge, or at the other side of a triangle: vertices lie on one another up to rounding. */
const AT = 1e-3;

/** Of each triangle the corners and edges that no earlier triangle has, by bits. */
export function ownFeatures(faces: ArrayLike<number>): Uint8Array {
  const seen = new Set<number>();
  const vertexCount = Array.from(faces).reduce((most, v) => Math.max(most, v + 1), 0);
  const isFirst = (key: number): boolean => !seen.has(key) && seen.add(key).has(key);
  const own = new Uint8Array(faces.length / 3);
  for (let f = 0; f < own.length; f++)
    for (let k = 0; k < 3; k++) {
      const [a, b] = [faces[3 * f + k], faces[3 * f + ((k + 1) % 3)]];
      if (isFirst(a)) own[f] |= CORNERS[k];
      if (isFirst(vertexCount * (1 + Math.min(a, b)) + Math.max(a, b))) own[f] |= EDGES[k];
    }
  return own;
}

/** Whether a pair counts: see `counts`. Parallel edges of triangles do not. */
export function countsAt(
  kind: number,
  own: number,
  weights: Float64Array,
  x: ArrayLike<number>,
  vertices: ArrayLike<number>,
  at: number,
): boolean {
  const ofFaces = FIRST_OF_FACES | SECOND_OF_FACES;
  if (kind === EDGE_EDGE && (own & ofFaces) === ofFaces && areParallel(x, vertices, at)) return false;
  return counts(kind, own, weights, at);
}

/**
 * Whether a pair counts at its closest points.
 *
 * @param own of a vertex and a triangle: see `ownFeatures`; of two edges: whether they are ones of triangles
 * @param weights of the pair's four vertices, from `at` on
 */
export function counts(kind: number, own: number, weights: Float64Array, at: number): boolean {
  if (kind === EDGE_EDGE) {
    const isFirstAtEnd = weights[at] < AT || weights[at + 1] < AT;
    const isSecondAtEnd = weights[at + 2] > -AT || weights[at + 3] > -AT;
    return !((isFirstAtEnd && (own & SECOND_OF_FACES) !== 0) || (isSecondAtEnd && (own & FIRST_OF_FACES) !== 0));
  }
  const a = weights[at + 1] > -AT;
  const b = weights[at + 2] > -AT;
  const c = weights[at + 3] > -AT;
  if (!a && !b && !c) return true;
  const feature =
    b && c ? CORNERS[0] : c && a ? CORNERS[1] : a && b ? CORNERS[2] : c ? EDGES[0] : a ? EDGES[1] : EDGES[2];
  return (own & feature) !== 0;
}
