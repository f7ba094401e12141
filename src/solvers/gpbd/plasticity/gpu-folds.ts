import { shaders } from "../../../generated/shaders/folds";
import type { GpuContext } from "../../../gpu/device";
import type { GpbdModel } from "../model";
import { REST_CURVATURE } from "../strains/curvature-vectors";
import { curvatureUnits, plasticityByCurvature } from "./curvature-units";
import { GpuPlasticBody } from "./gpu-plastic-body";

/** Folds of cloth that stay on the GPU, see folds.ts and folds.wgsl. */
export const gpuFolds = (context: GpuContext, model: GpbdModel): GpuPlasticBody =>
  new GpuPlasticBody(context, model, {
    name: "folds",
    module: shaders["folds/folds"],
    at: REST_CURVATURE,
    unflowed: () => 0,
    unitsOf: curvatureUnits,
    plasticityOf: (of, units) => plasticityByCurvature(of, units!),
  });
