import { EdgeState, type SurfaceTriangle, type TriangleSurface } from "./triangle-surface";

/** Tolerance within which a direction (sine) or a point (part of a length) still counts as on a border. */
export const SLACK = 1e-3;

/**
 * Whether a contact with a triangle may push in direction d (unit, away from the surface). It may push along the normal
 * of the triangle. From an edge it may push along any direction between the normals of the two faces, so a flat or
 * hollow edge never pushes. From a corner it may push along directions in which no edge leads further. All other
 * contacts of a single triangle are ghosts: a box that slides over a floor would trip over the floor's inner edges.
 *
 * @param t a triangle of the surface
 * @param x, y, z the point on the triangle that touches
 */
export function mayPush(
  surface: TriangleSurface,
  t: SurfaceTriangle,
  x: number,
  y: number,
  z: number,
  dx: number,
  dy: number,
  dz: number,
): boolean {
  const n = t.convex.faceNormals;
  const v = t.convex.vertices;
  const facing = n[0] * dx + n[1] * dy + n[2] * dz;
  if (facing > 1 - SLACK * SLACK) return true;
  let edge = -1;
  for (let k = 0; k < 3; k++) {
    const a = 3 * k;
    const b = k === 2 ? 0 : a + 3;
    const ex = v[b] - v[a];
    const ey = v[b + 1] - v[a + 1];
    const ez = v[b + 2] - v[a + 2];
    // Outward direction across this edge, of the edge's length: e × n.
    const mx = ey * n[2] - ez * n[1];
    const my = ez * n[0] - ex * n[2];
    const mz = ex * n[1] - ey * n[0];
    const beyond = (x - v[a]) * mx + (y - v[a + 1]) * my + (z - v[a + 2]) * mz;
    if (beyond < -SLACK * (ex * ex + ey * ey + ez * ez)) continue;
    if (t.edges[k] === EdgeState.rim && facing < -SLACK) return false;
    // A point on two edges is at a corner: the start of edge k, or the end of edge 2.
    if (edge >= 0) return surface.isExtreme(t.index, edge === 0 && k === 2 ? 0 : k, dx, dy, dz, SLACK);
    edge = k;
  }
  return edge >= 0 && edgePushes(t, edge, dx, dy, dz);
}

/** Whether an edge may push along d: between the normals of its faces, or, on a rim, away from its only face. */
function edgePushes(t: SurfaceTriangle, k: number, dx: number, dy: number, dz: number): boolean {
  if (t.edges[k] === EdgeState.inactive) return false;
  const n = t.convex.faceNormals;
  const v = t.convex.vertices;
  const a = 3 * k;
  const b = k === 2 ? 0 : a + 3;
  const ex = v[b] - v[a];
  const ey = v[b + 1] - v[a + 1];
  const ez = v[b + 2] - v[a + 2];
  const least = -SLACK * Math.sqrt(ex * ex + ey * ey + ez * ez);
  // d must not be behind the normal of the triangle: d · (e × n) ≥ 0, in sines.
  const outward = dx * (ey * n[2] - ez * n[1]) + dy * (ez * n[0] - ex * n[2]) + dz * (ex * n[1] - ey * n[0]);
  if (outward < least) return false;
  if (t.edges[k] === EdgeState.rim) return true;
  // Nor may d be past the normal c of the face across: (d × c) · e ≥ 0.
  const c = t.across;
  const px = dy * c[a + 2] - dz * c[a + 1];
  const py = dz * c[a] - dx * c[a + 2];
  const pz = dx * c[a + 1] - dy * c[a];
  return px * ex + py * ey + pz * ez >= least;
}
