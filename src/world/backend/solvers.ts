import { degenerate, invalid, unsupported } from "../../errors";
import { optionNames } from "../../option-names";
import { solverOf } from "../../solvers/alike";
import { type PinTable, type SolverName } from "../../solvers/deformable";
import { loaded } from "../../solvers/gpbd/loaded-substeps";
import { substepsWithin } from "../../solvers/gpbd/frame-cost";
import { heldPart, squeezePart } from "../../solvers/gpbd/gpu/parts";
import { foldParts, fusedPart, surfaceParts, tetherParts } from "./sheet-parts";
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
import type { BackendName } from "./backend";
import type { BodyModel, BodySettings, SolverOptions } from "./body-settings";
import { layersPart } from "./layers-part";
import { Part } from "../../part";
import { rigidParts } from "../rigid/parts/parts";

/** Option names of each solver. */
export const optionNamesOf = {
  gpbd: gpbdOptionNames,
  "local-global": localGlobalOptionNames,
  newton: newtonBodyOptionNames,
} satisfies Record<SolverName, object>;

export const solverOptionNames = optionNames<SolverOptions>()("", gpbdOptionNames, localGlobalOptionNames);

/**
 * The properties of a solver that the world uses. `options` of a call below are the options of this solver, or some of
 * them.
 */
export interface SolverKind<Model> {
  /** whether pins may have a compliance */
  readonly hasPinCompliance?: boolean;
  /**
   * values for the options that the user did not set
   *
   * @param given options that the user set
   * @param grain of the world, see spacing.ts
   */
  defaults(model: Model, given: Partial<SolverOptions>, grain: number): BodySettings;
  /** @throws PliantError for a value out of its range; `object` names the body in the message */
  validate(object: string, options: Partial<SolverOptions>): void;
  /** @throws PliantError for options that do not fit the model */
  check?(object: string, model: Model, options: BodySettings): void;
  /** options of a step, with substeps that bear loads and pressure, in place of those from `defaults` */
  loaded?(model: Model, pins: PinTable, options: BodySettings): BodySettings;
  /** options of a frame in which a share of the elastic forces acts, in (0, 1) */
  eased(options: BodySettings, share: number): BodySettings;
  /**
   * Force per mass and strain that a material exerts in a step, times the square of its length [m²/s²]; default: its
   * stiffness over its density. A step may not exert the full force of a stiff material
   *
   * @param speed squared speed of sound in the material [m²/s²]
   */
  response?(model: Model, options: BodySettings, speed: number): number;
  /** @throws PliantError for a model that cannot follow another one, `before` */
  checkNext?(object: string, before: Model, model: Model, options: BodySettings): void;
  /** as `check`, also called when options change later */
  checkChange?(object: string, model: Model, options: BodySettings): void;
  /** code that solves the body on the CPU, and on a GPU; and on the CPU where f32 will do, default `cpu` */
  readonly cpu: Part<CpuBodyLane<Model, BodySettings>>;
  readonly gpu: Part<GpuBodyLane<Model, BodySettings>>;
  readonly fast?: Part<CpuBodyLane<Model, BodySettings>>;
}

/** Refuses a surface that passes through itself at the start, since the start determines the sides of the surface. */
function checkSurface(object: string, model: GpbdModel, options: BodySettings): void {
  if (options.selfCollision !== true) return;
  const part = { restPositions: model.positions, faces: model.faces, selfCollision: true, bodyCollision: false };
  const [first] = surfaceIntersections(joinSurfaces([part]), model.positions);
  if (first)
    throw degenerate(
      `${object} triangle ${first.face}`,
      `edge ${first.edge}`,
      "must not pass through the body's own surface when selfCollision is on",
    );
}

function requireFlow(
  object: string,
  { plasticity }: GpbdModel,
  tears: boolean | undefined,
  { accelerate }: BodySettings,
): void {
  if (plasticity && (tears || accelerate === true))
    throw unsupported(`${object}.plasticity`, true, "excludes tearing and accelerate");
}

/** Lowest relaxation of a sweep. */
const LEAST_RELAXATION = 1e-3;

