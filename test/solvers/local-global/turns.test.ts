import { afterEach, describe, expect, it, vi } from "vitest";
import {
  clothModel,
  type DeformableBody,
  fabrics,
  gridMesh,
  solidModel,
  boxTetrahedra,
  World,
} from "../../../src/index";
import { elasticEnergy } from "../../../src/solvers/local-global/body/energy";
import { GroupBody } from "../../../src/solvers/local-global/body/group-body";
import type { LocalGlobalModel } from "../../../src/solvers/local-global/model";
import { blockIn, spin } from "./bodies";

const h = 1 / 60;
const models = {
  sheet: (youngsModulus: number) => {
    const stretch = 1e-3 * youngsModulus;
    const fabric = { ...fabrics.denim, stretchWarp: stretch, stretchWeft: stretch, shear: 0.4 * stretch };
    return clothModel({
      solver: "local-global",
      ...gridMesh({ width: 0.4, height: 0.3, columns: 6, rows: 5 }),
      fabric,
    });
  },
  block: (youngsModulus: number) => {
    const material = { youngsModulus, poissonRatio: 0.3, density: 1000 };
    return solidModel({
      solver: "local-global",
      ...boxTetrahedra({ size: [0.4, 0.1, 0.3], cells: [4, 1, 3] }),
      material,
    });
  },
};
/** For each Young's modulus [Pa], the turns of a step that it can do with [rad]: a soft body is torn apart by more. */
const turns: readonly (readonly [number, readonly number[]])[] = [
  [1e3, [0.01, 0.1, 0.3]],
  [1e5, [0.01, 0.1, 0.3, 1]],
  [1e7, [0.01, 0.1, 0.3, 1]],
  [1e9, [0.01, 0.1, 0.3, 1]],
];

afterEach(() => {
  vi.restoreAllMocks();
});

describe.each(["sheet", "block"] as const)("a free %s that turns far in a step", (kind) => {
  it.each([3, 5, 10])(
    "has the energy that it had, and its angular momentum, with %i iterations",
    async (iterations) => {
      for (const [youngsModulus, angles] of turns)
        for (const angle of angles) {
          const world = await World.create({ backend: "cpu", gravity: [0, 0, 0] });
          const body = world.addBody(models[kind](youngsModulus), { iterations });
          turn(body, angle / h);
          const before = { spin: await spin(body), energy: await energyOf(body) };
          for (let frame = 0; frame < 10; frame++) {
            world.step(h);
            const name = `${youngsModulus} Pa, ${angle} rad, frame ${frame}`;
            expect(await energyOf(body), name).toBeLessThan(1.15 * before.energy);
            expect(Math.abs((await spin(body)) / before.spin - 1), name).toBeLessThan(1e-4);
          }
        }
    },
  );
});

it("takes the iterations that are asked for where these do, and at most four times as many", async () => {
  let count = 0;
  const { localStep } = GroupBody.prototype;
  vi.spyOn(GroupBody.prototype, "localStep").mockImplementation(function (this: GroupBody, ...rest) {
    count++;
    localStep.apply(this, rest);
  });
  const soft = await blockIn([0, -9.81, 0], { youngsModulus: 1e5 });
  soft.body.pin([0, 1, 2]);
  for (let frame = 0; frame < 20; frame++) soft.world.step(h);
  expect(count).toBe(5 * 20);

  count = 0;
  const stiff = await blockIn([0, 0, 0], { youngsModulus: 1e9 });
  turn(stiff.body, 0.5 / h);
  for (let frame = 0; frame < 20; frame++) stiff.world.step(h);
  expect(count).toBeGreaterThan(5 * 20);
  expect(count).toBeLessThanOrEqual(20 * 20);

  // without gravity a body at rest does not move at all, and rounding is no motion
  count = 0;
  const still = await blockIn([0, 0, 0], { youngsModulus: 1e9, center: [100, 7, 3] });
  for (let frame = 0; frame < 20; frame++) still.world.step(h);
  expect(count).toBe(5 * 20);
});

/** Spins it about an axis through the origin [rad/s]. */
function turn(body: DeformableBody, speed: number): void {
  const { positions } = body.model;
  const velocities = new Float64Array(positions.length);
  const [a, b, c] = [0.6 * speed, 0.64 * speed, 0.48 * speed];
  for (let i = 0; i < positions.length; i += 3) {
    const [x, y, z] = positions.subarray(i, i + 3);
    velocities[i] = b * z - c * y;
    velocities[i + 1] = c * x - a * z;
    velocities[i + 2] = a * y - b * x;
  }
  body.writeState({ positions: positions.slice(), velocities });
}

async function energyOf(body: DeformableBody): Promise<number> {
  const { positions, velocities } = await body.readState();
  let sum = elasticEnergy(body.model as LocalGlobalModel, positions);
  for (let i = 0; i < velocities.length; i++) sum += 0.5 * body.model.masses[Math.floor(i / 3)] * velocities[i] ** 2;
  return sum;
}
