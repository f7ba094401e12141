import { quaternionOfMatrix } from "../math/quaternions";
import { eigenSymmetric3 } from "../math/eigen/symmetric3";
import type { Quat, Vec3 } from "../math/types";

/** Eigenvalues of a symmetric 3 × 3 tensor, and the rotation from their axes to the tensor's frame. */
export interface PrincipalAxes {
  readonly moments: Vec3;
  readonly rotation: Quat;
}

/** Diagonalizes a symmetric tensor (9 numbers, row-major). A diagonal tensor keeps its axes. */
export function principalAxes(tensor: readonly number[]): PrincipalAxes {
  const moments = new Float64Array(3);
  const axes = new Float64Array(9);
  eigenSymmetric3([tensor[0], tensor[4], tensor[8], tensor[1], tensor[5], tensor[2]], moments, axes);
  return { moments: [moments[0], moments[1], moments[2]], rotation: quaternionOfMatrix(axes) };
}
