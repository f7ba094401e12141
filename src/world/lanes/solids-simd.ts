import { SolidMemory } from "../../solvers/gpbd/elements/solids/solid-kernel";
import { solidSolve } from "../../solvers/gpbd/elements/solids/solid-solve";
import { CpuGuard } from "../../solvers/gpbd/guard/cpu-guard";
import type { GpbdModel } from "../../solvers/gpbd/model";
import type { BodySettings } from "../backend/body-settings";
import { laneWith } from "./gpbd-cpu";
import type { CpuBodyLane } from "./lane";
import { watched } from "./watched";

/** Solids of GPBD, as in lanes/solids-cpu, with sweeps by WebAssembly SIMD where it is. */
export async function loadLane(): Promise<CpuBodyLane<GpbdModel, BodySettings>> {
  const memory = await SolidMemory.load();
  const solids = { ...solidSolve, ...(memory && { sweep: memory.sweep, forget: memory.forget }) };
  return watched(laneWith({ solids, guard: () => new CpuGuard() }));
}
