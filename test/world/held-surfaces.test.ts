import { expect, it } from "vitest";
import { boxTetrahedra, solidModel, type DeformableBody, type Vec3, type World } from "../../src/index";
import { RandomGeometry } from "../collision/random";
import { tilted } from "./tilted";
import { frameTime, inWorld } from "./worlds";

const GRAVITY = 9.81;
const FRAMES = 72;
/** Frames over which velocities are compared with displacements. */
const WINDOW = 6;

/** Three soft cubes that fall into a shaft, with light boxes between them. */
function fillShaft(world: World, size: number, seed: number): DeformableBody[] {
  const random = new RandomGeometry(seed);
  const decades = (low: number, high: number): number => low * (high / low) ** random.between(0, 1);
  const aside = (): number => random.between(-0.2, 0.2) * size;
  const wall = (position: Vec3, half: Vec3): void => {
    const halfExtents = half.map((value) => value * size) as [number, number, number];
    const place: Vec3 = [size * position[0], size * position[1], size * position[2]];
    world.addCollider({ type: "box", halfExtents }, { position: place });
  };
  wall([0, -1, 0], [20, 1, 20]);
  const width = random.between(1.75, 2.1);
  for (const side of [-width, width]) {
    wall([side, 3, 0], [1, 6, 8]);
    wall([0, 3, side], [8, 6, 1]);
  }
  const youngsModulus = 1000 * GRAVITY * size * decades(3, 30);
  const material = { youngsModulus, poissonRatio: 0.4, density: 1000 };
  return [0, 1, 2].map((k) => {
    const center = [aside(), (0.8 + 1.6 * k) * size, aside()];
    const { positions, tetrahedra } = boxTetrahedra({ size: [size, size, size], cells: [3, 3, 3] });
    const places = tilted(positions, random.between(0, 1)).map((value, i) => value + center[i % 3]);
    const body = world.addBody(solidModel({ positions: places, tetrahedra, material }));
    if (k > 0) {
      const shape = { type: "box", halfExtents: [0.2 * size, 0.2 * size, 0.2 * size] } as const;
      const mass = 1000 * size ** 3 * decades(0.003, 0.1);
      world.addRigidBody({ shape, mass, position: [aside(), 1.6 * k * size, aside()] });
    }
    return body;
  });
}

it.each([
  ["cpu", 3, 2],
  ["cpu", 3, 12],
  ["cpu", 0.3, 1],
  ["cpu", 0.3, 4],
  ["webgpu", 3, 12],
] as const)(
  "particles that other bodies hold have no speed without a way on %s: %f m, seed %i",
  async (backend, size, seed) => {
    await inWorld(backend, {}, async (world) => {
      const bodies = fillShaft(world, size, seed);
      const places = bodies.map(({ model }) => Float64Array.from(model.positions));
      const ways = places.map((x) => new Float64Array(x.length));
      for (let frame = 1; frame <= FRAMES; frame++) {
        world.step(frameTime);
        await world.settled();
        const states = await Promise.all(bodies.map((body) => body.readState()));
        let unreal = 0;
        states.forEach(({ positions, velocities }, k) => {
          const { masses } = bodies[k].model;
          for (let i = 0; i < positions.length; i++) ways[k][i] += velocities[i] * frameTime;
          if (frame % WINDOW > 0) return;
          for (let i = 0; i < positions.length; i++) {
            const speed = (ways[k][i] - positions[i] + places[k][i]) / (WINDOW * frameTime);
            unreal += 0.5 * masses[Math.floor(i / 3)] * speed * speed;
          }
          ways[k].fill(0);
          places[k].set(positions);
        });
        const weight = 3 * 1000 * size ** 3 * GRAVITY;
        expect(unreal / (weight * size), `frame ${frame}`).toBeLessThan(0.03);
      }
    });
  },
);
