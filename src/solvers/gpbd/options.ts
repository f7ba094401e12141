import { namesOf, optionNames } from "../../option-names";
import { boxOf, sizeOf } from "../../geometry/box";
import { type AirAround, type AirOptions, checkAir } from "../air";
import type { DeformableOptions, StepOptions } from "../deformable";
import { defaultInflation, type InflationOptions } from "./pressure/inflation";
import { OptionCheck } from "../option-check";
import { isBending, type GpbdModel, type TermKind } from "./model";
import { meanEdge } from "../spacing";

/**
 * - `gauss-seidel`: color after color; each element sees the changes of those before it
 * - `jacobi`: all elements at once, averaged over those at a vertex (with split masses)
 * - `hybrid`: Gauss-Seidel for the stiff membranes and constraints, Jacobi for bending, which is soft and whose hinges
 *   need many colours
 */
export type GpbdMethod = "gauss-seidel" | "jacobi" | "hybrid";

export const gpbdMethods: readonly GpbdMethod[] = ["gauss-seidel", "jacobi", "hybrid"];

/** Whether a method sweeps a kind of term all at once. */
export function sweepsAtOnce(method: GpbdMethod, kind: TermKind): boolean {
  if (method !== "hybrid") return method === "jacobi";
  return isBending(kind);
}

/**
 * Bending is soft and slow beside stretch, so it is solved every few substeps only, with as many times the impulse
 * (multiple time stepping, as in r-RESPA): at least ten times a frame.
 */
function bendingInterval(substeps: number): number {
  return Math.max(1, Math.floor(substeps / 10));
}

/** Substeps from one solve of a kind of term to the next. */
export function termInterval(kind: TermKind, substeps: number): number {
  return isBending(kind) ? bendingInterval(substeps) : 1;
}

/** Options of a GPBD body. All may change while it runs. */
export interface GpbdOptions extends DeformableOptions, AirOptions, InflationOptions {
  /** how the elements are swept */
  method: GpbdMethod;
  /** GPBD iterations in a substep (i_G of the paper) */
  iterations: number;
  /** substeps in a frame: the time step Δt is the frame time over this; default: `recommendedSubsteps` of the body */
  substeps: number;
  /** at most this many Newton iterations on equation (19) for an element (i_N of the paper) */
  newtonIterations: number;
  /**
   * over-relaxation ω in (0, 2). Sweeps of `jacobi` over solids correct stiff elements ω times as far and leave the forces of soft
   * ones as they are: with 1.9 nearly incompressible bodies are as accurate in half of the iterations
   */
  relaxation: number;
  /**
   * whether iterations over solids with `jacobi` build on each other (Chebyshev semi-iteration) and take a relaxation that is chosen
   * from stiffness and time step, in place of `relaxation`: the same error in a half to a fifth of the iterations; of no effect
   * with one. Not for solids with plasticity, whose stiffness changes
   */
  accelerate: boolean;
  /**
   * part of the elastic forces of the last substep that solids begin the next one with, from 0 to 0.999: bodies at rest need
   * fewer substeps; violent motion is calmer with 0
   */
  warmStart: number;
  /** also test edges and faces against obstacles, not only vertices */
  faceContacts: boolean;
  /** whether the body's surface touches itself */
  selfCollision: boolean;
  /**
   * whether it touches the surfaces of other bodies of this solver that have this option on, too; default yes, but for cloth that
   * tears. Bodies that may come to touch in a frame are stepped together, with the substeps and iterations of the one that needs most.
   * Two bodies that pass through each other when they first come near, or are held together in a point, do not touch until they are
   * free of each other
   */
  bodyCollision: boolean;
  /**
   * whether tethers keep pinned cloth within the reach of its pins (Kim et al. 2012), and on the CPU rows of edges along warp and weft keep
   * free cloth from being drawn out: unresolved stretch of fine meshes goes, with a fraction of the substeps. They give as the fabric would
   * under the weight of the cloth, of what hangs and lies on it, and under the wind, at most 25 %; with more than 5 %, or under bodies, cloth
   * keeps the substeps that it has without them, and under heavy dynamic ones it has more, and no tethers, unless `substeps` is set. Default:
   * for cloth that does not tear, of fabrics without a table, unless `substeps` is set
   */
  tethers?: boolean | undefined;
  /**
   * whether a GPU takes cloth through a frame in one dispatch, a workgroup for the body, in place of a dispatch for each stage of each
   * substep: sheets of up to 5,000 vertices with one iteration that touch no deformable body, no dynamic rigid one and not themselves.
   * Same motion. Default: where a model of the GPU's waits and of a workgroup's speed finds that faster, never on a software adapter
   */
  oneDispatch?: boolean | undefined;
  /**
   * whether a GPU takes cloth through up to four substeps in one dispatch, a workgroup for each patch of about a hundred vertices: sheets of
   * up to 100,000 vertices on the other conditions of `oneDispatch`. Same motion. Default: where that model finds it fastest, never on a
   * software adapter
   */
  patches?: boolean | undefined;
  /**
   * milliseconds that a frame of the body may take on one core of a CPU: it then has fewer substeps where its material, its loads and its
   * pressure want more, and is softer by that; of what its material wants it keeps a third at least. The number comes from a model of the cost in counts (`frameCost`), never from
   * a clock, so that it is the same on every machine. Contact and bodies that touch it come on top. Without a budget, the default, quality
   * decides; `substeps` overrides it
   */
  budget?: number | undefined;
  /** distance that the surface keeps from itself, m; default `thickness`. Two surfaces keep the mean of theirs */
  selfThickness?: number | undefined;
}

