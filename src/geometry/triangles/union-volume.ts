import { cross, distance, norm, subtract } from "../../math/vectors";
import { boxOf } from "../box";
import { buildTriangleTree } from "./bvh";
import { triangleCorners, type ClosedSurface } from "./closed-surface";
import { buildWindingTree, windingNumber } from "./winding-number";

/** Number of places at which all faces together are looked at. */
const PLACES = 6000;
/** Distance of these places from the faces, in diagonals of the box. */
const AWAY = 1e-5;

/**
 * Volume of the union of pieces that overlap [m³]: of each face, the part counts that is in no other piece. That part is
 * estimated from places on a grid of the face.
 */
export function unionVolume({ positions, indices }: Pick<ClosedSurface, "positions" | "indices">): number {
  const corners = triangleCorners(positions, indices);
  const tree = buildTriangleTree(corners);
  const dipoles = buildWindingTree(tree);
  const { min, max } = boxOf(positions);
  const away = AWAY * distance(min, max);
  const rows = Math.ceil(Math.sqrt((3 * PLACES) / indices.length));
  const at = (i: number): number[] => [corners[i] - min[0], corners[i + 1] - min[1], corners[i + 2] - min[2]];
  let volume = 0;
  for (let i = 0; i < corners.length; i += 9) {
    const [a, b, c] = [at(i), at(i + 3), at(i + 6)];
    const normal = cross(subtract(b, a), subtract(c, a));
    const length = norm(normal);
    let outside = 0;
    // A triangle of `rows` rows has rows² smaller ones; a place is in the middle of each.
    for (let row = 0; row < rows; row++)
      for (let k = 0; k <= 2 * row; k++) {
        const turned = k % 2;
        const u = (row - k / 2 + turned / 2 + (1 + turned) / 3 - turned) / rows;
        const v = (Math.floor(k / 2) + (1 + turned) / 3) / rows;
        const [x, y, z] = [0, 1, 2].map(
          (d) => min[d] + a[d] + u * (b[d] - a[d]) + v * (c[d] - a[d]) + (away * normal[d]) / length,
        );
        if (windingNumber(tree, dipoles, x, y, z) < 0.5) outside++;
      }
    const [p, q] = [cross(a, b), c];
    volume += ((outside / (rows * rows)) * (p[0] * q[0] + p[1] * q[1] + p[2] * q[2])) / 6;
  }
  return volume;
}
