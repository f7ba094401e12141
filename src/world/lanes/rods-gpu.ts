import { GpuRodStages } from "../../solvers/gpbd/rods/gpu-rod-stages";
import { laneWith } from "./gpbd-gpu";

/** Bodies of GPBD with rods: a page that has none does not load what is theirs. */
export const lane = laneWith({
  rods: (context, model) => (model.rods ? new GpuRodStages(context, model, model.rods) : undefined),
});
