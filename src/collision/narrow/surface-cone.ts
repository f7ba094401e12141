import { EdgeState, type SurfaceTriangle } from "./triangle-surface";

/** Sines of angles, and parts of a length, up to which a direction or a point still counts as on a border. */
const SLACK = 1e-3;

/**
 * Whether a contact with a triangle may push in direction d (unit, away from the surface). It may push along the normal
 * of the triangle. From an edge it may push anywhere between the normals of its two faces, which is nowhere if the edge
 * is flat or hollow; from a corner, if it may from the edges beside it. What else comes of a triangle taken by itself is
 * a ghost: a box that slides over a floor would trip over the edges inside of it.
 *
 * @param x, y, z the point on the triangle that touches
 */
export function mayPush(
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
  let isOnEdge = false;
  for (let k = 0; k < 3; k++) {
    const a = 3 * k;
    const b = k === 2 ? 0 : a + 3;
    const ex = v[b] - v[a];
    const ey = v[b + 1] - v[a + 1];
    const ez = v[b + 2] - v[a + 2];
    const length = Math.sqrt(ex * ex + ey * ey + ez * ez);
    // Out of the triangle across this edge: e × n.
    const mx = (ey * n[2] - ez * n[1]) / length;
    const my = (ez * n[0] - ex * n[2]) / length;
    const mz = (ex * n[1] - ey * n[0]) / length;
    const beyond = (x - v[a]) * mx + (y - v[a + 1]) * my + (z - v[a + 2]) * mz;
    if (beyond < -SLACK * length) continue;
    isOnEdge = true;
    const outward = dx * mx + dy * my + dz * mz;
    if (t.edges[k] === EdgeState.inactive) return false;
    if (outward < -SLACK) return false;
    if (t.edges[k] === EdgeState.rim) {
      if (facing < -SLACK) return false;
      continue;
    }
    // Not past the normal of the face across: (d × n₂) · (n × n₂) … both turn the same way around the edge.
    const c = t.across;
    const px = dy * c[a + 2] - dz * c[a + 1];
    const py = dz * c[a] - dx * c[a + 2];
    const pz = dx * c[a + 1] - dy * c[a];
    if ((px * ex + py * ey + pz * ez) / length < -SLACK) return false;
  }
  return isOnEdge;
}
