import { inverse3, times, type Matrix3 } from "../../math/matrix3";
import type { Vec3 } from "../../math/types";
import type { ArticulatedModel } from "../model";
import { leftJacobian, rotationCoefficients } from "./rotation-vector";
import { segmentKind } from "./segments";

/**
 * Velocities of a state for other coordinates, which differ little, or by the replacement of a rotation vector by a
 * shorter one. The rates of rotation vectors represent the same angular velocity, J(φ) φ̇.
 *
 * @param at the other coordinates, nv numbers
 * @param q coordinates of the state, nv numbers
 * @param qd velocities; may be `out`
 */
export function ratesAt(
  model: ArticulatedModel,
  at: Float64Array,
  q: Float64Array,
  qd: Float64Array,
  out: Float64Array,
): void {
  if (out !== qd) out.set(qd);
  for (let s = 0; s < model.segmentKind.length; s++) {
    if (model.segmentKind[s] !== segmentKind.rotationVector) continue;
    const dof = model.segmentDof[s];
    const omega = times(jacobianAt(q, dof), [qd[dof], qd[dof + 1], qd[dof + 2]]);
    out.set(times(inverse3(jacobianAt(at, dof)), omega), dof);
  }
}

const buffer = new Float64Array(9);

function jacobianAt(q: Float64Array, dof: number): Matrix3 {
  const [x, y, z]: Vec3 = [q[dof], q[dof + 1], q[dof + 2]];
  rotationCoefficients(x * x + y * y + z * z);
  leftJacobian(x, y, z, buffer);
  return Array.from(buffer) as unknown as Matrix3;
}
