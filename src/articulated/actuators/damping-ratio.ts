import { updateKinematics } from "../dynamics/kinematics";
import { massMatrix } from "../dynamics/mass-matrix";
import type { MechanismDescription } from "../description";
import { ArticulatedModel } from "../model";
import { ArticulatedScratch } from "../scratch";
import type { ActuatorDescription } from "./description";

/**
 * Position servos with the damping that a ratio gives them: d = 2 r √(k m), where m is the sum of the inertias of the
 * joints in the initial pose, each divided by the square of its coefficient.
 *
 * @param ratios for each actuator; 0 leaves it as it is
 */
export function withDampingRatios(
  mechanism: MechanismDescription,
  actuators: readonly ActuatorDescription[],
  ratios: readonly number[],
): readonly ActuatorDescription[] {
  if (ratios.every((ratio) => ratio === 0)) return actuators;
  const model = new ArticulatedModel(mechanism);
  const scratch = new ArticulatedScratch(model);
  updateKinematics(scratch, model.initialPosition, model.initialVelocity);
  massMatrix(scratch);
  return actuators.map((actuator, i) => {
    if (ratios[i] === 0) return actuator;
    const inertia = actuator.joints.reduce((sum, { joint, coefficient }) => {
      const dof = model.jointDof(joint);
      return coefficient === 0 ? sum : sum + scratch.mass[dof * model.nv + dof] / coefficient ** 2;
    }, 0);
    const [force, stiffness] = actuator.bias;
    const damping = 2 * ratios[i] * Math.sqrt(Math.max(0, -stiffness) * inertia);
    return { ...actuator, bias: [force, stiffness, -damping] };
  });
}
