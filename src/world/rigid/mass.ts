import type { ColliderShape } from "../../collision/shape";
import { PliantError } from "../../errors";
import type { MassProperties, ResolvedBodyOptions } from "./body-options";

/** Mass, centre and inertia from the options and the shape. */
export function resolveMass(options: ResolvedBodyOptions): MassProperties {
  const computed = options.shape ? massOfShape(options.shape, options.density) : undefined;
  const mass = options.mass ?? computed?.mass ?? 1;
  const scale = computed ? mass / computed.mass : 1;
  const centreOfMass = options.centreOfMass ?? computed?.centreOfMass ?? [0, 0, 0];
  const inertiaRotation = options.inertiaRotation ?? computed?.inertiaRotation ?? [0, 0, 0, 1];
  return {
    mass,
    centreOfMass,
    inertia: options.inertia ?? (computed ? times(computed.inertia, scale) : [mass, mass, mass]),
    inertiaRotation,
    isPlain: centreOfMass.every((value) => value === 0) && inertiaRotation[3] === 1,
  };
}

function times(v: MassProperties["inertia"], scale: number): MassProperties["inertia"] {
  return [v[0] * scale, v[1] * scale, v[2] * scale];
}

function massOfShape(shape: ColliderShape, density: number): MassProperties {
  switch (shape.type) {
    case "sphere": {
      const mass = (4 / 3) * Math.PI * shape.radius ** 3 * density;
      const i = 0.4 * mass * shape.radius ** 2;
      return { mass, centreOfMass: shape.center ?? [0, 0, 0], inertia: [i, i, i], inertiaRotation: [0, 0, 0, 1] };
    }
    case "box": {
      const [x, y, z] = shape.halfExtents;
      const mass = 8 * x * y * z * density;
      return {
        mass,
        centreOfMass: shape.center ?? [0, 0, 0],
        inertia: [(mass * (y * y + z * z)) / 3, (mass * (x * x + z * z)) / 3, (mass * (x * x + y * y)) / 3],
        inertiaRotation: shape.rotation ?? [0, 0, 0, 1],
      };
    }
    default:
      throw new PliantError("unsupported", "rigid body shape", shape.type, "needs its mass properties given");
  }
}
