import { quaternionOfAxes, unitQuaternion } from "../../math/quaternions";
import { cross, dot, normalised } from "../../math/vectors";
import type { Quat, Vec3 } from "../../math/types";
import { axisAngle, eulerRotation, identity, rotationOntoZ, type Transform } from "./transform";
import type { FileElement } from "./xml";

/** Conventions for numbers, from `<compiler>`. */
export interface Compiler {
  /** unit of angle of the file [rad] */
  readonly angle: number;
  /** order for `eulerRotation` */
  readonly eulerOrder: string;
  /** whether a range makes a joint limited */
  readonly autoLimits: boolean;
  /** source of masses: "auto" uses `<inertial>` if there is one, otherwise the geoms */
  readonly inertiaFromGeom: "true" | "false" | "auto";
  readonly boundMass: number;
  readonly boundInertia: number;
}

/** @throws PliantError for global coordinates, which MuJoCo itself no longer reads */
export function readCompiler(root: FileElement): Compiler {
  const elements = root.childrenNamed("compiler");
  const last = (name: string): string | undefined => elements.map((e) => e.attribute(name)).findLast((v) => v);
  const number = (name: string): number => elements.map((e) => e.number(name)).findLast((v) => v !== undefined) ?? 0;
  for (const element of elements)
    if (element.attribute("coordinate") === "global")
      throw element.error('coordinate must be "local"', "global", "unsupported");
  const order = last("eulerseq") ?? "xyz";
  if (!/^[xyzXYZ]{3}$/.test(order)) throw elements[0].error("eulerseq must be three axes", order);
  const fromGeom = last("inertiafromgeom");
  return {
    angle: last("angle") === "radian" ? 1 : Math.PI / 180,
    eulerOrder: order,
    autoLimits: last("autolimits") !== "false",
    inertiaFromGeom: fromGeom === "true" || fromGeom === "false" ? fromGeom : "auto",
    boundMass: number("boundmass"),
    boundInertia: number("boundinertia"),
  };
}

/** Pose of a body, geom or inertial: `pos` with `quat`, `axisangle`, `euler`, `xyaxes` or `zaxis`. */
export function readPose(element: FileElement, compiler: Compiler): Transform {
  return { position: vector(element, "pos") ?? identity.position, rotation: readRotation(element, compiler) };
}

function readRotation(element: FileElement, { angle, eulerOrder }: Compiler): Quat {
  const quat = element.numbers("quat", 4);
  if (quat !== undefined) {
    if (!(Math.hypot(...quat) > 1e-9)) throw element.error("quat must not be zero", quat);
    return unitQuaternion([quat[1], quat[2], quat[3], quat[0]]);
  }
  const turn = element.numbers("axisangle", 4);
  if (turn !== undefined) {
    const axis: Vec3 = [turn[0], turn[1], turn[2]];
    if (!(Math.hypot(...axis) > 1e-9)) throw element.error("axisangle must have an axis that is not zero", turn);
    return axisAngle(axis, turn[3] * angle);
  }
  const euler = element.numbers("euler", 3);
  if (euler !== undefined)
    return eulerRotation(
      euler.map((value) => value * angle),
      eulerOrder,
    );
  const xy = element.numbers("xyaxes", 6);
  if (xy !== undefined) return rotationOfXY(element, xy);
  const z = vector(element, "zaxis");
  if (z === undefined) return identity.rotation;
  if (!(Math.hypot(...z) > 1e-9)) throw element.error("zaxis must not be zero", z);
  return rotationOntoZ(z);
}

/** Rotation with x as given, and y made perpendicular to x. */
function rotationOfXY(element: FileElement, xy: readonly number[]): Quat {
  const x = normalised([xy[0], xy[1], xy[2]]);
  const given: Vec3 = [xy[3], xy[4], xy[5]];
  const along = dot(x, given);
  const across: Vec3 = [given[0] - along * x[0], given[1] - along * x[1], given[2] - along * x[2]];
  if (!(Math.hypot(...across) > 1e-9)) throw element.error("xyaxes must be two directions that are not parallel", xy);
  const y = normalised(across);
  return quaternionOfAxes(x, y, cross(x, y));
}

export function vector(element: FileElement, name: string): Vec3 | undefined {
  return element.numbers(name, 3) as unknown as Vec3 | undefined;
}
