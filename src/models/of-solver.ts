import { unsupported } from "../errors";
import type { DefinedEnergy } from "../materials/defined-energy/define-energy";
import type { SolverName } from "../solvers/deformable";
import type { GpbdModel } from "../solvers/gpbd/model";
import { withEnergy } from "./gpbd/with-energy";

/** @throws PliantError `unsupported` if options are given that only other solvers have */
export function refuseForSolver(name: string, solver: SolverName, options: Readonly<Record<string, unknown>>): void {
  for (const [key, value] of Object.entries(options))
    if (value !== undefined) throw unsupported(`${name}.${key}`, value, `is not for solver "${solver}"`);
}

/** @throws PliantError `unsupported` */
export function noSuchSolver(name: string, solver: unknown, known: readonly SolverName[]): never {
  throw unsupported(`${name}.solver`, solver, `must be one of ${known.join(", ")}`);
}

/** A body with one or several custom energies, see `withEnergy`. */
export function withEnergies<M extends GpbdModel>(
  model: M,
  energy: DefinedEnergy | readonly DefinedEnergy[] | undefined,
): M {
  return [energy ?? []].flat().reduce((changed, own) => withEnergy(changed, own), model);
}
