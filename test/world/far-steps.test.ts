import { describe, expect, it } from "vitest";
import { boxTetrahedra, type DeformableBody, type World } from "../../src/index";
import { localGlobalSolid } from "../../src/models/local-global/local-global";
import { localGlobalGroup } from "../../src/world/lanes/local-global-cpu";
import { backends, frameTime, inWorld } from "./worlds";

interface Throw {
  /** of a bar of three cubes, or of one [m] */
  readonly size: number;
  readonly cubes: 1 | 3;
  readonly youngsModulus: number;
  /** height of its middle, in sizes */
  readonly height: number;
  /** down [m/s] */
  readonly speed: number;
  /** [rad/s] */
  readonly spin: number;
}

async function thrown(
  world: World,
  { size, cubes, youngsModulus, height, speed, spin }: Throw,
): Promise<DeformableBody> {
  world.addRigidBody({ motion: "static", shape: { type: "box", halfExtents: [50, 1, 50] }, position: [0, -1, 0] });
  const mesh = boxTetrahedra({
    size: [cubes * size, size, size],
    cells: cubes === 1 ? [4, 4, 4] : [6, 2, 2],
    center: [0, height * size, 0],
  });
  const material = { model: "stable-neo-hookean", youngsModulus, poissonRatio: 0.4, density: 1000 } as const;
  const body = world.addBody(localGlobalSolid({ ...mesh, material }));
  await world.whenReadyAsync();
  const x = body.model.positions;
  const velocities = Float64Array.from(x, (_, i) => {
    const first = i - (i % 3);
    return [-spin * (x[first + 1] - height * size), spin * x[first] - speed, 0][i % 3];
  });
  body.writeState({ positions: Float64Array.from(x), velocities });
  return body;
}

async function kineticEnergy(body: DeformableBody): Promise<number> {
  const { velocities } = await body.readState();
  let sum = 0;
  velocities.forEach((v, i) => (sum += 0.5 * body.model.masses[Math.floor(i / 3)] * v * v));
  return sum;
}

async function lowestOf(body: DeformableBody): Promise<number> {
  const { positions } = await body.readState();
  return Math.min(...Array.from(positions).filter((_, i) => i % 3 === 1));
}

/** The same throw in three sizes: as many sizes a frame, with as large strains. */
const throws = backends.flatMap((backend) =>
  [0.003, 0.03, 0.3].map((size) => ({ backend, size, speed: size / 0.003, youngsModulus: 1e4 * (size / 0.03) ** 2 })),
);

describe("local-global bodies that go further in a step than it can know", () => {
  it.each(throws)(
    "get no deeper into the ground at five sizes a frame, and tell of steps that are taken again: $backend, $size m",
    { timeout: 120_000 },
    ({ backend, size, ...how }) =>
      inWorld(backend, {}, async (world) => {
        let told = 0;
        world.onStepsRepeated.add((count) => (told += count));
        const body = await thrown(world, { size, cubes: 1, height: 0.6, spin: 0, ...how });
        const before = await kineticEnergy(body);
        let lowest = Infinity;
        for (let frame = 0; frame < (backend === "cpu" ? 8 : 2); frame++) {
          world.step(frameTime);
          lowest = Math.min(lowest, await lowestOf(body));
          expect(await kineticEnergy(body)).toBeLessThan(1.02 * before);
        }
        // It was 0.6 sizes deep.
        expect(lowest).toBeGreaterThan(-0.1 * size);
        // The smallest keeps a thickness of a seventh of its size. On the CPU turns are rotations, and no step has to be taken again.
        if (size > 0.01 && backend === "webgpu") expect(told).toBeGreaterThan(0);
        if (backend === "cpu") expect(localGlobalGroup(world).trusted.repeated).toBe(told);
        expect(world.rigid.stepsRepeated).toBe(0);
      }),
  );

  it.each(backends)("turn on when they hit the ground at 1.5 rad a frame: %s", { timeout: 60_000 }, (backend) =>
    inWorld(backend, {}, async (world) => {
      const body = await thrown(world, { size: 0.3, cubes: 3, youngsModulus: 1e6, height: 1.6, speed: 1, spin: 90 });
      const before = await kineticEnergy(body);
      for (let frame = 0; frame < 4; frame++) world.step(frameTime);
      const left = (await kineticEnergy(body)) / before;
      // In 16 substeps 0.32 are left; in one, 0.08.
      expect(left).toBeGreaterThan(0.14);
      expect(left).toBeLessThan(0.5);
    }),
  );

  it("are the same on the GPU, whenever the host hears of it", { timeout: 60_000 }, async () => {
    const found: number[][] = [];
    for (const waits of [true, false])
      await inWorld("webgpu", {}, async (world) => {
        let told = 0;
        world.onStepsRepeated.add((count) => (told += count));
        const body = await thrown(world, { size: 0.03, cubes: 1, youngsModulus: 1e4, height: 4, speed: 10, spin: 0 });
        for (let frame = 0; frame < 2; frame++) {
          world.step(frameTime);
          if (waits) await world.settled();
        }
        const { positions } = await body.readState();
        await world.settled();
        found.push([told, ...positions]);
      });
    expect(found[0][0]).toBeGreaterThan(0);
    expect(found[1]).toEqual(found[0]);
  });
});
