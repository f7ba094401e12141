import { degenerate } from "../../errors";
import { DisjointSets } from "../../math/disjoint-sets";
import type { LocalGlobalModel } from "../../solvers/local-global/model";

/** @throws PliantError `degenerate-geometry` for vertices without mass or elements, or a body that falls apart */
export function checkModel({ name, masses, particleCount, terms }: LocalGlobalModel): void {
  const bad = masses.findIndex((mass) => !(mass > 0 && Number.isFinite(mass)));
  if (bad >= 0) throw degenerate(`body "${name}" vertex ${bad}`, masses[bad], "must have a mass");
  const sets = new DisjointSets(particleCount);
  for (const { arity, indices } of terms)
    for (let k = 0; k < indices.length; k++) sets.join(indices[k], indices[k - (k % arity)]);
  let parts = 0;
  for (let p = 0; p < particleCount; p++) if (sets.rootOf(p) === p) parts++;
  if (parts > 1) throw degenerate(`body "${name}"`, `${parts} parts`, "must be connected");
}
