import type { StrainMeasure } from "./strain";
import { createFrame, crossInto, findFrame, turnOf } from "./triangle-frame";

/** Places of the weights, and of the curvature at rest, in rest data; see `sheet-bending.ts`. */
export const WEIGHTS = 1;
export const REST_CURVATURE = 37;
const ARITY = 12;

/**
 * Curvature of a triangle of a sheet as three vectors s_i = Σ_a K_ia x_a, nearly along its normal: linear in x, so that ½ ‖s‖² is quadratic, as
 * in Bergou et al. 2006. Strains are in the order (s_0, s_1, s_2), three components each. Rest data: see `sheet-bending.ts`.
 */
export const flatCurvature: StrainMeasure = {
  arity: ARITY,
  dimension: 9,
  strain(x, rest, at, s) {
    s.fill(0, 0, 9);
    for (let a = 0; a < ARITY; a++)
      for (let i = 0; i < 3; i++) {
        const weight = rest[at + WEIGHTS + 3 * a + i];
        for (let c = 0; c < 3; c++) if (weight !== 0) s[3 * i + c] += weight * (x[3 * a + c] - x[c]);
      }
  },
  jacobian(_x, rest, at, jacobian) {
    jacobian.fill(0, 0, 27 * ARITY);
    for (let a = 0; a < ARITY; a++)
      for (let i = 0; i < 3; i++)
        for (let c = 0; c < 3; c++) jacobian[(3 * i + c) * 3 * ARITY + 3 * a + c] = rest[at + WEIGHTS + 3 * a + i]!;
  },
};

const frame = createFrame();
const restCurvature = new Float64Array(9);
const unit = new Float64Array(9);
const turn = new Float64Array(3);
const turned = new Float64Array(3);

/** Of a sheet that is curved at rest: less what those vectors were then, turned with the triangle. */
export const curvatureChange: StrainMeasure = {
  arity: ARITY,
  dimension: 9,
  strain(x, rest, at, s) {
    flatCurvature.strain(x, rest, at, s);
    findFrame(x, frame);
    turnCurvature(rest, at, frame.axes, restCurvature);
    for (let i = 0; i < 9; i++) s[i] -= restCurvature[i];
  },
  jacobian(x, rest, at, jacobian) {
    flatCurvature.jacobian(x, rest, at, jacobian);
    findFrame(x, frame);
    turnCurvature(rest, at, frame.axes, restCurvature);
    for (let column = 0; column < 9; column++) {
      unit.fill(0);
      unit[column] = 1;
      turnOf(frame, unit, turn);
      for (let i = 0; i < 9; i += 3) {
        crossInto(turn, 0, restCurvature, i, turned, 0);
        for (let c = 0; c < 3; c++) jacobian[(i + c) * 3 * ARITY + column] -= turned[c];
      }
    }
  },
};

/** Curvature at rest in the axes of the triangle as it is. */
export function turnCurvature(rest: Float64Array, at: number, axes: Float64Array, out: Float64Array): void {
  for (let i = 0; i < 9; i += 3)
    for (let c = 0; c < 3; c++) {
      const from = at + REST_CURVATURE + i;
      out[i + c] = rest[from] * axes[c] + rest[from + 1] * axes[3 + c] + rest[from + 2] * axes[6 + c];
    }
}
