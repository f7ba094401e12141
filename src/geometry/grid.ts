import { checkPositive } from "../checks";
import { invalid } from "../errors";
import { checkNames, optionNames } from "../option-names";
import type { Vec3 } from "../math/types";

export interface GridDescription {
  /** extent along the grid's first axis [m] */
  width: number;
  /** extent along the second [m] */
  height: number;
  /** cells along the first axis */
  columns: number;
  /** cells along the second */
  rows: number;
  /** plane that the grid lies in; the first axis is x. Default `xz` */
  plane?: "xz" | "xy";
  /** middle of the grid [m], default the origin */
  center?: Vec3;
}

const gridNames = optionNames<GridDescription>()("width height columns rows plane center");

/**
 * A rectangle of triangles, diagonals alternating, with texture coordinates: u along the first axis.
 *
 * @throws PliantError `invalid-argument` for sizes that are not positive, or for fractional numbers of cells
 */
export function gridMesh(description: GridDescription): {
  positions: Float64Array;
  indices: Uint32Array;
  uvs: Float64Array;
} {
  checkNames("grid", description, gridNames);
  const { width, height, columns, rows } = description;
  for (const [key, value] of Object.entries({ columns, rows }))
    if (!(Number.isInteger(value) && value >= 1)) throw invalid(`grid.${key}`, value, "must be a whole number from 1");
  for (const [key, value] of Object.entries({ width, height })) checkPositive(value, `grid.${key}`);
  const center = description.center ?? [0, 0, 0];
  const vertical = description.plane === "xy";
  const count = (columns + 1) * (rows + 1);
  const positions = new Float64Array(3 * count);
  const uvs = new Float64Array(2 * count);
  const indices = new Uint32Array(6 * columns * rows);
  for (let j = 0, v = 0; j <= rows; j++)
    for (let i = 0; i <= columns; i++, v++) {
      const a = (i / columns - 0.5) * width;
      const b = (j / rows - 0.5) * height;
      positions.set([center[0] + a, center[1] + (vertical ? b : 0), center[2] + (vertical ? 0 : b)], 3 * v);
      uvs.set([i / columns, j / rows], 2 * v);
    }
  for (let j = 0, at = 0; j < rows; j++)
    for (let i = 0; i < columns; i++, at += 6) {
      const a = j * (columns + 1) + i;
      const [b, c, d] = [a + 1, a + columns + 1, a + columns + 2];
      // Triangles are wound so that normals point up (xz) or towards −z (xy), Babylon's left-handed front.
      indices.set((i + j) % 2 === 0 ? [a, b, d, a, d, c] : [a, b, c, b, d, c], at);
    }
  return { positions, indices, uvs };
}
