import type { ColliderBuffers } from "../../collision/obstacles/collider-buffers";
import type { GpuContext } from "../../gpu/device";
import type { CpuDeformableSolver, DeformableOptions, GpuDeformableSolver } from "../../solvers/deformable";
import type { SolverHost } from "../backend/per-world";

/** How a world makes a body of one solver on the CPU. It throws a PliantError for a model that there is no room for. */
export interface CpuBodyLane<Model, Options extends DeformableOptions> {
  create(model: Model, host: SolverHost, options: Options): CpuDeformableSolver;
  /** what all bodies of the solver in a world go on with together from step to step */
  save?(host: SolverHost): unknown;
  load?(host: SolverHost, memory: unknown): void;
}

/** As `CpuBodyLane`, on a GPU. */
export interface GpuBodyLane<Model, Options extends DeformableOptions> {
  create(
    model: Model,
    host: SolverHost,
    context: GpuContext,
    colliders: ColliderBuffers,
    options: Options,
  ): GpuDeformableSolver;
}
