import type { ColliderBuffers } from "../collision/collider-buffers";
import { PliantError } from "../errors";
import { type NamesOf } from "../option-names";
import type { GpuContext } from "../gpu/device";
import {
  type CpuDeformableSolver,
  type DeformableOptions,
  deformableOptionNames,
  type GpuDeformableSolver,
  type SolverName,
} from "../solvers/deformable";
import { surfaceIntersections } from "../collision/surface/intersections";
import { joinSurfaces } from "../collision/surface/surface-mesh";
import { CpuGpbdSolver } from "../solvers/gpbd/cpu-solver";
import { cpuGroups } from "../solvers/gpbd/cpu-surfaces";
import { GpuGpbdSolver } from "../solvers/gpbd/gpu-solver";
import { gpuGroups } from "../solvers/gpbd/gpu-surfaces";
import { requireCavity } from "../solvers/gpbd/inflation";
import type { GpbdModel } from "../solvers/gpbd/model";
import {
  defaultOptions,
  gpbdOptionNames,
  recommendedSubsteps,
  validateOptions,
  type GpbdOptions,
} from "../solvers/gpbd/options";
import { SurfaceGroup } from "../solvers/gpbd/surface-group";
import { CpuLocalGlobalSolver } from "../solvers/local-global/cpu-solver";
import { GpuContactSolver } from "../solvers/local-global/gpu/contact-stage";
import { GpuLocalGlobalGroup } from "../solvers/local-global/gpu/gpu-group";
import { GpuLocalGlobalSolver } from "../solvers/local-global/gpu/gpu-solver";
import { LocalGlobalGroup } from "../solvers/local-global/group";
import type { LocalGlobalModel } from "../solvers/local-global/model";
import {
  defaultLocalGlobalOptions,
  localGlobalOptionNames,
  type LocalGlobalOptions,
  validateLocalGlobalOptions,
} from "../solvers/local-global/options";
import {
  defaultNewtonBodyOptions,
  type NewtonBodyOptions,
  validateNewtonBodyOptions,
} from "../solvers/newton/deformable/body-options";
import type { FemModel } from "../solvers/newton/deformable/fem-model";
import { GpuNewtonDeformable } from "./rigid/gpu-newton-deformable";
import { CpuNewtonDeformable } from "./rigid/newton-deformable";
import { perDevice, perWorld, type SolverHost } from "./per-world";

export type { SolverHost } from "./per-world";

/** Models that `World.addBody` takes. */
export type BodyModel = GpbdModel | LocalGlobalModel | FemModel;

/** Options of all solvers; a body takes those of its own. */
export type SolverOptions = GpbdOptions &
  Omit<LocalGlobalOptions, keyof GpbdOptions> &
  Omit<NewtonBodyOptions, keyof GpbdOptions | keyof LocalGlobalOptions>;

/** Of each solver. */
export const optionNamesOf = {
  gpbd: gpbdOptionNames,
  "local-global": localGlobalOptionNames,
  newton: deformableOptionNames satisfies NamesOf<NewtonBodyOptions>,
} satisfies Record<SolverName, object>;

export const solverOptionNames = {
  ...gpbdOptionNames,
  ...localGlobalOptionNames,
} satisfies NamesOf<SolverOptions>;

/** Options that a body has: those that all solvers know, and those of its solver. */
export type BodySettings = DeformableOptions & Partial<SolverOptions>;

/** What the world knows of a solver. `options` of a call below are those of this solver, or some of them. */
export interface SolverKind<Model> {
  /** whether what is held may give */
  readonly hasPinCompliance?: boolean;
  /**
   * options that nobody set
   *
   * @param given those that somebody did
   */
  defaults(model: Model, given: Partial<SolverOptions>): BodySettings;
  /** @throws PliantError for a value out of its range; `object` is how the message calls the body */
  validate(object: string, options: Partial<SolverOptions>): void;
  /** @throws PliantError for options that do not fit the model */
  check?(object: string, model: Model, options: BodySettings): void;
  /** as `check`, also where options change later */
  checkChange?(object: string, model: Model, options: BodySettings): void;
  /** @param options that it begins with; throws PliantError for a model that there is no room for */
  createCpu(model: Model, host: SolverHost, options: BodySettings): CpuDeformableSolver;
  createGpu(
    model: Model,
    host: SolverHost,
    context: GpuContext,
    colliders: ColliderBuffers,
    options: BodySettings,
  ): GpuDeformableSolver;
}

/** Bodies of one world whose surfaces touch are stepped together. */
const cpuSurfaceGroup = perWorld(() => new SurfaceGroup<CpuGpbdSolver>(cpuGroups));

const gpuSurfaceGroup = perDevice((context) => new SurfaceGroup<GpuGpbdSolver>(gpuGroups(context)));

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

const gpbd: SolverKind<GpbdModel> = {
  defaults: (model, { warmStart }) => ({
    ...defaultOptions,
    // Contact between surfaces does not follow tears.
    bodyCollision: !model.tears,
    substeps: recommendedSubsteps(model, warmStart),
    friction: model.friction,
    ...(model.rods && { thickness: model.rods.radius, selfThickness: 2 * model.rods.radius }),
  }),
  validate: validateOptions,
  check: checkSurface,
  checkChange: requireCavity,
  createCpu: (model, host) => new CpuGpbdSolver(model, undefined, cpuSurfaceGroup(host)),
  createGpu: (model, host, context, colliders) =>
    new GpuGpbdSolver(context, model, colliders, gpuSurfaceGroup(host, context)),
};

/** All local-global bodies of a world, which are one system: their contacts, forces, and how exactly those were solved. */
export const localGlobalGroup = perWorld(() => new LocalGlobalGroup());

const gpuLocalGlobalGroup = perDevice((context, host, colliders: ColliderBuffers) => {
  const reference = localGlobalGroup(host);
  return new GpuLocalGlobalGroup(
    context,
    reference,
    (...system) => new GpuContactSolver(...system, reference, colliders),
  );
});

const localGlobal: SolverKind<LocalGlobalModel> = {
  hasPinCompliance: true,
  defaults: (model) => ({ ...defaultLocalGlobalOptions, friction: model.friction }),
  validate: validateLocalGlobalOptions,
  createCpu: (model, host, { factorisation }) => new CpuLocalGlobalSolver(model, localGlobalGroup(host), factorisation),
  createGpu: (model, host, context, colliders, { factorisation }) =>
    new GpuLocalGlobalSolver(context, model, gpuLocalGlobalGroup(host, context, colliders), factorisation),
};

const newton: SolverKind<FemModel> = {
  defaults: (model) => ({ ...defaultNewtonBodyOptions, friction: model.friction, thickness: model.thickness ?? 0 }),
  validate: validateNewtonBodyOptions,
  createCpu: (model, host) => new CpuNewtonDeformable(model, host.rigid.soft),
  createGpu: (model, host, context) =>
    new GpuNewtonDeformable(context, new CpuNewtonDeformable(model, host.rigid.soft), host.rigid),
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
  return kind;
}
