import { checkAllFinite, checkFinite, checkPositive } from "../../checks";
import { invalid, unsupported } from "../../errors";

/**
 * An energy table of homogenized yarn-level cloth (HYLC: Sperl, Narain and Wojtan 2020), which paper 1 uses in section
 * 4.2: splines of the in-plane strains (22) and of the principal curvatures. `hylcDensity` explains their meaning.
 *
 * Strains are numbered 0 s_x, 1 s_a, 2 s_y, 3 curvature along x, 4 along y; x is the warp (u), y the weft (v).
 */
export interface HylcTable {
  /** mass per area [kg/m²] */
  readonly areaDensity: number;
  /** c₀ … c₄: splines are functions of strain divided by scale; c₃ and c₄ in 1/m */
  readonly strainScale: readonly number[];
  /** fₖ, k = 0 … 4 [J/m²] */
  readonly curves: readonly HylcCurve[];
  /** f_kl, one for each of `hylcPairs` [J/m²] */
  readonly surfaces: readonly HylcSurface[];
  /** energy of flat cloth at rest [J/m²]; no force depends on it */
  readonly constant: number;
}

/** A cubic Hermite spline. */
export interface HylcCurve {
  /** scaled strain, increasing */
  readonly knots: ArrayLike<number>;
  /** f at the knots */
  readonly values: ArrayLike<number>;
  /** df/dt at the knots */
  readonly slopes: ArrayLike<number>;
}

/** A bicubic Hermite spline f(u, v); entry v · (u knots) + u belongs to a pair of knots. */
export interface HylcSurface {
  /** numbers of the strains u and v */
  readonly pair: readonly [number, number];
  readonly uKnots: ArrayLike<number>;
  readonly vKnots: ArrayLike<number>;
  readonly values: ArrayLike<number>;
  /** ∂f/∂u, ∂f/∂v, ∂²f/∂u∂v */
  readonly uSlopes: ArrayLike<number>;
  readonly vSlopes: ArrayLike<number>;
  readonly twists: ArrayLike<number>;
}

/** The strains that two-dimensional terms couple; the two curvatures are not coupled. */
export const hylcPairs: readonly (readonly [number, number])[] = [
  [0, 1],
  [0, 2],
  [0, 3],
  [0, 4],
  [1, 2],
  [1, 3],
  [1, 4],
  [2, 3],
  [2, 4],
];

/**
 * Reads a table in the format of the HYLC code:
 *
 *     { "density", "strain scale": [c0 … c4], "coeffs": { "const",
 *       "1D": [{ "k", "t", "p", "m" } × 5], "2D": [{ "k0", "k1", "tu", "tv", "p", "mu", "mv", "muv" } × 9] } }
 *
 * with knots t, values p, slopes m, and in two dimensions [v · (u knots) + u].
 *
 * @param source the text of the file, or the parsed object
 * @throws PliantError `invalid-argument` for other texts: missing or duplicate terms, lists of different lengths, knots
 * that do not increase, a density or a scale that is not positive; `non-finite` for numbers that are not finite;
 * `unsupported` for an extrapolation that is not linear
 */
export function readHylcTable(source: string | object, object = "HYLC table"): HylcTable {
  const root = record(object, typeof source === "string" ? parseJson(object, source) : source);
  const coefficients = record(`${object}.coeffs`, root.coeffs);
  for (const owner of [root, coefficients])
    if (owner.ext !== undefined && owner.ext !== 0)
      throw unsupported(`${object}.ext`, owner.ext, "must be absent or 0, linear extrapolation");
  const table: HylcTable = {
    areaDensity: number(`${object}.density`, root.density),
    strainScale: numbers(`${object}["strain scale"]`, root["strain scale"]),
    constant: coefficients.const === undefined ? 0 : number(`${object}.coeffs.const`, coefficients.const),
    curves: inOrder(
      `${object}.coeffs["1D"]`,
      coefficients["1D"],
      ["k"],
      [0, 1, 2, 3, 4].map((k) => [k]),
    ).map(({ item, name }) => ({
      knots: numbers(`${name}.t`, item.t),
      values: numbers(`${name}.p`, item.p),
      slopes: numbers(`${name}.m`, item.m),
    })),
    surfaces: inOrder(`${object}.coeffs["2D"]`, coefficients["2D"], ["k0", "k1"], hylcPairs).map(
      ({ item, name }, i) => ({
        pair: hylcPairs[i],
        uKnots: numbers(`${name}.tu`, item.tu),
        vKnots: numbers(`${name}.tv`, item.tv),
        values: numbers(`${name}.p`, item.p),
        uSlopes: numbers(`${name}.mu`, item.mu),
        vSlopes: numbers(`${name}.mv`, item.mv),
        twists: numbers(`${name}.muv`, item.muv),
      }),
    ),
  };
  validateHylcTable(table, object);
  return table;
}

