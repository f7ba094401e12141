import type { GpbdModel } from "../../solvers/gpbd/model";
import { CpuRodStages } from "../../solvers/gpbd/rods/cpu-rod-stages";
import { RodKernel, RodMemory } from "../../solvers/gpbd/rods/rod-kernel";
import type { BodySettings } from "../backend/body-settings";
import { laneWith } from "./gpbd-cpu";
import type { CpuBodyLane } from "./lane";

/** Bodies of GPBD with rods, as in lanes/rods-cpu, with sweeps by WebAssembly SIMD where it is. */
export async function loadLane(): Promise<CpuBodyLane<GpbdModel, BodySettings>> {
  const memory = await RodMemory.load();
  return laneWith({
    rods: (model) => {
      const { rods, particleCount } = model;
      return rods && new CpuRodStages(model, rods, memory && new RodKernel(memory, rods, particleCount));
    },
  });
}
