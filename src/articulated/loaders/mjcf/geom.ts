import type { ColliderShape } from "../../../collision/shape/shape";
import type { Vec3 } from "../../../math/types";
import type { LinkShape } from "../../description";
import { placement, type VisualShape } from "../loaded";
import { ellipsoidMass, massless, solidMass, transformed, type MassProperties } from "../mass-properties";
import { boxOf, type Meshes, type ReadMesh } from "./mesh";
import { readPose, type Compiler } from "./values";
import { ellipsoidMesh } from "../meshes/ellipsoid";
import type { Notes } from "../notes";
import { multiply, rotationOntoZ, type Transform } from "../transform";
import type { FileElement } from "../xml";
import { norm } from "../../../math/vectors";

/** Density of water, MuJoCo's default [kg/m³]. */
const DENSITY = 1000;
/** Half the side length of the box that replaces an infinite plane, and half its thickness [m]. */
const PLANE = [50, 0.5] as const;
/** Thickness of a plane that is drawn [m]. */
const THIN = 1e-3;
/** Last group of geoms that MuJoCo draws by default. */
const LAST_DRAWN = 2;

/** A `<geom>`: its shapes in the body's axes, and its mass. */
export interface Geom {
  /** absent if it collides with nothing */
  readonly shape: LinkShape | undefined;
  /** absent if it is not drawn */
  readonly visual: VisualShape | undefined;
  readonly mass: MassProperties;
}

export interface GeomContext {
  readonly compiler: Compiler;
  readonly meshes: Meshes;
  /** color of a material, red, green, blue, opacity */
  readonly materials: ReadonlyMap<string, readonly number[]>;
  readonly notes: Notes;
}

/** The shape of a geom in its own axes, what is drawn, and its mass for a density of 1. */
interface Form {
  readonly shape: ColliderShape;
  readonly drawn: ColliderShape;
  mass(): MassProperties;
  readonly pose: Transform;
}

/** Whether a geom touches anything. */
export function collides(element: FileElement): boolean {
  return (element.number("contype") ?? 1) !== 0 || (element.number("conaffinity") ?? 1) !== 0;
}

/** Whether MuJoCo draws a geom by default. */
export function isDrawn(element: FileElement): boolean {
  return (element.number("group") ?? 0) <= LAST_DRAWN;
}

/**
 * @param element element with default attributes filled in
 * @param frame of the frames around it, in the body
 * @param link name of its body, undefined for the world, which alone may have planes
 * @throws PliantError for an unknown type or mesh, or a missing or non-positive size
 */
export function readGeom(element: FileElement, frame: Transform, link: string | undefined, context: GeomContext): Geom {
  element.pass("user");
  const group = element.number("group") ?? 0;
  const form = readForm(element, link === undefined, context);
  if (form === undefined) return { shape: undefined, visual: undefined, mass: massless };
  const pose = multiply(frame, form.pose);
  const name = element.attribute("name");
  const placed = { ...placement(pose.position, pose.rotation), ...(name === undefined ? {} : { name }) };
  const [first, last] = context.compiler.inertiaGroups;
  const isHeavy = link !== undefined && group >= first && group <= last;
  return {
    shape: collides(element) ? { shape: form.shape, ...placed, ...readSurface(element, context) } : undefined,
    visual: isDrawn(element)
      ? { ...(link === undefined ? {} : { link }), shape: form.drawn, ...placed, color: readColor(element, context) }
      : undefined,
    mass: isHeavy ? weigh(element, form.mass(), pose) : massless,
  };
}

function readSurface(element: FileElement, { notes }: GeomContext): Partial<LinkShape> {
  const condim = element.number("condim") ?? 3;
  const [slide = 1, spin = 0, roll = 0] = element.numbers("friction", 1, 3) ?? [];
  if (slide < 0) throw element.error("friction must not be negative", slide);
  if ((condim > 3 && spin !== 0) || (condim > 4 && roll !== 0))
    notes.add(element, "friction against spinning and rolling is left out");
  const category = element.number("contype") ?? 1;
  const meets = element.number("conaffinity") ?? 1;
  for (const bits of [category, meets])
    if (!Number.isInteger(bits) || Math.abs(bits) > 0xffffffff)
      throw element.error("contype and conaffinity must be integers of 32 bits", bits);
  return {
    friction: condim === 1 ? 0 : slide,
    ...(category === 1 && meets === 1 ? {} : { category: category | 0, meets: meets | 0 }),
  };
}

function readColor(element: FileElement, { materials }: GeomContext): VisualShape["color"] {
  const own = element.numbers("rgba", 4);
  const material = element.attribute("material");
  const [r, g, b, a] = own ?? materials.get(material ?? "") ?? [0.5, 0.5, 0.5, 1];
  return [r, g, b, a];
}

/** Computes the mass properties from `mass` or `density`. */
function weigh(element: FileElement, unit: MassProperties, pose: Transform): MassProperties {
  const density = element.number("density") ?? DENSITY;
  const given = element.number("mass");
  if ((given ?? density) < 0) throw element.error("mass and density must not be negative", given ?? density);
  const scale = given === undefined ? density : given / unit.mass;
  return transformed(
    { mass: unit.mass * scale, centre: unit.centre, inertia: unit.inertia.map((value) => value * scale) },
    pose,
  );
}

