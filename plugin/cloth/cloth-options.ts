import type { Vector3 } from "@babylonjs/core/Maths/math.vector";
import {
  defaultOptions,
  type BendingModel,
  type Fabric,
  type FabricName,
  type GpbdOptions,
  type MembraneModel,
} from "../../src/index";
import { requireFiniteVector, toVec3 } from "../convert";

/** How cloth is stepped, and what it feels. All of these may change while it runs, see `ClothAggregate.setOptions`. */
export interface ClothMotionOptions extends Partial<Omit<GpbdOptions, "wind">> {
  /** how the elements are swept: a `method` of GPBD, or `gpbd` for what `method` says */
  solver?: GpbdOptions["method"] | "gpbd";
  /** velocity of the air, m/s */
  wind?: Vector3;
}

/** What a `ClothAggregate` is made of. */
export interface ClothOptions extends ClothMotionOptions {
  /** a name, numbers of one's own as `{ ...fabrics.silk, areaDensity: 0.1 }`, or `Fabric.fromCurves(…)`; default `cotton` */
  fabric?: FabricName | Readonly<Fabric>;
  /** vertices of the mesh that stay where they are until they are moved or unpinned */
  pins?: ArrayLike<number>;
  /**
   * stretch and shear: finite elements (`stvk`, default, or `neo-hookean`), `springs` along the edges, or `hylc`, the energy table of
   * a fabric that has one (and then the default)
   */
  membrane?: MembraneModel;
  /** default `isometric` for a mesh that is flat at rest, else `dihedral` */
  bending?: BendingModel;
}

/** Options of the engine; one of them has no default of its own. */
const known = new Set([...Object.keys(defaultOptions), "selfThickness"]);

/**
 * The engine's options for those of a cloth; what is not said stays out.
 *
 * @throws PliantError for a wind that is not finite; the engine checks the rest
 */
export function toBodyOptions(object: string, options: ClothMotionOptions): Partial<GpbdOptions> {
  const { solver, wind } = options;
  if (wind) requireFiniteVector(`${object}.wind`, wind);
  const named: Partial<GpbdOptions> = {
    ...(options as Partial<GpbdOptions>),
    method: solver === undefined || solver === "gpbd" ? options.method : solver,
    wind: wind && toVec3(wind),
  };
  return Object.fromEntries(Object.entries(named).filter(([key, value]) => known.has(key) && value !== undefined));
}
