import { loadClothMemory } from "../../solvers/gpbd/simd/cloth-memory";
import { SimdCloth } from "../../solvers/gpbd/simd/simd-cloth";
import type { GpbdModel } from "../../solvers/gpbd/model";
import type { BodySettings } from "../backend/body-settings";
import { laneWith } from "./gpbd-cpu";
import type { CpuBodyLane } from "./lane";

/** Cloth of GPBD in f32 where that will do, and where WebAssembly SIMD is. */
export async function loadLane(): Promise<CpuBodyLane<GpbdModel, BodySettings>> {
  const memory = await loadClothMemory();
  return laneWith({ fast: memory && ((solver) => SimdCloth.of(memory, solver)) });
}
