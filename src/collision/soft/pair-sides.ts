import type { CandidatePairs } from "../surface/candidate-pairs";
import { VERTEX_FACE } from "../surface/pair-geometry";

/** Sides as plain data. */
export interface SavedSides {
  readonly normal: Float64Array<ArrayBuffer>;
  /** four a pair */
  readonly vertices: Uint32Array<ArrayBuffer>;
  /** row and its first pair */
  readonly rows: readonly (readonly [number, number])[];
  readonly count: number;
}

/**
 * From which side the first primitives of candidate pairs came. Between two steps surfaces may pass through one another; a pair
 * that did is known by its normal of before, and is led back.
 */
export class PairSides {
  /** pairs × 3: unit, from the second primitive to the first; zero for a pair that the last search had not */
  normal = new Float64Array(0);
  private oldNormal = new Float64Array(0);
  private oldVertices = new Uint32Array(0);
  /** first of the pairs of each vertex and each edge in the last search: those of one follow on each other */
  private rows = new Map<number, number>();
  private oldCount = 0;

  save(): SavedSides {
    const { normal, oldVertices, oldCount, rows } = this;
    return { normal: normal.slice(), vertices: oldVertices.slice(), rows: [...rows], count: oldCount };
  }

  load({ normal, vertices, rows, count }: SavedSides): void {
    this.normal = normal.slice();
    this.oldVertices = vertices.slice();
    this.rows = new Map(rows);
    this.oldCount = count;
  }

  /** Takes the normals over to the pairs of another search. */
  recall(pairs: CandidatePairs): void {
    const { count, vertices } = pairs;
    [this.normal, this.oldNormal] = [this.oldNormal, this.normal];
    const { oldNormal, oldVertices } = this;
    if (this.normal.length < 3 * count) this.normal = new Float64Array(6 * count);
    for (let n = 0; n < count; n++) {
      const known = this.find(pairs, n);
      for (let c = 0; c < 3; c++) this.normal[3 * n + c] = known < 0 ? 0 : oldNormal[3 * known + c];
    }
    this.rows.clear();
    for (let n = 0; n < count; n++) {
      const row = rowOf(pairs, n);
      if (!this.rows.has(row)) this.rows.set(row, n);
    }
    this.oldVertices = oldVertices.length < 4 * count ? new Uint32Array(8 * count) : oldVertices;
    this.oldVertices.set(vertices.subarray(0, 4 * count));
    this.oldCount = count;
  }

  private find(pairs: CandidatePairs, n: number): number {
    const { oldVertices, oldCount } = this;
    const { vertices } = pairs;
    const [a, b, c, d] = [vertices[4 * n], vertices[4 * n + 1], vertices[4 * n + 2], vertices[4 * n + 3]];
    const own = pairs.kind[n] === VERTEX_FACE ? a : b;
    for (let k = this.rows.get(rowOf(pairs, n)) ?? oldCount; k < oldCount; k++) {
      const at = 4 * k;
      if (oldVertices[at] !== a || (own === b && oldVertices[at + 1] !== b)) return -1;
      if (oldVertices[at + 1] === b && oldVertices[at + 2] === c && oldVertices[at + 3] === d) return k;
    }
    return -1;
  }
}

/** Names the vertex or the edge that a pair is one of. */
function rowOf({ kind, vertices, mesh }: CandidatePairs, n: number): number {
  const a = vertices[4 * n];
  return a * mesh.particleCount + (kind[n] === VERTEX_FACE ? a : vertices[4 * n + 1]);
}
