import { describe, expect, it } from "vitest";
import { boxTetrahedra, solidModel } from "../../src/index";
import { solidLaws } from "../../src/materials/solid-material";
import { backends, inWorld } from "./worlds";

const GRAVITY = 9.81;
/** Young's modulus relative to the pressure of the impact, ρ v²: from crushed flat to hardly deformed. */
const STIFFNESS = [0.005, 0.05, 1];
const DENSITY = 1000;
const FRAMES = { cpu: 36, webgpu: 18 };

describe.each(backends)("soft cubes thrown at the ground with the default options: %s", (backend) => {
  it.each(solidLaws)("%s gains no energy, whatever its size and speed", async (model) => {
    const throws = STIFFNESS.map((part, k) => ({ part, size: [0.1, 1, 10][k], speed: [13, 40, 5][k] }));
    for (const { part, size, speed } of backend === "cpu" ? throws : throws.slice(1, 2)) {
      const label = JSON.stringify({ part, size, speed });
      await inWorld(backend, {}, async (world) => {
        const half = 100 * size;
        world.addCollider({ type: "box", halfExtents: [half, half, half] }, { position: [0, -half, 0] });
        const mesh = boxTetrahedra({ size: [size, size, size], cells: [3, 3, 3] });
        const positions = mesh.positions.map((x, i) => (i % 3 === 1 ? x + 0.55 * size : x));
        const material = { youngsModulus: part * DENSITY * speed * speed, poissonRatio: 0.4, density: DENSITY, model };
        const body = world.addBody(solidModel({ positions, tetrahedra: mesh.tetrahedra, material }));
        body.writeState({ positions, velocities: positions.map((_, i) => [0.3 * speed, -speed, 0][i % 3]) });
        const energy = async (): Promise<number> => {
          const { positions: x, velocities: v } = await body.readState();
          return body.model.masses.reduce((sum, m, p) => {
            const squared = v[3 * p] ** 2 + v[3 * p + 1] ** 2 + v[3 * p + 2] ** 2;
            return sum + m * (0.5 * squared + GRAVITY * x[3 * p + 1]);
          }, 0);
        };
        const given = await energy();
        for (let frame = 1; frame <= FRAMES[backend]; frame++) {
          world.step(1 / 60);
          if (frame % 3 === 0) expect(await energy(), label).toBeLessThan(1.02 * given);
        }
      });
    }
  });
});
