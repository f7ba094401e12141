import { describe, expect, it } from "vitest";
import { Random } from "../../bench/stress/random";
import { boxTetrahedra, solidModel, type DeformableBody, type Vec3, type World } from "../../src/index";
import { softEnergy } from "./soft-energy";
import { inWorld } from "./worlds";

const FRAMES = 2;

/** A block with a velocity [m/s]. */
function addBlock(world: World, random: Random, size: number, center: Vec3, velocity: Vec3): DeformableBody {
  const cells = random.whole(1, 2);
  const length = random.whole(1, 2);
  const model = solidModel({
    solver: "local-global",
    ...boxTetrahedra({ size: [length * size, size, size], cells: [length * cells, cells, cells], center }),
    material: {
      model: random.pick(["stable-neo-hookean", "corotational", "neo-hookean"] as const),
      youngsModulus: random.decades(1e3, 1e8),
      poissonRatio: random.pick([0, 0.3, 0.45, 0.49]),
      density: random.decades(100, 1e4),
    },
  });
  const body = world.addBody(model);
  const velocities = model.positions.map((_, i) => velocity[i % 3]) as Float64Array;
  body.writeState({ positions: Float64Array.from(model.positions), velocities });
  return body;
}

describe("local-global blocks that pass many of their sizes in a frame", () => {
  it.each([4, 6, 8, 9])("gain no energy when they hit: seed %i", async (seed) => {
    const random = new Random(`blows ${seed}`);
    const size = random.decades(1e-3, 0.1);
    const speed = random.decades(1, 40);
    const timeStep = random.pick([1 / 30, 1 / 60]);
    await inWorld("cpu", { gravity: [0, 0, 0] }, async (world) => {
      const down: Vec3 = [0.3 * speed, -speed, 0.2 * speed];
      const bodies = [
        addBlock(world, random, size, [0, 0, 0], [0.1 * speed, random.between(0, 1) * speed, 0]),
        addBlock(world, random, size, [0.2 * size, 1.3 * size, 0.1 * size], down),
      ];
      const kinetic = async (): Promise<number> => {
        let sum = 0;
        for (const body of bodies) sum += (await softEnergy(body, 0)).kinetic;
        return sum;
      };
      const before = await kinetic();
      for (let frame = 1; frame <= FRAMES; frame++) {
        world.step(timeStep);
        expect(await kinetic(), `${size} m at ${speed} m/s, frame ${frame}`).toBeLessThan(1.02 ** (frame + 1) * before);
      }
    });
  });
});
