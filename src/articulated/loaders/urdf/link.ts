import { principalAxes } from "../../../geometry/principal-axes";
import type { ColliderShape } from "../../../collision/shape/shape";
import type { Vec3 } from "../../../math/types";
import type { LinkDescription, LinkShape } from "../../description";
import { placement, scaledPositions, type MeshTable, type VisualShape } from "../loaded";
import { inertiaMatrix, inertiaNumbers, rotateInertia } from "../mass-properties";
import type { Notes } from "../notes";
import { eulerRotation, identity, matrixOf, type Transform } from "../transform";
import type { FileElement } from "../xml";

/** Data that the elements of a file share. */
export interface UrdfContext {
  readonly meshes: MeshTable;
  /** colors of named materials */
  readonly materials: ReadonlyMap<string, VisualShape["color"]>;
  readonly notes: Notes;
}

/**
 * Mass and inertia. Files hold numbers that no body has: an inertia with negative moments gets zeros for them.
 *
 * @throws PliantError for a negative mass
 */
export function readInertia(
  link: FileElement,
  notes: Notes,
): Pick<LinkDescription, "mass" | "centerOfMass" | "inertia"> {
  const element = link.child("inertial");
  if (element === undefined) return { mass: 0 };
  const mass = element.child("mass");
  if (mass === undefined) notes.add(element, "has no <mass>, which counts as zero");
  const value = mass?.number("value") ?? 0;
  if (value < 0) throw mass!.error("must not be negative", value);
  const { position, rotation } = readOrigin(element);
  const inertia = element.child("inertia");
  const terms = ["ixx", "iyy", "izz", "ixy", "ixz", "iyz"].map((name) => inertia?.number(name) ?? 0);
  const tensor = possibleInertia(inertiaMatrix(terms), inertia, notes);
  return {
    mass: value,
    centerOfMass: position,
    // Files represent a point mass by zeros.
    ...(tensor.every((term) => term === 0)
      ? {}
      : { inertia: inertiaNumbers(rotateInertia(tensor, matrixOf(rotation))) }),
  };
}

function possibleInertia(tensor: readonly number[], element: FileElement | undefined, notes: Notes): readonly number[] {
  const { moments, rotation } = principalAxes(tensor);
  const [least, middle, most] = [...moments].sort((a, b) => a - b);
  const rounding = 1e-12 * Math.max(most, -least);
  if (least < -rounding) {
    notes.add(element!, "has negative moments of inertia, which are taken as zero");
    const [a, b, c] = moments.map((moment) => Math.max(moment, 0));
    return rotateInertia([a, 0, 0, 0, b, 0, 0, 0, c], matrixOf(rotation));
  }
  if (least + middle < most * (1 - 1e-6))
    notes.add(element!, "is the inertia of no body: one moment is larger than the two others together");
  return tensor;
}

/** `<origin xyz rpy>`: roll, pitch and yaw turn about fixed axes. */
export function readOrigin(element: FileElement): Transform {
  const origin = element.child("origin");
  const position = (origin?.numbers("xyz", 3) ?? [0, 0, 0]) as unknown as Vec3;
  const angles = origin?.numbers("rpy", 3);
  return { position, rotation: angles === undefined ? identity.rotation : eulerRotation(angles, "XYZ") };
}

/** Colors of the robot's materials, and of those that links define for others. */
export function readMaterials(robot: FileElement): Map<string, VisualShape["color"]> {
  const materials = new Map<string, VisualShape["color"]>();
  const links = robot.childrenNamed("link").flatMap((link) => link.childrenNamed("visual"));
  for (const element of [robot, ...links].flatMap((each) => each.childrenNamed("material"))) {
    const [name, color] = [element.attribute("name"), readColor(element)];
    if (name !== undefined && color !== undefined && !materials.has(name)) materials.set(name, color);
  }
  return materials;
}

function readColor(material: FileElement): VisualShape["color"] {
  const numbers = material.child("color")?.numbers("rgba", 4);
  return numbers === undefined ? undefined : [numbers[0], numbers[1], numbers[2], numbers[3]];
}

/**
 * A shape to touch, or one to draw if the name of a link is given.
 *
 * @returns undefined for a mesh that is only drawn and that nobody has
 */
export function readShape(element: FileElement, context: UrdfContext): LinkShape | undefined;
export function readShape(element: FileElement, context: UrdfContext, link: string): VisualShape | undefined;
export function readShape(
  element: FileElement,
  { meshes, materials }: UrdfContext,
  link?: string,
): LinkShape | VisualShape | undefined {
  const { position, rotation } = readOrigin(element);
  const name = element.attribute("name");
  const shape = readGeometry(element.requiredChild("geometry"), meshes, link !== undefined);
  if (shape === undefined) return undefined;
  const placed = { shape, ...placement(position, rotation), ...(name === undefined ? {} : { name }) };
  if (link === undefined) return placed;
  const material = element.child("material");
  const color =
    material === undefined ? undefined : (readColor(material) ?? materials.get(material.attribute("name") ?? ""));
  return { link, ...placed, ...(color === undefined ? {} : { color }) };
}

function readGeometry(geometry: FileElement, meshes: MeshTable, isDrawn: boolean): ColliderShape | undefined {
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
      const mesh = meshes.get(element.required("filename"));
      if (mesh === undefined) return undefined;
      const positions = scaledPositions(mesh, element.numbers("scale", 3) as unknown as Vec3 | undefined);
      return isDrawn ? { type: "mesh", positions, indices: mesh.indices } : { type: "convex-hull", positions };
    }
    default:
      throw element.error("must be a sphere, box, cylinder, capsule or mesh", element.tag, "unsupported");
  }
}
