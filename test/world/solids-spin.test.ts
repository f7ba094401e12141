import { describe, expect, it } from "vitest";
import { boxTetrahedra, solidModel, type DeformableBody, type Vec3 } from "../../src/index";
import { families } from "../../bench/stress/families/index";
import { drawScene } from "../../bench/stress/run";
import { subjectOf } from "../../bench/stress/subject";
import { inWorld } from "./worlds";

interface Sum {
  readonly turn: Vec3;
  readonly kinetic: number;
  /** Σ m |x| |v| */
  readonly scale: number;
}

async function look(bodies: readonly DeformableBody[]): Promise<Sum> {
  const turn: [number, number, number] = [0, 0, 0];
  let [kinetic, scale] = [0, 0];
  for (const body of bodies) {
    const { positions: x, velocities: v } = await body.readState();
    body.model.masses.forEach((m, p) => {
      const [i, j, k] = [3 * p, 3 * p + 1, 3 * p + 2];
      turn[0] += m * (x[j] * v[k] - x[k] * v[j]);
      turn[1] += m * (x[k] * v[i] - x[i] * v[k]);
      turn[2] += m * (x[i] * v[j] - x[j] * v[i]);
      kinetic += 0.5 * m * (v[i] ** 2 + v[j] ** 2 + v[k] ** 2);
      scale += m * Math.hypot(x[i], x[j], x[k]) * Math.hypot(v[i], v[j], v[k]);
    });
  }
  return { turn, kinetic, scale };
}

describe("solids that meet off their centers, with nothing around them", () => {
  it.each([
    { size: 1e-3, speed: 0.1, timeStep: 1 / 30, stiffness: 1e6, ratio: 2, aside: 0.2 },
    { size: 0.01, speed: 2, timeStep: 1 / 60, stiffness: 1e5, ratio: 30, aside: 0.4 },
    { size: 0.3, speed: 8, timeStep: 1 / 60, stiffness: 1e4, ratio: 0.1, aside: 0.6 },
    { size: 20, speed: 30, timeStep: 1 / 30, stiffness: 1e7, ratio: 1, aside: 0.5 },
  ])("keep their angular momentum: $size m, $speed m/s", async (run) => {
    const { size, speed, timeStep, stiffness, ratio, aside } = run;
    await inWorld("cpu", { gravity: [0, 0, 0] }, async (world) => {
      const bodies = [0, 1].map((k) => {
        const model = solidModel({
          ...boxTetrahedra({
            size: [size, size, size],
            cells: [1 + k, 1 + k, 1 + k],
            center: [aside * size * k, 1.2 * size * k, 0.3 * aside * size * k],
          }),
          material: { youngsModulus: stiffness, poissonRatio: 0.4, density: k === 0 ? 1000 : 1000 * ratio },
        });
        const body = world.addBody(model, { airDensity: 0 });
        const velocities = model.positions.map((_, i) => (i % 3 === 1 ? speed * (1 - 2 * k) : 0));
        body.writeState({ positions: model.positions, velocities });
        return body;
      });
      const before = await look(bodies);
      let slowest = before.kinetic;
      for (let frame = 0; frame < 6; frame++) {
        world.step(timeStep);
        const { turn, kinetic } = await look(bodies);
        const off = Math.hypot(...turn.map((value, c) => value - before.turn[c])) / before.scale;
        expect(off, `frame ${frame}`).toBeLessThan(2e-3);
        expect(kinetic).toBeLessThan(1.001 * before.kinetic);
        slowest = Math.min(slowest, kinetic);
      }
      expect(slowest, "they met").toBeLessThan(0.9 * before.kinetic);
    });
  });

  // The guard of the one took what it had got by its turn from the other for a gain, and slowed it down.
  it("keep their momentum if one is of another solver, and turns as it is hit", async () => {
    const subject = await subjectOf(
      drawScene(
        families.find(({ name }) => name === "solids")!,
        298,
      ),
      undefined,
    );
    try {
      const before = await subject.read();
      for (let frame = 0; frame < 7; frame++) await subject.step();
      const { momentum } = await subject.read();
      const off = Math.hypot(...momentum.map((value, c) => value - before.momentum[c]));
      expect(off / before.momentumScale).toBeLessThan(1e-9);
    } finally {
      subject.dispose();
    }
  });
});
