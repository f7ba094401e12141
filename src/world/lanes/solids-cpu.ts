import { solidSolve } from "../../solvers/gpbd/elements/solids/solid-solve";
import { CpuGuard } from "../../solvers/gpbd/guard/cpu-guard";
import { watchSwallowed } from "../rigid/soft/swallowed";
import { laneWith } from "./gpbd-cpu";

/** Solids of GPBD, with the guard of their energy. */
export const lane = laneWith({ solids: solidSolve, guard: () => new CpuGuard(), watch: watchSwallowed });
