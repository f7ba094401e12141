import type { DistanceGrid } from "./mesh-distance";

/** Number of grids kept, those of the most recently used meshes. */
const kept = 16;
const grids = new Map<string, DistanceGrid>();

/**
 * The distance grid of a mesh that was baked before, or a new one: a scene with many bodies of the same mesh bakes it
 * once.
 *
 * @param bake makes the grid if there is none for this content
 */
export function cachedGrid(
  positions: ArrayLike<number>,
  indices: ArrayLike<number>,
  resolution: number | undefined,
  bake: () => DistanceGrid,
): DistanceGrid {
  const key = `${positions.length},${indices.length},${resolution},${hash(positions)},${hash(indices)}`;
  const grid = grids.get(key) ?? bake();
  // Removing and inserting the grid keeps the map in order of last use.
  grids.delete(key);
  grids.set(key, grid);
  if (grids.size > kept) grids.delete(grids.keys().next().value!);
  return grid;
}

/** Two independent 32-bit FNV-1a hashes over the bytes of the values as doubles. */
function hash(values: ArrayLike<number>): string {
  const words = new Uint32Array(Float64Array.from(values).buffer);
  let a = 0x811c9dc5;
  let b = 0x9747b28c;
  for (const word of words) {
    a = Math.imul(a ^ word, 0x01000193);
    a ^= a >>> 15;
    b = Math.imul(b ^ word, 0x85ebca6b);
    b ^= b >>> 13;
  }
  return `${a >>> 0},${b >>> 0}`;
}
