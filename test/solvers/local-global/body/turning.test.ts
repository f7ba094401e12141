import fc from "fast-check";
import { expect, it } from "vitest";
import { boxTetrahedra, solidModel } from "../../../../src/index";
import { BodySystem } from "../../../../src/solvers/local-global/body/body-system";
import { PinSolver } from "../../../../src/solvers/local-global/body/pin-solver";
import { Turning } from "../../../../src/solvers/local-global/body/turning";

const moment = fc.tuple(...[0, 1, 2].map(() => fc.double({ min: -1, max: 1, noNaN: true })));
const scale = fc.integer({ min: -6, max: 12 });

it("turns a stiff body by moments of any size without stretching it", () => {
  const model = solidModel({
    solver: "local-global",
    ...boxTetrahedra({ size: [0.3, 0.2, 0.1], cells: [2, 1, 1] }),
    material: { youngsModulus: 1e9, poissonRatio: 0.3, density: 1000 },
  });
  const x = model.restPositions;
  const system = new BodySystem(model, 1 / 60);
  const size = x.length;
  const distance = (q: Float64Array, a: number, b: number): number =>
    Math.hypot(q[a] - q[b], q[a + 1] - q[b + 1], q[a + 2] - q[b + 2]);
  fc.assert(
    fc.property(fc.array(fc.tuple(moment, scale), { minLength: 1, maxLength: 6 }), (moments) => {
      const turning = new Turning(size);
      turning.build(system, new PinSolver(), Float64Array.from(x));
      const y = new Float64Array(size);
      for (const [m, exponent] of moments) {
        turning.turn(
          Float64Array.from(m, (value) => value * 10 ** exponent),
          y,
        );
        turning.close(y);
      }
      const q = new Float64Array(size);
      system.inverse.backward(y, q);
      for (let i = 0; i < size; i++) q[i] += x[i];
      for (let a = 0; a < size; a += 3)
        for (let b = 0; b < a; b += 3) expect(distance(q, a, b) / distance(x, a, b)).toBeCloseTo(1, 3);
    }),
    { numRuns: 50 },
  );
});
