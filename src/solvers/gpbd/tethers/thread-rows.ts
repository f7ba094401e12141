import type { GpbdModel } from "../model";

/** Least cosine between an edge and the thread that it stands for. */
const ALONG = 0.97;
/** Part of the edges that a grid of squares has along its threads; a mesh with fewer has triangles that threads do not hold. */
const LEAST = 0.85;

/** Solutions in a substep, each with the edges that the last one shows to act. */
export const ROUNDS = 3;

/** Rows of vertices, one after another. */
export interface Rows {
  /** the first rows lie along the warp */
  readonly split: number;
  /** row r has the vertices offsets[r] … offsets[r + 1] − 1 */
  readonly offsets: Int32Array;
  readonly vertices: Int32Array;
  /** length at rest of the edge to the next vertex [m], infinite for the last one */
  readonly lengths: Float64Array;
}

/** A vertex and its neighbor on, and how well the edge lies along the thread. */
interface Ends {
  readonly vertex: Int32Array;
  readonly cosine: Float64Array;
}

/**
 * Rows of edges along warp, then along weft: each vertex is in one of either, at most.
 *
 * @returns undefined if edges along the threads are missing at many vertices, as in a mesh of triangles in all directions
 */
export function rowsOf({ terms, particleCount }: GpbdModel): Rows | undefined {
  const term = terms.find(({ kind, energy }) => kind.endsWith("-membrane") && !energy);
  if (!term) return undefined;
  const { indices, rest, elementCount } = term;
  const ends = (): Ends => ({
    vertex: new Int32Array(particleCount).fill(-1),
    cosine: new Float64Array(particleCount),
  });
  const [offsets, vertices, lengths]: number[][] = [[0], [], []];
  let found = 0;
  let split = 0;
  for (let axis = 0; axis < 2; axis++) {
    split = offsets.length - 1;
    const next = ends();
    const last = ends();
    const long = new Float64Array(particleCount);
    for (let e = 0; e < elementCount; e++) {
      // Sides in the material's plane are columns of Dm.
      const [m00, m01, m10, m11] = rest.subarray(5 * e, 5 * e + 4);
      const scale = 1 / (m00 * m11 - m01 * m10);
      const corners = [0, 0, scale * m11, -scale * m10, -scale * m01, scale * m00];
      for (let c = 0; c < 3; c++) {
        const d = (c + 1) % 3;
        const u = corners[2 * d] - corners[2 * c];
        const v = corners[2 * d + 1] - corners[2 * c + 1];
        const length = Math.sqrt(u * u + v * v);
        const cosine = (axis === 0 ? u : v) / length;
        if (Math.abs(cosine) < ALONG) continue;
        const [a, b] = cosine > 0 ? [indices[3 * e + c], indices[3 * e + d]] : [indices[3 * e + d], indices[3 * e + c]];
        if (put(next, a, b, Math.abs(cosine))) long[a] = length;
        put(last, b, a, Math.abs(cosine));
      }
    }
    const isLinked = (p: number): boolean => next.vertex[p] >= 0 && last.vertex[next.vertex[p]] === p;
    const isDone = new Uint8Array(particleCount);
    const follow = (begin: number): void => {
      let p = begin;
      if (isDone[p] === 1 || !isLinked(p)) return;
      for (; isLinked(p) && isDone[p] === 0; p = next.vertex[p]) {
        isDone[p] = 1;
        vertices.push(p);
        lengths.push(long[p]);
        found++;
      }
      // A closed row ends where it began, without its last edge.
      if (isDone[p] === 1) {
        lengths[lengths.length - 1] = Infinity;
        found--;
      } else {
        isDone[p] = 1;
        vertices.push(p);
        lengths.push(Infinity);
      }
      offsets.push(vertices.length);
    };
    for (let p = 0; p < particleCount; p++) if (last.vertex[p] < 0 || next.vertex[last.vertex[p]] !== p) follow(p);
    for (let p = 0; p < particleCount; p++) follow(p);
  }
  if (found < LEAST * 2 * (particleCount - Math.sqrt(particleCount))) return undefined;
  return {
    split,
    offsets: Int32Array.from(offsets),
    vertices: Int32Array.from(vertices),
    lengths: Float64Array.from(lengths),
  };
}

/** Keeps the edge that lies best along the thread. */
function put({ vertex, cosine }: Ends, at: number, other: number, better: number): boolean {
  if (!(better > cosine[at])) return false;
  vertex[at] = other;
  cosine[at] = better;
  return true;
}
