import { shaders } from "../../../generated/shaders/solids";
import type { GpuContext } from "../../../gpu/device";
import type { GpbdModel } from "../model";
import { GpuPlasticBody } from "./gpu-plastic-body";

/** Plastic flow of a body's linear tetrahedra, its one term, on the GPU, see plastic-flow.ts and plastic-flow.wgsl. */
export const gpuPlasticFlow = (context: GpuContext, model: GpbdModel): GpuPlasticBody =>
  new GpuPlasticBody(context, model, {
    name: "plastic flow",
    module: shaders["solids/plastic-flow"],
    at: 0,
    unflowed: (i) => (i % 4 === 0 ? 1 : 0),
    plasticityOf: ({ plasticity }) => plasticity,
  });
