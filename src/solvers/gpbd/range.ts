import type { RangeTable } from "../deformable";

/**
 * Keeps free particles within their distance from places that an animation moves, and no further behind them along their normals than
 * the backstop. Twin of shaders/gpbd/range.wgsl.
 *
 * @param x positions, particleCount × 3 [m]: changed
 * @param w h²/m of each particle [s²/kg], 0 for one that is held
 * @param fraction part of the frame at the end of the substep
 */
export function holdInRange(range: RangeTable, x: Float64Array, w: Float64Array, fraction: number): void {
  const { before, places, normals, maxDistances, backstops } = range;
  for (let p = 0, i = 0; p < w.length; p++, i += 3) {
    if (!(w[p] > 0)) continue;
    const px = before[i] + fraction * (places[i] - before[i]);
    const py = before[i + 1] + fraction * (places[i + 1] - before[i + 1]);
    const pz = before[i + 2] + fraction * (places[i + 2] - before[i + 2]);
    let ox = x[i] - px;
    let oy = x[i + 1] - py;
    let oz = x[i + 2] - pz;
    const behind = ox * normals[i] + oy * normals[i + 1] + oz * normals[i + 2] + backstops[p];
    if (behind < 0) {
      ox -= behind * normals[i];
      oy -= behind * normals[i + 1];
      oz -= behind * normals[i + 2];
    }
    const distance = Math.sqrt(ox * ox + oy * oy + oz * oz);
    const isFar = distance > maxDistances[p];
    if (!isFar && !(behind < 0)) continue;
    const part = isFar ? maxDistances[p] / distance : 1;
    x[i] = px + part * ox;
    x[i + 1] = py + part * oy;
    x[i + 2] = pz + part * oz;
  }
}
