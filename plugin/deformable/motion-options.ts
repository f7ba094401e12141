import type { Camera } from "@babylonjs/core/Cameras/camera";
import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import type { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { unsupported } from "../../src/errors";
import type { SolverName, SolverOptions } from "../../src/index";
import { optionNames } from "../../src/option-names";
import { notNegative } from "../../src/world/rigid/checks";
import { optionNamesOf, solverOptionNames } from "../../src/world/backend/solvers";
import { requireFiniteVector } from "../geometry/convert";
import type { SceneFrame } from "../scene-frame";
import type { VertexChoice } from "./find-points";

/**
 * Distance from all cameras, in units of the scene, beyond which a body takes half of its substeps, each twice as long; or a function that
 * says whether it does for a camera.
 */
export type LevelOfDetail = number | ((camera: Camera, mesh: AbstractMesh) => boolean);

/**
 * Options of a body's steps, and of forces on it. All of these may change while it runs, see `setOptions` of the
 * aggregates.
 */
export interface MotionOptions extends Partial<Omit<SolverOptions, "wind">> {
  /** velocity of the air, units of the scene (m) a second; of ropes with solver `gpbd` */
  wind?: Vector3;
}

/** Options of all deformable aggregates. */
export interface DeformableOptions extends MotionOptions {
  /**
   * vertices of the mesh, or points of a rope, that keep their places until they are moved or unpinned: indices, or a
   * predicate. Two points of a rope in a row hold its direction and twist
   */
  pins?: VertexChoice;
  /** whether the body may fall asleep when it rests, default true; see `DeformableAggregate.isAsleep` */
  canSleep?: boolean;
  /**
   * level of detail, off by default: if all cameras are further from the mesh than this distance, in units of the scene, its steps are
   * twice as long, which saves a fifth to a third of its time; or a function of a camera and the mesh that says whether they are. Of solver `gpbd`
   */
  lod?: LevelOfDetail;
}

export const deformableNames = optionNames<DeformableOptions>()("pins canSleep? lod", solverOptionNames);

export const solverNames = Object.keys(optionNamesOf) as readonly SolverName[];

/**
 * The engine's options among those of an aggregate; options without a value are left out.
 *
 * @throws PliantError for a wind that is not finite, `unsupported` for an option that the solver does not have; the
 * engine checks the rest
 */
export function motionOptions(
  object: string,
  frame: SceneFrame,
  solver: SolverName,
  options: MotionOptions,
): Partial<SolverOptions> {
  const { wind } = options;
  const isKnown = (key: string): boolean => Object.hasOwn(optionNamesOf[solver], key);
  if (wind !== undefined) requireFiniteVector(`${object}.wind`, wind);
  const given = Object.entries({
    ...lengthsInMetres(frame, options),
    wind: wind ? frame.offset(wind) : undefined,
  }).filter(([key, value]) => value !== undefined && Object.hasOwn(solverOptionNames, key));
  for (const [key, value] of given)
    if (solver !== "gpbd" && !isKnown(key))
      throw unsupported(`${object}.${key}`, value, `is not for solver "${solver}"`);
  return Object.fromEntries(given.filter(([key]) => isKnown(key)));
}

/** Options that are lengths, in units of the scene. */
const LENGTHS = ["thickness", "selfThickness", "contactMargin"] as const;

/** Options with lengths in meters. */
function lengthsInMetres<Options extends Partial<Record<(typeof LENGTHS)[number], number | undefined>>>(
  frame: SceneFrame,
  options: Options,
): Options {
  const result = { ...options };
  for (const key of LENGTHS) {
    const length = options[key];
    // the engine refuses values that are not numbers
    if (typeof length === "number") Object.assign(result, { [key]: frame.length(length) });
  }
  return result;
}

/**
 * @throws PliantError for a compliance of pins that is not finite or below zero; `unsupported` if the solver can only
 * hold exactly
 */
export function requireCompliance(object: string, solver: SolverName, compliance: number): void {
  notNegative(`${object}.compliance`, compliance);
  if (compliance > 0) requireSolver(object, solver, ["local-global", "newton"], { compliance });
}

/** @throws PliantError `unsupported` for a feature of other solvers that this one does not have */
export function requireSolver(
  object: string,
  solver: SolverName,
  needed: SolverName | readonly SolverName[],
  options: Readonly<Record<string, unknown>>,
): void {
  for (const [key, value] of Object.entries(options))
    if (value !== undefined && ![needed].flat().includes(solver))
      throw unsupported(`${object}.${key}`, value, `is not for solver "${solver}"`);
}
