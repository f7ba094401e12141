import { massProperties } from "../../collision/shape/mass-properties";
import type { MassProperties, ResolvedBodyOptions } from "./body-options";

/**
 * Mass, center and inertia from the options, or else from the shape.
 *
 * @throws PliantError as `massProperties` for a shape without a volume
 */
export function resolveMass(options: ResolvedBodyOptions): MassProperties {
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
