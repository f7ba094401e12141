import { quickhull } from "../../collision/hull/quickhull";
import type { RigidShape } from "../../collision/narrow/shapes/rigid-shape";
import { massProperties } from "../../collision/shape/mass-properties";
import { type ColliderShape, validateShape } from "../../collision/shape/shape";
import { invalid } from "../../errors";
import type { MassProperties, ResolvedBodyOptions } from "./body-options";
import type { BodyRecord } from "./rigid-body";

/**
 * Mass, center and inertia from the options, or else from the shape.
 *
 * @throws PliantError as `massProperties` for a shape without a volume
 */
function resolveMass(options: ResolvedBodyOptions): MassProperties {
  const { shape } = options;
  const computed = shape && massProperties(shape, options.density, `rigid body "${options.name}".shape`);
  const mass = options.mass ?? computed?.mass ?? 1;
  const scale = computed ? mass / computed.mass : 1;
  const centerOfMass = options.centerOfMass ?? computed?.centre ?? [0, 0, 0];
  const inertiaRotation = options.inertiaRotation ?? computed?.rotation ?? [0, 0, 0, 1];
  const [x, y, z] = computed?.inertia ?? [mass, mass, mass];
  return {
    mass,
    centerOfMass,
    inertia: options.inertia ?? [x * scale, y * scale, z * scale],
    inertiaRotation,
    isPlain: centerOfMass.every((value) => value === 0) && inertiaRotation[3] === 1,
  };
}

/** Makes a shape ready for collisions. Throws as `compileRigidShape`. */
export type CompileShape = (shape: ColliderShape, object: string) => RigidShape;

/**
 * Compiles the shape of a body, and computes its mass.
 *
 * @param compile undefined as long as its code is not loaded: then the shape is only checked
 * @param known the shape, if it was compiled before
 */
export function makeBody(
  options: ResolvedBodyOptions,
  compile: CompileShape | undefined,
  known?: RigidShape,
): Pick<BodyRecord, "compiled" | "mass"> {
  const { shape, name, surfaces, motion } = options;
  const object = `rigid body "${name}".shape`;
  const compiled = known ?? (shape ? compile?.(shape, object) : undefined);
  if (shape && !compiled) validateShape(shape, object);
  const partCount = compiled?.parts.length ?? (shape ? countParts(shape, object) : 0);
  if (surfaces && surfaces.length !== partCount)
    throw invalid(
      `rigid body "${name}".surfaces`,
      surfaces.length,
      `must be as many as the shape has parts (${partCount})`,
    );
  return { compiled, mass: motion === "dynamic" ? resolveMass(options) : infiniteMass };
}

/** Parts of a shape that is not compiled. Only making a hull shows whether its points lie on a line. */
function countParts(shape: ColliderShape, object: string): number {
  if (shape.type === "convex-hull") quickhull(shape.positions, object, shape.maxVertices);
  return shape.type === "container" ? shape.children.reduce((sum, { shape }) => sum + countParts(shape, object), 0) : 1;
}

const infiniteMass = {
  mass: 0,
  centerOfMass: [0, 0, 0],
  inertia: [0, 0, 0],
  inertiaRotation: [0, 0, 0, 1],
  isPlain: true,
} as const;
