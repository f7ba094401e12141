import { compileRigidShape } from "../../collision/narrow/shapes/compile-shape";
import type { RigidShape } from "../../collision/narrow/shapes/rigid-shape";
import { massProperties } from "../../collision/shape/mass-properties";
import { PliantError } from "../../errors";
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

/**
 * Compiles the shape of a body, and computes its mass.
 *
 * @param known the shape, if it was compiled before
 */
export function makeBody(options: ResolvedBodyOptions, known?: RigidShape): Pick<BodyRecord, "compiled" | "mass"> {
  const { shape, name, surfaces, motion } = options;
  const isShape = shape !== undefined && shape !== null;
  const compiled = known ?? (isShape ? compileRigidShape(shape, `rigid body "${name}".shape`) : undefined);
  const partCount = compiled?.parts.length ?? 0;
  if (surfaces && surfaces.length !== partCount)
    throw new PliantError(
      "invalid-argument",
      `rigid body "${name}".surfaces`,
      surfaces.length,
      `must be as many as the shape has parts (${partCount})`,
    );
  return { compiled, mass: motion === "dynamic" ? resolveMass(options) : infiniteMass };
}

const infiniteMass = {
  mass: 0,
  centerOfMass: [0, 0, 0],
  inertia: [0, 0, 0],
  inertiaRotation: [0, 0, 0, 1],
  isPlain: true,
} as const;