/**
 * Substeps that keep a cloth under its own weight within a few per cent of stretch. One sweep a substep leaves an elongation
 * of about 2 N g Δt² where N vertices hang on an edge; measured on a draped cloth (cloth-on-sphere) the largest is near 3 %
 * with 26 substeps for 32 segments and near 4 % with 97 for 64, since finer cloth hangs on fewer threads. For solids and rods
 * as many as sound and bending waves want, in a frame of a sixtieth of a second.
 *
 * @param warmStart as it is going to be set
 */
export function recommendedSubsteps(model: GpbdModel, warmStart = 0): number {
  if (model.wantedSubsteps) return model.wantedSubsteps(model, warmStart);
  if (model.faces.length === 0) return defaultOptions.substeps;
  // The mean edge of a grid with diagonals is 1.14 times its side.
  const segments = (1.14 * sizeOf(boxOf(model.positions))) / meanEdge(model);
  // oxlint-disable-next-line pliant/deterministic -- the next whole number hides its rounding
  const substeps = Math.min(200, Math.max(8, Math.round(26 * (segments / 32) ** 1.9)));
  return substeps < model.sweptAtOnceBelow! ? Math.max(substeps, model.curlSubsteps ?? 0) : substeps;
}

export const defaultOptions: Readonly<GpbdOptions> = {
  method: "hybrid",
  iterations: 1,
  substeps: 20,
  newtonIterations: 1,
  relaxation: 1,
  accelerate: false,
  warmStart: 0,
  gravityFactor: 1,
  damping: 0,
  airDensity: 1.2,
  drag: 1,
  lift: 0.1,
  wind: [0, 0, 0],
  thickness: 0.004,
  friction: 0.4,
  faceContacts: true,
  selfCollision: false,
  bodyCollision: true,
  ...defaultInflation,
};

/** Options of a step. */
export interface GpbdStepOptions extends GpbdOptions, AirAround, Pick<StepOptions, "isFar"> {
  /** whether the user leaves the number of substeps to the body */
  readonly isFree?: boolean | undefined;
  /** most substeps in the budget, and those that it would have without; undefined without one */
  readonly mostSubsteps?: number | undefined;
  readonly wantedSubsteps?: number | undefined;
  /** those of the model */
  readonly frictionFactors?: ArrayLike<number> | undefined;
  readonly thicknessFactors?: ArrayLike<number> | undefined;
  /** whether rigid bodies draw cloth out so far that they may fit between its vertices */
  readonly isLoaded?: boolean | undefined;
  /** factor of all masses, at least 1: inertia of cloth that bears a load of many times its mass; default 1 */
  readonly inertia?: number | undefined;
  /** damping time of the stretch of cloth under rigid bodies [s], see tethers/swing.ts; undefined without */
  readonly swingDamping?: number | undefined;
  /** part of its length that a tether gives; undefined without tethers */
  readonly tetherSlack?: number | undefined;
  /** the same of a thread of cloth without pins */
  readonly threadSlack?: number | undefined;
}

export const gpbdOptionNames = optionNames<GpbdOptions>()(
  "selfThickness tethers? budget oneDispatch? patches?",
  namesOf(defaultOptions),
);

/** @throws PliantError when a value is not finite or out of its range; `object` is how the message calls the body */
export function validateOptions(object: string, options: Readonly<Partial<GpbdOptions>>): void {
  const check = new OptionCheck<GpbdOptions>(object, options);
  check.oneOf("method", gpbdMethods);
  check.within("iterations", 1, 1000, true);
  check.within("substeps", 1, 1000, true);
  check.within("newtonIterations", 1, 100, true);
  check.within("relaxation", 1e-3, 1.999);
  check.within("warmStart", 0, 0.999);
  check.within("gravityFactor", -1e6, 1e6);
  check.within("budget", 1e-3, 1e6);
  check.within("damping", 0, 1e6);
  check.within("thickness", 1e-9, 1e6);
  check.within("selfThickness", 1e-9, 1e6);
  check.within("friction", 0, 100);
  checkAir(check);
  check.within("pressure", -1e9, 1e9);
  check.within("ambientPressure", 0, 1e9);
  check.within("volume", 0, 1e9);
  check.within("bulkModulus", 0, 1e12);
}
