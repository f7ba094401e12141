import { updateKinematics } from "../dynamics/kinematics";
import { massMatrix } from "../dynamics/mass-matrix";
import type { MechanismDescription } from "../description";
import { ArticulatedModel } from "../model";
import { ArticulatedScratch } from "../scratch";
import { Actuators } from "./actuators";
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
  const { compiled } = atStart(model, actuators);
  return actuators.map((actuator, i) => {
    if (ratios[i] === 0) return actuator;
    const { dofs, coefficients } = compiled[i];
    const inertia = dofs.reduce((sum, dof, j) => {
      const c = coefficients[j];
      return Math.abs(c) < STILL ? sum : sum + scratch.mass[dof * model.nv + dof] / c ** 2;
    }, 0);
    const [force, stiffness] = actuator.bias;
    const damping = 2 * ratios[i] * Math.sqrt(Math.max(0, -stiffness) * inertia);
    return { ...actuator, bias: [force, stiffness, -damping] };
  });
}

/** Coefficients below this are rounding: the joint does not move the tendon. */
const STILL = 1e-15;

/** Actuators with the lengths and coefficients of the initial pose. */
function atStart(model: ArticulatedModel, actuators: readonly ActuatorDescription[]): Actuators {
  const found = new Actuators(model, actuators);
  found.prepare(model.initialPosition, model.initialVelocity, 0, new Float64Array(model.nv));
  return found;
}
