import { clipToFace } from "../clip";
import { ContactKind } from "../contact-buffer";
import { Feature } from "../feature";
import type { Manifold } from "../manifold";
import { type Placed, Placed as PlacedConvex, supportHeight } from "../shapes/placed";
import type { SurfaceTriangle, TriangleSurface } from "./triangle-surface";

/** Part of a shape's width along the normal up to which it may have sunk in; what is deeper is through. */
const DEEPEST = 0.5;

const placedTriangle = new PlacedConvex();
const reference = new Feature();
const incident = new Feature();

/**
 * Contacts along the normal of a triangle: what of the convex is over it or has sunk in, down to half of what is thinner
 * along the normal, the convex or the surface.
 *
 * @param out receives them; empty where there are none
 */
export function pressBack(
  surface: TriangleSurface,
  triangle: SurfaceTriangle,
  convex: Placed,
  margin: number,
  out: Manifold,
): void {
  const [nx, ny, nz] = triangle.convex.faceNormals;
  const { radius } = convex.convex;
  out.begin(nx, ny, nz, radius > 0 ? ContactKind.round : ContactKind.faceVertex);
  const low = -supportHeight(convex, -nx, -ny, -nz) - radius;
  const width = supportHeight(convex, nx, ny, nz) + radius - low;
  const depth = triangle.convex.faceOffsets[0] - low;
  if (!surface.isBottomless && depth > DEEPEST * width) return;
  placedTriangle.setPlain(triangle.convex);
  reference.setFace(placedTriangle, 0);
  incident.facing(convex, -nx, -ny, -nz);
  clipToFace(reference, incident, convex, 0, margin + radius, out, surface.isBottomless);
  out.inflate(0, radius, margin);
  if (surface.isBottomless || out.count === 0) return;
  // The surface of a solid is as thick as the solid; of another one, as it is large.
  if (-out.deepest() > DEEPEST * thickness(surface, nx, ny, nz)) out.count = 0;
}

/** Width of the box around the surface along a direction; of one that is no solid, the largest there is. */
function thickness({ bounds: b, isClosed }: TriangleSurface, nx: number, ny: number, nz: number): number {
  const x = b[3] - b[0];
  const y = b[4] - b[1];
  const z = b[5] - b[2];
  return isClosed ? Math.abs(nx) * x + Math.abs(ny) * y + Math.abs(nz) * z : Math.max(x, y, z);
}
