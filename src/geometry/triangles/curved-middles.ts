import type { Subdivision } from "./subdivide";

/**
 * Places and normals of the new vertices of a subdivision on a curved surface: the midpoints of cubic edges that are
 * perpendicular to the normals at both ends (Vlachos, Peters, Boyd, Mitchell 2001, Curved PN Triangles, equation 3). Edges
 * meet without a crease, since each depends on its own ends alone. Normals are means of those at the ends: the paper's
 * quadratic ones (equation 4) turn what is uneven in simulated normals around, which draws dots along tight folds.
 *
 * @param vertices position xyz and unit normal xyz of each vertex; those of the old vertices are given
 */
export function curveMiddles({ oldCount, vertexCount, parents }: Subdivision, vertices: Float32Array): void {
  for (let v = oldCount; v < vertexCount; v++) {
    const [a, b] = [6 * parents[2 * (v - oldCount)], 6 * parents[2 * (v - oldCount) + 1]];
    let [alongA, alongB] = [0, 0];
    for (let c = 0; c < 3; c++) {
      const edge = vertices[b + c] - vertices[a + c];
      alongA += edge * vertices[a + 3 + c];
      alongB += edge * vertices[b + 3 + c];
    }
    let size = 0;
    for (let c = 0; c < 3; c++) {
      const [x, y] = [vertices[a + c], vertices[b + c]];
      const [na, nb] = [vertices[a + 3 + c], vertices[b + 3 + c]];
      vertices[6 * v + c] = 0.5 * (x + y) + 0.125 * (alongB * nb - alongA * na);
      const normal = na + nb;
      vertices[6 * v + 3 + c] = normal;
      size += normal * normal;
    }
    for (let c = 3; c < 6; c++)
      vertices[6 * v + c] = size > 0 ? vertices[6 * v + c] / Math.sqrt(size) : vertices[a + c];
  }
}
