import { packed } from "../../../materials/hylc/pack";

/**
 * A packed table (`packHylc`) as the WGSL wants it (shaders/gpbd/hylc/splines.wgsl): for every cell between knots, and those
 * outside of them, the coefficients of a cubic in its local coordinate. In f64, then rounded once.
 */
export function gpuHylcTable(m: ArrayLike<number>): Float32Array<ArrayBuffer> {
  const surfaces = m[packed.surfaceCount];
  const out: number[] = [];
  for (let k = 0; k < 5; k++) out.push(1 / m[packed.scale + k]);
  out.push(surfaces, ...new Array<number>(5 + 3 * surfaces).fill(0));
  for (let k = 0; k < 5; k++) {
    out[6 + k] = out.length;
    addCurve(m, m[packed.curves + k], out);
  }
  for (let i = 0; i < surfaces; i++) {
    const at = packed.surfaces + 3 * i;
    out.splice(11 + 3 * i, 3, m[at], m[at + 1], out.length);
    addSurface(m, m[at + 2], out);
  }
  return Float32Array.from(out);
}

/** Value and slope at both knots of a cell, slopes by the local coordinate, and the cubic's coefficients. */
function cubic([p0, m0, p1, m1]: readonly number[]): number[] {
  return [p0, m0, 3 * (p1 - p0) - 2 * m0 - m1, 2 * (p0 - p1) + m0 + m1];
}

/** The knots of an axis, and the rates dt/dx of the cells around them: 1 outside. */
function axis(m: ArrayLike<number>, at: number, count: number): { knots: number[]; rates: number[] } {
  const knots = Array.from({ length: count }, (_, i) => m[at + i]);
  const rates = [1, ...knots.slice(1).map((knot, i) => 1 / (knot - knots[i])), 1];
  return { knots, rates };
}

/** The knots of a cell, and whether it is outside of them. */
function ends(cell: number, count: number): { first: number; second: number; outside: boolean } {
  const outside = cell === 0 || cell === count;
  const first = Math.max(cell, 1) - 1;
  return { first, second: outside ? first : first + 1, outside };
}

function addCurve(m: ArrayLike<number>, at: number, out: number[]): void {
  const count = m[at];
  const { knots, rates } = axis(m, at + 1, count);
  out.push(count, ...knots, ...rates);
  const [value, slope] = [at + 1 + count, at + 1 + 2 * count];
  rates.forEach((rate, cell) => {
    const { first, second, outside } = ends(cell, count);
    if (outside) out.push(m[value + first], m[slope + first], 0, 0);
    else out.push(...cubic([m[value + first], m[slope + first] / rate, m[value + second], m[slope + second] / rate]));
  });
}

function addSurface(m: ArrayLike<number>, at: number, out: number[]): void {
  const [nu, nv] = [m[at], m[at + 1]];
  const u = axis(m, at + 2, nu);
  const v = axis(m, at + 2 + nu, nv);
  out.push(nu, nv, ...u.knots, ...u.rates, ...v.knots, ...v.rates);
  const values = at + 2 + nu + nv;
  const count = nu * nv;
  /** Coefficients in u of the list `part` (values or ∂v) along the row of v knot j. */
  const alongU = (cell: number, j: number, part: 0 | 2): number[] => {
    const { first, second, outside } = ends(cell, nu);
    const place = (i: number, slope: number): number => m[values + (part + slope) * count + j * nu + i];
    if (outside) return [place(first, 0), place(first, 1), 0, 0];
    const rate = u.rates[cell];
    return cubic([place(first, 0), place(first, 1) / rate, place(second, 0), place(second, 1) / rate]);
  };
  v.rates.forEach((rate, row) => {
    const { first, second, outside } = ends(row, nv);
    u.rates.forEach((_, cell) => {
      const [p0, m0] = [alongU(cell, first, 0), alongU(cell, first, 2)];
      const [p1, m1] = [alongU(cell, second, 0), alongU(cell, second, 2)];
      const columns = p0.map((value, i) =>
        outside ? [value, m0[i], 0, 0] : cubic([value, m0[i] / rate, p1[i], m1[i] / rate]),
      );
      for (let j = 0; j < 4; j++) for (let i = 0; i < 4; i++) out.push(columns[i][j]);
    });
  });
}