function readForm(element: FileElement, isFixed: boolean, context: GeomContext): Form | undefined {
  const hasMesh = element.attribute("mesh") !== undefined;
  // A mesh without a type gives its size to a ball, as in MuJoCo.
  const type = element.attribute("type") ?? "sphere";
  const pose = readPose(element, context.compiler);
  switch (type) {
    case "mesh": {
      const mesh = context.meshes.of(element);
      return mesh === undefined ? undefined : meshForm(mesh, pose);
    }
    case "plane":
      if (!isFixed) throw element.error("a plane must belong to the world", type, "unsupported");
      return planeForm(element, pose);
    case "hfield":
    case "sdf":
      context.notes.add(element, `a geom of type ${type} is left out`);
      return undefined;
    case "sphere":
    case "capsule":
    case "cylinder":
    case "ellipsoid":
    case "box":
      break;
    default:
      throw element.error("geom type must be plane, sphere, capsule, cylinder, ellipsoid, box or mesh", type);
  }
  if (hasMesh) {
    const mesh = context.meshes.of(element);
    return mesh === undefined ? undefined : fittedForm(element, type, mesh, pose, context.compiler);
  }
  return sizedForm(element, type, pose);
}

type Primitive = "sphere" | "capsule" | "cylinder" | "ellipsoid" | "box";

/** A shape of `size`, or between the points of `fromto`. */
function sizedForm(element: FileElement, type: Primitive, pose: Transform): Form {
  const ends = type === "sphere" ? undefined : fromTo(element);
  const count = type === "sphere" ? 1 : type === "capsule" || type === "cylinder" ? (ends ? 1 : 2) : ends ? 1 : 3;
  const size = element.numbers("size", 1, 3) ?? [];
  if (size.length < count || !size.slice(0, count).every((value) => value > 0))
    throw element.error(`size must hold ${count} positive number${count === 1 ? "" : "s"}`, size);
  if (ends === undefined) return primitive(type, [size[0], size[1], size[2]], pose);
  const half: Vec3 =
    type === "capsule" || type === "cylinder" ? [size[0], ends.half, 0] : [size[0], size[0], ends.half];
  return primitive(type, half, ends.pose);
}

/** @param size radius and half length, or half extents [m] */
function primitive(type: Primitive, size: Vec3, pose: Transform): Form {
  if (type === "ellipsoid") {
    const mesh = ellipsoidMesh(size);
    return {
      shape: { type: "convex-hull", positions: mesh.positions },
      drawn: { type: "mesh", ...mesh },
      mass: () => ellipsoidMass(size, 1),
      pose,
    };
  }
  const [a, b, c] = size;
  const shape: ColliderShape =
    type === "sphere"
      ? { type, radius: a }
      : type === "box"
        ? { type, halfExtents: [a, b, c] }
        : { type, pointA: [0, 0, -b], pointB: [0, 0, b], radius: a };
  return { shape, drawn: shape, mass: () => solidMass(shape, 1)!, pose };
}

function meshForm({ data, mass }: ReadMesh, pose: Transform): Form {
  const { positions, indices } = data;
  return { shape: { type: "convex-hull", positions }, drawn: { type: "mesh", positions, indices }, mass, pose };
}

/** A simple shape of the size of a mesh, in the principal axes of the mesh. */
function fittedForm(
  element: FileElement,
  type: Primitive,
  mesh: ReadMesh,
  pose: Transform,
  { fitsBoxes }: Compiler,
): Form {
  const { half, position, rotation } = boxOf(mesh, fitsBoxes);
  const factor = element.number("fitscale") ?? 1;
  const [a, b, c] = half;
  const least = 1e-9 * Math.max(a, b, c);
  let size: Vec3 = [Math.max(a, least), Math.max(b, least), Math.max(c, least)];
  if (type === "sphere") size = [fitsBoxes ? Math.max(a, b, c) : (a + b + c) / 3, 0, 0];
  else if (type === "capsule" || type === "cylinder") {
    const radius = fitsBoxes ? Math.max(a, b) : (a + b) / 2;
    const caps = type === "cylinder" ? 0 : fitsBoxes ? radius : radius / 2;
    size = [radius, Math.max(c - caps, least), 0];
  }
  if (!(factor > 0)) throw element.error("fitscale must be positive", factor);
  const scaled: Vec3 = [size[0] * factor, size[1] * factor, size[2] * factor];
  return primitive(type, scaled, multiply(pose, { position, rotation }));
}

/** A plane is solid below; a size of 0 means infinite. */
function planeForm(element: FileElement, pose: Transform): Form {
  const size = element.numbers("size", 1, 3) ?? [];
  const [x, y] = [size[0] || PLANE[0], size[1] || PLANE[0]];
  if (!(x > 0 && y > 0)) throw element.error("size must not be negative", size);
  const box = (half: number): ColliderShape => ({ type: "box", halfExtents: [x, y, half], center: [0, 0, -half] });
  return { shape: box(PLANE[1]), drawn: box(THIN / 2), mass: () => massless, pose };
}

/** `fromto`: the two ends of the axis. */
function fromTo(element: FileElement): { half: number; pose: Transform } | undefined {
  const ends = element.numbers("fromto", 6);
  if (ends === undefined) return undefined;
  const along: Vec3 = [ends[3] - ends[0], ends[4] - ends[1], ends[5] - ends[2]];
  const length = norm(along);
  if (!(length > 1e-9)) throw element.error("fromto must be two points that differ", ends);
  const position: Vec3 = [(ends[0] + ends[3]) / 2, (ends[1] + ends[4]) / 2, (ends[2] + ends[5]) / 2];
  return { half: length / 2, pose: { position, rotation: rotationOntoZ(along) } };
}
