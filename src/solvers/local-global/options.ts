import { type NamesOf, namesOf } from "../../option-names";
import { type AirOptions, checkAir } from "../air";
import type { DeformableOptions } from "../deformable";
import { OptionCheck } from "../option-check";

/** Function that stands for complementarity (13), (14). */
export type Complementarity = "fischer-burmeister" | "minimum-map";

/** Scale of the two sides of a complementarity: by (28), or with M⁻¹ in place of A⁻¹, as in paper 3. */
export type ComplementarityScale = "system-inverse" | "mass-inverse";

/** The thread that makes a factor, see `LocalGlobalOptions.factorization`. */
export type FactorPlace = "synchronous" | "worker";

/** The processor that solves a body, see `LocalGlobalOptions.lane`. */
export type LocalGlobalLane = "auto" | "cpu";

const lanes: readonly LocalGlobalLane[] = ["auto", "cpu"];
const places: readonly FactorPlace[] = ["synchronous", "worker"];
const complementarities: readonly Complementarity[] = ["fischer-burmeister", "minimum-map"];
const scales: readonly ComplementarityScale[] = ["system-inverse", "mass-inverse"];

/**
 * Options of a local-global body. All may change while it runs; a new time step needs a new factor.
 *
 * Bodies of one world are one system. All have the substeps and iterations of the one that asks for most, are guarded if one of them
 * is, use the default functions of complementarity unless all ask for others, and are solved on the CPU if one of them asks for it.
 */
export interface LocalGlobalOptions extends DeformableOptions, AirOptions {
  /** substeps in a frame: the time step h is the frame time over this; default 1, more for meshes finer than 2 mm (`fine-substeps.ts`) */
  substeps: number;
  /** local-global iterations in a step */
  iterations: number;
  /** non-smooth Newton iterations for the contacts in each, at most */
  newtonIterations: number;
  /** conjugate residual iterations in each of those, at most */
  constraintIterations: number;
  complementarity: Complementarity;
  complementarityScale: ComplementarityScale;
  /** whether friction near its cone is solved for as in `contact-solver.ts`; without, rows are those of the paper's appendix B */
  guarded: boolean;
  /**
   * whether iterations learn from earlier ones (`acceleration.ts`), as long as the body touches nothing, none of its pins gives, and all
   * of its elements are ARAP or bending: steps then end nearly converged, for 18 numbers a coordinate and a local step more. The first
   * step has twice the iterations. On the CPU only (`lane: "cpu"` has the body solved there): on a GPU it has no effect.
   */
  accelerate: boolean;
  /** contacts are looked for up to this distance beyond the thickness [m]; default 1 cm, or two edges of the mesh where that is less */
  contactMargin: number;
  /**
   * most searches for contacts in a step: another follows, with as many iterations, if a body got into another body or an obstacle by
   * more than a tenth of its thickness
   */
  contactPasses: number;
  /** whether the body touches itself; then no part of its surface may start inside of another */
  selfCollision: boolean;
  /** whether it touches other bodies of this solver that have this option on, too */
  bodyCollision: boolean;
  /**
   * - `synchronous` (default): within the step that needs the factor, which takes longer by that; every run is the same
   * - `worker`: off this thread. The body stands still before its first factor, and keeps the old material and time step (in
   *   shorter steps, if need be) while another is made: see `DeformableBody.factorization`
   */
  factorization: FactorPlace;
  /**
   * processor that solves it in a world on WebGPU, together with all others: the GPU if it fits the device (`auto`, default), or the
   * CPU in f64. `DeformableBody.lane` has the choice
   */
  lane: LocalGlobalLane;
  /** whether factors that the worker made are kept for the next start: in the page's database, in Node as files */
  factorCache: boolean;
}

/** Options of a system, made of those of its bodies. */
export type SharedOptions = Readonly<
  Pick<
    LocalGlobalOptions,
    | "iterations"
    | "contactPasses"
    | "thickness"
    | "newtonIterations"
    | "constraintIterations"
    | "complementarity"
    | "complementarityScale"
    | "guarded"
  >
>;

export const defaultLocalGlobalOptions: Readonly<LocalGlobalOptions> = {
  substeps: 1,
  iterations: 5,
  newtonIterations: 10,
  constraintIterations: 24,
  complementarity: "fischer-burmeister",
  complementarityScale: "system-inverse",
  guarded: true,
  accelerate: false,
  contactMargin: 0.01,
  contactPasses: 3,
  selfCollision: false,
  bodyCollision: true,
  factorization: "synchronous",
  factorCache: true,
  lane: "auto",
  gravityFactor: 1,
  damping: 0,
  wind: [0, 0, 0],
  airDensity: 0,
  drag: 1,
  lift: 0.1,
  thickness: 0.001,
  friction: 0.5,
};

export const localGlobalOptionNames: NamesOf<LocalGlobalOptions> = namesOf(defaultLocalGlobalOptions);

/** @throws PliantError when a value is not finite or out of its range; `object` is how the message calls the body */
export function validateLocalGlobalOptions(object: string, options: Readonly<Partial<LocalGlobalOptions>>): void {
  const check = new OptionCheck<LocalGlobalOptions>(object, options);
  check.within("substeps", 1, 1000, true);
  check.within("iterations", 1, 10000, true);
  check.within("newtonIterations", 1, 10000, true);
  check.within("constraintIterations", 1, 10000, true);
  check.within("contactMargin", 0, 10);
  check.within("contactPasses", 1, 100, true);
  check.within("gravityFactor", -1e6, 1e6);
  check.within("damping", 0, 1e6);
  check.within("thickness", 1e-9, 1e6);
  check.within("friction", 0, 100);
  check.oneOf("complementarity", complementarities);
  check.oneOf("factorization", places);
  check.oneOf("lane", lanes);
  check.oneOf("complementarityScale", scales);
  checkAir(check);
}
