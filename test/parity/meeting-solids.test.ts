import { expect, it } from "vitest";
import { boxTetrahedra, solidModel } from "../../src/index";
import { norm } from "../../src/math/vectors";
import { expectWithin } from "../figures";
import { tilted } from "../world/tilted";
import { frameTime, inWorld, type BackendName } from "../world/worlds";

const SPEED = 10;

/** Two soft cubes of unlike mass that fly at each other. @returns velocities [m/s] and momentum [kg m/s] after 4 frames */
async function meet(backend: BackendName | "reference"): Promise<{ velocities: number[]; momentum: number[] }> {
  return inWorld(backend, { gravity: [0, 0, 0] }, async (world) => {
    const bodies = [300, 1000].map((density, k) => {
      const { positions, tetrahedra } = boxTetrahedra({ size: [1, 1, 1], cells: [2, 2, 2] });
      const places = tilted(positions, 0.3 + 0.2 * k).map((value, i) => value + k * [0.1, 1.62, -0.15][i % 3]);
      const material = { youngsModulus: 1e5, poissonRatio: 0.4, density };
      const body = world.addBody(solidModel({ positions: places, tetrahedra, material }));
      body.writeState({ positions: places, velocities: places.map((_, i) => [0, (1 - 2 * k) * SPEED, 0][i % 3]) });
      return body;
    });
    for (let frame = 0; frame < 4; frame++) {
      world.step(frameTime);
      await world.settled();
    }
    const momentum = [0, 0, 0];
    const velocities: number[] = [];
    for (const body of bodies)
      (await body.readState()).velocities.forEach((speed, i) => {
        velocities.push(speed);
        momentum[i % 3] += body.model.masses[Math.floor(i / 3)] * speed;
      });
    return { velocities, momentum };
  });
}

it("particles that surfaces hold share their momentum as in f64", { timeout: 300_000 }, async () => {
  const [expected, { velocities, momentum }] = [await meet("reference"), await meet("webgpu")];
  const worst = Math.max(...velocities.map((speed, i) => Math.abs(speed - expected.velocities[i])));
  // A held particle that keeps its momentum to itself is up to 7 m/s faster.
  expectWithin("velocities of meeting solids, webgpu against f64 [m/s]", worst, 1.5);
  const change = norm(momentum.map((value, c) => value - [0, -700 * SPEED, 0][c]));
  expect(change / (1300 * SPEED)).toBeLessThan(1e-3);
});
