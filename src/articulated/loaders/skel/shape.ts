import type { ColliderShape } from "../../../collision/shape/shape";
import type { Vec3 } from "../../../math/types";
import type { LinkDescription } from "../../description";
import { scaledPositions, type MeshTable } from "../loaded";
import { inertiaNumbers, meshMass, solidMass } from "../mass-properties";
import type { FileElement } from "../xml";

/** Half the side length and half the thickness of the box that replaces a plane [m]. */
const PLANE = [50, 0.5] as const;

/**
 * @param element a `<collision_shape>` or `<visualization_shape>`
 * @returns undefined for non-spherical ellipsoids and for soft shapes
 * @throws PliantError for a missing or non-positive size
 */
export function readSkelShape(element: FileElement, meshes: MeshTable): ColliderShape | undefined {
  const geometry = element.requiredChild("geometry");
  const [shape] = geometry.children;
  if (shape === undefined) throw geometry.error("must hold a shape", undefined);
  const positive = (tag: string): number => {
    const value = shape.requiredChild(tag).textNumbers(1)[0];
    if (!(value > 0)) throw shape.error(`${tag} must be positive`, value);
    return value;
  };
  const size = (): number[] => {
    const values = shape.requiredChild("size").textNumbers(3);
    if (!values.every((value) => value > 0)) throw shape.error("size must be positive", values);
    return values;
  };
  switch (shape.tag) {
    case "sphere":
      return { type: "sphere", radius: positive("radius") };
    case "ellipsoid": {
      const [x, y, z] = size();
      return x === y && y === z ? { type: "sphere", radius: x / 2 } : undefined;
    }
    case "box": {
      const [x, y, z] = size();
      return { type: "box", halfExtents: [x / 2, y / 2, z / 2] };
    }
    case "capsule":
    case "cylinder": {
      const half = positive("height") / 2;
      return { type: shape.tag, pointA: [0, 0, -half], pointB: [0, 0, half], radius: positive("radius") };
    }
    case "plane":
      return planeBox(shape);
    case "mesh": {
      const scale = shape.child("scale")?.textNumbers(3) as unknown as Vec3 | undefined;
      const data = meshes.get(shape.requiredChild("file_name").text)!;
      return { type: "convex-hull", positions: scaledPositions(data, scale) };
    }
    default:
      return undefined;
  }
}

/** A plane given by point and normal: a thick box with a face in that plane, if the normal is along an axis. */
function planeBox(plane: FileElement): ColliderShape {
  const normal = plane.child("normal")?.textNumbers(3) ?? [0, 1, 0];
  const point = plane.child("point")?.textNumbers(3) ?? [0, 0, 0];
  const axis = normal.findIndex((value) => Math.abs(value) === 1);
  if (axis < 0) throw plane.error("the normal must be an axis", normal, "unsupported");
  const halfExtents = [0, 1, 2].map((i) => (i === axis ? PLANE[1] : PLANE[0]));
  const center = point.map((value, i) => value - normal[i] * (i === axis ? PLANE[1] : 0));
  return {
    type: "box",
    halfExtents: halfExtents as unknown as Vec3,
    center: center as unknown as Vec3,
  };
}

/**
 * DART's inertia of a body with a mass only: that of the body's first shape, in the body's axes regardless of the
 * rotation of the shape. DART's capsule has h² instead of the correct h²/4.
 */
export function skelInertia(
  first: FileElement | undefined,
  mass: number,
  meshes: MeshTable,
): Pick<LinkDescription, "inertia"> {
  if (mass === 0) return {};
  const shape = first === undefined ? undefined : readSkelShape(first, meshes);
  if (shape === undefined) return { inertia: [mass, mass, mass, 0, 0, 0] };
  if (shape.type === "capsule") return { inertia: capsuleInertia(2 * shape.pointB[2], shape.radius, mass) };
  const mesh = first!.requiredChild("geometry").child("mesh");
  const unit =
    shape.type === "convex-hull" && mesh !== undefined
      ? meshMass(shape.positions, meshes.get(mesh.requiredChild("file_name").text)!.indices, 1)
      : solidMass(shape, 1);
  if (unit === undefined) return { inertia: [mass, mass, mass, 0, 0, 0] };
  return { inertia: inertiaNumbers(unit.inertia.map((value) => (value * mass) / unit.mass)) };
}

function capsuleInertia(h: number, r: number, mass: number): [number, number, number, number, number, number] {
  const cylinder = Math.PI * r * r * h;
  const ball = (4 / 3) * Math.PI * r * r * r;
  const density = mass / (cylinder + ball);
  const [mc, ms] = [density * cylinder, density * ball];
  const across = mc * ((h * h) / 12 + (r * r) / 4) + ms * (h * h + (3 * h * r) / 8 + 0.4 * r * r);
  return [across, across, (mc * r * r) / 2 + 0.4 * ms * r * r, 0, 0, 0];
}
