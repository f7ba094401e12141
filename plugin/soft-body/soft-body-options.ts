import { invalid } from "../../src/errors";
import type { DefinedEnergy, Plasticity, SolidMaterial, SolverName } from "../../src/index";
import type { SolidElements } from "../../src/models/solid-elements";
import { solidMaterialNames } from "../../src/materials/solid-material";
import { checkNames, optionNames } from "../../src/option-names";
import type { VertexAttachment } from "../deformable/carrier";
import { deformableNames, type DeformableOptions, solverNames } from "../deformable/motion-options";

/** The material of a soft body. */
export interface SoftBodyMaterial {
  /** Pa, default 1e5: soft rubber */
  youngsModulus?: number;
  /** in (−1, 0.5), default 0.4 */
  poissonRatio?: number;
  /** kg/m³, default 1000 */
  density?: number;
  /** energy density and damping by deformation; its other values override the three above */
  material?: Partial<SolidMaterial>;
}

/** Options of a `SoftBodyAggregate`. */
export interface SoftBodyOptions extends DeformableOptions, SoftBodyMaterial {
  /** default `gpbd`; `newton` solves it in one system with the rigid bodies, `local-global` is for stiff bodies */
  solver?: SolverName;
  /** cells of the lattice along the longest side of the mesh; default: enough to keep most of its volume */
  resolution?: number;
  /**
   * Tetrahedra that replace those made from the mesh, in the frame of the mesh: four vertices each, in any order. The
   * mesh need not be closed then.
   */
  tetrahedra?: { positions: ArrayLike<number>; tetrahedra: ArrayLike<number> };
  /**
   * Cuts the triangles of the drawn mesh until none of their edges is longer than this [m]. Default `auto`: if edges
   * are more than twice as long as those of the simulated surface, they are cut to the length of the latter; `false`
   * leaves the mesh unchanged
   */
  subdivide?: "auto" | false | number;
  /**
   * compliance of `pins`: displacement of each particle from its place under a force of 1 N [m/N], default 0. Of
   * solvers `local-global` and `newton`
   */
  pinCompliance?: number;
  /** your own energies, from `defineEnergy`, which replace that of `material`, whose density stays. Of solver `gpbd` */
  energy?: DefinedEnergy | readonly DefinedEnergy[];
  /**
   * permanent deformation: `{ yield: 0.05 }` keeps dents of more than 5 % strain; `creep` and `max` say how fast and how far. Of
   * solver `gpbd` with linear elements and a neo-Hookean or Mooney-Rivlin law
   */
  plasticity?: Readonly<Plasticity>;
  /**
   * Strain limiting: keeps lengths, relative to those at rest, between two limits, such as [0.8, 1.2], as well as the
   * iterations can. Of solver `local-global`
   */
  stretchLimits?: readonly [least: number, greatest: number];
  /**
   * Elements of the solid: `quadratic` elements bend correctly in a solid that is one or two cells thick, and take
   * several times the time. `auto` takes quadratic elements for a slender solid that is so thin. Default `auto`, with
   * solver `gpbd` `linear` for more than 240 tetrahedra, plasticity, an `energy`, and laws other than the two neo-Hookean ones
   */
  elements?: SolidElements;
  /** vertices of the mesh that nodes, bones or a skin carry along from the start */
  attach?: VertexAttachment | readonly VertexAttachment[];
}

export const softMaterialNames = optionNames<SoftBodyMaterial>()("youngsModulus poissonRatio density material");

export const softBodyNames = optionNames<SoftBodyOptions>()(
  "solver resolution tetrahedra subdivide pinCompliance attach energy plasticity stretchLimits elements",
  softMaterialNames,
  deformableNames,
);

/** Option names of `SoftBodyOptions.tetrahedra`. */
export const tetrahedraNames = optionNames<NonNullable<SoftBodyOptions["tetrahedra"]>>()("positions tetrahedra");

/** @throws PliantError for an unknown solver */
export function solverOf(object: string, { solver = "gpbd" }: SoftBodyOptions): SolverName {
  if (!solverNames.includes(solver))
    throw invalid(`${object}.solver`, solver, `must be one of ${solverNames.join(", ")}`);
  return solver;
}

/**
 * The material, with defaults for values that the options leave out; the engine checks its values.
 *
 * @throws PliantError `invalid-argument` for a `material` that is no object
 */
export function materialOf(
  object: string,
  { youngsModulus, poissonRatio, density, material }: SoftBodyMaterial,
): SolidMaterial {
  if (material !== undefined) checkNames(`${object}.material`, material, solidMaterialNames);
  return {
    ...material,
    youngsModulus: material?.youngsModulus ?? youngsModulus ?? 1e5,
    poissonRatio: material?.poissonRatio ?? poissonRatio ?? 0.4,
    density: material?.density ?? density ?? 1000,
  };
}
