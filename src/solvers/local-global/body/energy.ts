import { principalValue } from "../../../materials/principal-density";
import { singularValues } from "../../../math/eigen/svd3";
import { gather } from "./element-map";
import { curvatureOfNoStress } from "./local-step";
import type { LocalGlobalModel } from "../model";

const f = new Float64Array(9);
const p = new Float64Array(9);
const u = new Float64Array(9);
const sigma = new Float64Array(3);
const v = new Float64Array(9);

/** Elastic energy [J]. */
export function elasticEnergy(model: LocalGlobalModel, q: ArrayLike<number>): number {
  let energy = 0;
  for (const term of model.terms) {
    const { columns, material, measures } = term;
    for (let e = 0; e < term.elementCount; e++) {
      gather(term, e, q, f);
      if (material) {
        singularValues(f, 0, columns as 2 | 3, u, sigma, v);
        energy += measures[e] * principalValue(material.model, sigma, columns, material.mu, material.lambda);
        continue;
      }
      curvatureOfNoStress(term, e, f, p);
      for (let i = 0; i < 3 * columns; i++) energy += 0.5 * measures[e] * (f[i] - p[i]) ** 2;
    }
  }
  return energy;
}
