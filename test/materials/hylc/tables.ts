import { hylcPairs, type HylcTable } from "../../../src/materials/hylc/table";
import type { RandomGeometry } from "../../collision/random";

/**
 * A table of numbers in the sizes of real ones: convex curves, curvatures with a minimum off zero, surfaces with every term,
 * on grids of uneven knots.
 */
export function randomTable(random: RandomGeometry): HylcTable {
  const knots = (low: number, high: number, count: number): number[] =>
    Array.from(
      { length: count },
      (_, i) => low + ((high - low) * (i + (i % 2 ? random.between(-0.2, 0.2) : 0))) / (count - 1),
    );
  const numbers = (count: number, size: number): number[] =>
    Array.from({ length: count }, () => random.between(-size, size));
  const strainScale = [1, 0.7, 0.9, 150, 200];
  return {
    areaDensity: 0.35,
    strainScale,
    constant: random.between(0, 1),
    curves: strainScale.map((_, k) => {
      const t = k === 0 || k === 2 ? knots(-0.6, 0.9, 11) : knots(-0.95, 0.95, 11);
      const rest = k > 2 ? random.between(-0.5, 0.5) : 0;
      const size = k > 2 ? random.between(0.2, 1) : random.between(20, 100);
      return {
        knots: t,
        values: t.map((x) => size * ((x - rest) ** 2 + (x - rest) ** 4)),
        slopes: t.map((x) => size * (2 * (x - rest) + 4 * (x - rest) ** 3) * random.between(0.95, 1.05)),
      };
    }),
    surfaces: hylcPairs.map((pair) => {
      const [uKnots, vKnots] = [knots(-0.6, 0.8, 8), knots(-0.9, 0.9, 9)];
      const size = pair[1] > 2 ? 0.1 : 3;
      const lists = () => numbers(72, size);
      return { pair, uKnots, vKnots, values: lists(), uSlopes: lists(), vSlopes: lists(), twists: lists() };
    }),
  };
}

/** Strains all over a table, and beyond its ends. */
export function randomHylcStrain(random: RandomGeometry, lengthScale: number, reach = 1.4): Float64Array {
  const curvature = (): number => lengthScale ** 2 * 150 * reach * random.between(-1, 1);
  return Float64Array.of(
    random.between(-0.7, 0.95) * reach,
    random.between(-0.7, 0.7) * reach,
    random.between(-0.7, 0.95) * reach,
    curvature(),
    0.7 * curvature(),
    curvature(),
  );
}
