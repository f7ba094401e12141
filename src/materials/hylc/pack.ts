import type { HylcTable } from "./table";

/**
 * A table as one array of numbers, which is the material `m` of `hylcDensity`. Terms that are zero everywhere are left out.
 *
 *     damping, bending, c₀ … c₄, stiffness × 6, number of surfaces, starts of the curves × 5,
 *     (k, l, start) × surfaces, then the data:
 *     curve: count, knots, values, slopes        surface: u count, v count, u knots, v knots, values, ∂u, ∂v, ∂u∂v
 */
export const packed = { damping: 0, bending: 1, scale: 2, stiffness: 7, surfaceCount: 13, curves: 14, surfaces: 19 };

/** Range of scaled strain over which the stiffness for damping is measured. */
const DAMPING_RANGE = 0.1;

/**
 * @param damping Kelvin-Voigt damping time [s]
 * @param lengthScale l [m]: curvatures are given as l² II, see `hylcStrain`
 */
export function packHylc(table: HylcTable, damping: number, lengthScale: number): Float64Array {
  const surfaces = table.surfaces.filter(({ values, uSlopes, vSlopes, twists }) =>
    [values, uSlopes, vSlopes, twists].some((list) => Array.from(list).some((value) => value !== 0)),
  );
  const header = packed.surfaces + 3 * surfaces.length;
  const out: number[] = new Array<number>(header).fill(0);
  out[packed.damping] = damping;
  out[packed.bending] = 1 / lengthScale ** 2;
  out[packed.surfaceCount] = surfaces.length;
  table.strainScale.forEach((scale, k) => (out[packed.scale + k] = scale));
  const add = (...lists: ArrayLike<number>[]): void => lists.forEach((list) => out.push(...Array.from(list)));
  table.curves.forEach(({ knots, values, slopes }, k) => {
    out[packed.curves + k] = out.length;
    add([knots.length], knots, values, slopes);
  });
  surfaces.forEach(({ pair, uKnots, vKnots, values, uSlopes, vSlopes, twists }, i) => {
    out.splice(packed.surfaces + 3 * i, 3, pair[0], pair[1], out.length);
    add([uKnots.length, vKnots.length], uKnots, vKnots, values, uSlopes, vSlopes, twists);
  });
  dampingStiffness(table, lengthScale).forEach((value, i) => (out[packed.stiffness + i] = value));
  return Float64Array.from(out);
}

/**
 * Stiffness of each strain alone, [N/m] and [N/m over l⁴]: damping must not add energy if a table is not convex. So it
 * has no coupling, and is measured as the slope of the stress over a part of the table.
 */
function dampingStiffness({ curves, strainScale }: HylcTable, lengthScale: number): number[] {
  const alone = curves.map((curve, k) => {
    const rise = slopeOf(curve, DAMPING_RANGE) - slopeOf(curve, -DAMPING_RANGE);
    return Math.max(0, rise / (2 * DAMPING_RANGE)) / strainScale[k] ** 2;
  });
  const [sx, sa, sy, x, y] = alone as [number, number, number, number, number];
  const area = lengthScale * lengthScale;
  return [sx, sa, sy, ...[x, x + y, y].map((value) => value / (area * area))];
}

/** The larger curvature with which a table begins to curl a flat sheet, by its slopes there over its stiffness [1/m]. */
export function curvatureOf({ curves, strainScale }: HylcTable): number {
  const of = (k: number): number => {
    const rise = slopeOf(curves[k], DAMPING_RANGE) - slopeOf(curves[k], -DAMPING_RANGE);
    return Math.abs((2 * DAMPING_RANGE * strainScale[k] * slopeOf(curves[k], 0)) / rise);
  };
  return Math.max(of(3), of(4));
}

function slopeOf({ knots, values, slopes }: HylcTable["curves"][number], x: number): number {
  const last = knots.length - 1;
  if (x <= knots[0]) return slopes[0];
  if (x >= knots[last]) return slopes[last];
  let i = 0;
  while (knots[i + 1] <= x) i++;
  const h = knots[i + 1] - knots[i];
  const t = (x - knots[i]) / h;
  const rise = (values[i + 1] - values[i]) / h;
  return 6 * t * (1 - t) * rise + (1 - t) * (1 - 3 * t) * slopes[i] + t * (3 * t - 2) * slopes[i + 1];
}
