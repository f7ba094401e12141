import { describe, expect, it } from "vitest";
import { ropeModel, solidModel, boxTetrahedra, type BodyModel, type Vec3, World } from "../../../src/index";
import { Random } from "../../../bench/stress/random";
import { softEnergy } from "../soft-energy";
import { gravity } from "./worlds";

const FRAMES = 12;

interface Throw {
  readonly model: BodyModel;
  readonly size: number;
  /** [m/s] */
  readonly velocity: Vec3;
  readonly timeStep: number;
}

/** Throws a body at the ground, which it reaches within a frame. @returns its lowest point in all frames [m] */
async function lowestOf({ model, size, velocity, timeStep }: Throw, label: string): Promise<number> {
  const world = await World.create({ backend: "cpu" });
  try {
    const half = 1e3 * size + 10 * Math.hypot(...velocity) * FRAMES * timeStep;
    world.addRigidBody({
      motion: "static",
      shape: { type: "box", halfExtents: [half, 10 * size, half] },
      position: [0, -10 * size, 0],
    });
    const body = world.addBody(model);
    body.writeState({
      positions: Float64Array.from(model.positions),
      velocities: model.positions.map((_, i) => velocity[i % 3]) as Float64Array,
    });
    const before = await softEnergy(body, gravity);
    let least = Infinity;
    for (let frame = 0; frame < FRAMES; frame++) {
      world.step(timeStep);
      const { kinetic, potential } = await softEnergy(body, gravity);
      expect(kinetic + potential, label).toBeLessThan(1.02 * (before.kinetic + before.potential));
      const { positions } = await body.readState();
      for (let i = 1; i < positions.length; i += 3) least = Math.min(least, positions[i]!);
    }
    return least;
  } finally {
    world.dispose();
  }
}

/** A rope along a direction, with its middle a size above the ground. */
function rope(size: number, along: Vec3, count: number, radius: number): BodyModel {
  const positions = Array.from({ length: count + 1 }, (_, i) =>
    [0, 1, 2].map((c) => size * ((c === 1 ? 1 : 0) + along[c] * (i / count - 0.5))),
  ).flat();
  return ropeModel({ solver: "newton", positions, radius, youngsModulus: 1e7, density: 1000 });
}

describe("bodies of the Newton solver that stop in a step after many of their sizes", () => {
  it.each([0.001, 0.01, 0.1, 1])("a rope of %d m does not enter the ground", async (size) => {
    for (const sizes of [2, 20, 100]) {
      const timeStep = 1 / 60;
      const speed = Math.min(40, (sizes * size) / timeStep);
      const velocity = [0.6 * speed, -0.8 * speed, 0] as const;
      const label = `${size} m at ${speed} m/s`;
      const model = rope(size, [0.9, 0.3, 0.3], 24, 0.01 * size);
      expect(await lowestOf({ model, size, velocity, timeStep }, label), label).toBeGreaterThan(-1e-3 * size);
    }
  });

  it.each(Array.from({ length: 16 }, (_, seed) => seed))("random bodies do not enter the ground: %i", async (seed) => {
    const random = new Random(`fast stops ${seed}`);
    const size = random.decades(1e-3, 1);
    const way = random.direction();
    const speed = random.decades(1, 40);
    const velocity: Vec3 = [speed * way[0], -speed * Math.abs(way[1]), speed * way[2]];
    const timeStep = random.pick([1 / 30, 1 / 60, 1 / 120]);
    const isRope = random.chance(0.5);
    const model = isRope
      ? rope(size, random.direction(), random.whole(4, 30), size * random.between(0.003, 0.02))
      : solidModel({
          solver: "newton",
          ...boxTetrahedra({ size: [size, size, size], cells: [2, 2, 2], center: [0, size, 0] }),
          material: {
            youngsModulus: random.decades(1e5, 1e8),
            poissonRatio: random.between(0, 0.45),
            density: random.decades(100, 3000),
          },
        });
    const label = `${isRope ? "rope" : "cube"} of ${size} m at ${speed} m/s, ${1 / timeStep} Hz`;
    expect(await lowestOf({ model, size, velocity, timeStep }, label), label).toBeGreaterThan(-0.01 * size);
  });
});
