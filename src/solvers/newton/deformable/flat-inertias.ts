import { elementInertias } from "../../../geometry/tetrahedra/element-inertias";
import type { ElementSet } from "./elements";

/**
 * Factor of the stiffness that a tetrahedron's mass has against a stretch in a time step: large enough to stop a body
 * that presses the tetrahedron flat.
 */
const FLAT_STIFFNESS = 6;

/**
 * Stiffness of tetrahedra by their masses against becoming flat, times h² [Pa s²]; zero for triangles and segments,
 * which may be flat.
 */
export function flatInertias(set: ElementSet, masses: ArrayLike<number>): Float64Array {
  if (set.dimension < 3) return new Float64Array(set.count);
  return elementInertias(set, masses).map((inertia, e) => (FLAT_STIFFNESS * inertia) / set.volumes[e]);
}
