import type { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { PliantError } from "../../src/errors";
import { defaultOptions, type SolverName, type SolverOptions } from "../../src/index";
import { defaultLocalGlobalOptions } from "../../src/solvers/local-global/options";
import { defaultNewtonBodyOptions } from "../../src/solvers/newton/deformable/body-options";
import { notNegative } from "../../src/world/rigid/checks";
import { requireFiniteVector, toVec3 } from "../convert";

/** Options of the engine that a solver knows; one of GPBD has no default of its own. */
const known: Readonly<Record<SolverName, ReadonlySet<string>>> = {
  gpbd: new Set([...Object.keys(defaultOptions), "selfThickness"]),
  "local-global": new Set(Object.keys(defaultLocalGlobalOptions)),
  newton: new Set(Object.keys(defaultNewtonBodyOptions)),
};

export const solverNames = Object.keys(known) as readonly SolverName[];

/**
 * The engine's options among those of an aggregate; what is not said stays out.
 *
 * @param own what the aggregate has besides, no business of the engine
 * @throws PliantError for a wind that is not finite, `unsupported` for what the solver has no option for; the engine checks the
 * rest
 */
export function motionOptions(
  object: string,
  solver: SolverName,
  options: Partial<Omit<SolverOptions, "wind">> & { readonly wind?: Vector3 },
  own: readonly string[],
): Partial<SolverOptions> {
  const { wind } = options;
  if (wind) requireFiniteVector(`${object}.wind`, wind);
  const given = Object.entries({ ...options, wind: wind && toVec3(wind) }).filter(
    ([key, value]) => value !== undefined && !own.includes(key),
  );
  for (const [key, value] of given)
    if (solver !== "gpbd" && !known[solver].has(key))
      throw new PliantError("unsupported", `${object}.${key}`, value, `is not for solver "${solver}"`);
  return Object.fromEntries(given.filter(([key]) => known[solver].has(key)));
}

/**
 * @throws PliantError for a compliance of what is held that is not finite or below zero; `unsupported` where the solver holds
 * exactly only
 */
export function requireCompliance(object: string, solver: SolverName, compliance: number): void {
  notNegative(`${object}.compliance`, compliance);
  if (compliance > 0) requireSolver(object, solver, "local-global", { compliance });
}

/** @throws PliantError `unsupported` for what another solver has and this one has not */
export function requireSolver(
  object: string,
  solver: SolverName,
  needed: SolverName,
  options: Readonly<Record<string, unknown>>,
): void {
  for (const [key, value] of Object.entries(options))
    if (value !== undefined && solver !== needed)
      throw new PliantError("unsupported", `${object}.${key}`, value, `is not for solver "${solver}"`);
}
