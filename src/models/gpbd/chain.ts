import { PliantError } from "../../errors";
import { checkLikelyNames, type NamesOf } from "../../option-names";
import type { GpbdModel } from "../../solvers/gpbd/model";
import { createTerm } from "./term";

export interface ChainDescription {
  /** particleCount × 3 [m], at least two particles */
  positions: ArrayLike<number>;
  /** mass of each particle [kg] */
  masses: ArrayLike<number>;
  /** compliance α of each link [m/N]; 0 is inextensible */
  compliance: number;
  name?: string | undefined;
}

const chainNames = {
  positions: true,
  masses: true,
  compliance: true,
  name: true,
} satisfies NamesOf<ChainDescription>;

/**
 * A chain of particles, each joined to the next by an XPBD distance constraint.
 *
 * @throws PliantError for fewer than two particles, values that are not finite, non-positive masses, negative compliance
 * or links without length
 */
export function chainModel(description: ChainDescription): GpbdModel {
  const name = description.name ?? "chain";
  checkLikelyNames(name, description, chainNames);
  const positions = Float64Array.from(description.positions);
  const masses = Float64Array.from(description.masses);
  const particleCount = positions.length / 3;
  if (!Number.isInteger(particleCount) || particleCount < 2 || masses.length !== particleCount)
    throw new PliantError("invalid-argument", name, particleCount, "needs two or more particles with a mass each");
  positions.forEach((value, i) => {
    if (!Number.isFinite(value))
      throw new PliantError("non-finite", `${name} particle ${Math.floor(i / 3)}`, value, "must be finite");
  });
  masses.forEach((mass, i) => {
    if (!(mass > 0 && Number.isFinite(mass)))
      throw new PliantError("invalid-argument", `${name} mass ${i}`, mass, "must be positive");
  });
  if (!(description.compliance >= 0 && Number.isFinite(description.compliance)))
    throw new PliantError("invalid-argument", `${name}.compliance`, description.compliance, "must not be negative");
  const indices: number[] = [];
  const rest: number[] = [];
  for (let i = 0; i + 1 < particleCount; i++) {
    const length = Math.hypot(...[0, 1, 2].map((c) => positions[3 * i + 3 + c] - positions[3 * i + c]));
    if (!(length > 0)) throw new PliantError("degenerate-geometry", `${name} link ${i}`, length, "must have a length");
    indices.push(i, i + 1);
    rest.push(length, description.compliance);
  }
  const term = createTerm("distance", { positions }, indices, rest, []);
  return { name, particleCount, positions, masses, terms: [term], faces: new Uint32Array(0), friction: 0.4 };
}
