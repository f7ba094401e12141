import type { Quat, Vec3 } from "../../../math/types";
import { turn } from "../../../math/quaternions";
import type { JointDescription } from "../../description";
import { placement } from "../loaded";
import { isDirection, limitOf, linearTerm, vector, type Compiler } from "./values";
import type { Notes } from "../notes";
import { apply, axisAngle, identity, multiply, type Transform } from "../transform";
import type { FileElement } from "../xml";
import { norm } from "../../../math/vectors";

interface JointContext {
  readonly compiler: Compiler;
  readonly notes: Notes;
}

/**
 * Reads a joint of a body. MuJoCo turns the body about the joint's anchor, which is given in the body's axes:
 * parentFrame = pose · shift, childFrame = shift.
 *
 * @param element element with default attributes filled in
 * @param pose pose of the body in its parent at rest, or the identity after an earlier joint of the same body
 * @param frame of the frames around the joint, in the body
 * @throws PliantError for an unknown type or a zero axis
 */
export function readMjcfJoint(
  element: FileElement,
  pose: Transform,
  frame: Transform,
  context: JointContext,
): JointDescription {
  element.pass("group", "user");
  const type =
    element.tag === "freejoint" ? "free" : (element.choice("type", ["free", "ball", "slide", "hinge"]) ?? "hinge");
  const name = element.attribute("name");
  const named = name === undefined ? {} : { name };
  if (element.tag === "freejoint") {
    if (element.choice("align", ["true", "false", "auto"]) === "true")
      context.notes.add(element, "align is left out: keyframes are read in the axes of the file");
    return { ...named, type: "free", parentFrame: placement(pose.position, pose.rotation) };
  }
  const dynamics = readDynamics(element, context, type);
  if (type === "free") return { ...named, type, parentFrame: placement(pose.position, pose.rotation), ...dynamics };
  const position = apply(frame, vector(element, "pos") ?? [0, 0, 0]);
  const shift: Transform = { position, rotation: identity.rotation };
  const parent = multiply(pose, shift);
  const common = { ...named, parentFrame: placement(parent.position, parent.rotation), ...dynamics };
  if (type === "ball") return { ...common, type, childFrame: placement(position, identity.rotation) };
  const given = vector(element, "axis") ?? ([0, 0, 1] as const);
  if (!isDirection(given)) throw element.error("axis must not be zero", given);
  const axis = turn(frame.rotation, given);
  const unit = type === "hinge" ? context.compiler.angle : 1;
  const reference = (element.number("ref") ?? 0) * unit;
  const child = referenceFrame(type, axis, position, reference);
  return {
    ...common,
    type: type === "hinge" ? "revolute" : "prismatic",
    axis,
    childFrame: placement(child.position, child.rotation),
    restPosition: (element.number("springref") ?? 0) * unit,
    ...(reference === 0 ? {} : { initialPosition: reference }),
    ...limits(element, unit, context.compiler),
  };
}

/** The body is at rest if the coordinate equals `reference`: exp(q) inv(childFrame) is then a plain shift. */
function referenceFrame(type: "hinge" | "slide", axis: Vec3, position: Vec3, reference: number): Transform {
  if (reference === 0) return { position, rotation: identity.rotation };
  const length = norm(axis);
  const along = axis.map((value) => (value / length) * reference) as unknown as Vec3;
  const rotation: Quat = type === "hinge" ? axisAngle(axis, reference) : identity.rotation;
  const moved: Vec3 =
    type === "hinge" ? position : [position[0] + along[0], position[1] + along[1], position[2] + along[2]];
  return { position: moved, rotation };
}

function readDynamics(
  element: FileElement,
  { notes, compiler }: JointContext,
  type: "free" | "ball" | "slide" | "hinge",
): Partial<JointDescription> {
  const frictionLoss = element.number("frictionloss") ?? 0;
  const armature = element.number("armature") ?? 0;
  const [damping, stiffness] = [linearTerm(element, "damping", notes), linearTerm(element, "stiffness", notes)];
  for (const [what, value] of Object.entries({ frictionLoss, armature, damping, stiffness }))
    if (value < 0) throw element.error(`${what.toLowerCase()} must not be negative`, value);
  if ((type === "ball" || type === "free") && (damping > 0 || armature > 0 || frictionLoss > 0))
    notes.add(element, "damping, armature and friction act on the rates of the rotation vector");
  if (type === "ball" && element.attribute("range") !== undefined)
    notes.add(element, "the limit of a ball joint is left out");
  return {
    damping,
    armature,
    stiffness,
    ...(frictionLoss > 0 ? { frictionLoss } : {}),
    ...effortRange(element, compiler, notes),
  };
}

/** Bounds of the forces of all actuators of a joint. */
function effortRange(element: FileElement, { autoLimits }: Compiler, notes: Notes): Partial<JointDescription> {
  const range = element.numbers("actuatorfrcrange", 2);
  const limited = element.choice("actuatorfrclimited", ["true", "false", "auto"]) ?? "auto";
  if (range === undefined || limited === "false" || (limited === "auto" && !autoLimits)) return {};
  if (!(range[0] < range[1])) throw element.error("actuatorfrcrange must begin below its end", range);
  if (range[0] !== -range[1]) notes.add(element, "actuatorfrcrange is taken as even to both sides");
  return { effortLimit: Math.max(Math.abs(range[0]), Math.abs(range[1])) };
}

function limits(element: FileElement, unit: number, { autoLimits }: Compiler): Partial<JointDescription> {
  const range = limitOf(element, "range", "limited", autoLimits);
  return range === undefined ? {} : { lower: range[0] * unit, upper: range[1] * unit };
}
