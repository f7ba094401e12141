import type { GpuContext } from "../../gpu/device";
import type { GpuRodStages } from "../../solvers/gpbd/rods/gpu-rod-stages";
import { GpuGpbdSolver } from "../../solvers/gpbd/gpu-solver";
import { gpuGroups } from "../../solvers/gpbd/surfaces/gpu-surfaces";
import type { GpbdModel } from "../../solvers/gpbd/model";
import { SurfaceGroup } from "../../solvers/gpbd/surfaces/surface-group";
import { perDevice } from "../backend/per-world";
import type { BodySettings } from "../backend/body-settings";
import type { GpuBodyLane } from "./lane";

/** Bodies of one world whose surfaces touch are stepped together. */
const surfaceGroup = perDevice((context) => new SurfaceGroup<GpuGpbdSolver>(gpuGroups(context)));

/** @param rods makes what the rods of a model need */
export const laneWith = (
  rods?: (context: GpuContext, model: GpbdModel) => GpuRodStages | undefined,
): GpuBodyLane<GpbdModel, BodySettings> => ({
  create: (model, host, context, colliders) =>
    new GpuGpbdSolver(context, model, colliders, surfaceGroup(host, context), rods?.(context, model)),
});

export const lane = laneWith();
