import { gridMesh, type GridDescription } from "../../src/geometry/grid";
import { gpbdCloth, type ClothDescription, type ClothModel } from "../../src/models/gpbd/cloth";

/** A rectangular cloth: the grid's options and the cloth's in one. */
export function gridCloth(
  grid: GridDescription,
  cloth: Omit<ClothDescription, "positions" | "indices" | "uvs"> = {},
): ClothModel {
  const { positions, indices, uvs } = gridMesh(grid);
  // texture coordinates in meters, so that they stretch nothing
  for (let i = 0; i < uvs.length; i++) uvs[i] *= i % 2 === 0 ? grid.width : grid.height;
  return gpbdCloth({ positions, indices, uvs, ...cloth });
}

/** Largest difference of two arrays. */
export function largestDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let largest = a.length === b.length ? 0 : Infinity;
  for (let i = 0; i < b.length; i++) {
    const difference = Math.abs(a[i] - b[i]);
    if (!(difference <= largest)) largest = Number.isNaN(difference) ? Infinity : difference;
  }
  return largest;
}

/** Indices of the vertices that `select` accepts. */
export function verticesWhere(
  positions: ArrayLike<number>,
  select: (x: number, y: number, z: number) => boolean,
): number[] {
  const found: number[] = [];
  for (let p = 0; 3 * p < positions.length; p++)
    if (select(positions[3 * p], positions[3 * p + 1], positions[3 * p + 2])) found.push(p);
  return found;
}
