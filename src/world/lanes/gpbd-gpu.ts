import type { ColliderBuffers } from "../../collision/obstacles/collider-buffers";
import type { GpuContext } from "../../gpu/device";
import { GpuGpbdSolver, type SolidParts } from "../../solvers/gpbd/gpu-solver";
import type { GpbdModel } from "../../solvers/gpbd/model";
import type { GpuRodStages } from "../../solvers/gpbd/rods/gpu-rod-stages";
import { gpuGroups } from "../../solvers/gpbd/surfaces/gpu-surfaces";
import { SurfaceGroup } from "../../solvers/gpbd/surfaces/surface-group";
import { tetherParts } from "../backend/tether-parts";
import type { BodySettings } from "../backend/body-settings";
import type { GpuTethers } from "../../solvers/gpbd/tethers/gpu-tethers";
import type { GpuBodyLane } from "./lane";

const system = { create: (context: GpuContext) => new SurfaceGroup<GpuGpbdSolver>(gpuGroups(context)) };

const createTethers = (context: GpuContext, { name, particleCount }: GpbdModel): GpuTethers | undefined =>
  tetherParts.webgpu.loaded && new tetherParts.webgpu.loaded.GpuTethers(context, name, particleCount);

/** Code that only some models need; pages without such models do not load it. */
interface Parts {
  readonly rods?: (context: GpuContext, model: GpbdModel) => GpuRodStages | undefined;
  readonly solids?: (context: GpuContext, colliders: ColliderBuffers) => SolidParts;
}

export const laneWith = ({ rods, solids }: Parts): GpuBodyLane<GpbdModel, BodySettings> => ({
  create: (model, { systems }, context, colliders) =>
    new GpuGpbdSolver(
      context,
      model,
      colliders,
      systems.on(context, system),
      rods?.(context, model),
      solids?.(context, colliders),
      createTethers,
    ),
});

export const lane = laneWith({});
