import { distanceBetween } from "../math/vectors";

/**
 * Points of equal distance along a polyline; corners of the polyline that lie between two of them are cut off.
 *
 * @param points n × 3, at least two different ones
 * @param edgeCount edges of the result
 * @param closed whether the last point is joined to the first
 * @returns (edgeCount + 1) × 3, including the first and the last point; edgeCount × 3 if the path is closed
 */
export function resamplePath(points: ArrayLike<number>, edgeCount: number, closed = false): Float64Array {
  const count = points.length / 3;
  const along = [0];
  for (let i = 0; i + 1 < count + (closed ? 1 : 0); i++) {
    const [a, b] = [3 * i, 3 * ((i + 1) % count)];
    along.push(along[i] + distanceBetween(points, b, a));
  }
  const length = along[along.length - 1];
  const out = new Float64Array(3 * (closed ? edgeCount : edgeCount + 1));
  let at = 0;
  for (let k = 0; 3 * k < out.length; k++) {
    const s = (length * k) / edgeCount;
    while (at < along.length - 2 && along[at + 1] < s) at++;
    const u = (s - along[at]) / (along[at + 1] - along[at] || 1);
    const next = 3 * ((at + 1) % count);
    for (let c = 0; c < 3; c++) out[3 * k + c] = (1 - u) * points[3 * at + c] + u * points[next + c];
  }
  return out;
}
