import { product } from "../../../math/quaternions";
import type { Vec3 } from "../../../math/types";
import type { JointCoupling, JointDescription, LinkDescription } from "../../description";
import { placement } from "../loaded";
import { isDirection } from "../mjcf/values";
import type { Notes } from "../notes";
import { rotationOntoZ } from "../transform";
import { readOrigin } from "./link";
import type { FileElement } from "../xml";

/** @throws PliantError for an unknown type, an axis of zero, or limits upside down */
export function readUrdfJoint(element: FileElement, notes: Notes): JointDescription {
  const name = element.required("name");
  const type = element.required("type");
  const { position, rotation } = readOrigin(element);
  const common = { name, parentFrame: placement(position, rotation) };
  switch (type) {
    case "fixed":
      element.child("axis")?.pass("xyz");
      return { ...common, type: "weld" };
    case "floating":
    case "spherical":
      element.child("axis")?.pass("xyz");
      return { ...common, type: type === "floating" ? "free" : "ball", ...readDynamics(element, false, notes) };
    case "continuous":
    case "revolute":
      return {
        ...common,
        type: "revolute",
        axis: readAxis(element),
        ...readDynamics(element, type === "revolute", notes),
      };
    case "prismatic":
      return { ...common, type: "prismatic", axis: readAxis(element), ...readDynamics(element, true, notes) };
    case "planar": {
      // Motion is in the plane perpendicular to the axis: the joint's own plane is that of its x and y.
      const onto = { rotation: rotationOntoZ(readAxis(element)) };
      const parentFrame = placement(position, product(rotation, onto.rotation));
      return { ...common, type: "planar", parentFrame, childFrame: onto, ...readDynamics(element, false, notes) };
    }
    default:
      throw element.error(
        "joint type must be revolute, continuous, prismatic, fixed, floating, planar or spherical",
        type,
        "unsupported",
      );
  }
}

function readAxis(joint: FileElement): Vec3 {
  const element = joint.child("axis");
  const axis = (element?.numbers("xyz", 3) ?? [1, 0, 0]) as unknown as Vec3;
  if (element !== undefined && !isDirection(axis)) throw element.error("must not be zero", axis);
  return axis;
}

/** A number; "inf" and "-inf" stand for none, as exporters write them. */
function bound(element: FileElement, name: string): number | undefined {
  const sign = /^\s*([+-]?)inf(inity)?\s*$/i.exec(element.attribute(name) ?? "")?.[1];
  return sign === undefined ? element.number(name) : sign === "-" ? -Infinity : Infinity;
}

function readDynamics(joint: FileElement, limited: boolean, notes: Notes): Partial<JointDescription> {
  const limit = joint.child("limit");
  const dynamics = joint.child("dynamics");
  const positive = (element: FileElement | undefined, name: string): number | undefined => {
    const value = element && bound(element, name);
    if (value !== undefined && value < 0) throw element!.error(`${name} must not be negative`, value);
    return value === Infinity ? undefined : value;
  };
  const effort = positive(limit, "effort");
  if (effort === 0) notes.add(limit!, "an effort of 0 is taken as no limit");
  const found: Record<string, number | undefined> = {
    damping: positive(dynamics, "damping"),
    // Files write 0 if there is no limit.
    effortLimit: effort === 0 ? undefined : effort,
    velocityLimit: positive(limit, "velocity") || undefined,
    frictionLoss: positive(dynamics, "friction") || undefined,
  };
  if (limited && limit !== undefined) {
    const [lower, upper] = [bound(limit, "lower") ?? 0, bound(limit, "upper") ?? 0];
    if (lower > upper || lower === Infinity || upper === -Infinity)
      throw limit.error("lower must not exceed upper", [lower, upper]);
    if (lower === 0 && upper === 0) notes.add(limit, "lower and upper of 0 are taken as no limits");
    else Object.assign(found, { lower, upper });
  } else limit?.pass("lower", "upper");
  return Object.fromEntries(Object.entries(found).filter(([, value]) => Number.isFinite(value)));
}

/** Mimic joints as couplings. @throws PliantError for an unknown joint, or one that depends on itself */
export function readMimics(
  joints: readonly FileElement[],
  links: readonly LinkDescription[],
  notes: Notes,
): JointCoupling[] {
  const types = new Map(links.map(({ joint }) => [joint.name, joint.type]));
  const isSingle = (name: string): boolean => ["revolute", "prismatic"].includes(types.get(name) ?? "");
  const drivers = new Map<string, string>();
  return joints.flatMap((element) => {
    const mimic = element.child("mimic");
    if (mimic === undefined) return [];
    const [joint, driver] = [element.required("name"), mimic.required("joint")];
    const coefficients = [mimic.number("offset") ?? 0, mimic.number("multiplier") ?? 1];
    if (!types.has(driver)) throw mimic.error("joint must be one of the file's", driver);
    if (!isSingle(joint) || !isSingle(driver)) {
      notes.add(mimic, "is left out: both joints must move by one coordinate");
      return [];
    }
    drivers.set(joint, driver);
    const seen = new Set([joint]);
    for (let at = drivers.get(joint); at !== undefined; at = drivers.get(at)) {
      if (seen.has(at)) throw mimic.error("must not depend on itself", joint);
      seen.add(at);
    }
    return [{ joint, driver, coefficients }];
  });
}
