import { describe, expect, it } from "vitest";
import { BoxedLcp, RowClass, naturalResidual } from "../../../src/articulated/lcp/problem";
import { LcpSolver } from "../../../src/articulated/lcp/solve";
import { OrthogonalFactor } from "../../../src/articulated/lcp/orthogonal";
import { Dantzig } from "../../../src/articulated/lcp/dantzig";
import { mulberry } from "../../../samples/random";

const random = mulberry(20);
const between = (low: number, high: number): number => low + (high - low) * random();

/** A = J Jᵀ and b = J v of random rows: contacts with two friction rows each, then rows with bounds of their own. */
function randomProblem(lcp: BoxedLcp): void {
  const contacts = 1 + Math.floor(8 * random());
  const plain = Math.floor(4 * random());
  const n = 3 * contacts + plain;
  const freedom = 1 + Math.floor(20 * random());
  const jacobian = Array.from({ length: n }, () => Array.from({ length: freedom }, () => between(-1, 1)));
  // Doubled contacts, and sometimes a row that moves nothing: both make A singular.
  if (random() < 0.4) for (let i = 3; i < 3 * contacts; i++) if (random() < 0.5) jacobian[i] = [...jacobian[i % 3]];
  if (random() < 0.1) jacobian[Math.floor(n * random())].fill(0);
  const velocity = jacobian[0].map(() => between(-1, 1));
  lcp.resize(n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) lcp.a[i * n + j] = jacobian[i].reduce((sum, x, k) => sum + x * jacobian[j][k], 0);
    lcp.b[i] = jacobian[i].reduce((sum, x, k) => sum + x * velocity[k], 0);
    lcp.findex[i] = -1;
    if (i < 3 * contacts) {
      const part = i % 3;
      if (part === 0) [lcp.lo[i], lcp.hi[i]] = [0, Infinity];
      else {
        lcp.findex[i] = i - part;
        lcp.hi[i] = part === 1 ? (random() < 0.1 ? 0 : between(0, 1.5)) : lcp.hi[i - 1];
        lcp.lo[i] = -lcp.hi[i];
      }
    } else {
      const equality = random() < 0.2;
      lcp.lo[i] = equality ? -Infinity : random() < 0.5 ? 0 : -random();
      lcp.hi[i] = equality || random() < 0.5 ? Infinity : random();
    }
  }
}

describe("boxed LCP", () => {
  it("is solved to 1e-9 in complementarity and feasibility, singular or not, 10,000 times", () => {
    const solver = new LcpSolver();
    const lcp = new BoxedLcp();
    let worst = 0;
    let singular = 0;
    for (let trial = 0; trial < 10_000; trial++) {
      randomProblem(lcp);
      solver.solve(lcp, false);
      worst = Math.max(worst, naturalResidual(lcp, lcp.f, lcp.w));
      if (solver.stabiliser.factor.rank < solver.stabiliser.count) singular++;
    }
    expect(worst).toBeLessThan(1e-9);
    expect(singular).toBeGreaterThan(1000);
    expect(solver.statistics.solved).toBe(10_000);
    expect(solver.statistics.softened).toBe(0);
    expect(solver.statistics.dantzig).toBeGreaterThan(9000);
  });

  it("needs no search when it comes with the right classes (where their shortest solution keeps the bounds), and gives the same answer", () => {
    const solver = new LcpSolver();
    const lcp = new BoxedLcp();
    for (let trial = 0; trial < 300; trial++) {
      randomProblem(lcp);
      if (solver.solve(lcp, false) === "softened") continue;
      const found = lcp.f.slice(0, lcp.n);
      for (let i = 0; i < lcp.n; i++) lcp.b[i] *= 1 + 1e-12;
      if (solver.solve(lcp, true) !== "guess") continue;
      found.forEach((force, i) => expect(lcp.f[i]).toBeCloseTo(force, 8));
    }
    expect(solver.statistics.hits).toBeGreaterThan(0.93 * solver.statistics.guessed);
  });

  it("shares the load evenly among equal contacts: the shortest of many solutions (A.1)", () => {
    const lcp = new BoxedLcp();
    lcp.resize(2);
    lcp.a.set([1, 1, 1, 1]);
    lcp.b.set([-3, -3]);
    lcp.lo.set([0, 0]);
    lcp.hi.set([Infinity, Infinity]);
    lcp.findex.set([-1, -1]);
    new LcpSolver().solve(lcp, false);
    expect(lcp.f[0]).toBeCloseTo(1.5, 12);
    expect(lcp.f[1]).toBeCloseTo(1.5, 12);
  });

  it("names the classes: pushing, leaving, just touching, and friction inside and at its bound", () => {
    const lcp = new BoxedLcp();
    const n = 5;
    lcp.resize(n);
    lcp.a.fill(0, 0, n * n);
    for (let i = 0; i < n; i++) lcp.a[i * n + i] = 1;
    lcp.b.set([-1, 2, 0, 0.3, -5]);
    lcp.lo.set([0, 0, 0, -0.5, -0.5]);
    lcp.hi.set([Infinity, Infinity, Infinity, 0.5, 0.5]);
    lcp.findex.set([-1, -1, -1, 0, 0]);
    new LcpSolver().solve(lcp, false);
    const { Clamping, Separating, Tied, Upper } = RowClass;
    expect([...lcp.classes.subarray(0, n)].map((c) => (c === Tied ? Separating : c))).toEqual([
      Clamping,
      Separating,
      Separating,
      Clamping,
      Upper,
    ]);
    expect([...lcp.f.subarray(0, n)]).toEqual([1, 0, 0, -0.3, 0.5]);
  });

  it("Dantzig alone solves boxes that stand still", () => {
    const lcp = new BoxedLcp();
    const dantzig = new Dantzig();
    const loads = new Float64Array(64).fill(0.3);
    for (let trial = 0; trial < 500; trial++) {
      randomProblem(lcp);
      expect(dantzig.solve(lcp, loads)).toBe(true);
      for (let i = 0; i < lcp.n; i++) {
        if (lcp.findex[i] < 0) continue;
        lcp.hi[i] *= 0.3;
        lcp.lo[i] = -lcp.hi[i];
        lcp.findex[i] = -1;
      }
      expect(naturalResidual(lcp, lcp.f, lcp.w)).toBeLessThan(1e-9);
    }
  });
});

