import { PliantError } from "../../errors";
import { type NamesOf } from "../../option-names";
import { type PinTable, type SolverName } from "../../solvers/deformable";
import { loadedSubsteps } from "../../solvers/gpbd/loaded-substeps";
import { surfaceIntersections } from "../../collision/surface/intersections";
import { joinSurfaces } from "../../collision/surface/surface-mesh";
import { requireCavity } from "../../solvers/gpbd/pressure/inflation";
import { type GpbdModel, isSolid } from "../../solvers/gpbd/model";
import { defaultOptions, gpbdOptionNames, recommendedSubsteps, validateOptions } from "../../solvers/gpbd/options";
import { fineSubsteps } from "../../solvers/local-global/body/fine-substeps";
import type { LocalGlobalModel } from "../../solvers/local-global/model";
import {
  defaultLocalGlobalOptions,
  localGlobalOptionNames,
  validateLocalGlobalOptions,
} from "../../solvers/local-global/options";
import {
  defaultNewtonBodyOptions,
  newtonBodyOptionNames,
  validateNewtonBodyOptions,
} from "../../solvers/newton/deformable/body-options";
import type { FemModel } from "../../solvers/newton/deformable/fem-model";
import { fittingThickness, meanEdge } from "../../solvers/spacing";
import type { CpuBodyLane, GpuBodyLane } from "../lanes/lane";
import type { BodyModel, BodySettings, SolverOptions } from "./body-settings";
import { Part } from "./part";
import { rigidParts } from "../rigid/parts/parts";

/** Of each solver. */
export const optionNamesOf = {
  gpbd: gpbdOptionNames,
  "local-global": localGlobalOptionNames,
  newton: newtonBodyOptionNames,
} satisfies Record<SolverName, object>;

export const solverOptionNames = {
  ...gpbdOptionNames,
  ...localGlobalOptionNames,
} satisfies NamesOf<SolverOptions>;

/** What the world knows of a solver. `options` of a call below are those of this solver, or some of them. */
export interface SolverKind<Model> {
  /** whether what is held may give */
  readonly hasPinCompliance?: boolean;
  /**
   * options that nobody set
   *
   * @param given those that somebody did
   * @param grain of the world, see spacing.ts
   */
  defaults(model: Model, given: Partial<SolverOptions>, grain: number): BodySettings;
  /** @throws PliantError for a value out of its range; `object` is how the message calls the body */
  validate(object: string, options: Partial<SolverOptions>): void;
  /** @throws PliantError for options that do not fit the model */
  check?(object: string, model: Model, options: BodySettings): void;
  /** substeps with which it bears what hangs on it and what is in it, in place of those that it has by itself */
  loadedSubsteps?(model: Model, pins: PinTable, options: BodySettings): number;
  /** options of a frame in which a share of the elastic forces acts, in (0, 1) */
  eased(options: BodySettings, share: number): BodySettings;
  /**
   * Force per mass and strain that a material brings about in a step, times the square of its length [m²/s²]; default: its stiffness
   * over its density. Larger ones may be more than a step brings about
   *
   * @param speed squared speed of sound in it [m²/s²]
   */
  response?(model: Model, options: BodySettings, speed: number): number;
  /** as `check`, also where options change later */
  checkChange?(object: string, model: Model, options: BodySettings): void;
  /** how it is solved on the CPU, and on a GPU */
  readonly cpu: Part<CpuBodyLane<Model, BodySettings>>;
  readonly gpu: Part<GpuBodyLane<Model, BodySettings>>;
}

/** Which side of a surface is which is known from its start: it may not pass through itself there. */
function checkSurface(object: string, model: GpbdModel, options: BodySettings): void {
  if (options.selfCollision !== true) return;
  const part = { restPositions: model.positions, faces: model.faces, selfCollision: true, bodyCollision: false };
  const [first] = surfaceIntersections(joinSurfaces([part]), model.positions);
  if (first)
    throw new PliantError(
      "degenerate-geometry",
      `${object} triangle ${first.face}`,
      `edge ${first.edge}`,
      "must not pass through the body's own surface when selfCollision is on",
    );
}

/** Least relaxation that a sweep takes. */
const LEAST_RELAXATION = 1e-3;

