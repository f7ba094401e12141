import { assembleSymmetric, type SymmetricMatrix } from "../../../math/sparse/symmetric-matrix";
import { elementWeight } from "./element-map";
import type { LocalGlobalModel } from "../model";

/** A of (6). The three coordinates share it. @param h time step [s] */
export function systemMatrix(model: LocalGlobalModel, h: number): SymmetricMatrix {
  const groups = model.terms.map((term) => {
    const { arity, columns, elementCount, coefficients: g } = term;
    const values = new Float64Array(elementCount * arity * arity);
    for (let e = 0; e < elementCount; e++) {
      const weight = h * h * elementWeight(term, e);
      for (let a = 0; a < arity; a++)
        for (let b = 0; b < arity; b++) {
          let sum = 0;
          for (let c = 0; c < columns; c++) sum += g[(e * arity + a) * columns + c] * g[(e * arity + b) * columns + c];
          values[(e * arity + a) * arity + b] = weight * sum;
        }
    }
    return { arity, indices: term.indices, values };
  });
  return assembleSymmetric(model.particleCount, model.masses, groups);
}
