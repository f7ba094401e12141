import { solidShader } from "../../solvers/gpbd/elements/solids/solid-shader";
import { isOfSolids } from "../../solvers/gpbd/guard/energy-guard";
import { GpuGuard } from "../../solvers/gpbd/guard/gpu-guard";
import { spinPart } from "../../solvers/gpbd/gpu/parts";
import { gpuPlasticFlow } from "../../solvers/gpbd/plasticity/gpu-plastic-flow";
import { recoveryIn } from "../../solvers/gpbd/guard/recovery";
import type { GpbdModel } from "../../solvers/gpbd/model";
import type { BodySettings } from "../backend/body-settings";
import { joinLanes } from "../backend/host-lanes";
import { laneWith } from "./gpbd-gpu";
import type { GpuBodyLane } from "./lane";

const solids = laneWith({
  solids: (context, colliders) => ({
    shaderOf: solidShader,
    recoveryIn,
    flowOf: (model) => model.plasticity && gpuPlasticFlow(context, model),
    guardOf: (model, state) => (isOfSolids(model) ? new GpuGuard(context, model, colliders, state) : undefined),
  }),
});

/** Solids of GPBD, with the guard of their energy, and the account of their angular momentum. */
export async function loadLane(): Promise<GpuBodyLane<GpbdModel, BodySettings>> {
  await spinPart.load();
  return {
    create(model, host, ...rest) {
      joinLanes(host.systems);
      return solids.create(model, host, ...rest);
    },
  };
}
