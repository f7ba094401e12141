import { createTerm } from "../src/models/gpbd/term";
import type { GpbdModel } from "../src/solvers/gpbd/model";

interface Chain {
  /** three a particle [m] */
  readonly positions: ArrayLike<number>;
  /** of each particle [kg] */
  readonly masses: ArrayLike<number>;
  /** α of each link [m/N] */
  readonly compliance: number;
  readonly name?: string;
}

/** A chain of particles, each joined to the next by an XPBD distance constraint. */
export function chainModel({ positions: places, masses, compliance, name = "chain" }: Chain): GpbdModel {
  const positions = Float64Array.from(places);
  const indices: number[] = [];
  const rest: number[] = [];
  for (let i = 0; i + 1 < masses.length; i++) {
    indices.push(i, i + 1);
    rest.push(Math.hypot(...[0, 1, 2].map((c) => positions[3 * i + 3 + c] - positions[3 * i + c])), compliance);
  }
  const term = createTerm("distance", { positions }, indices, rest, []);
  return {
    name,
    particleCount: masses.length,
    positions,
    masses: Float64Array.from(masses),
    terms: [term],
    faces: new Uint32Array(0),
    friction: 0.4,
  };
}
