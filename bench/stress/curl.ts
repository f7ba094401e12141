import { elementKinds, gatherElement } from "../../src/solvers/gpbd/elements/elements";
import { type EnergyTerm, termLayout } from "../../src/solvers/gpbd/model";
import type { SoftData } from "./scene";

/** Sheets of knitted and woven yarn are not at rest where they are flat: as they curl, what they stored becomes motion. */
function yarnOf({ model }: SoftData): readonly EnergyTerm[] {
  if (!("terms" in model)) return [];
  return model.terms.filter((term): term is EnergyTerm => term.kind === "hylc" && "rest" in term);
}

/** Elastic energy of the tables of fabrics in a sheet, up to a constant [J]; 0 for bodies without them. */
export function yarnEnergy(soft: SoftData, positions: ArrayLike<number>): number {
  const { strain, density, measureAt } = elementKinds.hylc;
  const x = new Float64Array(3 * termLayout.hylc.arity);
  const s = new Float64Array(strain.dimension);
  let sum = 0;
  for (const term of yarnOf(soft))
    for (let e = 0; e < term.elementCount; e++) {
      const at = termLayout.hylc.rest * e;
      gatherElement(term, e, positions, x);
      strain.strain(x, term.rest, at, s);
      sum += term.rest[at + measureAt] * density.value(s, term.material);
    }
  return sum;
}
