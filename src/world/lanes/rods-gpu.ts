import { GpuRodStages } from "../../solvers/gpbd/rods/gpu-rod-stages";
import { laneWith } from "./gpbd-gpu";

/** Bodies of GPBD with rods: a page without such bodies does not load their code. */
export const lane = laneWith({
  rods: (context, model) => (model.rods ? new GpuRodStages(context, model, model.rods) : undefined),
});
