/** Steps of uneven length: what a long one leaves of depth and stretch must not become speed in a short one. */
import { describe, it } from "vitest";
import { clothModel, gridMesh, type World } from "../../src/index";
import { RandomGeometry } from "../collision/random";
import { expectWithin } from "../figures";
import { softEnergy } from "./soft-energy";
import { inWorld } from "./worlds";

const GRAVITY = 9.81;

type Kind = "cloth" | "cloth that may touch itself" | "local-global cloth";

function add(world: World, kind: Kind, size: number): void {
  const grid = gridMesh({ width: size, height: size, columns: 8, rows: 8, center: [0, 0.5 * size, 0] });
  const solver = kind === "local-global cloth" ? "local-global" : "gpbd";
  const selfCollision = kind === "cloth that may touch itself";
  world.addBody(clothModel({ ...grid, fabric: "denim", solver }), { selfCollision });
}

/** Highest energy beyond that of the start, as a part of what all weigh times half the size. */
async function gainOf(
  world: World,
  kind: Kind,
  motion: "static" | "dynamic",
  size: number,
  seed: number,
): Promise<number> {
  const half = 0.15 * size;
  world.addRigidBody({
    motion: "static",
    shape: { type: "box", halfExtents: [30 * size, size, 30 * size] },
    position: [0, -size, 0],
  });
  const box = world.addRigidBody({
    motion,
    ...(motion === "dynamic" && { mass: size ** 2 }),
    shape: { type: "box", halfExtents: [half, half, half] },
    position: [0, 0.16 * size, 0],
  });
  add(world, kind, size);
  await world.whenReadyAsync();
  const energy = async (): Promise<number> => {
    const [x, y, z] = box.linearVelocity;
    let sum = motion === "dynamic" ? box.mass * (0.5 * (x * x + y * y + z * z) + GRAVITY * box.centerOfMass[1]) : 0;
    for (const body of world.bodies) {
      const { kinetic, potential } = await softEnergy(body, GRAVITY);
      sum += kinetic + potential;
    }
    return sum;
  };
  const start = await energy();
  const mass = world.bodies.reduce((sum, { model }) => sum + model.masses.reduce((all, m) => all + m, 0), 0);
  const random = new RandomGeometry(seed);
  let most = 0;
  for (let time = 0, frame = 0; time < 1.5 && frame < 150; frame++) {
    // from 0.1 ms to 0.1 s, by decades
    const dt = 1e-4 * 1000 ** random.between(0, 1);
    world.step(dt);
    time += dt;
    most = Math.max(most, await energy());
  }
  return (most - start) / (mass * GRAVITY * 0.5 * size);
}

describe("bodies that fall on a box gain no energy in steps of 1e-4 to 0.1 s", () => {
  it.each([
    ["cpu", "cloth", "static", 1, 1],
    ["cpu", "cloth", "dynamic", 0.1, 2],
    ["reference", "cloth", "static", 1, 1],
    ["cpu", "cloth that may touch itself", "dynamic", 1, 4],
    ["cpu", "local-global cloth", "dynamic", 1, 5],
    ["webgpu", "cloth", "static", 1, 7],
  ] as const)("%s: %s, %s box, size %d, seed %d", (backend, kind, motion, size, seed) =>
    inWorld(backend, {}, async (world) => {
      expectWithin("energy gained", await gainOf(world, kind, motion, size, seed), 0.02);
    }),
  );
});
