import type { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { PliantError } from "../../src/errors";
import {
  defaultOptions,
  type BendingModel,
  type DefinedEnergy,
  type Fabric,
  type FabricName,
  type GpbdOptions,
  type LocalGlobalClothDescription,
  type MembraneModel,
  type SolverName,
  type SolverOptions,
  type TearingOptions,
} from "../../src/index";
import { defaultLocalGlobalOptions } from "../../src/solvers/local-global/options";
import { defaultNewtonBodyOptions } from "../../src/solvers/newton/deformable/body-options";
import { requireFiniteVector, toVec3 } from "../convert";
import type { VertexAttachment } from "../deformable/carrier";

/** How cloth is stepped, and what it feels. All of these may change while it runs, see `ClothAggregate.setOptions`. */
export interface ClothMotionOptions extends Partial<Omit<SolverOptions, "wind">> {
  /**
   * `gpbd` (default), or how its elements are swept, a `method`; `local-global` for stiff cloth with exact friction, `newton` for cloth
   * in one system with the rigid bodies. One of the first stays one of the first.
   */
  solver?: GpbdOptions["method"] | SolverName;
  /** velocity of the air, m/s */
  wind?: Vector3;
}

/** What a `ClothAggregate` is made of. */
export interface ClothOptions extends ClothMotionOptions {
  /** a name, numbers of one's own as `{ ...fabrics.silk, areaDensity: 0.1 }`, or `Fabric.fromCurves(…)`; default `cotton` */
  fabric?: FabricName | Readonly<Fabric>;
  /** vertices of the mesh that stay where they are until they are moved or unpinned */
  pins?: ArrayLike<number>;
  /** vertices of the mesh that nodes, bones or the skin of a mesh carry along from the start */
  attach?: VertexAttachment | readonly VertexAttachment[];
  /**
   * stretch and shear: finite elements (`stvk`, default, or `neo-hookean`), `springs` along the edges, or `hylc`, the energy table of
   * a fabric that has one (and then the default). With `local-global` those of `LocalGlobalClothDescription`; `newton` has one of its own
   */
  membrane?: MembraneModel | LocalGlobalClothDescription["membrane"];
  /** default `isometric` for a mesh that is flat at rest, else `dihedral`; with `local-global` as `LocalGlobalClothDescription` */
  bending?: BendingModel | LocalGlobalClothDescription["bending"];
  /** Tears where it is stretched by more than `strain`: 0.3 is a length 1.3 times that at rest. Of solver `gpbd` */
  tearing?: TearingOptions;
  /** energies of one's own, of `defineEnergy`, in place of those of the same strain. Of solver `gpbd` */
  energy?: DefinedEnergy | readonly DefinedEnergy[];
}

/** Options of the engine that a solver knows; one of GPBD has no default of its own. */
const known: Readonly<Record<SolverName, ReadonlySet<string>>> = {
  gpbd: new Set([...Object.keys(defaultOptions), "selfThickness"]),
  "local-global": new Set(Object.keys(defaultLocalGlobalOptions)),
  newton: new Set(Object.keys(defaultNewtonBodyOptions)),
};

/** Options of the aggregate itself. */
const OWN: readonly string[] = ["solver", "fabric", "pins", "attach", "membrane", "bending", "tearing", "energy"];

/**
 * The solver that an aggregate's options ask for.
 *
 * @throws PliantError for one that there is not
 */
export function solverOf(object: string, { solver = "gpbd" }: ClothMotionOptions): SolverName {
  if (solver in known) return solver as SolverName;
  // the methods of GPBD; the engine checks which there are
  if (typeof solver === "string") return "gpbd";
  throw new PliantError("invalid-argument", `${object}.solver`, solver, "must be a name");
}

/** @throws PliantError `unsupported` for options of GPBD with another solver */
export function requireGpbd(object: string, solver: SolverName, { tearing, energy }: ClothOptions): void {
  for (const [key, value] of Object.entries({ tearing, energy }))
    if (value !== undefined && solver !== "gpbd")
      throw new PliantError("unsupported", `${object}.${key}`, value, `is not for solver "${solver}"`);
}

/**
 * The engine's options for those of a cloth; what is not said stays out.
 *
 * @param solver of the cloth
 * @throws PliantError for a wind that is not finite, `unsupported` for what the solver has no option for; the engine checks the
 * rest
 */
export function toBodyOptions(object: string, solver: SolverName, options: ClothMotionOptions): Partial<SolverOptions> {
  const { wind } = options;
  if (wind) requireFiniteVector(`${object}.wind`, wind);
  const named: Partial<SolverOptions> = { ...(options as Partial<SolverOptions>), wind: wind && toVec3(wind) };
  if (solver === "gpbd" && options.solver !== undefined && options.solver !== "gpbd")
    named.method = options.solver as GpbdOptions["method"];
  const given = Object.entries(named).filter(([key, value]) => value !== undefined && !OWN.includes(key));
  for (const [key, value] of given)
    if (solver !== "gpbd" && !known[solver].has(key))
      throw new PliantError("unsupported", `${object}.${key}`, value, `is not for solver "${solver}"`);
  return Object.fromEntries(given.filter(([key]) => known[solver].has(key)));
}
