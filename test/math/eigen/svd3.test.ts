import { expect, it } from "vitest";
import { determinant } from "../../../src/math/determinant";
import { singularValues } from "../../../src/math/eigen/svd3";

let state = 11;
const random = (): number => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return (state / 2 ** 32) * 2 - 1;
};

function check(f: number[], n: 2 | 3): Float64Array {
  const [u, sigma, v] = [new Float64Array(3 * n), new Float64Array(n), new Float64Array(n * n)];
  singularValues([9, ...f], 1, n, u, sigma, v);
  const size = Math.max(...f.map(Math.abs), 1e-300);
  for (let i = 0; i < 3; i++)
    for (let j = 0; j < n; j++) {
      let sum = 0;
      for (let k = 0; k < n; k++) sum += u[i * n + k] * sigma[k] * v[j * n + k];
      expect(Math.abs(sum - f[i * n + j])).toBeLessThan(1e-14 * size);
    }
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++) {
      let [uu, vv] = [0, 0];
      for (let k = 0; k < 3; k++) uu += u[k * n + i] * u[k * n + j];
      for (let k = 0; k < n; k++) vv += v[k * n + i] * v[k * n + j];
      expect(uu).toBeCloseTo(i === j ? 1 : 0, 12);
      expect(vv).toBeCloseTo(i === j ? 1 : 0, 12);
    }
  expect(sigma[0]).toBeGreaterThanOrEqual(Math.abs(sigma[1]));
  if (n === 3) {
    expect(determinant(u)).toBeCloseTo(1, 12);
    expect(determinant(v)).toBeCloseTo(1, 12);
    expect(sigma[1]).toBeGreaterThanOrEqual(Math.abs(sigma[2]));
  } else expect(v[0] * v[3] - v[1] * v[2]).toBeCloseTo(1, 12);
  return sigma;
}

it("takes matrices of all kinds apart", () => {
  for (let n = 0; n < 300; n++) {
    const scale = [1, 10 ** (20 * random()), 10 ** (6 * random())];
    check(
      Array.from({ length: 9 }, (_, i) => random() * scale[n % 2 === 0 ? 0 : i % 3]),
      3,
    );
    check(
      Array.from({ length: 6 }, () => random()),
      2,
    );
  }
});

it("copes with rotations, reflections and lost ranks", () => {
  expect([...check([1, 0, 0, 0, 1, 0, 0, 0, 1], 3)]).toEqual([1, 1, 1]);
  expect(check([0, 0, 1, 0, 1, 0, 1, 0, 0], 3)[2]).toBeCloseTo(-1, 14);
  expect([...check([0, 0, 0, 0, 0, 0, 0, 0, 0], 3)]).toEqual([0, 0, 0]);
  expect(check([1, 2, 3, 2, 4, 6, 3, 6, 9], 3)[1]).toBeCloseTo(0, 14);
  expect(check([1, 1, 0, 0, 1, 0, 0, 0, 0], 3)[2]).toBeCloseTo(0, 14);
  check([0, 0, 0, 0, 0, 0], 2);
  check([1, 2, 2, 4, 0, 0], 2);
});
