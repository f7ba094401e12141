import { CpuRodStages } from "../../solvers/gpbd/rods/cpu-rod-stages";
import { laneWith } from "./gpbd-cpu";

/** Bodies of GPBD with rods: a page without such bodies does not load their code. */
export const lane = laneWith({ rods: (model) => (model.rods ? new CpuRodStages(model, model.rods) : undefined) });
