import type { DefinedEnergy } from "../materials/defined-energy/define-energy";
import { checkLikelyNames, optionNames } from "../option-names";
import type { SolverName } from "../solvers/deformable";
import type { BendingModel } from "./gpbd/bending";
import {
  type ClothDescription as GpbdClothDescription,
  type ClothModel as GpbdClothModel,
  clothNames,
  gpbdCloth,
  type MembraneModel,
} from "./gpbd/cloth";
import {
  localGlobalCloth,
  type LocalGlobalClothDescription,
  type LocalGlobalClothModel,
} from "./local-global/local-global-fabric";
import { newtonCloth, type NewtonClothModel } from "./newton/newton-cloth";
import { noSuchSolver, refuseForSolver, withEnergies } from "./of-solver";

/** Cloth from any triangle mesh, for any solver. */
export interface ClothDescription extends Omit<GpbdClothDescription, "membrane" | "bending"> {
  /** default `gpbd` */
  solver?: SolverName | undefined;
  /**
   * `gpbd`: `stvk`, `neo-hookean`, `springs` or `hylc`, default `hylc` for a fabric with a table, otherwise `stvk`;
   * `local-global`: `corotational` (default), `arap`, `neo-hookean` or `stable-neo-hookean`; the membrane of `newton`
   * is linear in the right stretch
   */
  membrane?: MembraneModel | LocalGlobalClothDescription["membrane"];
  /**
   * default `isometric`; `gpbd`: `dihedral` for a mesh that is not flat at rest, and with `plasticity`; `local-global`: also
   * `laplace-beltrami`; `newton`: only `isometric`
   */
  bending?: BendingModel | LocalGlobalClothDescription["bending"];
  /** `local-global`: principal stretches are kept within [least, greatest] */
  stretchLimits?: readonly [number, number] | undefined;
  /** `gpbd`: custom energies from `defineEnergy`, which replace those of the same strain */
  energy?: DefinedEnergy | readonly DefinedEnergy[] | undefined;
}

const descriptionNames = optionNames<ClothDescription>()("solver stretchLimits energy", clothNames);

interface ClothModels {
  gpbd: GpbdClothModel;
  "local-global": LocalGlobalClothModel;
  newton: NewtonClothModel;
}

/** A cloth for `World.addBody`. */
export type ClothModel<S extends SolverName = SolverName> = ClothModels[S];

/**
 * A cloth from any triangle mesh, with vertices welded by position, for one of the solvers; `gpbdCloth`,
 * `localGlobalCloth` and `newtonCloth` describe their use of a fabric.
 *
 * @throws PliantError for an empty or degenerate mesh, coordinates that are not finite, indices out of range, a fabric
 * out of range; `unsupported` for options that the solver does not have
 */
export function clothModel<S extends SolverName = "gpbd">(
  description: ClothDescription & { readonly solver?: S | undefined },
): ClothModel<S> {
  checkLikelyNames(description?.name ?? "cloth", description, descriptionNames);
  return modelOf(description) as ClothModel<S>;
}

function modelOf({ solver = "gpbd", energy, plasticity, stretchLimits, ...all }: ClothDescription): ClothModel {
  const { membrane, bending, ...rest } = all;
  const name = all.name ?? "cloth";
  switch (solver) {
    case "gpbd":
      refuseForSolver(name, solver, { stretchLimits });
      return withEnergies(gpbdCloth({ ...all, plasticity } as GpbdClothDescription), energy);
    case "local-global":
      refuseForSolver(name, solver, {
        energy,
        plasticity,
        bending: bending === "dihedral" ? bending : undefined,
        membrane: membrane === "stvk" || membrane === "springs" || membrane === "hylc" ? membrane : undefined,
      });
      return localGlobalCloth({ ...(all as LocalGlobalClothDescription), stretchLimits });
    case "newton":
      refuseForSolver(name, solver, {
        energy,
        plasticity,
        stretchLimits,
        membrane,
        bending: bending === "isometric" ? undefined : bending,
      });
      return newtonCloth(rest);
    default:
      return noSuchSolver(name, solver, ["gpbd", "local-global", "newton"]);
  }
}
