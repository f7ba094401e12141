/**
 * Connectivity of a triangle surface that is cut along edges: the triangles across each edge, and the vertices around
 * which triangles have come apart.
 */
import { buildIncidence } from "./incidence";
import { nextCorner, sidesOfEdges } from "./twin-sides";

/** A vertex that came apart. */
export interface VertexSplit {
  readonly from: number;
  /** the new vertex */
  readonly to: number;
  /** triangles that use the new vertex instead of the old one */
  readonly faces: readonly number[];
}

export class TornSurface {
  /** triangle across the edge from corner c to the next, at 3 f + c; −1 at a boundary */
  readonly across: Int32Array = facesAcross(this.faces);
  /** triangles at each vertex, in their order */
  private readonly around: number[][];

  /**
   * @param faces three vertices each: changed by `cut`
   * @param capacity largest final number of vertices
   */
  constructor(
    readonly faces: Uint32Array,
    private readonly capacity: number,
  ) {
    const { offsets, entries } = buildIncidence(faces, capacity);
    this.around = Array.from({ length: capacity }, (_, vertex) =>
      Array.from(entries.subarray(offsets[vertex], offsets[vertex + 1]), (entry) => Math.floor(entry / 3)),
    );
  }

  /** Corner of the edge from `a` to `b`, or from `b` to `a`, in a triangle with both. */
  edgeOf(face: number, a: number, b: number): number {
    const { faces } = this;
    for (let c = 0; c < 3; c++) {
      const [p, q] = [faces[3 * face + c], faces[3 * face + ((c + 1) % 3)]];
      if ((p === a && q === b) || (p === b && q === a)) return 3 * face + c;
    }
    return -1;
  }

  /**
   * Cuts the edges from `vertex` to some others, and gives a new vertex to each part of the triangles around a vertex
   * that no longer shares an edge with the rest. The part with the first triangle keeps the old vertex.
   *
   * @param ends other ends of the edges
   * @param next number of the first new vertex
   * @returns splits in the order of the new vertices; if there is no room for more, some parts get none
   */
  cut(vertex: number, ends: readonly number[], next: number): VertexSplit[] {
    const { across } = this;
    for (const end of ends)
      for (const face of this.facesAt(vertex)) {
        const edge = this.edgeOf(face, vertex, end);
        if (edge < 0 || across[edge] < 0) continue;
        const other = this.edgeOf(across[edge], vertex, end);
        across[edge] = -1;
        across[other] = -1;
      }
    const splits: VertexSplit[] = [];
    for (const v of [vertex, ...ends])
      for (const part of this.partsAround(v).slice(1)) {
        if (next + splits.length >= this.capacity) break;
        splits.push({ from: v, to: next + splits.length, faces: part });
      }
    for (const { from, to, faces } of splits) {
      for (const face of faces)
        for (let i = 3 * face; i < 3 * face + 3; i++) if (this.faces[i] === from) this.faces[i] = to;
      this.around[from] = this.around[from].filter((face) => !faces.includes(face));
      this.around[to] = [...faces];
    }
    return splits;
  }

  /** Triangles at a vertex, in their order. */
  facesAt(vertex: number): readonly number[] {
    return this.around[vertex];
  }

  /**
   * Triangles at a vertex, grouped into parts that are connected by edges at the vertex, in the order of their first
   * triangles.
   */
  partsAround(vertex: number): number[][] {
    const left = new Set(this.facesAt(vertex));
    const parts: number[][] = [];
    for (const seed of left) {
      left.delete(seed);
      const part = [seed];
      for (let k = 0; k < part.length; k++)
        for (let i = 3 * part[k]; i < 3 * part[k] + 3; i++) {
          if (this.faces[i] !== vertex && this.faces[nextCorner(i)] !== vertex) continue;
          const other = this.across[i];
          if (!left.delete(other)) continue;
          part.push(other);
        }
      parts.push(part.sort((a, b) => a - b));
    }
    return parts;
  }
}

/** Edges of more than two triangles are boundaries. */
function facesAcross(faces: Uint32Array): Int32Array {
  const across = new Int32Array(faces.length).fill(-1);
  for (const sides of sidesOfEdges(faces).values()) {
    const [i, j] = sides;
    if (sides.length !== 2) continue;
    across[i] = Math.floor(j / 3);
    across[j] = Math.floor(i / 3);
  }
  return across;
}
