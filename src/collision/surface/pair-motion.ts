/**
 * The ways that primitives of pairs may have moved against each other, by the two bodies that they are of: the difference of the bodies' mean
 * motions, and what their vertices do beside these. Surfaces that fall, slide or lie together do not move against each other.
 */
import type { SurfaceMesh } from "./surface-mesh";

export class PairMotion {
  /** bodies × bodies [m] */
  readonly most: Float64Array;
  /** bodies × 3 [m], and of each body the largest way beside that [m] */
  private readonly mean = new Float64Array(3 * (this.mesh.partStart.length - 1));
  private readonly beside = new Float64Array(this.mesh.partStart.length - 1);
  /** first of each body's vertices in the list, and the end of the last */
  private readonly first = new Uint32Array(this.mesh.partStart.length);

  constructor(private readonly mesh: SurfaceMesh) {
    const parts = mesh.partStart.length - 1;
    this.most = new Float64Array(parts * parts);
    for (const v of mesh.vertices) this.first[mesh.partOf[v] + 1]++;
    for (let part = 0; part < parts; part++) this.first[part + 1] += this.first[part];
  }

  /**
   * Sets `most` to what they do between two states.
   *
   * @param from positions, particleCount × 3 [m]
   * @param to the same [m]
   */
  measure(from: Float64Array, to: Float64Array): void {
    const { mesh, mean, beside, first, most } = this;
    const { vertices, keeps } = mesh;
    for (let part = 0; part < beside.length; part++) {
      let [x, y, z] = [0, 0, 0];
      for (let k = first[part]; k < first[part + 1]; k++) {
        const i = 3 * vertices[k];
        x += to[i] - from[i];
        y += to[i + 1] - from[i + 1];
        z += to[i + 2] - from[i + 2];
      }
      const count = Math.max(1, first[part + 1] - first[part]);
      mean[3 * part] = x /= count;
      mean[3 * part + 1] = y /= count;
      mean[3 * part + 2] = z /= count;
      let squared = 0;
      for (let k = first[part]; k < first[part + 1]; k++) {
        const i = 3 * vertices[k];
        const dx = to[i] - from[i] - x;
        const dy = to[i + 1] - from[i + 1] - y;
        const dz = to[i + 2] - from[i + 2] - z;
        squared = Math.max(squared, dx * dx + dy * dy + dz * dz);
      }
      beside[part] = Math.sqrt(squared);
    }
    for (let a = 0, m = 0; a < beside.length; a++)
      for (let b = 0; b < beside.length; b++, m++) {
        if (!(keeps[m] > 0)) continue;
        const dx = mean[3 * a] - mean[3 * b];
        const dy = mean[3 * a + 1] - mean[3 * b + 1];
        const dz = mean[3 * a + 2] - mean[3 * b + 2];
        most[m] = beside[a] + beside[b] + Math.sqrt(dx * dx + dy * dy + dz * dz);
      }
  }
}
