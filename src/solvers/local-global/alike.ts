import { PliantError } from "../../errors";
import type { LocalGlobalModel } from "./model";

/**
 * A body may go on with another model of the same elements: state, duals and surface keep their meaning.
 *
 * @throws PliantError `invalid-argument` for one that has others
 */
export function requireSameElements(old: LocalGlobalModel, next: LocalGlobalModel): void {
  const isSame =
    next.solver === old.solver &&
    next.particleCount === old.particleCount &&
    areEqual(next.faces, old.faces) &&
    next.terms.length === old.terms.length &&
    next.terms.every((term, k) => term.kind === old.terms[k]!.kind && areEqual(term.indices, old.terms[k]!.indices));
  if (!isSame)
    throw new PliantError(
      "invalid-argument",
      `body "${old.name}" model`,
      next.name,
      "must have the same particles and elements; other meshes are other bodies",
    );
}

function areEqual(a: Uint32Array, b: Uint32Array): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}
