import { CpuGuard } from "../../solvers/gpbd/guard/cpu-guard";
import { laneWith } from "./gpbd-cpu";

/** Solids of GPBD, whose energy is guarded. */
export const lane = laneWith({ guard: () => new CpuGuard() });
