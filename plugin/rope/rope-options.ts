import type { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { PliantError } from "../../src/errors";
import type { BodyOptions, SolverOptions } from "../../src/index";
import type { RodDescription } from "../../src/models/gpbd/rod";
import type { NamesOf } from "../../src/option-names";
import { solverOptionNames } from "../../src/world/backend/solvers";
import { requireFiniteVector } from "../convert";
import { lengthsInMetres } from "../deformable/motion-options";
import type { SceneFrame } from "../scene-frame";
import { carrierNames, type AttachmentCarrier } from "../deformable/carrier";

/** How a rope is stepped, and what it feels. All of these may change while it runs, see `RopeAggregate.setOptions`. */
export type RopeMotionOptions = Partial<Omit<SolverOptions, "wind">>;

/** The line of a rope in the world. One that ends where it begins is closed. */
export interface RopePath {
  /** two or more points, m */
  path: readonly Vector3[];
  /** m, default 0.01, or a fortieth of the length where that is less */
  radius?: number;
  /** of the mesh that is made, default `rope` */
  name?: string;
}

export const ropePathNames = {
  path: true,
  radius: true,
  name: true,
} satisfies NamesOf<RopePath>;

/** An end of a rope, or some of its points, that a node or a bone carries along. */
export type RopeAttachment = AttachmentCarrier & {
  /** an end is clamped: it keeps its direction to the node. Or points, which are held as they are */
  at: "start" | "end" | ArrayLike<number>;
};

export const ropeAttachmentNames = {
  ...carrierNames,
  at: true,
} satisfies NamesOf<RopeAttachment>;

/** What a `RopeAggregate` is made of. */
export interface RopeOptions extends RopeMotionOptions {
  /** of its circular cross-section, m; default that of the path or the tube, else 0.01, or a fortieth of its length where that is less */
  radius?: number;
  /** edges between its points; default: as many as are about as long as it is thick, 200 at most */
  segments?: number;
  /** kg/m³, default 1000; or `mass` */
  density?: number;
  /** of all of it, kg */
  mass?: number;
  /** Pa, for stretch and bending; default a rope of fibres: 1e9 along it, and in bending 1e6, as rubber has */
  youngsModulus?: number;
  /** default 0.5; not for `newton` */
  poissonRatio?: number;
  /** E A, N; default: of the cross-section; not for `newton` */
  stretchStiffness?: number;
  /** B, N m²; default: of the cross-section. Ropes of fibres have much less */
  bendingStiffness?: number;
  /** C, N m²; default: of the cross-section; not for `newton` */
  torsionStiffness?: number;
  /** of bending and twist, s, default 1e-3; with `newton` of stretch */
  elasticDamping?: number;
  /** default `straight`; not for `newton` */
  naturalShape?: RodDescription["naturalShape"];
  /** from its start to its end, rad; not for `newton` */
  twist?: number;
  /** default `gpbd`; `newton` solves it in one system with the rigid bodies, without twist and open */
  solver?: "gpbd" | "newton";
  /** points that stay where they are until they are moved or unpinned; two in a row hold its direction and twist */
  pins?: ArrayLike<number>;
  /** what nodes or bones carry along from the start */
  attach?: RopeAttachment | readonly RopeAttachment[];
  /** sides of the tube that is made for a path, default 12 */
  sides?: number;
}

/** Options of the aggregate that the engine does not know. */
const OWN = {
  radius: true,
  segments: true,
  density: true,
  mass: true,
  youngsModulus: true,
  poissonRatio: true,
  stretchStiffness: true,
  bendingStiffness: true,
  torsionStiffness: true,
  elasticDamping: true,
  naturalShape: true,
  twist: true,
  solver: true,
  pins: true,
  attach: true,
  sides: true,
} satisfies NamesOf<Omit<RopeOptions, keyof SolverOptions>>;

export const ropeMotionNames = {
  ...solverOptionNames,
} satisfies NamesOf<RopeMotionOptions>;

export const ropeNames = {
  ...OWN,
  ...solverOptionNames,
} satisfies NamesOf<RopeOptions>;

/** Of these the rope of the Newton solver has none. */
const GPBD_ONLY = ["poissonRatio", "stretchStiffness", "torsionStiffness", "naturalShape", "twist"] as const;

/** The engine's options for those of a rope; the engine checks them. */
export function toBodyOptions(frame: SceneFrame, options: RopeOptions): BodyOptions {
  const rest: RopeOptions = lengthsInMetres(frame, options);
  for (const key of Object.keys(OWN) as (keyof typeof OWN)[]) delete rest[key];
  return rest;
}

/** @throws PliantError for a solver that there is not, or that does not know some option */
export function checkSolver(object: string, options: RopeOptions, closed: boolean): "gpbd" | "newton" {
  const { solver = "gpbd" } = options;
  if (solver !== "gpbd" && solver !== "newton")
    throw new PliantError("invalid-argument", `${object}.solver`, solver, "must be one of gpbd, newton");
  if (solver === "gpbd") return solver;
  for (const key of GPBD_ONLY)
    if (options[key] !== undefined)
      throw new PliantError("unsupported", `${object}.${key}`, options[key], 'needs solver "gpbd"');
  if (closed) throw new PliantError("unsupported", object, "a closed path", 'needs solver "gpbd"');
  return solver;
}

/** @throws PliantError for a number that is not whole or not in its range */
export function checkCount(object: string, value: number, lowest: number, highest: number): number {
  if (!(Number.isInteger(value) && value >= lowest && value <= highest))
    throw new PliantError("invalid-argument", object, value, `must be a whole number from ${lowest} to ${highest}`);
  return value;
}

/** @throws PliantError for points that are not finite */
export function pathNumbers(object: string, frame: SceneFrame, path: readonly Vector3[]): number[] {
  return path.flatMap((point, i) => {
    requireFiniteVector(`${object} point ${i}`, point);
    return [...frame.point(point)];
  });
}
