import { solidShader } from "../../solvers/gpbd/elements/solids/solid-shader";
import { isOfSolids } from "../../solvers/gpbd/guard/energy-guard";
import { GpuGuard } from "../../solvers/gpbd/guard/gpu-guard";
import { GpuPlasticFlow } from "../../solvers/gpbd/plasticity/gpu-plastic-flow";
import { recoveryIn } from "../../solvers/gpbd/guard/recovery";
import { laneWith } from "./gpbd-gpu";

/** Solids of GPBD, with the guard of their energy. */
export const lane = laneWith({
  solids: (context, colliders) => ({
    shaderOf: solidShader,
    recoveryIn,
    flowOf: (model) => model.plasticity && new GpuPlasticFlow(context, model),
    guardOf: (model, state) => (isOfSolids(model) ? new GpuGuard(context, model, colliders, state) : undefined),
  }),
});
