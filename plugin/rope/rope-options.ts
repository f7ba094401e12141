import type { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { invalid, unsupported } from "../../src/errors";
import type { RodDescription } from "../../src/models/gpbd/rod";
import { optionNames } from "../../src/option-names";
import { requireFiniteVector } from "../geometry/convert";
import type { VertexChoice } from "../deformable/find-points";
import { deformableNames, type DeformableOptions } from "../deformable/motion-options";
import type { SceneFrame } from "../scene-frame";
import { carrierNames, type AttachmentCarrier } from "../deformable/carrier";

/** The line of a rope in the world. A line that ends at its beginning is closed. */
export interface RopePath {
  /** two or more points, m */
  path: readonly Vector3[];
  /** m, default 0.01, or a fortieth of the length if that is less */
  radius?: number;
  /** name of the mesh that is made, default `rope` */
  name?: string;
}

export const ropePathNames = optionNames<RopePath>()("path radius name");

/** An end of a rope, or some of its points, that a node or a bone carries along. */
export type RopeAttachment = AttachmentCarrier & {
  /**
   * an end is clamped: it keeps its direction relative to the node. Points, by their indices or by a predicate, are held
   * at their present places
   */
  at: "start" | "end" | VertexChoice;
};

export const ropeAttachmentNames = optionNames<RopeAttachment>()("at", carrierNames);

/** Options of a rope as in the engine; the last five are not for `newton`. */
type RodOptions = Pick<
  RodDescription,
  | "youngsModulus"
  | "bendingStiffness"
  | "poissonRatio"
  | "stretchStiffness"
  | "torsionStiffness"
  | "naturalShape"
  | "twist"
>;

/** Options of a `RopeAggregate`. */
export interface RopeOptions extends DeformableOptions, RodOptions {
  /**
   * radius of its circular cross-section, m; default that of the path or the tube, otherwise 0.01, or a fortieth of its
   * length if that is less
   */
  radius?: number;
  /** edges between its points; default: so many that their length is about the thickness of the rope, at most 200 */
  segments?: number;
  /** kg/m³, default 1000; or `mass` */
  density?: number;
  /** mass of the whole rope, kg */
  mass?: number;
  /** time of damping of bending and twist, s, default 1e-3; with `newton` of stretch */
  elasticDamping?: number;
  /** default `gpbd`; `newton` solves it in one system with the rigid bodies, without twist and only if it is open */
  solver?: "gpbd" | "newton";
  /** ends or points that nodes or bones carry along from the start */
  attach?: RopeAttachment | readonly RopeAttachment[];
  /** sides of the tube that is made for a path, default 12 */
  sides?: number;
}

export const ropeNames = optionNames<RopeOptions>()(
  `
  radius segments density mass youngsModulus poissonRatio stretchStiffness bendingStiffness torsionStiffness
  elasticDamping naturalShape twist solver attach sides
`,
  deformableNames,
);

/** Options that the rope of the Newton solver does not have. */
const GPBD_ONLY = [
  "poissonRatio",
  "stretchStiffness",
  "torsionStiffness",
  "naturalShape",
  "twist",
  "budget",
  "lod",
] as const;

/** @throws PliantError for an unknown solver, or an option that the solver does not have */
export function checkSolver(object: string, options: RopeOptions, closed: boolean): "gpbd" | "newton" {
  const { solver = "gpbd" } = options;
  if (solver !== "gpbd" && solver !== "newton")
    throw invalid(`${object}.solver`, solver, "must be one of gpbd, newton");
  if (solver === "gpbd") return solver;
  for (const key of GPBD_ONLY)
    if (options[key] !== undefined) throw unsupported(`${object}.${key}`, options[key], 'needs solver "gpbd"');
  if (closed) throw unsupported(object, "a closed path", 'needs solver "gpbd"');
  return solver;
}

/** @throws PliantError for a number that is not whole or out of its range */
export function checkCount(object: string, value: number, lowest: number, highest: number): number {
  if (!(Number.isInteger(value) && value >= lowest && value <= highest))
    throw invalid(object, value, `must be a whole number from ${lowest} to ${highest}`);
  return value;
}

/** @throws PliantError for points that are not finite */
export function pathNumbers(object: string, frame: SceneFrame, path: readonly Vector3[]): number[] {
  return path.flatMap((point, i) => {
    requireFiniteVector(`${object} point ${i}`, point);
    return [...frame.point(point)];
  });
}
