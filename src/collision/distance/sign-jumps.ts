import { lengthOf } from "../../math/vectors";

/**
 * Smooths a grid of signed distances where inside and outside meet away from the surface.
 *
 * A bridged hole, or the wall below the rim of an open mesh, is no surface to measure distances from: the value jumps
 * there from -d to +d between neighbors. Neighbors of opposite sign with |a| + |b| > cell are shrunk until they fit a
 * zero between them, then the bound |φ(x)| ≤ |φ(y)| + |x - y| is carried into the grid by two chamfer sweeps. If signs
 * change only at the surface, nothing is done.
 */
export function repairSignJumps(values: Float64Array, samples: readonly [number, number, number], cell: number): void {
  if (shrinkJumps(values, samples, cell)) {
    sweep(values, samples, cell, 1);
    sweep(values, samples, cell, -1);
  }
}

function shrinkJumps(values: Float64Array, [nx, ny, nz]: readonly [number, number, number], cell: number): boolean {
  const limits = new Map<number, number>();
  const limit = (at: number, most: number): void => void limits.set(at, Math.min(most, limits.get(at) ?? Infinity));
  const strides = [1, nx, nx * ny];
  for (let k = 0, at = 0; k < nz; k++)
    for (let j = 0; j < ny; j++)
      for (let i = 0; i < nx; i++, at++)
        for (let axis = 0; axis < 3; axis++) {
          if ((axis === 0 && i === nx - 1) || (axis === 1 && j === ny - 1) || (axis === 2 && k === nz - 1)) continue;
          const a = values[at];
          const b = values[at + strides[axis]];
          const gap = Math.abs(a) + Math.abs(b);
          if (a * b >= 0 || gap <= cell * (1 + 1e-6)) continue;
          limit(at, (cell * Math.abs(a)) / gap);
          limit(at + strides[axis], (cell * Math.abs(b)) / gap);
        }
  for (const [at, most] of limits) values[at] = Math.sign(values[at]) * Math.min(most, Math.abs(values[at]));
  return limits.size > 0;
}

/** One sweep over the grid, forward or backward; each sample is bounded by the 13 neighbors already passed. */
function sweep(values: Float64Array, [nx, ny, nz]: readonly [number, number, number], cell: number, way: 1 | -1): void {
  const behind: number[][] = [];
  for (let dk = -1; dk <= 1; dk++)
    for (let dj = -1; dj <= 1; dj++)
      for (let di = -1; di <= 1; di++)
        if (di + 3 * dj + 9 * dk < 0)
          behind.push([way * di, way * dj, way * dk, way * (di + nx * (dj + ny * dk)), cell * lengthOf(di, dj, dk)]);
  const total = nx * ny * nz;
  for (let n = 0; n < total; n++) {
    const at = way > 0 ? n : total - 1 - n;
    const i = at % nx;
    const j = Math.floor(at / nx) % ny;
    const k = Math.floor(at / (nx * ny));
    let size = Math.abs(values[at]);
    for (const [di, dj, dk, offset, distance] of behind) {
      if (i + di < 0 || i + di >= nx || j + dj < 0 || j + dj >= ny || k + dk < 0 || k + dk >= nz) continue;
      size = Math.min(size, Math.abs(values[at + offset]) + distance);
    }
    if (size < Math.abs(values[at])) values[at] = Math.sign(values[at]) * size;
  }
}
