import type { Quat, Vec3 } from "../../math/types";
import type { JointDescription, LinkDescription } from "../description";
import { placement } from "./loaded";
import type { Defaults } from "./mjcf-defaults";
import { vector, type Compiler } from "./mjcf-values";
import { axisAngle, identity, multiply, type Transform } from "./transform";
import type { FileElement } from "./xml";

interface JointContext {
  readonly compiler: Compiler;
  note(element: FileElement, what: string): void;
}

/**
 * Reads a joint of a body. MuJoCo turns the body about the joint's anchor, which is given in the body's axes:
 * parentFrame = frame · shift, childFrame = shift.
 *
 * @param element element with default attributes filled in
 * @param frame pose of the body in its parent at rest, or the identity after an earlier joint of the same body
 * @throws PliantError for an unknown type or a zero axis
 */
export function readMjcfJoint(element: FileElement, frame: Transform, context: JointContext): JointDescription {
  const type = element.tag === "freejoint" ? "free" : (element.attribute("type") ?? "hinge");
  const name = element.attribute("name");
  const named = name === undefined ? {} : { name };
  if (type === "free") return { ...named, type, parentFrame: placement(frame.position, frame.rotation) };
  if (type !== "hinge" && type !== "slide" && type !== "ball")
    throw element.error("joint type must be free, ball, slide or hinge", type);
  if ((element.number("frictionloss") ?? 0) !== 0) context.note(element, "dry friction in the joint is left out");
  const position = vector(element, "pos") ?? [0, 0, 0];
  const shift: Transform = { position, rotation: identity.rotation };
  const parent = multiply(frame, shift);
  const common = {
    ...named,
    parentFrame: placement(parent.position, parent.rotation),
    damping: firstOf(element, "damping"),
    armature: element.number("armature") ?? 0,
  };
  if (type === "ball") {
    const stiffness = firstOf(element, "stiffness");
    return { ...common, type, childFrame: placement(position, identity.rotation), stiffness };
  }
  const axis = vector(element, "axis") ?? ([0, 0, 1] as const);
  if (!(Math.hypot(...axis) > 1e-9)) throw element.error("axis must not be zero", axis);
  const unit = type === "hinge" ? context.compiler.angle : 1;
  const reference = (element.number("ref") ?? 0) * unit;
  const child = referenceFrame(type, axis, position, reference);
  return {
    ...common,
    type: type === "hinge" ? "revolute" : "prismatic",
    axis,
    childFrame: placement(child.position, child.rotation),
    stiffness: firstOf(element, "stiffness"),
    restPosition: (element.number("springref") ?? 0) * unit,
    ...(reference === 0 ? {} : { initialPosition: reference }),
    ...limits(element, unit, context.compiler),
  };
}

/** The body is at rest if the coordinate equals `reference`: exp(q) inv(childFrame) is then a plain shift. */
function referenceFrame(type: "hinge" | "slide", axis: Vec3, position: Vec3, reference: number): Transform {
  if (reference === 0) return { position, rotation: identity.rotation };
  const length = Math.hypot(...axis);
  const along = axis.map((value) => (value / length) * reference) as unknown as Vec3;
  const turn: Quat = type === "hinge" ? axisAngle(axis, reference) : identity.rotation;
  const moved: Vec3 =
    type === "hinge" ? position : [position[0] + along[0], position[1] + along[1], position[2] + along[2]];
  return { position: moved, rotation: turn };
}

/** Reads the first number: stiffness and damping may have further, non-linear terms after the linear one. */
function firstOf(element: FileElement, name: string): number {
  return element.numbers(name, 1, 3)?.[0] ?? 0;
}

function limits(element: FileElement, unit: number, { autoLimits }: Compiler): Partial<JointDescription> {
  const range = element.numbers("range", 2);
  const limited = element.attribute("limited") ?? "auto";
  if (range === undefined || limited === "false" || (limited === "auto" && !autoLimits)) return {};
  if (range[0] > range[1]) throw element.error("range must not begin above its end", range);
  return { lower: range[0] * unit, upper: range[1] * unit };
}

/**
 * The links with their joints' limits of effort from `<actuator>`: |gear| times the largest control. If the file has
 * actuators, joints without an actuator get a limit of zero.
 *
 * @throws PliantError for an actuator of an unknown joint
 */
export function actuatorLimits(
  root: FileElement,
  defaults: Defaults,
  links: readonly LinkDescription[],
  note: (element: FileElement, what: string) => void,
): LinkDescription[] {
  const efforts = new Map<string, number>();
  const names = new Set(links.map((link) => link.joint.name).filter((name) => name !== undefined));
  const actuators = root.childrenNamed("actuator").flatMap(({ children }) => children);
  if (actuators.length === 0) return [...links];
  for (const raw of actuators) {
    const element = defaults.fill(raw, undefined);
    const joint = element.attribute("joint");
    if (joint === undefined) {
      note(element, "is left out: it does not drive a joint");
      continue;
    }
    if (!names.has(joint)) throw element.error("joint must be one of the file's", joint);
    if (element.tag !== "motor") note(element, "is taken as a motor: forces are set directly");
    const gear = Math.abs(element.numbers("gear", 1, 6)?.[0] ?? 1);
    const range = element.tag === "motor" ? element.numbers("ctrlrange", 2) : undefined;
    const force = element.numbers("forcerange", 2);
    const most = (pair: readonly number[]): number => Math.max(Math.abs(pair[0]), Math.abs(pair[1]));
    const limit =
      gear * Math.min(range === undefined ? Infinity : most(range), force === undefined ? Infinity : most(force));
    efforts.set(joint, limit);
  }
  return links.map((link) => {
    if (link.joint.type === "weld") return link;
    const effort = link.joint.name === undefined ? 0 : (efforts.get(link.joint.name) ?? 0);
    return effort === Infinity ? link : { ...link, joint: { ...link.joint, effortLimit: effort } };
  });
}
