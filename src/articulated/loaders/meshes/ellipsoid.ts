import type { Vec3 } from "../../../math/types";
import { cos, sin } from "../../../math/deterministic";

/** Rings between the poles, and corners of each. */
const [RINGS, CORNERS] = [7, 16];

/** Corners and triangles of an ellipsoid about the origin with these half axes [m]. */
export function ellipsoidMesh([a, b, c]: Vec3): { positions: Float64Array; indices: Uint32Array } {
  const positions: number[] = [0, 0, c];
  const indices: number[] = [];
  for (let ring = 1; ring <= RINGS; ring++)
    for (let corner = 0; corner < CORNERS; corner++) {
      const [polar, around] = [(Math.PI * ring) / (RINGS + 1), (2 * Math.PI * corner) / CORNERS];
      positions.push(a * sin(polar) * cos(around), b * sin(polar) * sin(around), c * cos(polar));
    }
  positions.push(0, 0, -c);
  const last = positions.length / 3 - 1;
  const at = (ring: number, corner: number): number => 1 + (ring - 1) * CORNERS + (corner % CORNERS);
  for (let corner = 0; corner < CORNERS; corner++) {
    indices.push(0, at(1, corner), at(1, corner + 1));
    for (let ring = 1; ring < RINGS; ring++) {
      const [p, q, r, s] = [at(ring, corner), at(ring + 1, corner), at(ring + 1, corner + 1), at(ring, corner + 1)];
      indices.push(p, q, r, p, r, s);
    }
    indices.push(at(RINGS, corner), last, at(RINGS, corner + 1));
  }
  return { positions: Float64Array.from(positions), indices: Uint32Array.from(indices) };
}
