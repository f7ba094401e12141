import { Quaternion } from "@babylonjs/core/Maths/math.vector";
import { principalAxes as axesOf } from "../../src/geometry/principal-axes";

/** Principal moments of a symmetric 3 × 3 tensor, and the rotation from their axes to the tensor's frame. */
export interface PrincipalAxes {
  readonly moments: [number, number, number];
  readonly rotation: Quaternion;
}

/** Diagonalizes a symmetric tensor (row-major). A tensor that is diagonal already keeps its axes. */
export function principalAxes(tensor: readonly number[]): PrincipalAxes {
  const { moments, rotation } = axesOf(tensor);
  return { moments: [moments[0], moments[1], moments[2]], rotation: Quaternion.FromArray([...rotation]) };
}
