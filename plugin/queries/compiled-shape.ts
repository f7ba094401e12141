import { compileRigidShape } from "../../src/collision/narrow/shapes/compile-shape";
import type { RigidShape } from "../../src/collision/narrow/shapes/rigid-shape";
import type { ColliderShape, Vec3 } from "../../src/index";
import { leavesOf, type ShapeLeaf } from "../shape/leaves";
import { deepVersion, wholeGeometry, type ShapeData } from "../shape/shape-data";

/** A Babylon shape made ready for queries, and which shape each of its parts belongs to. */
export interface CompiledShape {
  readonly shape: RigidShape;
  /** which shape each part is of */
  readonly owners: readonly ShapeLeaf[];
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
  const owners = leavesOf(data).flatMap((leaf) => Array.from({ length: leaf.partCount }, () => leaf));
  const compiled = { shape: compileRigidShape(scaled, "PhysicsShape"), owners, version };
  if (!scale) known.set(data, compiled);
  return compiled;
}
