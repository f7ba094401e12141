import { checkLikelyNames, optionNames } from "../option-names";
import type { FemModel } from "../solvers/newton/deformable/fem-model";
import { fiberModulus, gpbdRod, type RodDescription, type RodModel, rodNames } from "./gpbd/rod";
import { newtonRope } from "./newton/newton-rope";
import { noSuchSolver, refuseForSolver } from "./of-solver";

/** Solvers that have ropes. */
export type RopeSolver = "gpbd" | "newton";

/** A rope or a rod. A rope of `newton` is straight at rest, open, and does not resist twist. */
export interface RopeDescription extends RodDescription {
  /** default `gpbd` */
  solver?: RopeSolver | undefined;
}

const descriptionNames = optionNames<RopeDescription>()("solver", rodNames);

interface RopeModels {
  gpbd: RodModel;
  newton: FemModel;
}

/** A rope for `World.addBody`. */
export type RopeModel<S extends RopeSolver = RopeSolver> = RopeModels[S];

/**
 * A line that resists stretch and bending, and with `gpbd` also twist; see `gpbdRod` and `newtonRope`.
 *
 * @throws PliantError for fewer than two particles, or fewer than three of a closed rope, coordinates that are not
 * finite, edges without length, numbers out of range; `unsupported` for options that the solver does not have
 */
export function ropeModel<S extends RopeSolver = "gpbd">(
  description: RopeDescription & { readonly solver?: S | undefined },
): RopeModel<S> {
  checkLikelyNames(description?.name ?? "rope", description, descriptionNames);
  return modelOf(description) as RopeModel<S>;
}

function modelOf({ solver = "gpbd", ...all }: RopeDescription): RopeModel {
  const name = all.name ?? "rope";
  if (solver === "gpbd") return gpbdRod({ ...all, name });
  if (solver !== "newton") return noSuchSolver(name, solver, ["gpbd", "newton"]);
  const { closed, poissonRatio, stretchStiffness, torsionStiffness, naturalShape, twist, ...rest } = all;
  refuseForSolver(name, solver, {
    closed: closed || undefined,
    poissonRatio,
    stretchStiffness,
    torsionStiffness,
    naturalShape,
    twist,
  });
  return newtonRope({ ...rest, name, youngsModulus: all.youngsModulus ?? fiberModulus.stretch });
}
