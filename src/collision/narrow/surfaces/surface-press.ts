import { clipToFace } from "../clip";
import { ContactKind } from "../contact-buffer";
import { Feature } from "../feature";
import type { Manifold } from "../manifold";
import { type Placed, Placed as PlacedConvex, supportHeight } from "../shapes/placed";
import type { SurfaceTriangle, TriangleSurface } from "./triangle-surface";

/** Largest depth of a shape, as a part of its width along the normal. A deeper one has passed through. */
const DEEPEST = 0.5;

const placedTriangle = new PlacedConvex();
const reference = new Feature();
const incident = new Feature();

/**
 * Contacts along the normal of a triangle, for the part of the convex that is over the triangle or has sunk in. The
 * depth is at most half the width along the normal of the convex or of the surface, whichever is thinner.
 *
 * @param out receives the contacts; empty if there are none
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
  incident.facing(convex, triangle.convex.faceNormals, -1);
  clipToFace(reference, incident, convex, 0, margin + radius, out, surface.isBottomless);
  out.inflate(0, radius, margin);
  if (surface.isBottomless || out.count === 0) return;
  // The surface of a solid is as thick as the solid; the thickness of an open surface is its largest extent.
  if (-out.deepest() > DEEPEST * thickness(surface, nx, ny, nz)) out.count = 0;
}

/** Width of the box around the surface along a direction; for an open surface its largest extent. */
function thickness({ bounds: b, isClosed }: TriangleSurface, nx: number, ny: number, nz: number): number {
  const x = b[3] - b[0];
  const y = b[4] - b[1];
  const z = b[5] - b[2];
  return isClosed ? Math.abs(nx) * x + Math.abs(ny) * y + Math.abs(nz) * z : Math.max(x, y, z);
}
