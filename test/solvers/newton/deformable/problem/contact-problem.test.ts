import { describe, expect, it } from "vitest";
import { DenseProblem } from "../../../../../src/solvers/newton/deformable/problem/dense-problem";

function randoms(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}

/** Contacts of bodies with each other and the ground at random points, and joint rows; masses from 0.1 to 10. */
function randomProblem(seed: number, contacts: number, rows: number, bodies: number): DenseProblem {
  const random = randoms(seed);
  const problem = new DenseProblem();
  problem.resize(contacts, rows);
  const { size } = problem;
  const inverseMass = Float64Array.from({ length: 6 * bodies }, () => 0);
  for (let b = 0; b < bodies; b++) inverseMass.fill(10 ** random(), 6 * b, 6 * b + 6);
  const free = inverseMass.map(() => random());
  const jacobian: Float64Array[] = [];
  for (let i = 0; i < size; i++) jacobian.push(new Float64Array(6 * bodies));
  const write = (row: number, body: number, sign: number, direction: readonly number[], arm: readonly number[]) => {
    for (let k = 0; k < 3; k++) {
      const [l, m] = [(k + 1) % 3, (k + 2) % 3];
      jacobian[row][6 * body + k] += sign * direction[k];
      jacobian[row][6 * body + 3 + k] += sign * (arm[l] * direction[m] - arm[m] * direction[l]);
    }
  };
  for (let c = 0; c < contacts + rows; c++) {
    const [a, b] = [c % bodies, Math.floor(bodies * (0.5 + 0.499 * random()))];
    const arms = [0, 1].map(() => [random(), random(), random()]);
    const axes = frame([random(), random(), random()]);
    const isContact = c < contacts;
    for (let d = 0; d < (isContact ? 3 : 1); d++) {
      const row = isContact ? 3 * c + d : 2 * contacts + c;
      write(row, a, 1, axes[d], arms[0]);
      // Every other one is with the ground.
      if (c % 2 === 1 && a !== b) write(row, b, -1, axes[d], arms[1]);
    }
  }
  for (let i = 0; i < size; i++) {
    for (let j = 0; j < size; j++) {
      let sum = 0;
      for (let k = 0; k < 6 * bodies; k++) sum += jacobian[i][k] * inverseMass[k] * jacobian[j][k];
      problem.matrix[i * size + j] = sum;
    }
    // Added as the solver adds it.
    problem.matrix[i * size + i] *= 1.01;
    for (let k = 0; k < 6 * bodies; k++) problem.bias[i] += jacobian[i][k] * free[k];
  }
  problem.friction.fill(0.6);
  for (let k = 0; k < rows; k++) {
    problem.compliance[k] = k % 2 === 0 ? 0 : 0.1;
    problem.lower[k] = k % 3 === 0 ? -0.1 : -Infinity;
    problem.upper[k] = -problem.lower[k];
  }
  return problem;
}

/** Three perpendicular unit vectors. */
function frame(v: readonly number[]): number[][] {
  const unit = (x: readonly number[]): number[] => x.map((value) => value / Math.hypot(...x));
  const n = unit(v);
  const t = unit([n[1] - n[2], n[2] - n[0], n[0] - n[1]]);
  return [n, t, [n[1] * t[2] - n[2] * t[1], n[2] * t[0] - n[0] * t[2], n[0] * t[1] - n[1] * t[0]]];
}

describe("the contact problem of an island", () => {
  it.each([
    [1, 0, 1],
    [8, 0, 4],
    [8, 4, 6],
    [12, 3, 3],
    [20, 0, 5],
  ])(
    "of %s contacts and %s joint rows between %s bodies ends with impulses that obey Signorini and Coulomb",
    (n, m, bodies) => {
      for (let seed = 1; seed <= 6; seed++) {
        const problem = randomProblem(seed, n, m, bodies);
        problem.solve(60, 1e-9, 1e-6);
        const { p, speed, size, matrix } = problem;
        // v = b + W p, by any path
        for (let i = 0; i < size; i++) {
          let v = problem.bias[i];
          for (let j = 0; j < size; j++) v += matrix[i * size + j] * p[j];
          expect(Math.abs(v - speed[i])).toBeLessThan(1e-6);
        }
        for (let c = 0; c < n; c++) {
          const i = 3 * c;
          expect(p[i]).toBeGreaterThan(-1e-7);
          expect(speed[i]).toBeGreaterThan(-1e-7);
          expect(Math.abs(p[i] * speed[i])).toBeLessThan(1e-6);
          const friction = Math.hypot(p[i + 1], p[i + 2]);
          const slip = Math.hypot(speed[i + 1], speed[i + 2]);
          expect(friction).toBeLessThan(0.6 * p[i] + 1e-7);
          if (slip < 1e-6) continue;
          // sliding: full friction, against the direction of motion
          expect(Math.abs(friction - 0.6 * p[i])).toBeLessThan(1e-6);
          expect(p[i + 1] * speed[i + 1] + p[i + 2] * speed[i + 2]).toBeLessThan(-(1 - 1e-6) * friction * slip + 1e-6);
        }
        for (let k = 0; k < m; k++) {
          const i = 3 * n + k;
          const g = speed[i] + problem.compliance[k] * p[i];
          expect(p[i]).toBeLessThanOrEqual(problem.upper[k] + 1e-7);
          expect(p[i]).toBeGreaterThanOrEqual(problem.lower[k] - 1e-7);
          if (p[i] > problem.lower[k] + 1e-6 && p[i] < problem.upper[k] - 1e-6) expect(Math.abs(g)).toBeLessThan(1e-6);
        }
      }
    },
  );

  it("takes a handful of steps, not sweeps, and the last ones converge quadratically", () => {
    const residuals: number[] = [];
    for (let iterations = 0; iterations < 14; iterations++) {
      const problem = randomProblem(5, 16, 0, 10);
      problem.solve(iterations, 0, 1e-12);
      residuals.push(problem.merit);
    }
    expect(Math.min(...residuals)).toBeLessThan(1e-9 * residuals[0]);
  });
});
