import { hylcDensity } from "./density";
import { packHylc } from "./pack";
import type { HylcTable } from "./table";

/** Least stiffness of a membrane [N/m]. A table need not resist small strains at all, but a membrane must. */
const SOFTEST = 1e-2;

/** The slopes of a table for flat, unstretched cloth: stiffnesses as of a fabric without a table, see `Fabric`. */
export function restStiffness(table: HylcTable) {
  const hessian = new Float64Array(36);
  const length = 1e-2;
  const area = length * length;
  hylcDensity.hessian(new Float64Array(6), packHylc(table, 0, length), hessian);
  const [x, a, y] = [0, 1, 2].map((k) => Math.max(SOFTEST, hessian[7 * k])) as [number, number, number];
  return {
    stretchWarp: x,
    stretchWeft: y,
    shear: a,
    poissonRatio: Math.min(0.9, Math.max(0, hessian[2] / Math.sqrt(x * y))),
    bendingWarp: Math.max(0, hessian[21]) * area * area,
    bendingWeft: Math.max(0, hessian[35]) * area * area,
  };
}
