import { checkList } from "../../checks";
import { PliantError } from "../../errors";
import { checkLikelyNames, type NamesOf } from "../../option-names";
import { ropeBending } from "../../solvers/newton/deformable/bending-set";
import { segmentSet } from "../../solvers/newton/deformable/element-sets";
import type { FemModel } from "../../solvers/newton/deformable/fem-model";

/** A rope of particles, each joined to the next. */
export interface NewtonRopeDescription {
  /** particleCount × 3 [m], at least two */
  positions: ArrayLike<number>;
  /** radius of the circular cross-section [m]; obstacles keep this distance from the particles */
  radius: number;
  /** [Pa] */
  youngsModulus: number;
  /** [kg/m³] */
  density: number;
  /** [N m²], default 0; with a bending stiffness, the rope is straight at rest */
  bendingStiffness?: number | undefined;
  /** Kelvin-Voigt damping time of stretch [s], default 0 */
  damping?: number | undefined;
  /** friction coefficient, default 0.5 */
  friction?: number | undefined;
  name?: string | undefined;
}

const ropeNames = {
  positions: true,
  radius: true,
  youngsModulus: true,
  density: true,
  bendingStiffness: true,
  damping: true,
  friction: true,
  name: true,
} satisfies NamesOf<NewtonRopeDescription>;

/**
 * A rope that is solved in one system with the rigid bodies, joints and contacts that it meets (paper 3, section 9). It pulls and
 * pushes along its segments; its particles touch obstacles.
 *
 * @throws PliantError for fewer than two particles, coordinates that are not finite, segments without length, and
 * numbers out of range
 */
export function newtonRope(description: NewtonRopeDescription): FemModel {
  const { name = "rope", radius, youngsModulus, density } = description;
  const { bendingStiffness = 0, damping = 0, friction = 0.5 } = description;
  checkLikelyNames(name, description, ropeNames);
  requireAll(name, { radius, youngsModulus, density }, (value) => value > 0, "must be positive");
  requireAll(name, { bendingStiffness, damping, friction }, (value) => value >= 0, "must not be negative");
  checkList(description.positions, `${name} positions`);
  const positions = Float64Array.from(description.positions);
  const particleCount = positions.length / 3;
  if (!Number.isInteger(particleCount) || particleCount < 2)
    throw new PliantError(
      "invalid-argument",
      `${name} positions`,
      positions.length,
      "must be three for each of two or more",
    );
  const bad = positions.findIndex((value) => !Number.isFinite(value));
  if (bad >= 0)
    throw new PliantError("non-finite", `${name} particle ${Math.floor(bad / 3)}`, positions[bad], "must be finite");
  const segments = new Uint32Array(2 * (particleCount - 1));
  const masses = new Float64Array(particleCount);
  const area = Math.PI * radius * radius;
  for (let p = 0; p + 1 < particleCount; p++) {
    const at = 3 * p;
    const edge = [0, 1, 2].map((k) => positions[at + 3 + k] - positions[at + k]);
    const length = Math.sqrt(edge[0] * edge[0] + edge[1] * edge[1] + edge[2] * edge[2]);
    if (!(length > 0))
      throw new PliantError("degenerate-geometry", `${name} segment ${p}`, length, "must have a length");
    segments.set([p, p + 1], 2 * p);
    masses[p] += 0.5 * density * area * length;
    masses[p + 1] += 0.5 * density * area * length;
  }
  return {
    solver: "newton",
    name,
    particleCount,
    positions,
    masses,
    faces: new Uint32Array(0),
    friction,
    thickness: radius,
    elements: [segmentSet(positions, segments, youngsModulus, area, damping)],
    bending: bendingStiffness > 0 ? [ropeBending(positions, bendingStiffness)] : undefined,
  };
}

function requireAll(
  name: string,
  values: Readonly<Record<string, number>>,
  isValid: (value: number) => boolean,
  rule: string,
): void {
  for (const [key, value] of Object.entries(values))
    if (!(Number.isFinite(value) && isValid(value)))
      throw new PliantError("invalid-argument", `${name}.${key}`, value, rule);
}
