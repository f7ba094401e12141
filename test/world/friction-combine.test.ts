import { gpbdCloth } from "../../src/models/gpbd/cloth";
import { newtonCloth } from "../../src/models/newton/newton-cloth";
import { describe, expect, it } from "vitest";
import { fabrics, gridMesh, type World } from "../../src/index";
import type { CombineMode } from "../../src/collision/obstacles/combine";
import { localGlobalCloth } from "../../src/models/local-global/local-global-fabric";
import { expectRefused } from "../refusal";
import { type BackendName, inWorld, run } from "./worlds";

const SLOPE = 0.8;
const gravity = 9.81 / Math.hypot(1, SLOPE);
const ownFriction = 1;
const friction = 0.25;
const coefficients: Readonly<Record<CombineMode, number>> = {
  "geometric-mean": 0.5,
  minimum: 0.25,
  maximum: 1,
  "arithmetic-mean": 0.625,
  multiply: 0.25,
};
const modes = Object.keys(coefficients) as CombineMode[];

const models = { gpbd: gpbdCloth, "local-global": localGlobalCloth, newton: newtonCloth };
type Solver = keyof typeof models;

function addPlate(world: World, place: "collider" | "body", z: number, frictionCombine: CombineMode): void {
  const shape = { type: "box", halfExtents: [5, 0.1, 0.45], center: [0, -0.1, z] } as const;
  if (place === "collider") world.addCollider(shape, { friction, frictionCombine });
  else world.addRigidBody({ motion: "static", shape, friction, frictionCombine });
}

/** Speeds down the slope, one sheet per mode [m/s]. */
async function speedsOf(world: World): Promise<number[]> {
  const means = world.bodies.map(async (body) => {
    const { velocities } = await body.readState();
    let sum = 0;
    for (let p = 0; p < body.particleCount; p++) sum += velocities[3 * p];
    return sum / body.particleCount;
  });
  return Promise.all(means);
}

describe("friction of a sheet on a slope", () => {
  it.each<[Solver, BackendName, "collider" | "body"]>([
    ["gpbd", "cpu", "collider"],
    ["gpbd", "cpu", "body"],
    ["gpbd", "webgpu", "collider"],
    ["local-global", "cpu", "collider"],
    ["local-global", "cpu", "body"],
    ["local-global", "webgpu", "collider"],
    ["newton", "cpu", "collider"],
    ["newton", "cpu", "body"],
  ])("combines as its obstacle says: %s, %s, %s", async (solver, backend, on) => {
    await inWorld(backend, { gravity: [gravity * SLOPE, -gravity, 0] }, async (world) => {
      modes.forEach((mode, k) => {
        addPlate(world, on, k, mode);
        const grid = gridMesh({ width: 0.2, height: 0.2, columns: 2, rows: 2, center: [0, 0.004, k] });
        const model = models[solver]({ ...grid, fabric: { ...fabrics.denim, friction: ownFriction } });
        const air = solver === "newton" ? {} : { airDensity: 0 };
        world.addBody(model, { thickness: 0.004, bodyCollision: false, ...air });
      });
      run(world, 10);
      const before = await speedsOf(world);
      run(world, 15);
      const after = await speedsOf(world);
      modes.forEach((mode, k) => {
        const expected = Math.max(0, SLOPE - coefficients[mode]);
        expect((after[k] - before[k]) / (0.25 * gravity), mode).toBeCloseTo(expected, 1.5);
      });
    });
  });

  it("refuses a mode that there is not, and goes on", async () => {
    await inWorld("cpu", {}, async (world) => {
      const collider = world.addCollider({ type: "sphere", radius: 1 }, { frictionCombine: "multiply" });
      const refused = (): void => {
        collider.frictionCombine = "mean" as CombineMode;
      };
      expectRefused(refused, "invalid-argument", /frictionCombine.*mean/);
      expect(collider.frictionCombine).toBe("multiply");
    });
  });
});
