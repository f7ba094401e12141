import { type ElementKind, elementKinds } from "./elements";
import type { EnergyTerm } from "../model";

const known = new WeakMap<EnergyTerm, ElementKind>();

/** How the f64 reference evaluates the elements of a term; of solids for the strain see `solidKindOf`. */
export function elementKindOf(term: EnergyTerm): ElementKind {
  const { energy } = term;
  if (!energy) return elementKinds[term.kind];
  let kind = known.get(term);
  if (!kind) {
    const { strain, measureAt } = elementKinds[term.kind];
    const dampingAt = energy.parameterValues.length;
    kind = { strain, density: energy.density, measureAt, dampingAt };
    if (energy.strain === "hylc") kind = { ...kind, dampingStiffnessAt: dampingAt + 1 };
    known.set(term, kind);
  }
  return kind;
}
