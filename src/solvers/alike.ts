import { invalid } from "../errors";
import type { DeformableModel, SolverName } from "./deformable";

/**
 * Requires the same particles, faces and tetrahedra of two models. A body may then continue with the other model:
 * state, pins and surface keep their meaning.
 *
 * @param object name of the body in the error
 * @throws PliantError `invalid-argument` for a model with a different mesh or solver
 */
export function requireSameMesh(object: string, old: DeformableModel, next: DeformableModel): void {
  const isSame =
    solverOf(next) === solverOf(old) &&
    next.particleCount === old.particleCount &&
    areEqual(next.faces, old.faces) &&
    areEqual(next.tetrahedra ?? [], old.tetrahedra ?? []);
  if (!isSame) throw invalid(`${object} model`, next.name, "must have the same solver, particles and elements");
}

/** The solver of a model. */
export function solverOf({ solver = "gpbd" }: Pick<DeformableModel, "solver">): SolverName {
  return solver;
}

export function areEqual(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
