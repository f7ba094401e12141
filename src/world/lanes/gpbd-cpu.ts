import type { CpuRodStages } from "../../solvers/gpbd/rods/cpu-rod-stages";
import { CpuGpbdSolver } from "../../solvers/gpbd/cpu-solver";
import { cpuGroups } from "../../solvers/gpbd/surfaces/cpu-surfaces";
import type { GpbdModel } from "../../solvers/gpbd/model";
import { SurfaceGroup } from "../../solvers/gpbd/surfaces/surface-group";
import { perWorld } from "../backend/per-world";
import type { BodySettings } from "../backend/body-settings";
import type { CpuBodyLane } from "./lane";

/** Bodies of one world whose surfaces touch are stepped together. */
const surfaceGroup = perWorld(() => new SurfaceGroup<CpuGpbdSolver>(cpuGroups));

/** @param rods makes what the rods of a model need */
export const laneWith = (
  rods?: (model: GpbdModel) => CpuRodStages | undefined,
): CpuBodyLane<GpbdModel, BodySettings> => ({
  create: (model, host) => new CpuGpbdSolver(model, undefined, surfaceGroup(host), rods?.(model)),
});

export const lane = laneWith();
