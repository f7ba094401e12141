import { describe, expect, it } from "vitest";
import { solids } from "../../bench/stress/families/solids";
import { Random } from "../../bench/stress/random";
import { Sums } from "../../bench/stress/reading";
import { drawScene } from "../../bench/stress/run";
import { boxTetrahedra, solidModel, type DeformableBody, type Vec3, type World } from "../../src/index";
import { expectWithin } from "../figures";
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

it("keep energy and angular momentum where they press each other flat, in half a time step", async () => {
  const { softs = [], timeStep } = drawScene(solids, 289);
  await inWorld("cpu", { gravity: [0, 0, 0] }, async (world) => {
    const bodies = softs.map(({ model, options }) => world.addBody(model, options));
    await world.whenReadyAsync();
    bodies.forEach((body, k) => {
      const { positions } = body.model;
      body.writeState({ positions, velocities: positions.map((_, i) => softs[k].velocity![i % 3]) });
    });
    const read = async (): Promise<Sums> => {
      const sums = new Sums([0, 0, 0]);
      for (const body of bodies) {
        const { positions: x, velocities: v } = await body.readState();
        const at = (of: ArrayLike<number>, i: number): Vec3 => [of[i], of[i + 1], of[i + 2]];
        body.model.masses.forEach((m, k) => sums.add(m, at(x, 3 * k), at(v, 3 * k)));
      }
      return sums;
    };
    const first = await read();
    for (let frame = 0; frame < 3; frame++) {
      world.step(timeStep / 2);
      const { kinetic, angular, angularScale } = await read();
      // 1.7 times as much before
      expectWithin("kinetic energy / that of the start", kinetic / first.kinetic, 1.02);
      // 0.1 before
      const gone = Math.max(...angular.map((value, c) => Math.abs(value - first.angular[c])));
      expectWithin("change of angular momentum / Σ m |x| |v|", gone / angularScale, 1e-9);
    }
  });
});
