import { checkPositive } from "../../checks";
import { invalid, nonFinite } from "../../errors";
import { checkNames, optionNames } from "../../option-names";
import { hylcPairs, type HylcCurve, type HylcSurface, type HylcTable } from "./table";

/** A measured curve: pairs of abscissa and ordinate, both increasing, through the origin (which may be left out). */
export type MeasuredCurve = readonly (readonly [number, number])[];

/** Measurements of a sheet by a textile laboratory. Warp is x (u), weft is y (v). */
export interface FabricCurves {
  /** [kg/m²] */
  areaDensity: number;
  /** strain, force per width along the warp [N/m]; without negative strains it goes on there with its first slope */
  warp: MeasuredCurve;
  /** the same along the weft */
  weft: MeasuredCurve;
  /** sine of the angle of shear, shear force per width [N/m]; only one side is needed */
  shear: MeasuredCurve;
  /** curvature along the warp minus the natural one [1/m], moment per width [N]; only one side is needed */
  bendWarp: MeasuredCurve;
  /** the same along the weft */
  bendWeft: MeasuredCurve;
  /**
   * natural curvature of a narrow strip along warp and weft [1/m]; positive values curl towards the side that (x₁ − x₀)
   * × (x₂ − x₀) of the faces points to. Default 0
   */
  naturalCurvature?: number | readonly [number, number] | undefined;
  /** contraction across a small strain, in [0, 1), default 0 */
  poissonRatio?: number | undefined;
}

const curveNames = optionNames<FabricCurves>()(
  "areaDensity warp weft shear bendWarp bendWeft naturalCurvature poissonRatio",
);

/** Cells of a curve below and above its rest, as in the tables of the HYLC paper. */
const CELLS = { stretch: [4, 6], shear: [5, 5], bend: [5, 5] } as const;
/** Scaled strain of the last measured point. */
const REACH = { stretch: 0.912, other: 0.95 } as const;
/** A strain that cloth does not reach: the table continues with its last slope up to there. */
const FAR = { stretch: 1.5, shear: 1, bend: 3 } as const;

/**
 * Fits a table in HYLC's form to measured curves: at 11 knots a curve, its slope is the measured force and its values
 * are the integral, but it is nowhere less convex than a spline of increasing force. A further knot on each side
 * continues the last slope; without it, the table would continue with a constant force.
 *
 * @throws PliantError `invalid-argument` for a curve that does not increase, with the number of its point, and for
 * numbers out of range; `non-finite` for points that are not finite
 */
export function tableFromCurves(curves: Readonly<FabricCurves>, object = "fabric"): HylcTable {
  checkNames(object, curves, curveNames);
  const { areaDensity, poissonRatio = 0 } = curves;
  checkPositive(areaDensity, `${object}.areaDensity`);
  if (!(poissonRatio >= 0 && poissonRatio < 1))
    throw invalid(`${object}.poissonRatio`, poissonRatio, "must be in [0, 1)");
  const natural = naturalOf(curves, object);
  const points = (key: keyof FabricCurves & ("warp" | "weft" | "shear" | "bendWarp" | "bendWeft"), odd: boolean) =>
    checkedCurve(`${object}.${key}`, curves[key], odd);
  const fits = [
    fitStretch(points("warp", false)),
    fitOdd(points("shear", true), 0, "shear"),
    fitStretch(points("weft", false)),
    fitOdd(points("bendWarp", true), natural[0], "bend"),
    fitOdd(points("bendWeft", true), natural[1], "bend"),
  ];
  const stiffness = [0, 2].map((k) => least(fits[k].curve) / fits[k].scale ** 2);
  const coupling = poissonRatio * Math.sqrt(stiffness[0] * stiffness[1]) * fits[0].scale * fits[2].scale;
  return {
    areaDensity,
    strainScale: fits.map(({ scale }) => scale),
    curves: fits.map(({ curve }) => curve),
    surfaces: hylcPairs.map((pair) => bilinear(pair, pair[0] === 0 && pair[1] === 2 ? coupling : 0)),
    constant: 0,
  };
}

interface Fit {
  readonly scale: number;
  readonly curve: HylcCurve;
}

function naturalOf({ naturalCurvature = 0 }: Readonly<FabricCurves>, object: string): [number, number] {
  const both = typeof naturalCurvature === "number" ? [naturalCurvature, naturalCurvature] : [...naturalCurvature];
  if (both.length !== 2 || !both.every(Number.isFinite))
    throw invalid(`${object}.naturalCurvature`, naturalCurvature, "must be a finite number, or two of them");
  return both as [number, number];
}

