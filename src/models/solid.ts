import type { DefinedEnergy } from "../materials/defined-energy/define-energy";
import { checkLikelyNames, optionNames } from "../option-names";
import type { Plasticity } from "../solvers/gpbd/plasticity/plasticity";
import type { SolverName } from "../solvers/deformable";
import type { LocalGlobalModel } from "../solvers/local-global/model";
import { checkedMesh } from "./checked-mesh";
import { gpbdSolid, type SoftBodyModel } from "./gpbd/soft-body";
import { localGlobalSolid } from "./local-global/local-global";
import { newtonSolid, type NewtonSoftBodyModel } from "./newton/newton-soft-body";
import { noSuchSolver, refuseForSolver, withEnergies } from "./of-solver";
import type { ElasticSolid, SolidElements } from "./solid-elements";

/** A solid of tetrahedra, for any solver. */
export interface SolidDescription extends ElasticSolid {
  /** default `gpbd` */
  solver?: SolverName | undefined;
  /**
   * `local-global`: initial positions of the mesh's vertices, vertexCount × 3 [m], if they differ from the shape
   * without stress
   */
  startPositions?: ArrayLike<number> | undefined;
  /** `local-global`: principal stretches are kept within [least, greatest] */
  stretchLimits?: readonly [number, number] | undefined;
  /** `gpbd`: custom energies from `defineEnergy`, which replace those of the same strain */
  energy?: DefinedEnergy | readonly DefinedEnergy[] | undefined;
  /** `gpbd` with linear elements and laws `stable-neo-hookean`, `neo-hookean` or `mooney-rivlin`: permanent deformation beyond a strain */
  plasticity?: Readonly<Plasticity> | undefined;
}

const descriptionNames = optionNames<SolidDescription>()(
  "positions tetrahedra material solver elements startPositions stretchLimits energy plasticity name",
);

interface SolidModels {
  gpbd: SoftBodyModel;
  "local-global": LocalGlobalModel;
  newton: NewtonSoftBodyModel;
}

/** A solid for `World.addBody`. */
export type SolidModel<S extends SolverName = SolverName> = SolidModels[S];

/**
 * A solid of tetrahedra for one of the solvers; see `gpbdSolid`, `localGlobalSolid` and `newtonSolid`.
 *
 * @throws PliantError for a mesh that `validateTetMesh` rejects, vertices that belong to no tetrahedron, a material out
 * of range; `unsupported` for options that the solver does not have
 */
export function solidModel<S extends SolverName = "gpbd">(
  description: SolidDescription & { readonly solver?: S | undefined },
): SolidModel<S> {
  checkLikelyNames(description?.name ?? "solid", description, descriptionNames);
  return modelOf(description) as SolidModel<S>;
}

/** Most tetrahedra that `gpbd` makes quadratic by itself: they then take twice the time of a default cube of `SoftBodyAggregate`. */
const MOST_QUADRATIC = 240;
/** Nearer to incompressible, thrown quadratic elements reach the most substeps that there are, and collapse. */
const MOST_POISSON = 0.45;

/** Elements of a solid of `gpbd` that are affordable, of those that do not lock. */
function gpbdElements({ tetrahedra, material, energy, plasticity }: SolidDescription): SolidElements {
  const law = material?.model ?? "stable-neo-hookean";
  const isFast = !energy && !plasticity && (law === "neo-hookean" || law === "stable-neo-hookean");
  return isFast && material?.poissonRatio <= MOST_POISSON && tetrahedra?.length <= 4 * MOST_QUADRATIC
    ? "auto"
    : "linear";
}

function modelOf({ solver = "gpbd", ...all }: SolidDescription): SolidModel {
  const { elements, startPositions, stretchLimits, energy, plasticity, ...rest } = all;
  const name = all.name ?? "solid";
  switch (solver) {
    case "gpbd":
      refuseForSolver(name, solver, { startPositions, stretchLimits });
      return withEnergies(gpbdSolid({ ...rest, name, elements: elements ?? gpbdElements(all), plasticity }), energy);
    case "local-global": {
      refuseForSolver(name, solver, { energy, plasticity });
      const mesh = checkedMesh(`body "${name}"`, rest);
      return localGlobalSolid({ ...rest, ...mesh, name, elements, startPositions, stretchLimits });
    }
    case "newton":
      refuseForSolver(name, solver, { startPositions, stretchLimits, energy, plasticity });
      return newtonSolid({ ...rest, name, elements });
    default:
      return noSuchSolver(name, solver, ["gpbd", "local-global", "newton"]);
  }
}
