import type { Placed } from "../shapes/placed";
import { AxisOwner, PREFERENCE, type Separation } from "./separation";

/** Squared sine of the angle between edges below which their cross product has no direction. */
const PARALLEL = 1e-10;

/**
 * Separating axes of two boxes (Gottschalk, Lin & Manocha 1996): three faces of each, nine pairs of edges. The largest
 * separation over them is the depth of penetration if they overlap, otherwise a lower bound of the distance.
 *
 * Glossary: R rotation of B relative to A, t center of B in A; h half extents.
 *
 * @param a a box at rest in the working frame
 * @returns false, with only the distance in `out`, if the boxes are further apart than `margin` [m]
 */
export function boxSeparation(a: Placed, b: Placed, margin: number, out: Separation): boolean {
  const R = b.frame;
  const { halfX: ax, halfY: ay, halfZ: az } = a.convex;
  const { halfX: bx, halfY: by, halfZ: bz } = b.convex;
  const tx = R[9];
  const ty = R[10];
  const tz = R[11];
  const A00 = Math.abs(R[0]);
  const A01 = Math.abs(R[1]);
  const A02 = Math.abs(R[2]);
  const A10 = Math.abs(R[3]);
  const A11 = Math.abs(R[4]);
  const A12 = Math.abs(R[5]);
  const A20 = Math.abs(R[6]);
  const A21 = Math.abs(R[7]);
  const A22 = Math.abs(R[8]);

  // Faces of A.
  const sx = Math.abs(tx) - ax - (A00 * bx + A01 * by + A02 * bz);
  const sy = Math.abs(ty) - ay - (A10 * bx + A11 * by + A12 * bz);
  const sz = Math.abs(tz) - az - (A20 * bx + A21 * by + A22 * bz);
  let best = sx;
  let axis = 0;
  if (sy > best) {
    best = sy;
    axis = 1;
  }
  if (sz > best) {
    best = sz;
    axis = 2;
  }
  if (best > margin) return out.isApart(best);
  let sign = R[9 + axis] < 0 ? -1 : 1;
  const nx = axis === 0 ? sign : 0;
  const ny = axis === 1 ? sign : 0;
  const nz = axis === 2 ? sign : 0;
  out.set(best, nx, ny, nz, AxisOwner.faceA, 2 * axis + (sign > 0 ? 1 : 0), 0);

  // Faces of B.
  const tolerance = PREFERENCE * Math.min(Math.max(ax, ay, az), Math.max(bx, by, bz));
  const ux = R[0] * tx + R[3] * ty + R[6] * tz;
  const uy = R[1] * tx + R[4] * ty + R[7] * tz;
  const uz = R[2] * tx + R[5] * ty + R[8] * tz;
  const qx = Math.abs(ux) - bx - (A00 * ax + A10 * ay + A20 * az);
  const qy = Math.abs(uy) - by - (A01 * ax + A11 * ay + A21 * az);
  const qz = Math.abs(uz) - bz - (A02 * ax + A12 * ay + A22 * az);
  let bestB = qx;
  axis = 0;
  if (qy > bestB) {
    bestB = qy;
    axis = 1;
  }
  if (qz > bestB) {
    bestB = qz;
    axis = 2;
  }
  if (bestB > margin) return out.isApart(bestB);
  if (bestB > best + tolerance) {
    best = bestB;
    sign = (axis === 0 ? ux : axis === 1 ? uy : uz) < 0 ? -1 : 1;
    // The face of B towards A has the opposite normal.
    const face = 2 * axis + (sign > 0 ? 0 : 1);
    out.set(best, sign * R[axis], sign * R[3 + axis], sign * R[6 + axis], AxisOwner.faceB, face, 0);
  }

  // Pairs of edges: i along an axis of A, j along one of B. L = e_i × R e_j.
  best += tolerance;
  for (let i = 0; i < 3; i++) {
    const i1 = i === 2 ? 0 : i + 1;
    const i2 = i === 0 ? 2 : i - 1;
    const ti1 = R[9 + i1];
    const ti2 = R[9 + i2];
    const ha1 = i1 === 0 ? ax : i1 === 1 ? ay : az;
    const ha2 = i2 === 0 ? ax : i2 === 1 ? ay : az;
    for (let j = 0; j < 3; j++) {
      const r = R[3 * i + j];
      const squared = 1 - r * r;
      if (squared < PARALLEL) continue;
      const l1 = -R[3 * i2 + j];
      const l2 = R[3 * i1 + j];
      const j1 = j === 2 ? 0 : j + 1;
      const j2 = j === 0 ? 2 : j - 1;
      const hb1 = j1 === 0 ? bx : j1 === 1 ? by : bz;
      const hb2 = j2 === 0 ? bx : j2 === 1 ? by : bz;
      const reachA = ha1 * Math.abs(l1) + ha2 * Math.abs(l2);
      const reachB = hb1 * Math.abs(R[3 * i + j2]) + hb2 * Math.abs(R[3 * i + j1]);
      const along = ti1 * l1 + ti2 * l2;
      const scale = 1 / Math.sqrt(l1 * l1 + l2 * l2);
      const s = (Math.abs(along) - reachA - reachB) * scale;
      if (s <= best) continue;
      if (s > margin) return out.isApart(s);
      best = s;
      const k = along < 0 ? -scale : scale;
      const n0 = i === 0 ? 0 : i1 === 0 ? k * l1 : k * l2;
      const n1 = i === 1 ? 0 : i1 === 1 ? k * l1 : k * l2;
      const n2 = i === 2 ? 0 : i1 === 2 ? k * l1 : k * l2;
      out.set(s, n0, n1, n2, AxisOwner.edges, i, j);
    }
  }
  return true;
}
