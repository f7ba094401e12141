import { checkList } from "../../checks";
import { ropeBending } from "../../solvers/newton/deformable/bending-set";
import { segmentSet } from "../../solvers/newton/deformable/element-sets";
import type { FemModel } from "../../solvers/newton/deformable/fem-model";
import { edgesOf, requireAll, type RodDescription } from "../gpbd/rod";

/** A rope of particles, each joined to the next. With a bending stiffness, it is straight at rest. */
export interface NewtonRopeDescription extends Pick<
  RodDescription,
  "positions" | "radius" | "density" | "bendingStiffness" | "friction" | "name"
> {
  /** [Pa] */
  youngsModulus: number;
  /** Kelvin-Voigt damping time of stretch [s], default 0 */
  damping?: number | undefined;
}

/**
 * A rope that is solved in one system with the rigid bodies, joints and contacts that it meets (paper 3, section 9). It pulls and
 * pushes along its segments, which touch obstacles. In a world with obstacles the CPU solves it even with backend `webgpu`.
 *
 * @throws PliantError for fewer than two particles, coordinates that are not finite, segments without length, and
 * numbers out of range
 */
export function newtonRope(description: NewtonRopeDescription): FemModel {
  const { name = "rope", radius, youngsModulus, density } = description;
  const { bendingStiffness = 0, damping = 0, friction = 0.5 } = description;
  requireAll(name, { radius, youngsModulus, density }, "must be positive", (value) => value > 0);
  requireAll(name, { bendingStiffness, damping, friction }, "must not be negative", (value) => value >= 0);
  checkList(description.positions, `${name} positions`);
  const positions = Float64Array.from(description.positions);
  const { edges, lengths } = edgesOf(name, positions, false);
  const particleCount = positions.length / 3;
  const masses = new Float64Array(particleCount);
  const area = Math.PI * radius * radius;
  lengths.forEach((length, p) => {
    masses[p] += 0.5 * density * area * length;
    masses[p + 1] += 0.5 * density * area * length;
  });
  return {
    solver: "newton",
    name,
    particleCount,
    positions,
    masses,
    faces: new Uint32Array(0),
    friction,
    thickness: radius,
    elements: [segmentSet(positions, edges, youngsModulus, area, damping)],
    bending: bendingStiffness > 0 ? [ropeBending(positions, bendingStiffness)] : undefined,
  };
}
