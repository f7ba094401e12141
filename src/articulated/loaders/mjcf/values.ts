import { quaternionOfAxes, unitQuaternion } from "../../../math/quaternions";
import { cross, dot, normalised } from "../../../math/vectors";
import type { Quat, Vec3 } from "../../../math/types";
import { axisAngle, eulerRotation, identity, rotationOntoZ, type Transform } from "../transform";
import type { Notes } from "../notes";
import type { FileElement } from "../xml";

/** Conventions of a file, from `<compiler>`. */
export type Compiler = Readonly<ReturnType<typeof readCompiler>>;

/** @throws PliantError for global coordinates, which MuJoCo itself no longer reads */
export function readCompiler(root: FileElement) {
  const elements = root.childrenNamed("compiler");
  const last = <T>(read: (element: FileElement) => T | undefined): T | undefined =>
    elements.map(read).findLast((value) => value !== undefined);
  const flag = (name: string, fallback: boolean): boolean =>
    (last((e) => e.choice(name, ["true", "false"])) ?? String(fallback)) === "true";
  for (const element of elements) {
    element.pass("usethread", "texturedir", "saveinertial");
    if (element.attribute("coordinate") === "global")
      throw element.error('coordinate must be "local"', "global", "unsupported");
  }
  const order = last((e) => e.attribute("eulerseq")) ?? "xyz";
  if (!/^[xyzXYZ]{3}$/.test(order)) throw elements[0].error("eulerseq must be three axes", order);
  const [first, end] = last((e) => e.numbers("inertiagrouprange", 2)) ?? [0, 5];
  const folder = last((e) => e.attribute("meshdir")) ?? last((e) => e.attribute("assetdir")) ?? "";
  const total = last((e) => e.number("settotalmass")) ?? -1;
  return {
    /** unit of angle of the file [rad] */
    angle: last((e) => e.choice("angle", ["degree", "radian"])) === "radian" ? 1 : Math.PI / 180,
    /** order for `eulerRotation` */
    eulerOrder: order,
    /** whether a range makes a joint or an actuator limited */
    autoLimits: flag("autolimits", true),
    /** source of masses: "auto" uses `<inertial>` if there is one, otherwise the geoms */
    inertiaFromGeom: last((e) => e.choice("inertiafromgeom", ["true", "false", "auto"])) ?? "auto",
    /** first and last group of geoms that have a mass */
    inertiaGroups: [first, end] as const,
    boundMass: last((e) => e.number("boundmass")) ?? 0,
    boundInertia: last((e) => e.number("boundinertia")) ?? 0,
    /** whether principal moments that no body can have become their mean */
    balanceInertia: flag("balanceinertia", false),
    /** [kg], undefined to leave masses as they are */
    totalMass: total > 0 ? total : undefined,
    /** whether shapes are fitted to the boxes of meshes in place of their inertia */
    fitsBoxes: flag("fitaabb", false),
    /** folder of meshes, with a slash at its end, and whether names of files lose their folders */
    meshFolder: folder === "" || folder.endsWith("/") ? folder : `${folder}/`,
    stripsFolders: flag("strippath", false),
  };
}

/** Pose of a body, geom or inertial: `pos` with `quat`, `axisangle`, `euler`, `xyaxes` or `zaxis`. */
export function readPose(element: FileElement, compiler: Compiler): Transform {
  return { position: vector(element, "pos") ?? identity.position, rotation: readRotation(element, compiler) };
}

function readRotation(element: FileElement, { angle, eulerOrder }: Compiler): Quat {
  const quat = element.numbers("quat", 4);
  if (quat !== undefined) {
    if (!isDirection(quat)) throw element.error("quat must not be zero", quat);
    return unitQuaternion([quat[1], quat[2], quat[3], quat[0]]);
  }
  const turn = element.numbers("axisangle", 4);
  if (turn !== undefined) {
    const axis: Vec3 = [turn[0], turn[1], turn[2]];
    if (!isDirection(axis)) throw element.error("axisangle must have an axis that is not zero", turn);
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
  if (!isDirection(z)) throw element.error("zaxis must not be zero", z);
  return rotationOntoZ(z);
}

/** Rotation with x as given, and y made perpendicular to x. */
function rotationOfXY(element: FileElement, xy: readonly number[]): Quat {
  const given: readonly [Vec3, Vec3] = [
    [xy[0], xy[1], xy[2]],
    [xy[3], xy[4], xy[5]],
  ];
  if (given.every(isDirection)) {
    const [x, b] = given.map(normalised) as unknown as [Vec3, Vec3];
    const along = dot(x, b);
    const across: Vec3 = [b[0] - along * x[0], b[1] - along * x[1], b[2] - along * x[2]];
    if (isDirection(across)) {
      const y = normalised(across);
      return quaternionOfAxes(x, y, cross(x, y));
    }
  }
  throw element.error("xyaxes must be two directions that are not parallel", xy);
}

/** Whether numbers can be made a unit vector. */
export function isDirection(numbers: readonly number[]): boolean {
  const length = Math.sqrt(numbers.reduce((sum, value) => sum + value * value, 0));
  return length > 1e-9 && length < 1e150;
}

export function vector(element: FileElement, name: string): Vec3 | undefined {
  return element.numbers(name, 3) as unknown as Vec3 | undefined;
}

/**
 * A range that an element has, unless it says that it is not limited.
 *
 * @throws PliantError for a range upside down, or none where one is asked for
 */
export function limitOf(
  element: FileElement,
  range: string,
  limited: string,
  autoLimits: boolean,
): [number, number] | undefined {
  const numbers = element.numbers(range, 2);
  const choice = element.choice(limited, ["true", "false", "auto"]) ?? "auto";
  if (numbers === undefined && choice === "true") throw element.error("needs a range", choice);
  if (numbers === undefined || choice === "false" || (choice === "auto" && !autoLimits)) return undefined;
  if (numbers[0] > numbers[1]) throw element.error(`${range} must not begin above its end`, numbers);
  return [numbers[0], numbers[1]];
}

/** The first number: stiffness and damping may have further, non-linear terms after the linear one. */
export function linearTerm(element: FileElement, name: string, notes: Notes): number {
  const [first, ...further] = element.numbers(name, 1, 3) ?? [0];
  if (further.some((value) => value !== 0)) notes.add(element, `the non-linear terms of ${name} are left out`);
  return first;
}
