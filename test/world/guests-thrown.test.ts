import { describe, expect, it } from "vitest";
import { Random } from "../../bench/stress/random";
import { boxTetrahedra, solidModel, type BodyModel, type Vec3 } from "../../src/index";
import { softEnergy } from "./soft-energy";
import { inWorld } from "./worlds";

const GRAVITY = 9.81;
const FRAMES = 12;
/** Parts of the size: how deep a body may seem in the ground, as its own step does not hold it exactly while it is crushed. */
const DEPTH = 0.1;

interface Meeting {
  readonly solvers: readonly ("newton" | "local-global")[];
  readonly size: number;
  /** of the upper body downwards [m/s] */
  readonly speed: number;
  readonly timeStep: number;
}

/** A cube of a random material. */
function draw(random: Random, solver: "newton" | "local-global", size: number, center: Vec3): BodyModel {
  const cells = random.whole(1, 2);
  return solidModel({
    solver,
    ...boxTetrahedra({ size: [size, size, size], cells: [cells, cells, cells], center }),
    material: {
      model: random.pick(["stable-neo-hookean", "corotational"] as const),
      youngsModulus: random.decades(1e4, 1e8),
      poissonRatio: random.pick([0, 0.3, 0.45, 0.49]),
      density: random.decades(100, 1e4),
    },
  });
}

/** A solid falls on another one that is close to the ground, a part of a size beside its middle. */
async function meet({ solvers, size, speed, timeStep }: Meeting, random: Random, label: string): Promise<void> {
  await inWorld("cpu", {}, async (world) => {
    const half = 1e3 * size + 10 * speed * FRAMES * timeStep;
    world.addRigidBody({
      motion: "static",
      shape: { type: "box", halfExtents: [half, 10 * size, half] },
      position: [0, -10 * size, 0],
    });
    const bodies = solvers.map((solver, k) => {
      const velocity: Vec3 = k === 0 ? [0, 0, 0] : [0.3 * speed, -speed, 0.1 * speed];
      const model = draw(random, solver, size, [0.2 * size * k, size * (0.6 + 1.3 * k), 0]);
      const body = world.addBody(model);
      const velocities = model.positions.map((_, i) => velocity[i % 3]) as Float64Array;
      body.writeState({ positions: Float64Array.from(model.positions), velocities });
      return body;
    });
    const energy = async (): Promise<number> => {
      let sum = 0;
      for (const body of bodies) {
        const { kinetic, potential } = await softEnergy(body, GRAVITY);
        sum += kinetic + potential;
      }
      return sum;
    };
    const before = await energy();
    for (let frame = 0; frame < FRAMES; frame++) {
      world.step(timeStep);
      expect(await energy(), `${label}, frame ${frame}`).toBeLessThan(1.05 * before);
      for (const body of bodies) {
        const { positions } = await body.readState();
        const lowest = Math.min(...positions.filter((_, i) => i % 3 === 1));
        expect(lowest, `${label}, frame ${frame}`).toBeGreaterThan(-DEPTH * size);
      }
    }
  });
}

describe("solids of the Newton and the local-global solver that are thrown at each other", () => {
  const kinds = ["newton", "local-global"] as const;
  it.each(Array.from({ length: 24 }, (_, seed) => seed))(
    "stay above the ground, and gain no energy: seed %i",
    async (seed) => {
      const random = new Random(`guests thrown ${seed}`);
      const solvers = [kinds[seed % 2], "newton"] as const;
      const size = random.decades(1e-3, 1);
      const speed = random.decades(0.1, 40);
      const timeStep = random.pick([1 / 30, 1 / 60, 1 / 120]);
      const order = random.chance(0.5) ? solvers : [solvers[1], solvers[0]];
      const label = `${order.join(" ")} ${size.toFixed(4)} m, ${speed.toFixed(2)} m/s, ${timeStep.toFixed(4)} s`;
      await meet({ solvers: order, size, speed, timeStep }, random, label);
    },
  );
});
