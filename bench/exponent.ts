import { labelText } from "./contestant";
import type { Row } from "./rows";

/** Growth of a frame's time with the number of triangles: time ∝ triangles^exponent. */
export interface Growth {
  readonly scene: string;
  readonly contestant: string;
  readonly settings: string;
  readonly sizes: readonly number[];
  readonly exponent: number;
}

/** Slope of the straight line through (ln x, ln y) by least squares; NaN for fewer than two different x. */
export function fitExponent(x: readonly number[], y: readonly number[]): number {
  const [u, v] = [x.map(Math.log), y.map(Math.log)];
  const [meanU, meanV] = [mean(u), mean(v)];
  let [covariance, variance] = [0, 0];
  for (let i = 0; i < u.length; i++) {
    covariance += (u[i] - meanU) * (v[i] - meanV);
    variance += (u[i] - meanU) ** 2;
  }
  return covariance / variance;
}

/** Growth of every contestant that ran one scene with the same settings at several sizes. */
export function growths(rows: readonly Row[]): Growth[] {
  const found = new Map<string, Row[]>();
  for (const row of rows) {
    const key = JSON.stringify([row.scene, labelText(row), row.settings]);
    found.set(key, [...(found.get(key) ?? []), row]);
  }
  return [...found.values()].flatMap((group) => {
    const sizes = group.flatMap((row) => row.size ?? []);
    if (new Set(sizes).size < 2) return [];
    const exponent = fitExponent(
      group.map((row) => row.triangles),
      group.map((row) => row.msPerFrame),
    );
    const [{ scene, settings }] = group;
    return [{ scene, contestant: labelText(group[0]), settings, sizes, exponent }];
  });
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