describe("OrthogonalFactor", () => {
  it("has the four properties of the pseudo-inverse, of full and of lower rank", () => {
    for (let trial = 0; trial < 60; trial++) {
      const n = 1 + Math.floor(9 * random());
      const rank = trial % 3 === 0 ? n : Math.max(1, Math.floor(n * random()));
      const left = Array.from({ length: n * rank }, () => between(-1, 1));
      const right = Array.from({ length: n * rank }, () => between(-1, 1));
      const a = new Float64Array(n * n);
      for (let i = 0; i < n; i++)
        for (let j = 0; j < n; j++)
          for (let k = 0; k < rank; k++) a[i * n + j] += left[i * rank + k] * right[j * rank + k];
      const factor = new OrthogonalFactor();
      factor.factor(a, n);
      expect(factor.rank).toBe(rank);
      const inverse = new Float64Array(n * n);
      const transposed = new Float64Array(n * n);
      for (let j = 0; j < n; j++) {
        const unit = new Float64Array(n);
        unit[j] = 1;
        factor.solve(unit);
        unit.forEach((x, i) => (inverse[i * n + j] = x));
        const other = new Float64Array(n);
        other[j] = 1;
        factor.solveTransposed(other);
        other.forEach((x, i) => (transposed[j * n + i] = x));
      }
      const product = multiply(a, inverse, n);
      const back = multiply(inverse, a, n);
      expectClose(multiply(product, a, n), a);
      expectClose(multiply(back, inverse, n), inverse);
      expectClose(transpose(product, n), product);
      expectClose(transpose(back, n), back);
      expectClose(transposed, inverse);
      const x = Float64Array.from({ length: n }, () => between(-1, 1));
      const kernel = x.slice();
      factor.projectOnKernel(kernel);
      for (let i = 0; i < n; i++) {
        let sum = x[i];
        for (let j = 0; j < n; j++) sum -= back[i * n + j] * x[j];
        expect(kernel[i]).toBeCloseTo(sum, 8);
      }
    }
  });
});

function multiply(a: Float64Array, b: Float64Array, n: number): Float64Array {
  const out = new Float64Array(n * n);
  for (let i = 0; i < n; i++)
    for (let k = 0; k < n; k++) for (let j = 0; j < n; j++) out[i * n + j] += a[i * n + k] * b[k * n + j];
  return out;
}

function transpose(a: Float64Array, n: number): Float64Array {
  return a.map((_, at) => a[(at % n) * n + Math.floor(at / n)]);
}

function expectClose(a: Float64Array, b: Float64Array): void {
  const scale = Math.max(1, ...b.map(Math.abs));
  a.forEach((x, i) => expect(Math.abs(x - b[i]) / scale).toBeLessThan(1e-8));
}
