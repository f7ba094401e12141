import { checkNames, type NamesOf } from "../../option-names";
import { product } from "../../math/quaternions";
import type { ColliderShape } from "../../collision/shape/shape";
import type { Vec3 } from "../../math/types";
import type { JointDescription, LinkDescription, LinkShape } from "../description";
import {
  fetchMeshes,
  placement,
  requireNewName,
  requireText,
  scaledPositions,
  type LoadedMechanism,
  type MeshLoader,
  type MeshTable,
} from "./loaded";
import { inertiaMatrix, inertiaNumbers, rotateInertia } from "./mass-properties";
import { eulerRotation, identity, matrixOf, rotationOntoZ, type Transform } from "./transform";
import { parseFile, type FileElement } from "./xml";

export interface UrdfOptions {
  /** finds the meshes of the file; needed only if it has meshes */
  readonly mesh?: MeshLoader;
  /** joint of the root link to the world, default "fixed" */
  readonly base?: "fixed" | "free";
  /** source of the links' shapes: default "collision", the shapes made for contact */
  readonly shapes?: "collision" | "visual";
}

const optionNames = {
  mesh: true,
  base: true,
  shapes: true,
} satisfies NamesOf<UrdfOptions>;

/** Data shared by the elements of a file while it is read. */
interface Reading {
  readonly options: UrdfOptions;
  readonly meshes: MeshTable;
  readonly notes: string[];
}

/**
 * Reads a URDF file: links with their inertia, all joint types, limits, damping, shapes. Meshes become convex hulls.
 * `notes` lists elements without counterpart (mimic joints, dry friction of joints, transmissions).
 *
 * @param text the file; macros (xacro) expanded
 * @throws PliantError with the element and its line: unknown joint type, link or mesh, two parents, a cycle, a missing
 * attribute, an invalid number
 */
export async function loadUrdf(text: string, options: UrdfOptions = {}): Promise<LoadedMechanism> {
  requireText(text, "loadUrdf");
  checkNames("loadUrdf", options, optionNames);
  const robot = parseFile(text, "URDF", "robot");
  const shapeTag = options.shapes ?? "collision";
  const uses = robot
    .childrenNamed("link")
    .flatMap((link) => link.childrenNamed(shapeTag))
    .flatMap((shape) => shape.descendants("mesh"))
    .map((element) => ({ element, name: element.required("filename") }));
  const reading: Reading = { options, meshes: await fetchMeshes(uses, options.mesh), notes: [] };

  const links = new Map<string, FileElement>();
  for (const element of robot.childrenNamed("link")) {
    const name = element.required("name");
    requireNewName(element, name, new Set(links.keys()));
    links.set(name, element);
  }
  const joints = jointsByChild(robot, links);
  const order = sortedLinks(robot, links, joints);
  const mechanism = {
    name: robot.attribute("name") ?? "robot",
    links: order.map((name) => readLink(links.get(name)!, joints.get(name), reading)),
  };
  for (const child of robot.children)
    if (!["link", "joint", "material"].includes(child.tag)) note(reading, child, "is left out");
  return { mechanism, ground: [], notes: reading.notes };
}

/** The joint above each link. */
function jointsByChild(robot: FileElement, links: ReadonlyMap<string, FileElement>): Map<string, FileElement> {
  const joints = new Map<string, FileElement>();
  const names = new Set<string>();
  for (const joint of robot.childrenNamed("joint")) {
    const name = joint.required("name");
    if (names.has(name)) throw joint.error("must have a name that no other joint has", name);
    names.add(name);
    for (const end of ["parent", "child"]) {
      const element = joint.requiredChild(end);
      const link = element.required("link");
      if (!links.has(link)) throw element.error(`of joint "${name}" must be a link of the file`, link);
    }
    const child = joint.requiredChild("child").required("link");
    if (joints.has(child)) throw joint.error("its child link must have no other parent", child);
    joints.set(child, joint);
  }
  return joints;
}

/** Names of links, parents first. */
function sortedLinks(
  robot: FileElement,
  links: ReadonlyMap<string, FileElement>,
  joints: ReadonlyMap<string, FileElement>,
): string[] {
  const roots = [...links.keys()].filter((name) => !joints.has(name));
  if (links.size === 0) throw robot.error("must have a link", undefined);
  if (roots.length > 1)
    throw links.get(roots[1])!.error("must have one root link, and a joint above all others", roots);
  const order: string[] = [];
  const visit = (name: string): void => {
    order.push(name);
    for (const [child, joint] of joints) if (joint.requiredChild("parent").required("link") === name) visit(child);
  };
  roots.forEach(visit);
  const lost = [...links.keys()].find((name) => !order.includes(name));
  if (lost !== undefined) throw joints.get(lost)!.error("must not be part of a cycle", lost);
  return order;
}

function readLink(element: FileElement, joint: FileElement | undefined, reading: Reading): LinkDescription {
  const shapes = element.childrenNamed(reading.options.shapes ?? "collision").map((shape) => readShape(shape, reading));
  return {
    name: element.required("name"),
    ...(joint === undefined ? {} : { parent: joint.requiredChild("parent").required("link") }),
    joint: joint === undefined ? rootJoint(reading) : readJoint(joint, reading),
    ...readInertia(element),
    ...(shapes.length > 0 ? { shapes } : {}),
  };
}

function rootJoint({ options }: Reading): JointDescription {
  return { type: options.base === "free" ? "free" : "weld" };
}

