import { NO_VERTEX } from "../../../geometry/surface/incidence";
import { oppositeCorner } from "../../../geometry/surface/twin-sides";
import { termLayout } from "../model";

/** Entry of rest data that holds the place in the element of the corner across each side: digits of base 8, 0 for no neighbour. */
export const NEIGHBOURS = 5;

/**
 * Gives an element of `hylc` its vertices: corners of a triangle, then those across its sides (0, 1), (1, 2), (2, 0). A vertex that is across
 * two sides or three, as around an inner vertex of three triangles, has one place.
 *
 * @param twins see `twinSides`
 */
export function linkHylcElement(
  faces: ArrayLike<number>,
  twins: ArrayLike<number>,
  triangle: number,
  { indices, rest }: { readonly indices: Uint32Array; readonly rest: Float64Array },
  element: number,
): void {
  const vertices = indices.subarray(6 * element, 6 * element + 6);
  let places = 0;
  vertices.fill(NO_VERTEX);
  for (let side = 0; side < 3; side++) vertices[side] = faces[3 * triangle + side]!;
  for (let side = 0; side < 3; side++) {
    const twin = twins[3 * triangle + side];
    if (twin < 0) continue;
    const vertex = faces[oppositeCorner(twin)];
    const known = vertices.indexOf(vertex);
    const place = known < 0 ? 3 + side : known;
    vertices[place] = vertex;
    places += place * (1 << (3 * side));
  }
  rest[termLayout.hylc.rest * element + NEIGHBOURS] = places;
}

/** Place of the corner across a side in its element, 0 for none. */
export function neighbourPlace(places: number, side: number): number {
  return (places >> (3 * side)) & 7;
}
