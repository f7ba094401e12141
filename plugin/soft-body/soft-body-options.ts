import type { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { PliantError } from "../../src/errors";
import type { BodyOptions, DefinedEnergy, SolidMaterial, SolverName, SolverOptions } from "../../src/index";
import type { SolidElements } from "../../src/models/solid-elements";
import type { NamesOf } from "../../src/option-names";
import { solverOptionNames } from "../../src/world/backend/solvers";
import type { VertexAttachment } from "../deformable/carrier";
import type { SceneFrame } from "../scene-frame";
import { motionOptions, solverNames } from "../deformable/motion-options";

/** How a soft body is stepped, and what it feels. All of these may change while it runs, see `SoftBodyAggregate.setOptions`. */
export interface SoftBodyMotionOptions extends Partial<Omit<SolverOptions, "wind">> {
  /** velocity of the air, units of the scene (m) a second */
  wind?: Vector3;
}

/** Vertices that a node, a bone or the skin of a mesh carries along. */
export type SoftBodyAttachment = VertexAttachment;

/** The stuff that a soft body is made of. */
export interface SoftBodyMaterial {
  /** Pa, default 1e5: soft rubber */
  youngsModulus?: number;
  /** in (−1, 0.5), default 0.4 */
  poissonRatio?: number;
  /** kg/m³, default 1000 */
  density?: number;
  /** energy density, damping by deformation, and in place of the three above where it says them */
  material?: Partial<SolidMaterial>;
}

/** What a `SoftBodyAggregate` is made of. */
export interface SoftBodyOptions extends SoftBodyMotionOptions, SoftBodyMaterial {
  /** default `gpbd`; `newton` solves it in one system with the rigid bodies, `local-global` is for stiff bodies */
  solver?: SolverName;
  /** cubes of the lattice along the longest side of the mesh; default: as many as keep most of its volume */
  resolution?: number;
  /**
   * Tetrahedra in place of those that are made of the mesh, in its own frame: four vertices each, in whatever order. The
   * mesh need not be closed then.
   */
  tetrahedra?: { positions: ArrayLike<number>; tetrahedra: ArrayLike<number> };
  /**
   * Cuts the triangles of the mesh that is drawn, until no edge of them is longer than this [m]. Default `auto`: where they are more
   * than twice as long as those of what is simulated, they are cut to these; `false` leaves the mesh as it is
   */
  subdivide?: "auto" | false | number;
  /** vertices of the mesh that stay where they are until they are moved or unpinned */
  pins?: ArrayLike<number>;
  /** of `pins`: how far the force of 1 N takes a particle from its place [m/N], default 0. Of solvers `local-global` and `newton` */
  pinCompliance?: number;
  /** energies of one's own, of `defineEnergy`, in place of that of `material`, whose density stays. Of solver `gpbd` */
  energy?: DefinedEnergy | readonly DefinedEnergy[];
  /**
   * Strain limiting: lengths over those at rest stay between the two as well as the iterations keep them there, such as [0.8, 1.2].
   * Of solver `local-global`
   */
  stretchLimits?: readonly [least: number, greatest: number];
  /**
   * Elements of the solid: `quadratic` ones bend as they should where it is one or two cells thick, and take several times the time.
   * Default `auto`: these for a slender solid that is so thin. Of solvers `local-global` and `newton`
   */
  elements?: SolidElements;
  /** vertices of the mesh that nodes, bones or a skin carry along from the start */
  attach?: SoftBodyAttachment | readonly SoftBodyAttachment[];
}

export const softMaterialNames = {
  youngsModulus: true,
  poissonRatio: true,
  density: true,
  material: true,
} satisfies NamesOf<SoftBodyMaterial>;

/** Options of the aggregate that the engine does not know. */
const OWN = {
  ...softMaterialNames,
  solver: true,
  resolution: true,
  tetrahedra: true,
  subdivide: true,
  pins: true,
  pinCompliance: true,
  attach: true,
  energy: true,
  stretchLimits: true,
  elements: true,
} satisfies NamesOf<Omit<SoftBodyOptions, keyof SolverOptions>>;

export const softBodyNames = {
  ...OWN,
  ...solverOptionNames,
} satisfies NamesOf<SoftBodyOptions>;

/** Names of what `SoftBodyOptions.tetrahedra` has. */
export const tetrahedraNames = {
  positions: true,
  tetrahedra: true,
} satisfies NamesOf<NonNullable<SoftBodyOptions["tetrahedra"]>>;

/** @throws PliantError for an unknown solver */
export function solverOf(object: string, { solver = "gpbd" }: SoftBodyOptions): SolverName {
  if (!solverNames.includes(solver))
    throw new PliantError("invalid-argument", `${object}.solver`, solver, `must be one of ${solverNames.join(", ")}`);
  return solver;
}

/** The material with defaults for what options leave open; the engine checks it. */
export function materialOf({ youngsModulus, poissonRatio, density, material }: SoftBodyMaterial): SolidMaterial {
  return {
    ...material,
    youngsModulus: material?.youngsModulus ?? youngsModulus ?? 1e5,
    poissonRatio: material?.poissonRatio ?? poissonRatio ?? 0.4,
    density: material?.density ?? density ?? 1000,
  };
}

/**
 * The engine's options for those of a soft body.
 *
 * @throws PliantError for a wind that is not finite, `unsupported` for what the solver has no option for; the engine checks the rest
 */
export function toBodyOptions(
  object: string,
  frame: SceneFrame,
  solver: SolverName,
  options: SoftBodyOptions,
): BodyOptions {
  return motionOptions(object, frame, solver, options, OWN);
}
