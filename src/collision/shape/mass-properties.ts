import { checkFinite } from "../../checks";
import { degenerate, invalid } from "../../errors";
import { principalAxes } from "../../geometry/principal-axes";
import type { Quat, Vec3 } from "../../math/types";
import { type Affine, IDENTITY } from "./affine";
import { type Moments, shapeMoments, sumMoments } from "./moments";
import { type ColliderShape, validateShape } from "./shape";

/** Resistance of a rigid body to translation and rotation, in the frame of its shape. */
export interface MassProperties {
  /** kg */
  readonly mass: number;
  /** m³ */
  readonly volume: number;
  /** center of mass [m] */
  readonly centre: Vec3;
  /** principal moments of inertia about the center of mass [kg·m²] */
  readonly inertia: Vec3;
  /** from the principal axes to the frame of the shape */
  readonly rotation: Quat;
}

/** A part of a body with a density of its own. */
export interface MassPart {
  readonly shape: ColliderShape;
  /** kg/m³, > 0 */
  readonly density: number;
  /** maps the part to the frame of the body; default none */
  readonly map?: Affine;
}

/**
 * Mass properties of a solid of one density: exact for every shape, including scaled and nested ones. A closed mesh
 * counts as the solid inside, whichever way it is wound. An open mesh or a heightfield counts as its bounding box.
 * Overlaps of a container's parts count twice.
 *
 * @param density kg/m³, > 0
 * @throws PliantError as `validateShape`; `invalid-argument` or `non-finite` for the density; `degenerate-geometry` for a
 * container without children
 */
export function massProperties(shape: ColliderShape, density: number, object = "shape"): MassProperties {
  return massPropertiesOf([{ shape, density }], object);
}

/** Mass properties of a body of several parts. Throws as `massProperties`. */
export function massPropertiesOf(parts: readonly MassPart[], object = "body"): MassProperties {
  parts.forEach(({ shape, density }) => {
    validateShape(shape, object);
    checkFinite(density, `${object} density`);
    if (density <= 0) throw invalid(`${object} density`, density, "must be positive");
  });
  const solids = parts.map(({ shape, density, map }) => ({ moments: shapeMoments(shape, map ?? IDENTITY), density }));
  const volume = sumMoments(solids.map(({ moments }) => ({ moments, density: 1 }))).volume;
  return fromMoments(sumMoments(solids), volume, object);
}

/**
 * Mass properties from moments that are weighted with density, so that their volume is the mass.
 *
 * @throws PliantError `degenerate-geometry` if the mass is zero
 */
export function fromMoments({ volume: mass, first, second }: Moments, volume: number, object: string): MassProperties {
  if (!(mass > 0)) throw degenerate(object, mass, "must have a volume");
  const centre: Vec3 = [first[0] / mass, first[1] / mass, first[2] / mass];
  // Second moments about the center; the tensor of inertia is their trace minus them.
  const about = second.map((value, i) => value - mass * centre[Math.floor(i / 3)] * centre[i % 3]);
  const trace = about[0] + about[4] + about[8];
  const tensor = about.map((value, i) => (i % 4 === 0 ? trace - value : -value));
  const { moments, rotation } = principalAxes(tensor);
  return { mass, volume, centre, inertia: moments, rotation };
}
