import { checkFinite } from "../../checks";
import { invalid } from "../../errors";
import type { ArticulatedModel } from "../model";
import type { ContactStep } from "./contact-step";

/**
 * A number of a joint's coordinate, in the units of `JointDescription`. Dry friction has a derivative while the joint slips: one that
 * sticks, or has none, does not depend on it.
 */
export interface JointParameter {
  readonly kind: "damping" | "armature" | "friction-loss" | "stiffness" | "rest-position";
  /** name of the joint; that of its link if it has none of its own */
  readonly joint: string;
  /** coordinate within the joint, default 0 */
  readonly component?: number;
}

const fields = {
  damping: "damping",
  armature: "armature",
  "friction-loss": "frictionLoss",
  stiffness: "stiffness",
  "rest-position": "restPosition",
} as const;

export function isJointParameter(parameter: { readonly kind: string }): parameter is JointParameter {
  return Object.hasOwn(fields, parameter.kind);
}

/** @throws PliantError for a joint or a coordinate that the mechanism does not have */
export function jointParameterDof(model: ArticulatedModel, { joint, component = 0 }: JointParameter): number {
  const dof = model.jointDof(joint);
  const count = model.linkDofCount[model.dofLink[dof]];
  if (!Number.isInteger(component) || component < 0 || component >= count)
    throw invalid("parameter.component", component, `must be below ${count}`);
  return dof + component;
}

/** The array that holds the parameter; servos keep springs and dampers of joints apart from those of the model. */
export function jointNumbers({ model, actuators }: ContactStep, kind: JointParameter["kind"]): Float64Array {
  const field = fields[kind];
  if (actuators === undefined || field === "armature" || field === "frictionLoss") return model[field];
  return actuators[field];
}

/** @throws PliantError if the number would become negative or not finite; nothing is changed then */
export function shiftJointParameter(step: ContactStep, parameter: JointParameter, change: number): void {
  const dof = jointParameterDof(step.model, parameter);
  const numbers = jointNumbers(step, parameter.kind);
  const value = numbers[dof] + change;
  const object = `joint "${parameter.joint}".${fields[parameter.kind]}`;
  checkFinite(value, object);
  if (parameter.kind !== "rest-position" && value < 0) throw invalid(object, value, "must not be negative");
  numbers[dof] = value;
}
