import { elementInertias } from "../../../geometry/tetrahedra/element-inertias";
import type { ElementSet } from "./elements";

/** Times what a tetrahedron's mass holds against a stretch in a time step: so much that what presses it flat does not get through. */
const FLAT_STIFFNESS = 6;

/** What the masses of tetrahedra hold against getting flat, times h² [Pa s²]; triangles and segments may be flat. */
export function flatInertias(set: ElementSet, masses: ArrayLike<number>): Float64Array {
  if (set.dimension < 3) return new Float64Array(set.count);
  return elementInertias(set, masses).map((inertia, e) => (FLAT_STIFFNESS * inertia) / set.volumes[e]);
}
