import type { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { PliantError } from "../../src/errors";
import type { BodyOptions, Fabric, FabricName } from "../../src/index";
import { requireFiniteVector, toVec3 } from "../convert";

/** How cloth is stepped, and what it feels. All of these may change while it runs, see `ClothAggregate.setOptions`. */
export interface ClothMotionOptions {
  /**
   * `gauss-seidel` (default) converges faster; `jacobi` treats all elements at once; `gpbd` is either, as `method` says.
   */
  solver?: "gauss-seidel" | "jacobi" | "gpbd";
  /** for `solver: "gpbd"` */
  method?: "gauss-seidel" | "jacobi";
  /** passes over all elements in a substep */
  iterations?: number;
  /** substeps in a time step */
  substeps?: number;
  /** over-relaxation, in (0, 2) */
  relaxation?: number;
  /** distance kept from bodies, m */
  thickness?: number;
  /** friction coefficient, default the fabric's; combined with that of a body as the material of its shape says */
  friction?: number;
  /** velocity of the air, m/s */
  wind?: Vector3;
  /** kg/m³, default 1.2; 0 for no air */
  airDensity?: number;
  /** drag coefficient of the faces */
  drag?: number;
  /** lift coefficient of the faces */
  lift?: number;
  /** 1/s: slows everything down */
  damping?: number;
  /** multiplies the gravity of the scene */
  gravityFactor?: number;
  /** edges and faces collide too, not only vertices; default true */
  faceContacts?: boolean;
}

/** What a `ClothAggregate` is made of. */
export interface ClothOptions extends ClothMotionOptions {
  /** a name, or numbers of one's own: `{ ...fabrics.silk, areaDensity: 0.1 }`; default `cotton` */
  fabric?: FabricName | Readonly<Fabric>;
  /** vertices of the mesh that stay where they are until they are moved or unpinned */
  pins?: ArrayLike<number>;
  /** Cloth against itself is not supported in this version: only `false`. */
  selfCollision?: boolean;
  /** stretch and shear: finite elements (`stvk`, default, or `neo-hookean`) or `springs` along the edges */
  membrane?: "stvk" | "neo-hookean" | "springs";
  /** default `isometric` for a mesh that is flat at rest, else `dihedral` */
  bending?: "dihedral" | "isometric";
}

/**
 * The engine's options for those of a cloth; what is not said stays out.
 *
 * @throws PliantError for an unknown solver or a wind that is not finite; the engine checks the rest
 */
export function toBodyOptions(object: string, options: ClothMotionOptions): BodyOptions {
  const { solver, method, wind, iterations, substeps, relaxation, thickness, friction } = options;
  const { airDensity, drag, lift, damping, gravityFactor, faceContacts } = options;
  if (solver !== undefined && !["gauss-seidel", "jacobi", "gpbd"].includes(solver))
    throw new PliantError("invalid-argument", `${object}.solver`, solver, 'must be "gauss-seidel", "jacobi" or "gpbd"');
  if (wind) requireFiniteVector(`${object}.wind`, wind);
  const body: BodyOptions = {
    method: solver === undefined || solver === "gpbd" ? method : solver,
    wind: wind && toVec3(wind),
    iterations,
    substeps,
    relaxation,
    thickness,
    friction,
    airDensity,
    drag,
    lift,
    damping,
    gravityFactor,
    faceContacts,
  };
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}
