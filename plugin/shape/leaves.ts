import type { ColliderShape } from "../../src/index";
import { defaultMaterial, type SurfaceMaterial } from "../materials";
import type { ShapeData } from "./shape-data";

/** A shape with geometry, inside containers or by itself, and its properties in contacts. */
export interface ShapeLeaf {
  readonly data: ShapeData;
  readonly material: SurfaceMaterial;
  readonly membershipMask: number;
  readonly collideMask: number;
  readonly isTrigger: boolean;
  /** number of parts that the engine makes of its geometry */
  readonly partCount: number;
}

/**
 * The leaves of a shape, in the order of its containers, in which the engine numbers its parts. Properties of a leaf
 * itself take precedence, as with Havok; properties that it does not have come from its container.
 */
export function leavesOf(data: ShapeData): readonly ShapeLeaf[] {
  const leaves: ShapeLeaf[] = [];
  collect(data, { material: defaultMaterial, membershipMask: ~0, collideMask: ~0, isTrigger: false }, leaves);
  return leaves;
}

/** The masks of a shape: for a container, those of all its children together. */
export function masksOf(data: ShapeData): { membership: number; collideWith: number } {
  const masks = { membership: 0, collideWith: 0 };
  for (const { membershipMask, collideMask } of leavesOf(data)) {
    masks.membership |= membershipMask;
    masks.collideWith |= collideMask;
  }
  return masks;
}

type Inherited = Omit<ShapeLeaf, "data" | "partCount">;

function collect(data: ShapeData, above: Inherited, leaves: ShapeLeaf[]): void {
  const own: Inherited = {
    material: data.material ?? above.material,
    membershipMask: data.membershipMask ?? above.membershipMask,
    collideMask: data.collideMask ?? above.collideMask,
    isTrigger: data.isTrigger ?? above.isTrigger,
  };
  if (data.geometry) leaves.push({ ...own, data, partCount: partCount(data.geometry) });
  for (const child of data.children) collect(child.data, own, leaves);
}

/** Number of parts that the engine makes of a geometry. */
export function partCount(shape: ColliderShape): number {
  return shape.type === "container" ? shape.children.reduce((sum, child) => sum + partCount(child.shape), 0) : 1;
}
