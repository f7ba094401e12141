/**
 * Change of a contact while body A moves and body B stands still: the derivatives of point, normal and depth that paper
 * 4 (section 5) needs, for every kind of contact. The effect of a motion of B follows, because a common motion of both
 * bodies carries the contact with it.
 *
 * Glossary: ω, v  rotation of A, and its velocity at the contact point p;  u(x) = v + ω × (x - p) velocity of A's material
 * at x;  n normal from B to A;  x point of A's feature;  d, e unit directions of the edges of A and B;  r = x - x_B = gap·n.
 */
import { ContactKind, type ContactSet } from "./contact-set";

/** Count of numbers that `contactVariation` writes for each of six motions of A: dp (3), dn (3), dδ. */
export const VARIATION = 7;

const dx = new Float64Array(3);
const dn = new Float64Array(3);

/**
 * Derivatives of contact i by six motions of A: unit rotations about p around x, y, z, then unit displacements.
 *
 * @param out at `at + 7·m`, for motion m: change of p (3), of n (3) and of the depth
 */
export function contactVariation(set: ContactSet, i: number, out: Float64Array, at: number): void {
  const c = 3 * i;
  const { normal, anchor, point, radius, depth } = set;
  const back = radius[i] - 0.5 * depth[i];
  const n0 = normal[c];
  const n1 = normal[c + 1];
  const n2 = normal[c + 2];
  const y0 = anchor[c] - point[c];
  const y1 = anchor[c + 1] - point[c + 1];
  const y2 = anchor[c + 2] - point[c + 2];
  for (let m = 0; m < 6; m++) {
    const w0 = m === 0 ? 1 : 0;
    const w1 = m === 1 ? 1 : 0;
    const w2 = m === 2 ? 1 : 0;
    const u0 = (m === 3 ? 1 : 0) + w1 * y2 - w2 * y1;
    const u1 = (m === 4 ? 1 : 0) + w2 * y0 - w0 * y2;
    const u2 = (m === 5 ? 1 : 0) + w0 * y1 - w1 * y0;
    vary(set, i, w0, w1, w2, u0, u1, u2);
    const k = at + VARIATION * m;
    const dDepth = -(n0 * dx[0] + n1 * dx[1] + n2 * dx[2]);
    out[k] = dx[0] - back * dn[0] + 0.5 * dDepth * n0;
    out[k + 1] = dx[1] - back * dn[1] + 0.5 * dDepth * n1;
    out[k + 2] = dx[2] - back * dn[2] + 0.5 * dDepth * n2;
    out[k + 3] = dn[0];
    out[k + 4] = dn[1];
    out[k + 5] = dn[2];
    out[k + 6] = dDepth;
  }
}

/** Change of x and n for the rotation (w0, w1, w2) of A, whose material at x moves by (u0, u1, u2). */
function vary(
  set: ContactSet,
  i: number,
  w0: number,
  w1: number,
  w2: number,
  u0: number,
  u1: number,
  u2: number,
): void {
  const { normal, directionA, directionB, gap } = set;
  const c = 3 * i;
  const n0 = normal[c];
  const n1 = normal[c + 1];
  const n2 = normal[c + 2];
  const d0 = directionA[c];
  const d1 = directionA[c + 1];
  const d2 = directionA[c + 2];
  const e0 = directionB[c];
  const e1 = directionB[c + 1];
  const e2 = directionB[c + 2];
  dx[0] = u0;
  dx[1] = u1;
  dx[2] = u2;
  dn[0] = dn[1] = dn[2] = 0;
  switch (set.kind[i]) {
    case ContactKind.PointFace:
      return;
    case ContactKind.PointPoint:
      // dn = (1 - n nᵀ) dr / |r|
      setNormalChange(n0, n1, n2, u0, u1, u2, gap[i]);
      return;
    case ContactKind.PointEdge: {
      // The nearest point of the edge follows: dr = u - e (e·u)
      const along = e0 * u0 + e1 * u1 + e2 * u2;
      setNormalChange(n0, n1, n2, u0 - along * e0, u1 - along * e1, u2 - along * e2, gap[i]);
      return;
    }
    case ContactKind.EdgePoint: {
      // x slides along A's edge so that r stays perpendicular to it: ds = -d·u - (ω × d)·r
      const t0 = w1 * d2 - w2 * d1;
      const t1 = w2 * d0 - w0 * d2;
      const t2 = w0 * d1 - w1 * d0;
      const ds = -(d0 * u0 + d1 * u1 + d2 * u2) - gap[i] * (t0 * n0 + t1 * n1 + t2 * n2);
      dx[0] += ds * d0;
      dx[1] += ds * d1;
      dx[2] += ds * d2;
      setNormalChange(n0, n1, n2, dx[0], dx[1], dx[2], gap[i]);
      return;
    }
    case ContactKind.EdgeEdge: {
      // n = ± d × e / |d × e|; x stays the point of A's edge nearest to B's edge, (1 - k²) ds = -u·d - r·(ω × d) + k
      // u·e
      const k = d0 * e0 + d1 * e1 + d2 * e2;
      const t0 = w1 * d2 - w2 * d1;
      const t1 = w2 * d0 - w0 * d2;
      const t2 = w0 * d1 - w1 * d0;
      const turned = t0 * n0 + t1 * n1 + t2 * n2;
      const ud = u0 * d0 + u1 * d1 + u2 * d2;
      const ue = u0 * e0 + u1 * e1 + u2 * e2;
      const squaredSine = 1 - k * k;
      const ds = (k * ue - ud - gap[i] * turned) / squaredSine;
      dx[0] += ds * d0;
      dx[1] += ds * d1;
      dx[2] += ds * d2;
      const c0 = d1 * e2 - d2 * e1;
      const c1 = d2 * e0 - d0 * e2;
      const c2 = d0 * e1 - d1 * e0;
      const sign = c0 * n0 + c1 * n1 + c2 * n2 < 0 ? -1 : 1;
      setNormalChange(
        n0,
        n1,
        n2,
        sign * (t1 * e2 - t2 * e1),
        sign * (t2 * e0 - t0 * e2),
        sign * (t0 * e1 - t1 * e0),
        Math.sqrt(squaredSine),
      );
      return;
    }
    case ContactKind.EdgeOverSide: {
      // x stays on B's side plane with normal e: ds = -e·u / e·d
      const ds = -(e0 * u0 + e1 * u1 + e2 * u2) / (e0 * d0 + e1 * d1 + e2 * d2);
      dx[0] += ds * d0;
      dx[1] += ds * d1;
      dx[2] += ds * d2;
      return;
    }
    default: {
      // FaceOverCorner: x stays above the corner, on A's face with normal d: dx = n (d·u) / (d·n)
      const ds = (d0 * u0 + d1 * u1 + d2 * u2) / (d0 * n0 + d1 * n1 + d2 * n2);
      dx[0] = ds * n0;
      dx[1] = ds * n1;
      dx[2] = ds * n2;
    }
  }
}

/** dn = (1 - n nᵀ) change / length */
function setNormalChange(n0: number, n1: number, n2: number, x: number, y: number, z: number, length: number): void {
  const along = n0 * x + n1 * y + n2 * z;
  const scale = 1 / length;
  dn[0] = (x - along * n0) * scale;
  dn[1] = (y - along * n1) * scale;
  dn[2] = (z - along * n2) * scale;
}