const gpbd: SolverKind<GpbdModel> = {
  defaults: (model, { warmStart }, grain) => ({
    ...defaultOptions,
    // Contact between surfaces does not follow tears.
    bodyCollision: !model.tears,
    substeps: recommendedSubsteps(model, warmStart),
    friction: model.friction,
    thickness: fittingThickness(defaultOptions.thickness, model, grain),
    ...(model.rods && { thickness: model.rods.radius, selfThickness: 2 * model.rods.radius }),
  }),
  validate: validateOptions,
  loadedSubsteps,
  check: checkSurface,
  checkChange: requireCavity,
  // A sweep brings about a part of each element's displacement.
  eased: (options, share) => ({ ...options, relaxation: Math.max(LEAST_RELAXATION, share * options.relaxation!) }),
  response: (model, { substeps }, speed) => {
    const way = 1 / (60 * substeps! * meanEdge(model));
    return speed / (1 + way * way * speed);
  },
  cpu: new Part(async () => (await import("../lanes/gpbd-cpu")).lane),
  gpu: new Part(async () => (await import("../lanes/gpbd-gpu")).lane),
};

/** What is loaded for bodies with rods. */
const rods: SolverKind<GpbdModel> = {
  ...gpbd,
  cpu: new Part(async () => (await import("../lanes/rods-cpu")).lane),
  gpu: new Part(async () => (await import("../lanes/rods-gpu")).lane),
};

/** What is loaded for solids. */
const solids: SolverKind<GpbdModel> = {
  ...gpbd,
  cpu: new Part(async () => (await import("../lanes/solids-cpu")).lane),
  gpu: new Part(async () => (await import("../lanes/solids-gpu")).lane),
};

/** How cloth tears. */
export const tearingPart = new Part(() => import("../../solvers/gpbd/tearing/tearing"));

/** What is loaded for bodies that tear. */
const torn: SolverKind<GpbdModel> = {
  ...gpbd,
  cpu: new Part(async () => (await tearingPart.load()) && gpbd.cpu.load()),
  gpu: new Part(async () => (await tearingPart.load()) && gpbd.gpu.load()),
};

const localGlobal: SolverKind<LocalGlobalModel> = {
  hasPinCompliance: true,
  defaults: (model, _, grain) => ({
    ...defaultLocalGlobalOptions,
    substeps: fineSubsteps(model, grain),
    friction: model.friction,
    thickness: fittingThickness(defaultLocalGlobalOptions.thickness, model, grain),
    contactMargin: Math.min(grain * defaultLocalGlobalOptions.contactMargin, 2 * meanEdge(model)),
  }),
  validate: validateLocalGlobalOptions,
  eased: (options, elasticShare) => ({ ...options, elasticShare }),
  cpu: new Part(async () => (await import("../lanes/local-global-cpu")).lane),
  gpu: new Part(async () => (await import("../lanes/local-global-gpu")).lane),
};

const newton: SolverKind<FemModel> = {
  hasPinCompliance: true,
  defaults: (model) => ({ ...defaultNewtonBodyOptions, friction: model.friction, thickness: model.thickness ?? 0 }),
  validate: validateNewtonBodyOptions,
  eased: (options, elasticShare) => ({ ...options, elasticShare }),
  // One system with the rigid bodies: what solves those has to be there first.
  cpu: new Part(async () => {
    await rigidParts.solver.load();
    return (await import("../lanes/newton-cpu")).lane;
  }),
  gpu: new Part(async () => {
    await Promise.all([rigidParts.solver.load(), rigidParts.gpu.load()]);
    return (await import("../lanes/newton-gpu")).lane;
  }),
};

const kinds: Readonly<Record<SolverName, SolverKind<BodyModel>>> = { gpbd, "local-global": localGlobal, newton };

/** @throws PliantError `unsupported` for a model of a solver that there is not */
export function solverKindOf(model: BodyModel): SolverKind<BodyModel> {
  const kind = kinds[model.solver ?? "gpbd"];
  if (!kind)
    throw new PliantError(
      "unsupported",
      `${model.name}.solver`,
      model.solver,
      `must be one of ${Object.keys(kinds).join(", ")}`,
    );
  if (kind !== gpbd || !("terms" in model) || model.solver === "local-global") return kind;
  return model.rods ? rods : model.tears ? torn : hasSolids(model) ? solids : kind;
}

const hasSolids = ({ terms }: GpbdModel): boolean => terms.some((term) => isSolid(term.kind));

/** Brings the solver of bodies whose model names none, or all of them, to a backend. */
export async function loadSolvers(backend: "cpu" | "webgpu", which: "default" | "all"): Promise<void> {
  const wanted = which === "all" ? [...Object.values(kinds), rods, solids, torn] : [gpbd];
  await Promise.all(wanted.map((kind) => (backend === "cpu" ? kind.cpu : kind.gpu).load()));
}
