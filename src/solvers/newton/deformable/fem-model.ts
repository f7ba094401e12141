import type { DeformableModel } from "../../deformable";
import type { BendingSet } from "./bending-set";
import type { ElementSet } from "./elements";

/**
 * A deformable body of the Newton solver: particles, and elements between them. The body is solved in one system with
 * the rigid bodies that it touches. The model is static, except for the elements' activation.
 */
export interface FemModel extends DeformableModel {
  readonly solver: "newton";
  readonly elements: readonly ElementSet[];
  readonly bending?: readonly BendingSet[] | undefined;
  /** default of the distance kept from obstacles [m], default 0 */
  readonly thickness?: number | undefined;
}
