import { IdList } from "../../../math/arrays";
import { closestPointOnTriangle } from "../../../geometry/triangles/triangle";
import { EdgeState, SurfaceTriangle, type TriangleSurface } from "../surfaces/triangle-surface";

/** The search starts at this part of the wanted distance, and grows by the factor MORE each time. */
const FIRST = 1 / 16;
const MORE = 4;
/** Part of a distance by which it may be wrong, and of the wanted distance by which a search goes on. */
const SPARE = 1e-6;
/** Part of an edge's length within which a point is on it. */
const ON_RIM = 1e-6;

const triangles = new IdList();
const triangle = new SurfaceTriangle();
const around = new Float64Array(6);
const closest = new Float64Array(6);

/**
 * Position of a point relative to a surface: signed distance, closest point, normal, triangle. One object is used for
 * all queries.
 */
export class Footing {
  /** [m], negative behind the surface */
  distance = 0;
  readonly point = new Float64Array(3);
  /** unit, along which the distance grows */
  readonly normal = new Float64Array(3);
  /** the user's number of the triangle */
  triangle = -1;

  /**
   * The closest point of a surface to a point of its frame. If it lies on an edge or a corner, several triangles share
   * it; the triangle whose plane the direction is least along determines the side (Bærentzen & Aanæs 2005 use a mean of
   * all).
   *
   * @param margin, depth largest distance of the point in front of the surface and behind it [m]
   * @returns false if the point is further away, or behind an open surface and beyond its rim
   */
  find(surface: TriangleSurface, point: Float64Array, margin: number, depth: number): boolean {
    const most = Math.max(margin, depth);
    let reach = FIRST * most;
    if (surface.distance) {
      const distance = surface.distance(point, most);
      if (distance === Infinity) return false;
      // The triangles that share the closest point are all within.
      reach = Math.min((1 + SPARE) * distance + SPARE * most, most);
    }
    // The closest point within a box is the closest of all if it is no further away than the box reaches.
    while (!this.within(surface, point, reach)) {
      if (reach >= most) return false;
      reach = Math.min(MORE * reach, most);
    }
    return this.distance <= margin && this.distance >= -depth;
  }

  private within(surface: TriangleSurface, point: Float64Array, reach: number): boolean {
    const [x, y, z] = point;
    for (let k = 0; k < 3; k++) {
      around[k] = point[k] - reach;
      around[3 + k] = point[k] + reach;
    }
    triangles.count = 0;
    surface.query(around, triangles);
    let least = reach * reach;
    let side = 0;
    let isBeyond = false;
    this.triangle = -1;
    for (let i = 0; i < triangles.count; i++) {
      surface.fetch(triangles.items[i], triangle);
      const { vertices, faceNormals: n } = triangle.convex;
      const squared = closestPointOnTriangle(vertices, 0, x, y, z, closest);
      const isTie = Math.abs(squared - least) <= 1e-12 * (squared + 1e-12);
      if (squared > least && !isTie) continue;
      const [dx, dy, dz] = [x - closest[0], y - closest[1], z - closest[2]];
      const along = dx * n[0] + dy * n[1] + dz * n[2];
      if (isTie && this.triangle >= 0 && Math.abs(along) <= Math.abs(side)) continue;
      least = squared;
      side = along;
      this.triangle = surface.source(triangles.items[i]);
      const distance = Math.sqrt(squared);
      const isOut = along >= 0;
      this.distance = isOut ? distance : -distance;
      const scale = (isOut ? 1 : -1) / distance;
      for (let k = 0; k < 3; k++) this.point[k] = closest[k];
      // Over the face, the face normal is exact.
      const isApart = distance > 1e-9 && Math.abs(along) < (1 - 1e-10) * distance;
      this.normal[0] = isApart ? dx * scale : n[0];
      this.normal[1] = isApart ? dy * scale : n[1];
      this.normal[2] = isApart ? dz * scale : n[2];
      isBeyond = isApart && !isOut && !surface.isClosed && isOnRim();
    }
    if (isBeyond) this.distance = -Infinity;
    return this.triangle >= 0;
  }
}

/** Whether `closest` is on an edge of `triangle` at which the surface ends. */
function isOnRim(): boolean {
  const v = triangle.convex.vertices;
  for (let k = 0; k < 3; k++) {
    if (triangle.edges[k] !== EdgeState.rim) continue;
    const a = 3 * k;
    const b = k === 2 ? 0 : a + 3;
    const [ex, ey, ez] = [v[b] - v[a], v[b + 1] - v[a + 1], v[b + 2] - v[a + 2]];
    const [px, py, pz] = [closest[0] - v[a], closest[1] - v[a + 1], closest[2] - v[a + 2]];
    const [cx, cy, cz] = [ey * pz - ez * py, ez * px - ex * pz, ex * py - ey * px];
    const squared = ex * ex + ey * ey + ez * ez;
    if (cx * cx + cy * cy + cz * cz <= ON_RIM * ON_RIM * squared * squared) return true;
  }
  return false;
}