const anyGpbd: SolverKind<GpbdModel> = {
  defaults(model, { warmStart, budget, substeps: given }, grain) {
    const wanted = recommendedSubsteps(model, warmStart);
    const substeps = given ?? substepsWithin(budget, model, wanted, wanted / 3);
    return {
      ...defaultOptions,
      // Contact between surfaces does not support tears.
      bodyCollision: !model.tears,
      substeps,
      method: substeps < model.sweptAtOnceBelow! ? "jacobi" : "hybrid",
      friction: model.friction,
      thickness: fittingThickness(defaultOptions.thickness, model, grain),
      ...(model.rods && { thickness: model.rods.radius, selfThickness: 2 * model.rods.radius }),
    };
  },
  validate: validateOptions,
  loaded,
  check: checkSurface,
  checkChange: (object, model, options) => {
    requireCavity(object, model, options);
    requireFlow(object, model, model.tears, options);
  },
  checkNext: (object, before, model, options) => {
    requireFlow(object, model, before.tears, options);
    const [was, is] = [before, model].map(({ terms }) => terms.at(-1)?.kind);
    if (before.plasticity && !hasSolids(before) && is !== was)
      throw unsupported(`${object}.model`, is, `must end with ${was}, since the body keeps its shape`);
  },
  // The relaxation is the part of each element's displacement that a sweep makes.
  eased: (options, share) => ({ ...options, relaxation: Math.max(LEAST_RELAXATION, share * options.relaxation!) }),
  response: (model, { substeps }, speed) => {
    const way = 1 / (60 * substeps! * meanEdge(model));
    return speed / (1 + way * way * speed);
  },
  cpu: new Part(async () => (await import("../lanes/gpbd-cpu")).lane),
  gpu: new Part(async () => (await import("../lanes/gpbd-gpu")).lane),
};

const gpbd: SolverKind<GpbdModel> = {
  ...anyGpbd,
  fast: new Part(async () => (await import("../lanes/gpbd-simd")).loadLane()),
};

/** Bodies with rods, which load code of their own. */
const rods: SolverKind<GpbdModel> = {
  ...anyGpbd,
  cpu: new Part(async () => (await import("../lanes/rods-cpu")).lane),
  fast: new Part(async () => (await import("../lanes/rods-simd")).loadLane()),
  gpu: new Part(async () => (await import("../lanes/rods-gpu")).lane),
};

/** Solids, which load code of their own. */
const solids: SolverKind<GpbdModel> = {
  ...anyGpbd,
  cpu: new Part(async () => (await import("../lanes/solids-cpu")).lane),
  fast: new Part(async () => (await import("../lanes/solids-simd")).loadLane()),
  gpu: new Part(async () => (await import("../lanes/solids-gpu")).loadLane()),
};

/** The code for tearing of cloth. */
export const tearingPart = new Part(() => import("../tearing/tear-watch"));

/** Bodies that tear, which load that code as well. */
const torn: SolverKind<GpbdModel> = {
  ...anyGpbd,
  cpu: new Part(async () => (await tearingPart.load()) && anyGpbd.cpu.load()),
  gpu: new Part(async () => (await tearingPart.load()) && anyGpbd.gpu.load()),
};

/** Cloth that keeps folds, which loads that code as well. */
const folded: SolverKind<GpbdModel> = {
  ...gpbd,
  cpu: new Part(async () => (await foldParts.cpu.load()) && gpbd.cpu.load()),
  fast: new Part(async () => (await foldParts.cpu.load()) && gpbd.fast!.load()),
  gpu: new Part(async () => (await foldParts.webgpu.load()) && gpbd.gpu.load()),
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
  // The Newton solver solves deformable and rigid bodies in one system, so the rigid solver has to be loaded first.
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

/** @throws PliantError `unsupported` for a model of an unknown solver */
export function solverKindOf(model: BodyModel): SolverKind<BodyModel> {
  if (typeof model !== "object" || model === null || !("masses" in model))
    throw invalid("body.model", model, "must be a model of a cloth, a solid or a rope");
  const kind = kinds[solverOf(model)];
  if (!kind) throw unsupported(`${model.name}.solver`, model.solver, `must be one of ${Object.keys(kinds).join(", ")}`);
  if (kind !== gpbd || !("terms" in model) || model.solver === "local-global") return kind;
  return model.rods ? rods : model.tears ? torn : hasSolids(model) ? solids : model.plasticity ? folded : kind;
}

/** Code that solves a body on a backend of the CPU. */
export function cpuPartOf<Model>(
  { cpu, fast }: SolverKind<Model>,
  backend: BackendName,
): Part<CpuBodyLane<Model, BodySettings>> {
  return (backend === "cpu" && fast) || cpu;
}

const hasSolids = ({ terms }: GpbdModel): boolean => terms.some((term) => isSolid(term.kind));

/** Loads solvers for a backend: all of them, or the one for models that name no solver. */
export async function loadSolvers(backend: BackendName, which: "default" | "all"): Promise<void> {
  const wanted = which === "all" ? [...Object.values(kinds), rods, solids, torn, folded] : [gpbd];
  const isGpu = backend === "webgpu";
  const isAll = which === "all";
  const parts: Part<unknown>[] = wanted.map((kind) => (isGpu ? kind.gpu : cpuPartOf(kind, backend)));
  // Bodies that meet those of other solvers step on the CPU.
  const onCpu = [...wanted.map((kind) => cpuPartOf(kind, "cpu")), tetherParts.cpu, surfaceParts.cpu];
  if (isGpu && isAll) parts.push(...onCpu, fusedPart, heldPart, squeezePart);
  if (isAll) parts.push(tetherParts[backend], surfaceParts[backend], layersPart);
  // One after the other: the loader of Jest cannot link several imports at a time.
  for (const part of parts) await part.load();
}
