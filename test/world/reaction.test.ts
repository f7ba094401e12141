import { describe, expect, it } from "vitest";
import type { Collider, DeformableBody } from "../../src/index";
import { gridCloth } from "./cloths";
import { backends, frameTime, inWorld } from "./worlds";

const gravity = -9.81;

/** Linear and angular momentum (about the origin) of a body. */
async function momentum(body: DeformableBody): Promise<number[]> {
  const { positions: x, velocities: v } = await body.readState();
  const sum = new Array<number>(6).fill(0);
  body.model.masses.forEach((m, p) => {
    const [px, py, pz] = [x[3 * p], x[3 * p + 1], x[3 * p + 2]];
    const [vx, vy, vz] = [m * v[3 * p], m * v[3 * p + 1], m * v[3 * p + 2]];
    [vx, vy, vz, py * vz - pz * vy, pz * vx - px * vz, px * vy - py * vx].forEach((value, i) => (sum[i] += value));
  });
  return sum;
}

function taken(collider: Collider): Float64Array {
  const out = new Float64Array(6);
  collider.takeReactionToRef(out);
  return out;
}

describe.each(backends)("reactions on %s", (backend) => {
  it.each([false, true])("are what the cloth lost, with faces tested: %s", (faceContacts) =>
    inWorld(backend, {}, async (world) => {
      const model = gridCloth({ width: 0.6, height: 0.5, columns: 9, rows: 8, center: [0.03, 0.16, 0.02] });
      const ball = world.addCollider({ type: "sphere", radius: 0.1 }, { reactive: true });
      // thin: faces meet it between their vertices
      const pole = world.addCollider(
        { type: "capsule", pointA: [0.2, -1, 0.13], pointB: [0.2, 0.14, 0.13], radius: 0.01 },
        { reactive: true },
      );
      const body = world.addBody(model, { faceContacts, airDensity: 0, damping: 0, substeps: 8 });
      let mass = 0;
      for (const m of model.masses) mass += m;
      const given = new Float64Array(6);
      let onPole = 0;
      const frames = 20;
      for (let frame = 0; frame < frames; frame++) {
        ball.setPose([0, 0.002 * frame, 0]);
        world.step(frameTime);
        await world.settled();
        const onBall = taken(ball);
        const more = taken(pole);
        onPole += Math.hypot(more[0], more[1], more[2]);
        onBall.forEach((value, i) => (given[i] += value + more[i]));
      }
      const now = await momentum(body);
      const weight = mass * gravity * frames * frameTime;
      expect(-given[1]).toBeGreaterThan(0.3 * Math.abs(weight));
      const tolerance = (backend === "cpu" ? 1e-10 : 2e-5) * Math.abs(weight);
      expect(Math.abs(now[0] + given[0])).toBeLessThan(tolerance);
      expect(Math.abs(now[1] + given[1] - weight)).toBeLessThan(tolerance);
      expect(Math.abs(now[2] + given[2])).toBeLessThan(tolerance);
      if (faceContacts) expect(onPole).toBeGreaterThan(1e-3 * Math.abs(weight));
    }),
  );

  it("turn what they push, too", () =>
    inWorld(backend, { gravity: [0, 0, 0] }, async (world) => {
      const model = gridCloth({ width: 0.4, height: 0.4, columns: 9, rows: 9, center: [0, 0.106, 0] });
      // it comes up below a corner
      const ball = world.addCollider({ type: "sphere", radius: 0.1, center: [0.15, 0, 0.1] }, { reactive: true });
      const body = world.addBody(model, { airDensity: 0, damping: 0, substeps: 16, method: "gauss-seidel" });
      const given = new Float64Array(6);
      for (let frame = 1; frame <= 10; frame++) {
        ball.setPose([0, 0.01 * frame, 0]);
        world.step(frameTime);
        await world.settled();
        taken(ball).forEach((value, i) => (given[i] += value));
      }
      const now = await momentum(body);
      const turn = Math.hypot(now[3], now[4], now[5]);
      expect(turn).toBeGreaterThan(1e-4);
      for (let i = 3; i < 6; i++) expect(Math.abs(now[i] + given[i])).toBeLessThan(0.02 * turn);
    }));

  it("are not counted for colliders that do not ask", () =>
    inWorld(backend, {}, async (world) => {
      const ball = world.addCollider({ type: "sphere", radius: 0.1 });
      const model = gridCloth({ width: 0.4, height: 0.4, columns: 5, rows: 5, center: [0, 0.102, 0] });
      world.addBody(model, { substeps: 4 });
      for (let frame = 0; frame < 5; frame++) world.step(frameTime);
      await world.settled();
      expect(Array.from(taken(ball))).toEqual([0, 0, 0, 0, 0, 0]);
    }));
});
