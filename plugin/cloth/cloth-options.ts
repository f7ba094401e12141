import { invalid } from "../../src/errors";
import type {
  DefinedEnergy,
  Fabric,
  FabricName,
  Plasticity,
  SolverName,
  SolverOptions,
  TearingOptions,
} from "../../src/index";
import type { BendingModel } from "../../src/models/gpbd/bending";
import { type GpbdOptions, gpbdMethods } from "../../src/solvers/gpbd/options";
import type { LocalGlobalClothDescription } from "../../src/models/local-global/local-global-fabric";
import type { MembraneModel } from "../../src/models/gpbd/cloth";
import { optionNames } from "../../src/option-names";
import { solverOptionNames } from "../../src/world/backend/solvers";
import type { VertexAttachment } from "../deformable/carrier";
import type { SceneFrame } from "../scene-frame";
import type { ClothMaps } from "./cloth-maps";
import type { ClothRange } from "./cloth-range";
import {
  deformableNames,
  type DeformableOptions,
  type MotionOptions,
  motionOptions,
  requireSolver,
  solverNames,
} from "../deformable/motion-options";

/** Options of a cloth's steps. All of these may change while it runs, see `ClothAggregate.setOptions`. */
export interface ClothMotionOptions extends MotionOptions {
  /**
   * `gpbd` (default), or one of its orders of sweeps, a `method`; `local-global` for stiff cloth with exact friction,
   * `newton` for cloth in one system with the rigid bodies. Later it can change only among `gpbd` and its methods.
   */
  solver?: GpbdOptions["method"] | SolverName;
}

/** Options of a `ClothAggregate`. */
export interface ClothOptions extends DeformableOptions, ClothMotionOptions {
  /**
   * a name, your own numbers such as `{ ...fabrics.silk, areaDensity: 0.1 }`, or `Fabric.fromCurves(…)`; default
   * `cotton`
   */
  fabric?: FabricName | Readonly<Fabric>;
  /**
   * compliance of `pins`: displacement of each particle from its place under a force of 1 N [m/N], default 0. Of
   * solvers `local-global` and `newton`
   */
  pinCompliance?: number;
  /**
   * order of garments over one another: cloth of a higher layer is worn outside cloth of a lower one, such as a jacket of layer 1 over a
   * shirt of layer 0. Outside is the side of the inner mesh's normals. An outer cloth that begins inside an inner one is put outside
   * before the first step, and again after `reset`. Default none: such cloths pass through each other until they are free. Not with
   * `tearing`
   */
  layer?: number;
  /** vertices of the mesh that nodes, bones or the skin of a mesh carry along from the start */
  attach?: VertexAttachment | readonly VertexAttachment[];
  /**
   * stretch and shear: finite elements (`stvk`, default, or `neo-hookean`), `springs` along the edges, or `hylc`, the
   * energy table of a fabric that has one (the default for such a fabric). `local-global` has those of
   * `LocalGlobalClothDescription`; `newton` has a membrane of its own
   */
  membrane?: MembraneModel | LocalGlobalClothDescription["membrane"];
  /**
   * default `isometric` for a mesh that is flat at rest and has no `plasticity`, otherwise `dihedral`; with `local-global` as in
   * `LocalGlobalClothDescription`
   */
  bending?: BendingModel | LocalGlobalClothDescription["bending"];
  /**
   * folds that stay: `{ yield: 0.005 }` keeps what bends the faces of the cloth by more than 0.5 % strain; `creep` and `max` say how fast and
   * how far. Stretch always comes back. Of solver `gpbd` with `dihedral` bending, not with `tearing` or membrane `hylc`
   */
  plasticity?: Readonly<Plasticity>;
  /** factors of the fabric's mass and stiffness that vary over the mesh. Of solver `gpbd` */
  maps?: ClothMaps;
  /** keeps the vertices near an animated shape: a skinned garment that may swing a little. Of solver `gpbd` */
  range?: ClothRange;
  /**
   * Strain limiting: keeps lengths in the plane of the cloth, relative to those at rest, between two limits, such as
   * [0.9, 1.1], as well as the iterations can. Of solver `local-global`
   */
  stretchLimits?: readonly [least: number, greatest: number];
  /** The cloth tears if stretched by more than `strain`: 0.3 means 1.3 times the length at rest. Of solver `gpbd` */
  tearing?: TearingOptions;
  /**
   * whether the mesh is inside out, such as a balloon whose normals point inward: its normals and triangles are turned
   * over. Default false
   */
  flipNormals?: boolean;
  /** your own energies, from `defineEnergy`, which replace those of the same strain. Of solver `gpbd` */
  energy?: DefinedEnergy | readonly DefinedEnergy[];
}

export const clothMotionNames = optionNames<ClothMotionOptions>()("solver", solverOptionNames);

export const clothNames = optionNames<ClothOptions>()(
  `
  solver fabric pinCompliance layer attach membrane bending plasticity maps range stretchLimits tearing flipNormals?
  energy
`,
  deformableNames,
);

/** The solver that an aggregate's options ask for. @throws PliantError for an unknown solver */
export function solverOf(object: string, { solver = "gpbd" }: ClothMotionOptions): SolverName {
  if ((solverNames as readonly unknown[]).includes(solver)) return solver as SolverName;
  if ((gpbdMethods as readonly unknown[]).includes(solver)) return "gpbd";
  const names = [...solverNames, ...gpbdMethods].join(", ");
  throw invalid(`${object}.solver`, solver, `must be one of ${names}`);
}

/** @throws PliantError `unsupported` for options of another solver */
export function requireOwnSolver(object: string, solver: SolverName, options: ClothOptions): void {
  const { tearing, energy, plasticity, stretchLimits, lod } = options;
  requireSolver(object, solver, "gpbd", { tearing, energy, plasticity, lod });
  requireSolver(object, solver, "local-global", { stretchLimits });
}

/**
 * The engine's options for those of a cloth; options without a value are left out.
 *
 * @param solver of the cloth
 * @throws PliantError for a wind that is not finite, `unsupported` for an option that the solver does not have; the
 * engine checks the rest
 */
export function toBodyOptions(
  object: string,
  frame: SceneFrame,
  solver: SolverName,
  options: ClothMotionOptions,
): Partial<SolverOptions> {
  const swept = solver === "gpbd" && options.solver !== undefined && options.solver !== "gpbd";
  const named = swept ? { ...options, method: options.solver as GpbdOptions["method"] } : options;
  return motionOptions(object, frame, solver, named);
}
