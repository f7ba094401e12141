import type { DeformableModel } from "../../deformable";
import type { BendingSet } from "./bending-set";
import type { ElementSet } from "./elements";

/**
 * A deformable body of the Newton solver: particles, and elements between them. It is solved in one system with the rigid
 * bodies that it touches. Static, but for the elements' activation.
 */
export interface FemModel extends DeformableModel {
  readonly solver: "newton";
  readonly elements: readonly ElementSet[];
  readonly bending?: readonly BendingSet[] | undefined;
  /** distance kept from obstacles where nobody says another [m], default 0 */
  readonly thickness?: number | undefined;
}
