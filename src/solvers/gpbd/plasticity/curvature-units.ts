import { termLayout, type GpbdModel } from "../model";
import type { ResolvedPlasticity } from "./plasticity";

/** √(A B) of each element of bending of cloth, the last term: what a curvature of 1/m is in its rest data [√(N m) m]. */
export function curvatureUnits({ positions: x, terms }: GpbdModel): Float64Array {
  const { kind, elementCount, indices, material } = terms.at(-1)!;
  const { arity } = termLayout[kind];
  const units = new Float64Array(elementCount);
  const side = (from: number, to: number, c: number): number => x[3 * to + c] - x[3 * from + c];
  for (let e = 0; e < elementCount; e++) {
    const [a, b, d] = indices.subarray(arity * e, arity * e + 3);
    let squares = 0;
    for (let c = 0; c < 3; c++) {
      const [i, j] = [(c + 1) % 3, (c + 2) % 3];
      const normal = side(a, b, i) * side(a, d, j) - side(a, b, j) * side(a, d, i);
      squares += normal * normal;
    }
    units[e] = Math.sqrt(0.25 * Math.sqrt(squares) * (material[1] + material[2]));
  }
  return units;
}

/**
 * Plasticity by curvatures in place of the strains at the faces of the sheet [1/m]. The sheet is as thick as a plate of these stiffnesses,
 * B = Y h²/12. The radius of a permanent fold is a cell of the mesh at least: elements of sharper ones turn by more than a radian a step, and
 * are thrown about.
 *
 * @param units of the model's elements, see `curvatureUnits`
 */
export function plasticityByCurvature(
  { plasticity, sheet, terms }: GpbdModel,
  units: Float64Array,
): ResolvedPlasticity | undefined {
  if (!plasticity || !sheet) return undefined;
  const { bendingWarp, bendingWeft, stretchWarp, stretchWeft } = sheet;
  const half = Math.sqrt((1.5 * (bendingWarp + bendingWeft)) / Math.sqrt(stretchWarp * stretchWeft));
  const [, warp, weft] = terms.at(-1)!.material;
  const area = units.reduce((sum, unit) => sum + unit * unit, 0) / (0.5 * (warp + weft) * units.length);
  return {
    ...plasticity,
    yield: plasticity.yield / half,
    max: Math.min(plasticity.max / half, 1 / Math.sqrt(2 * area)),
  };
}
