import { type ElementKind, elementKinds } from "../elements";
import type { EnergyTerm } from "../../model";

const known = new WeakMap<EnergyTerm, ElementKind>();

/** The evaluation of a term's elements in the f64 reference; `solidKindOf` is that of solids. */
export function elementKindOf(term: EnergyTerm): ElementKind {
  const { energy } = term;
  const own = elementKinds[term.kind as keyof typeof elementKinds];
  if (!energy) return own;
  let kind = known.get(term);
  if (!kind) {
    const { strain, measureAt } = own;
    const dampingAt = energy.parameterValues.length;
    kind = { strain, density: energy.density, measureAt, dampingAt };
    if (energy.strain === "hylc") kind = { ...kind, dampingStiffnessAt: dampingAt + 1 };
    known.set(term, kind);
  }
  return kind;
}