/** The text that `readHylcTable` reads. */
export function writeHylcTable(table: HylcTable): string {
  const list = (values: ArrayLike<number>): number[] => Array.from(values);
  return JSON.stringify({
    density: table.areaDensity,
    "strain scale": list(table.strainScale),
    "strain shift": [1, 0, 1, 0, 0],
    coeffs: {
      const: table.constant,
      "1D": table.curves.map((c, k) => ({ k, t: list(c.knots), p: list(c.values), m: list(c.slopes) })),
      "2D": table.surfaces.map((s) => ({
        k0: s.pair[0],
        k1: s.pair[1],
        tu: list(s.uKnots),
        tv: list(s.vKnots),
        p: list(s.values),
        mu: list(s.uSlopes),
        mv: list(s.vSlopes),
        muv: list(s.twists),
      })),
    },
  });
}

/** @throws PliantError as `readHylcTable`, with the term, the place in it, and the rule */
export function validateHylcTable(table: HylcTable, object = "HYLC table"): void {
  checkPositive(table.areaDensity, `${object}.areaDensity`);
  exactly(`${object}.strainScale`, table.strainScale, 5);
  table.strainScale.forEach((scale, k) => checkPositive(scale, `${object}.strainScale[${k}]`));
  checkFinite(table.constant, `${object}.constant`);
  exactly(`${object}.curves`, table.curves, 5);
  table.curves.forEach((curve, k) => {
    const name = `${object} curve ${k}`;
    increasing(`${name}.knots`, curve.knots);
    for (const key of ["values", "slopes"] as const) finite(`${name}.${key}`, curve[key], curve.knots.length);
  });
  exactly(`${object}.surfaces`, table.surfaces, hylcPairs.length);
  table.surfaces.forEach((surface, i) => {
    const name = `${object} surface ${hylcPairs[i].join("-")}`;
    if (surface.pair[0] !== hylcPairs[i][0] || surface.pair[1] !== hylcPairs[i][1])
      throw invalid(`${name}.pair`, surface.pair, `must be ${hylcPairs[i].join(", ")}`);
    increasing(`${name}.uKnots`, surface.uKnots);
    increasing(`${name}.vKnots`, surface.vKnots);
    const count = surface.uKnots.length * surface.vKnots.length;
    for (const key of ["values", "uSlopes", "vSlopes", "twists"] as const)
      finite(`${name}.${key}`, surface[key], count);
  });
}

/** The items in the order of the wanted keys; each key must occur once. */
function inOrder(
  object: string,
  value: unknown,
  keys: readonly string[],
  wanted: readonly (readonly number[])[],
): { item: Readonly<Record<string, unknown>>; name: string }[] {
  if (!Array.isArray(value)) throw invalid(object, value, "must be a list");
  const labels = value.map((item: unknown, i) => {
    const fields = record(`${object}[${i}]`, item);
    return keys.map((key) => fields[key]).join("-");
  });
  const known = wanted.map((key) => key.join("-"));
  labels.forEach((label, i) => {
    if (!known.includes(label) || labels.indexOf(label) !== i)
      throw invalid(`${object}[${i}]`, label, `must be each of ${known.join(", ")} once`);
  });
  return known.map((label) => {
    const at = labels.indexOf(label);
    if (at < 0) throw invalid(object, labels, `lacks the term ${label}`);
    return { item: record(object, value[at]), name: `${object}[${at}]` };
  });
}

function parseJson(object: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw invalid(object, text.slice(0, 40), `must be JSON (${why})`);
  }
}

function record(object: string, value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw invalid(object, value, "must be an object");
  return value as Readonly<Record<string, unknown>>;
}

function number(object: string, value: unknown): number {
  if (typeof value !== "number") throw invalid(object, value, "must be a number");
  return value;
}

function numbers(object: string, value: unknown): number[] {
  if (!Array.isArray(value)) throw invalid(object, value, "must be a list of numbers");
  return value.map((entry: unknown, i) => number(`${object}[${i}]`, entry));
}

function exactly(object: string, values: { readonly length: number }, count: number): void {
  if (values.length !== count) throw invalid(object, values.length, `must have ${count} entries`);
}

function finite(object: string, values: ArrayLike<number>, count: number): void {
  exactly(object, values, count);
  checkAllFinite(values, object);
}

function increasing(object: string, knots: ArrayLike<number>): void {
  if (knots.length < 2) throw invalid(object, knots.length, "must have two knots at least");
  finite(object, knots, knots.length);
  for (let i = 1; i < knots.length; i++)
    if (!(knots[i] > knots[i - 1]))
      throw invalid(`${object}[${i}]`, knots[i], "must be larger than the knot before it");
}
