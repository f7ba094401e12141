/**
 * Which pairs of a guest and another body push: those whose closest points are nearest to each other also among all that hangs together with them. Beside these, all
 * pairs that have a corner in common with them are near, too, along normals that lean. Two blocks whose corners lie on one another had a pair of each
 * corner with each face around the other: when friction sheared the lower one further than the upper one, these held the upper one like teeth.
 */
import { buildIncidence, type Incidence } from "../../geometry/surface/incidence";
import { type CandidatePairs } from "./candidate-pairs";
import { VERTEX_FACE } from "./pair-geometry";
import type { SurfaceMesh } from "./surface-mesh";

/** Cosine up to which a pair may lean towards its neighbors: surfaces that lie flat on one another lean a little to either side. */
const LEAN = 1e-3;

export class NearestPlaces {
  private readonly edgesAt: Incidence = buildIncidence(this.mesh.edges, this.mesh.particleCount);
  private readonly facesAt: Incidence = buildIncidence(this.mesh.faces, this.mesh.particleCount);

  /** @param isGuest of each body */
  constructor(
    private readonly mesh: SurfaceMesh,
    private readonly isGuest: readonly boolean[],
  ) {}

  /**
   * @param j number of the pair, whose normal is the direction between its closest points
   * @param x positions, particleCount × 3 [m]
   * @param weights of the vertices of all pairs
   */
  areNearest(pairs: CandidatePairs, j: number, x: Float64Array, weights: Float64Array): boolean {
    const { isGuest, mesh } = this;
    const { vertices, kind } = pairs;
    if (!isGuest[mesh.partOf[vertices[4 * j]]] && !isGuest[mesh.partOf[vertices[4 * j + 3]]]) return true;
    const own = kind[j] === VERTEX_FACE ? 1 : 2;
    return this.isNearest(pairs, j, 0, own, -1, x, weights) && this.isNearest(pairs, j, own, 4, 1, x, weights);
  }

  /** The same for the primitive of the vertices from `from` to `to`, against whose other one the normal points with this sign. */
  private isNearest(
    { vertices, normal }: CandidatePairs,
    j: number,
    from: number,
    to: number,
    sign: number,
    x: Float64Array,
    weights: Float64Array,
  ): boolean {
    let [a, b, count] = [0, 0, 0];
    for (let k = 4 * j + from; k < 4 * j + to; k++) {
      if (weights[k] === 0) continue;
      [a, b] = [vertices[k], a];
      count++;
    }
    const leans = (other: number): boolean => leansTo(x, a, count === 2 ? b : a, other, normal, 3 * j, sign);
    if (count === 1) {
      const { edges } = this.mesh;
      const { offsets, entries } = this.edgesAt;
      for (let i = offsets[a]; i < offsets[a + 1]; i++) if (leans(edges[entries[i] ^ 1])) return false;
    }
    if (count === 2) {
      const { faces } = this.mesh;
      const { offsets, entries } = this.facesAt;
      for (let i = offsets[a]; i < offsets[a + 1]; i++) {
        const first = entries[i] - (entries[i] % 3);
        const [p, q, r] = [faces[first], faces[first + 1], faces[first + 2]];
        if ((p === b || q === b || r === b) && leans(p + q + r - a - b)) return false;
      }
    }
    return true;
  }
}

/** Whether the way from the edge a b, or the vertex a if both are the same, to another vertex leans along the normal. */
function leansTo(
  x: Float64Array,
  a: number,
  b: number,
  other: number,
  normal: Float64Array,
  n: number,
  sign: number,
): boolean {
  let [edge, way] = [0, 0];
  for (let c = 0; c < 3; c++) {
    const e = x[3 * b + c] - x[3 * a + c];
    edge += e * e;
    way += e * (x[3 * other + c] - x[3 * a + c]);
  }
  const part = edge > 0 ? way / edge : 0;
  let [along, length] = [0, 0];
  for (let c = 0; c < 3; c++) {
    const d = x[3 * other + c] - x[3 * a + c] - part * (x[3 * b + c] - x[3 * a + c]);
    along += sign * d * normal[n + c];
    length += d * d;
  }
  return along > LEAN * Math.sqrt(length);
}