function readInertia(link: FileElement): Pick<LinkDescription, "mass" | "centerOfMass" | "inertia"> {
  const element = link.child("inertial");
  if (element === undefined) return { mass: 0 };
  const mass = element.requiredChild("mass");
  const value = mass.number("value") ?? 0;
  if (value < 0) throw mass.error("must not be negative", value);
  const { position, rotation } = readOrigin(element);
  const inertia = element.child("inertia");
  const terms = ["ixx", "iyy", "izz", "ixy", "ixz", "iyz"].map((name) => inertia?.number(name) ?? 0);
  // Files represent a point mass by zeros.
  const isPoint = terms.every((term) => term === 0);
  return {
    mass: value,
    centerOfMass: position,
    ...(isPoint ? {} : { inertia: inertiaNumbers(rotateInertia(inertiaMatrix(terms), matrixOf(rotation))) }),
  };
}

/** `<origin xyz rpy>`: roll, pitch and yaw turn about fixed axes. */
function readOrigin(element: FileElement): Transform {
  const origin = element.child("origin");
  const position = (origin?.numbers("xyz", 3) ?? [0, 0, 0]) as unknown as Vec3;
  const angles = origin?.numbers("rpy", 3);
  return { position, rotation: angles === undefined ? identity.rotation : eulerRotation(angles, "XYZ") };
}

function readJoint(element: FileElement, reading: Reading): JointDescription {
  const name = element.required("name");
  const type = element.required("type");
  const { position, rotation } = readOrigin(element);
  const common = { name, parentFrame: placement(position, rotation) };
  const mimic = element.child("mimic");
  if (mimic !== undefined) note(reading, mimic, "is left out: the joint moves by itself");
  const axis = readAxis(element);
  switch (type) {
    case "fixed":
      return { ...common, type: "weld" };
    case "floating":
      return { ...common, type: "free" };
    case "continuous":
    case "revolute":
      return { ...common, type: "revolute", axis, ...readDynamics(element, type === "revolute", reading) };
    case "prismatic":
      return { ...common, type: "prismatic", axis, ...readDynamics(element, true, reading) };
    case "planar": {
      // Motion is in the plane perpendicular to the axis: the joint's own plane is that of its x and y.
      const onto = { rotation: rotationOntoZ(axis) };
      const parentFrame = placement(position, product(rotation, onto.rotation));
      return { ...common, type: "planar", parentFrame, childFrame: onto, ...readDynamics(element, false, reading) };
    }
    default:
      throw element.error(
        "joint type must be revolute, continuous, prismatic, fixed, floating or planar",
        type,
        "unsupported",
      );
  }
}

function readAxis(joint: FileElement): Vec3 {
  const element = joint.child("axis");
  const axis = (element?.numbers("xyz", 3) ?? [1, 0, 0]) as unknown as Vec3;
  if (element !== undefined && !(Math.hypot(...axis) > 1e-9)) throw element.error("must not be zero", axis);
  return axis;
}

function readDynamics(joint: FileElement, limited: boolean, reading: Reading): Partial<JointDescription> {
  const limit = joint.child("limit");
  const dynamics = joint.child("dynamics");
  const found: Record<string, number | undefined> = {
    damping: dynamics?.number("damping"),
    effortLimit: limit?.number("effort"),
    // Files write 0 if there is no limit.
    velocityLimit: limit?.number("velocity") || undefined,
  };
  if (limited && limit !== undefined) {
    found.lower = limit.number("lower") ?? 0;
    found.upper = limit.number("upper") ?? 0;
    if (found.lower > found.upper) throw limit.error("lower must not exceed upper", [found.lower, found.upper]);
  }
  if ((dynamics?.number("friction") ?? 0) !== 0) note(reading, dynamics!, "dry friction in the joint is left out");
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

function readShape(element: FileElement, { meshes }: Reading): LinkShape {
  const { position, rotation } = readOrigin(element);
  const name = element.attribute("name");
  const shape = readGeometry(element.requiredChild("geometry"), meshes);
  return { shape, ...placement(position, rotation), ...(name === undefined ? {} : { name }) };
}

function readGeometry(geometry: FileElement, meshes: MeshTable): ColliderShape {
  const [element] = geometry.children;
  if (element === undefined) throw geometry.error("must hold a shape", undefined);
  const positive = (name: string): number => {
    element.required(name);
    const value = element.number(name)!;
    if (!(value > 0)) throw element.error(`${name} must be positive`, value);
    return value;
  };
  switch (element.tag) {
    case "sphere":
      return { type: "sphere", radius: positive("radius") };
    case "box": {
      element.required("size");
      const size = element.numbers("size", 3)!;
      if (!size.every((side) => side > 0)) throw element.error("size must be positive", size);
      return { type: "box", halfExtents: [size[0] / 2, size[1] / 2, size[2] / 2] };
    }
    case "cylinder":
    case "capsule": {
      const half = positive("length") / 2;
      return { type: element.tag, pointA: [0, 0, -half], pointB: [0, 0, half], radius: positive("radius") };
    }
    case "mesh": {
      const scale = element.numbers("scale", 3) as unknown as Vec3 | undefined;
      return { type: "convex-hull", positions: scaledPositions(meshes.get(element.required("filename"))!, scale) };
    }
    default:
      throw element.error("must be a sphere, box, cylinder, capsule or mesh", element.tag, "unsupported");
  }
}

function note(reading: Reading, element: FileElement, what: string): void {
  reading.notes.push(`${element.label}: ${what}`);
}