/** The curve with the origin added; an odd curve without a negative side is mirrored. */
function checkedCurve(object: string, curve: MeasuredCurve, odd: boolean): [number, number][] {
  if (!Array.isArray(curve) || curve.length === 0) throw invalid(object, curve, "must be a list of points");
  curve.forEach(([x, y], i) => {
    if (!(Number.isFinite(x) && Number.isFinite(y)))
      throw nonFinite(`${object}[${i}]`, [x, y], "must be two finite numbers");
    if (Math.sign(x) !== Math.sign(y))
      throw invalid(`${object}[${i}]`, [x, y], "must go through the origin, increasing");
    if (i > 0 && !(x > curve[i - 1]![0] && y > curve[i - 1]![1]))
      throw invalid(`${object}[${i}]`, [x, y], "must be more than the point before it");
  });
  const points: [number, number][] = curve.filter(([x]) => x !== 0).map(([x, y]) => [x, y]);
  const [first, last] = [points[0], points[points.length - 1]];
  if (!first || !last || last[0] < 0) throw invalid(object, curve.length, "must have a point above zero");
  points.splice(
    points.findIndex(([x]) => x > 0),
    0,
    [0, 0],
  );
  if (odd && first[0] > 0)
    points.unshift(
      ...points
        .slice(1)
        .reverse()
        .map(([x, y]): [number, number] => [-x, -y]),
    );
  return points;
}

function fitStretch(points: readonly (readonly [number, number])[]): Fit {
  const high = points[points.length - 1][0];
  const scale = high / REACH.stretch;
  const [below, above] = CELLS.stretch;
  const low = (-high * below) / above;
  const knots = [-FAR.stretch, ...evenly(low, 0, below), ...evenly(0, high, above), high, high + FAR.stretch];
  return { scale, curve: integrate(points, knots, 0, scale) };
}

function fitOdd(points: readonly (readonly [number, number])[], natural: number, kind: "shear" | "bend"): Fit {
  const reach = Math.max(points[points.length - 1][0], -points[0][0]);
  const scale = (Math.abs(natural) + reach) / REACH.other;
  const [below, above] = CELLS[kind];
  const far = kind === "shear" ? FAR.shear : FAR.bend * (reach + Math.abs(natural));
  const knots = [-reach - far, ...evenly(-reach, 0, below), ...evenly(0, reach, above), reach, reach + far];
  return { scale, curve: integrate(points, knots, natural, scale) };
}

/** Evenly spaced numbers from `a` on, without `b`. */
function evenly(a: number, b: number, cells: number): number[] {
  return Array.from({ length: cells }, (_, i) => a + ((b - a) * i) / cells);
}

/** ∫ σ at the knots x, which are moved by `natural` and scaled afterwards. */
function integrate(
  points: readonly (readonly [number, number])[],
  x: readonly number[],
  natural: number,
  scale: number,
): HylcCurve {
  const slopes = x.map((place) => linear(points, place));
  const zero = x.indexOf(0);
  const values = new Array<number>(x.length).fill(0);
  for (let i = zero + 1; i < x.length; i++) values[i] = values[i - 1] + workOf(i);
  for (let i = zero - 1; i >= 0; i--) values[i] = values[i + 1] - workOf(i + 1);
  return { knots: x.map((place) => (place + natural) / scale), values, slopes: slopes.map((slope) => slope * scale) };

  /** Energy from knot i − 1 to i. A cubic's force increases if its mean is in the middle third between its ends. */
  function workOf(i: number): number {
    const [a, b] = [x[i - 1], x[i]];
    const inside = points.map(([place]) => place).filter((place) => place > a && place < b);
    const places = [a, ...inside, b];
    let work = 0;
    for (let k = 1; k < places.length; k++)
      work += 0.5 * (places[k] - places[k - 1]) * (linear(points, places[k]) + linear(points, places[k - 1]));
    const [from, to] = [slopes[i - 1], slopes[i]];
    const mean = Math.min((from + 2 * to) / 3, Math.max((2 * from + to) / 3, work / (b - a)));
    return mean * (b - a);
  }
}

/** The curve, linear between its points, and continued with its last slopes. */
function linear(points: readonly (readonly [number, number])[], x: number): number {
  let i = 1;
  while (i < points.length - 1 && points[i][0] < x) i++;
  const [[x0, y0], [x1, y1]] = [points[i - 1], points[i]];
  return y0 + ((y1 - y0) * (x - x0)) / (x1 - x0);
}

/** Least second derivative of a curve by its scaled strain: at knots, as second derivatives are linear between them. */
function least({ knots, values, slopes }: HylcCurve): number {
  let lowest = Infinity;
  for (let i = 1; i < knots.length; i++) {
    const h = knots[i] - knots[i - 1];
    const mean = (values[i] - values[i - 1]) / h;
    const [a, b] = [slopes[i - 1], slopes[i]];
    lowest = Math.min(lowest, (6 * mean - 4 * a - 2 * b) / h, (2 * a + 4 * b - 6 * mean) / h);
  }
  return Math.max(0, lowest);
}

/** f = a u v, which a bicubic spline reproduces exactly, even outside its knots. */
function bilinear(pair: readonly [number, number], a: number): HylcSurface {
  const knots = [-1, 1];
  const grid = (f: (u: number, v: number) => number): number[] => knots.flatMap((v) => knots.map((u) => f(u, v) + 0));
  return {
    pair,
    uKnots: knots,
    vKnots: knots,
    values: grid((u, v) => a * u * v),
    uSlopes: grid((_, v) => a * v),
    vSlopes: grid((u) => a * u),
    twists: grid(() => a),
  };
}
