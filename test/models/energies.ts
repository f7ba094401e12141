import { gatherElement } from "../../src/solvers/gpbd/elements/elements";
import { elementKinds } from "../solvers/gpbd/kinds";
import { termLayout, type EnergyTerm } from "../../src/solvers/gpbd/model";

/** Energy of all elements of a term at the positions x [J]. */
export function termEnergy(term: EnergyTerm, x: ArrayLike<number>): number {
  const { strain, density, measureAt } = elementKinds[term.kind];
  const { arity, rest: stride } = termLayout[term.kind];
  const s = new Float64Array(strain.dimension);
  const corners = new Float64Array(3 * arity);
  let energy = 0;
  for (let e = 0; e < term.elementCount; e++) {
    gatherElement(term, e, x, corners);
    strain.strain(corners, term.rest, stride * e, s);
    const at = stride * e;
    // a distance constraint stores its compliance in place of other kinds' measure
    const measure = term.kind === "distance" ? 1 / term.rest[at + 1] : measureAt < 0 ? 1 : term.rest[at + measureAt];
    energy += measure * density.value(s, term.material);
  }
  return energy;
}
