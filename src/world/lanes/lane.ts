import type { ColliderBuffers } from "../../collision/obstacles/collider-buffers";
import type { GpuContext } from "../../gpu/device";
import type { CpuDeformableSolver, DeformableOptions, GpuDeformableSolver } from "../../solvers/deformable";
import type { SystemHost } from "../backend/systems";

/** Makes bodies of one solver on the CPU. Throws a PliantError for a model that there is no room for. */
export interface CpuBodyLane<Model, Options extends DeformableOptions> {
  create(model: Model, host: SystemHost, options: Options): CpuDeformableSolver;
}

/** As `CpuBodyLane`, on a GPU. */
export interface GpuBodyLane<Model, Options extends DeformableOptions> {
  create(
    model: Model,
    host: SystemHost,
    context: GpuContext,
    colliders: ColliderBuffers,
    options: Options,
  ): GpuDeformableSolver;
}
