import { describe, expect, it } from "vitest";
import { chainModel } from "../../samples/chain";
import { RandomGeometry } from "../collision/random";
import { expectWithin } from "../figures";
import { backends, frameTime, inWorld, run } from "./worlds";

describe.each(backends)("hanging chain on %s", (backend) => {
  it.each([
    { links: backend === "cpu" ? 12 : 7, compliance: 2e-3, method: "gauss-seidel" },
    { links: 7, compliance: 2e-3, method: "jacobi" },
  ] as const)(
    "of $links links, $method, is as long as its closed form to 0.1 %",
    async ({ links, compliance, method }) => {
      await inWorld(backend, {}, async (world) => {
        const random = new RandomGeometry(111);
        const masses = Float64Array.from({ length: links + 1 }, () => random.between(0.05, 0.2));
        const lengths = Float64Array.from({ length: links }, () => random.between(0.05, 0.2));
        const positions = new Float64Array(3 * (links + 1));
        for (let p = 1; p <= links; p++) positions[3 * p + 1] = positions[3 * p - 2] - lengths[p - 1];
        const model = chainModel({ positions, masses, compliance });
        const body = world.addBody(model, {
          pins: [0],
          damping: 8,
          substeps: 20,
          iterations: 8,
          method,
          airDensity: 0,
        });
        run(world, 120);
        const { positions: x, velocities } = await body.readState();
        // Each link carries the part below it: its elongation is α g Σ m.
        let carried = 0;
        let [expected, worst] = [0, 0];
        for (let link = links - 1; link >= 0; link--) {
          carried += masses[link + 1];
          const elongation = compliance * carried * 9.81;
          expected += elongation;
          const found = x[3 * link + 1] - x[3 * link + 4] - lengths[link];
          worst = Math.max(worst, Math.abs(found / elongation - 1));
        }
        const found = -x[3 * links + 1] - lengths.reduce((sum, length) => sum + length, 0);
        expectWithin("elongation against the closed form, relative", Math.abs(found / expected - 1), 1e-3);
        expectWithin("elongation of each link, relative", worst, 3e-3);
        expect(Math.max(...Array.from(velocities, Math.abs))).toBeLessThan(1e-2);
      });
    },
  );

  it("of hard links does not stretch", async () => {
    await inWorld(backend, {}, async (world) => {
      const links = 6;
      const positions = Float64Array.from({ length: 3 * (links + 1) }, (_, i) => (i % 3 === 0 ? i / 30 : 0));
      const model = chainModel({ positions, masses: new Float64Array(links + 1).fill(0.1), compliance: 0 });
      const body = world.addBody(model, { pins: [0], damping: 1, substeps: 20, iterations: 6 });
      run(world, 40);
      const { positions: x } = await body.readState();
      for (let link = 0; link < links; link++) {
        const length = Math.hypot(...[0, 1, 2].map((c) => x[3 * link + 3 + c] - x[3 * link + c]));
        expectWithin("length of a hard link, relative", Math.abs(length / 0.1 - 1), 1e-2);
      }
    });
  });

  it("of one link swings as a pendulum does", async () => {
    await inWorld(backend, {}, async (world) => {
      const length = 0.5;
      const model = chainModel({ positions: [0, 0, 0, 0, -length, 0], masses: [1, 1], compliance: 0 });
      const body = world.addBody(model, { pins: [0], substeps: 40, iterations: 2 });
      const start = 0.1;
      body.writeState({ positions: [0, 0, 0, length * Math.sin(start), -length * Math.cos(start), 0] });
      // time of the first two passages through the middle: half a period apart
      const crossings: number[] = [];
      let [lastX, lastTime] = [start, 0];
      for (let frame = 0; frame < 100 && crossings.length < 2; frame++) {
        world.step(frameTime);
        const x = (await body.readState()).positions[3];
        if (lastX * x < 0) crossings.push(lastTime + (frameTime * lastX) / (lastX - x));
        [lastX, lastTime] = [x, world.time];
      }
      const period = 2 * Math.PI * Math.sqrt(length / 9.81) * (1 + start ** 2 / 16);
      expectWithin("period, relative", Math.abs((2 * (crossings[1] - crossings[0])) / period - 1), 0.01);
    });
  });
});
