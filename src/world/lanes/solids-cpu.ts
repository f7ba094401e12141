import { solidSolve } from "../../solvers/gpbd/elements/solids/solid-solve";
import { CpuGuard } from "../../solvers/gpbd/guard/cpu-guard";
import { laneWith } from "./gpbd-cpu";
import { watched } from "./watched";

/** Solids of GPBD, with the guard of their energy. */
export const lane = watched(laneWith({ solids: solidSolve, guard: () => new CpuGuard() }));
