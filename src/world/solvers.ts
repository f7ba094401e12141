import type { ColliderBuffers } from "../collision/collider-buffers";
import { PliantError } from "../errors";
import type { GpuContext } from "../gpu/device";
import type { CpuDeformableSolver, DeformableOptions, GpuDeformableSolver, SolverName } from "../solvers/deformable";
import { CpuGpbdSolver } from "../solvers/gpbd/cpu-solver";
import { GpuGpbdSolver } from "../solvers/gpbd/gpu-solver";
import type { GpbdModel } from "../solvers/gpbd/model";
import { defaultOptions, recommendedSubsteps, validateOptions, type GpbdOptions } from "../solvers/gpbd/options";
import { CpuLocalGlobalSolver } from "../solvers/local-global/cpu-solver";
import { LocalGlobalGroup } from "../solvers/local-global/group";
import type { LocalGlobalModel } from "../solvers/local-global/model";
import {
  defaultLocalGlobalOptions,
  type LocalGlobalOptions,
  validateLocalGlobalOptions,
} from "../solvers/local-global/options";
import type { RigidWorld } from "./rigid/rigid-world";

/** What solvers of bodies in one world share. */
export interface SolverHost {
  /** rigid bodies, for solvers that solve them together with deformable ones */
  readonly rigid: RigidWorld;
}

/** Models that `World.addBody` takes. */
export type BodyModel = GpbdModel | LocalGlobalModel;

/** Options of all solvers; a body takes those of its own. */
export type SolverOptions = GpbdOptions & LocalGlobalOptions;

/** Options that a body has: those that all solvers know, and those of its solver. */
export type BodySettings = DeformableOptions & Partial<SolverOptions>;

/** What the world knows of a solver. `options` of a call below are those of this solver, or some of them. */
export interface SolverKind<Model> {
  /** options that nobody set */
  defaults(model: Model): BodySettings;
  /** @throws PliantError for a value out of its range; `object` is how the message calls the body */
  validate(object: string, options: Partial<SolverOptions>): void;
  createCpu(model: Model, host: SolverHost): CpuDeformableSolver;
  /** undefined where a body of this kind is solved on the CPU in any world */
  createGpu?(model: Model, host: SolverHost, context: GpuContext, colliders: ColliderBuffers): GpuDeformableSolver;
}

const gpbd: SolverKind<GpbdModel> = {
  defaults: (model) => ({ ...defaultOptions, substeps: recommendedSubsteps(model), friction: model.friction }),
  validate: validateOptions,
  createCpu: (model) => new CpuGpbdSolver(model),
  createGpu: (model, _host, context, colliders) => new GpuGpbdSolver(context, model, colliders),
};

/** Bodies of one world are one system. */
const groups = new WeakMap<RigidWorld, LocalGlobalGroup>();

function groupOf({ rigid }: SolverHost): LocalGlobalGroup {
  const group = groups.get(rigid) ?? new LocalGlobalGroup();
  groups.set(rigid, group);
  return group;
}

const localGlobal: SolverKind<LocalGlobalModel> = {
  defaults: (model) => ({ ...defaultLocalGlobalOptions, friction: model.friction }),
  validate: validateLocalGlobalOptions,
  createCpu: (model, host) => new CpuLocalGlobalSolver(model, groupOf(host)),
};

const kinds: Readonly<Partial<Record<SolverName, SolverKind<BodyModel>>>> = { gpbd, "local-global": localGlobal };

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
