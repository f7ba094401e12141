import { compileRigidShape } from "../../src/collision/narrow/compile-shape";
import type { RigidShape } from "../../src/collision/narrow/rigid-shape";
import type { ColliderShape, Vec3 } from "../../src/index";
import { deepVersion, wholeGeometry, type ShapeData } from "../shape/shape-data";

/** A Babylon shape made ready for queries, and which shape each of its parts belongs to. */
export interface CompiledShape {
  readonly shape: RigidShape;
  /** from the shape itself down to the one that the part is of; one list for each part */
  readonly owners: readonly (readonly ShapeData[])[];
  readonly version: number;
}

const known = new WeakMap<ShapeData, CompiledShape>();

/**
 * Compiles a shape, once for each version of it. A scale, as thin instances may have it, is compiled anew.
 *
 * @returns undefined for a container with nothing in it
 */
export function compiledShape(data: ShapeData, scale?: Vec3): CompiledShape | undefined {
  const version = deepVersion(data);
  const cached = scale ? undefined : known.get(data);
  if (cached?.version === version) return cached;
  const geometry = wholeGeometry(data);
  if (!geometry) return undefined;
  const scaled: ColliderShape = scale ? { type: "container", children: [{ shape: geometry, scale }] } : geometry;
  const compiled = { shape: compileRigidShape(scaled, "PhysicsShape"), owners: ownersOf(data, []), version };
  if (!scale) known.set(data, compiled);
  return compiled;
}

/** In the order in which containers are gone through. */
function ownersOf(data: ShapeData, above: readonly ShapeData[]): ShapeData[][] {
  const path = [...above, data];
  if (data.geometry) return Array.from({ length: leavesOf(data.geometry) }, () => path);
  return data.children.flatMap((child) => ownersOf(child.data, path));
}

function leavesOf(shape: ColliderShape): number {
  return shape.type === "container" ? shape.children.reduce((sum, child) => sum + leavesOf(child.shape), 0) : 1;
}
