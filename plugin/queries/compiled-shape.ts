import { compileRigidShape } from "../../src/collision/narrow/shapes/compile-shape";
import type { RigidShape } from "../../src/collision/narrow/shapes/rigid-shape";
import type { ColliderShape, Vec3 } from "../../src/index";
import { leavesOf, type ShapeLeaf } from "../shape/leaves";
import { deepVersion, wholeGeometry, type ShapeData } from "../shape/shape-data";

/** A Babylon shape prepared for queries, and the shape that each of its parts belongs to. */
export interface CompiledShape {
  readonly shape: RigidShape;
  /** the shape of each part */
  readonly owners: readonly ShapeLeaf[];
  readonly version: number;
}

const known = new WeakMap<ShapeData, CompiledShape>();

/**
 * Compiles a shape, once for each version of it. A shape with a scale, as of thin instances, is compiled anew each
 * time.
 *
 * @returns undefined for an empty container
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
