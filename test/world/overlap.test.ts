import { describe, expect, it } from "vitest";
import { gpbdCloth } from "../../src/models/gpbd/cloth";
import { gpbdRod } from "../../src/models/gpbd/rod";
import { boxTetrahedra, gridMesh, solidModel, type BodyModel, type Vec3 } from "../../src/index";
import { RandomGeometry } from "../collision/random";
import { softEnergy } from "./soft-energy";
import { inWorld, run, type BackendName } from "./worlds";

const rope = (y: number): BodyModel =>
  gpbdRod({
    positions: Array.from({ length: 21 }, (_, i) => [i / 10 - 1, y, 0.01]).flat(),
    radius: 0.03,
    density: 1000,
  });
const sheet = (y: number): BodyModel =>
  gpbdCloth(gridMesh({ width: 2, height: 2, columns: 8, rows: 8, center: [0, y, 0] }));

/** Frames in which the scenes come out. */
const frames = 30;

describe.each(["cpu", "webgpu"] as BackendName[])(
  "bodies that begin within obstacles leave them slowly: %s",
  (backend) => {
    it.each([
      // software GPUs compile the same shaders for all
      ...(backend === "webgpu"
        ? []
        : [
            { name: "a rope on the ground", model: rope(0.0005), ball: false },
            { name: "a rope in a ball", model: rope(0.8), ball: true },
            { name: "a sheet on the ground", model: sheet(0.0005), ball: false },
          ]),
      { name: "a rope in the ground", model: rope(-0.02), ball: false },
      { name: "a sheet in a ball", model: sheet(0.9), ball: true },
    ])("$name", async ({ model, ball }) => {
      await inWorld(backend, {}, async (world) => {
        world.addRigidBody({
          motion: "static",
          shape: { type: "box", halfExtents: [20, 1, 20] },
          position: [0, -1, 0],
        });
        if (ball)
          world.addRigidBody({ motion: "static", shape: { type: "sphere", radius: 0.5 }, position: [0, 0.5, 0] });
        const body = world.addBody(model);
        await world.whenReadyAsync();
        // nobody rises by more than its depth, which is at most 0.2 m
        const highest = Math.max(...model.positions.filter((_, i) => i % 3 === 1)) + 0.25;
        for (let frame = 0; frame < frames; frame++) {
          run(world, 1);
          const positions = await body.readPositions();
          const velocities = Float64Array.from((await body.readState()).velocities);
          const kinetic = velocities.reduce((sum, v, i) => sum + 0.5 * model.masses[Math.floor(i / 3)] * v * v, 0);
          const mass = model.masses.reduce((sum, m) => sum + m, 0);
          expect(kinetic / mass, `frame ${frame}`).toBeLessThan(0.15 + 0.5 * 9.81 ** 2 * ((frame + 1) / 60) ** 2);
          for (let p = 1; p < positions.length; p += 3) expect(positions[p]).toBeLessThan(highest);
        }
        const low = (await body.readPositions())
          .filter((_, i) => i % 3 === 1)
          .reduce((least, y) => Math.min(least, y), 1);
        expect(low).toBeGreaterThan(0);
      });
    });
  },
);

// Particles that are near different sides of a box are pushed apart: that stretched ropes until they flew at 100 m/s.
describe("a rope that goes through a free box gains no energy", () => {
  it.each([
    ["cpu", 4, 25],
    ["webgpu", 1, 12],
  ] as const)("%s, %i random ropes", async (backend, count, lastFrame) => {
    const random = new RandomGeometry(37);
    for (let n = 0; n < count; n++) {
      const spacing = random.between(0.03, 0.08);
      const radius = spacing * random.between(0.1, 0.3);
      const half = random.between(0.1, 0.2);
      const corner = Math.floor(random.between(1, 5));
      const positions = [0, 2, 0];
      for (let i = 1; i < 14; i++)
        for (let c = 0; c < 3; c++)
          positions.push(positions[3 * i - 3 + c] + spacing * (i <= corner ? [0.8, 0.6, 0] : [0, -1, 0])[c]);
      const model = gpbdRod({
        positions,
        radius,
        density: 1000,
        youngsModulus: 10 ** random.between(7, 9),
        naturalShape: "path",
      });
      const mass = 10 ** random.between(-1, 1);
      await inWorld(backend, {}, async (world) => {
        const body = world.addBody(model, { pins: [0], airDensity: 0 });
        const position: Vec3 = [random.between(0, 0.1) + half, 2 - random.between(0, 0.3), random.between(-0.1, 0.1)];
        const box = world.addRigidBody({ shape: { type: "box", halfExtents: [half, half, half] }, mass, position });
        const energy = async (): Promise<number> => {
          const { kinetic, potential } = await softEnergy(body, 9.81);
          const [v, w] = [box.linearVelocity, box.angularVelocity].map((of) => of.reduce((sum, x) => sum + x * x, 0));
          return kinetic + potential + mass * (0.5 * v + (half * half * w) / 3 + 9.81 * box.position[1]);
        };
        const before = await energy();
        const scale = (mass + model.masses.reduce((sum, m) => sum + m, 0)) * 9.81 * 13 * spacing;
        let most = 0;
        for (let frame = 0; frame < lastFrame; frame++) {
          run(world, 1);
          await world.settled();
          most = Math.max(most, (await energy()) - before);
        }
        // They rise as they get out of each other.
        expect(most / scale).toBeLessThan(0.1);
      });
    }
  });
});

describe.each(["rope", "sheet"] as const)("a %s that hangs at an end stays slow", (kind) => {
  const length = 0.6;
  const half = 0.15;
  const box = (side: number) => ({ type: "box", halfExtents: [side, side, side] }) as const;

  it.each(["put there", "added", "larger"] as const)("when a box is %s", async (how) => {
    const random = new RandomGeometry(61);
    for (let n = 0; n < 3; n++)
      await inWorld("cpu", {}, async (world) => {
        const positions = Array.from({ length: 13 }, (_, i) => [(length * i) / 12, 2, 0]).flat();
        const model =
          kind === "rope"
            ? gpbdRod({ positions, radius: 0.01, density: 1000 })
            : gpbdCloth(gridMesh({ width: length, height: length, columns: 8, rows: 8, center: [length / 2, 2, 0] }));
        const body = world.addBody(model, { pins: [0] });
        const mass = 10 ** random.between(-1, 1);
        const [x, y, z] = random.vector(0.05);
        const late =
          how === "added"
            ? undefined
            : world.addRigidBody({
                shape: box(how === "larger" ? 0.01 : half),
                mass,
                position: [3, 1, 0],
                gravityFactor: 0,
              });
        run(world, 15);
        const now = await body.readPositions();
        const p = 3 * Math.floor(now.length / 6);
        const place: Vec3 = [now[p] + x, now[p + 1] + y, now[p + 2] + z];
        if (how === "added") world.addRigidBody({ shape: box(half), mass, position: place });
        else late!.teleport(place);
        if (how === "larger") late!.change({ shape: box(half), mass });
        for (let frame = 0; frame < 20; frame++) {
          run(world, 1);
          const { velocities } = await body.readState();
          const fastest = Math.sqrt(
            Array.from(velocities).reduce(
              (most, v, i) => (i % 3 ? most : Math.max(most, v * v + velocities[i + 1] ** 2 + velocities[i + 2] ** 2)),
              0,
            ),
          );
          expect(fastest).toBeLessThan(4 * Math.sqrt(9.81 * length));
        }
      });
  });
});

// Contact put it out of the box within a substep, and it swept along what was near: a rope in a pile got 50 m/s.
it.each<[number, BackendName]>([
  [0.03, "cpu"],
  [0.3, "cpu"],
  [3, "cpu"],
  [0.03, "webgpu"],
  [0.3, "webgpu"],
  [3, "webgpu"],
])("a soft cube of %f m beside cloth leaves a box that it begins within slowly: %s", async (size, backend) => {
  await inWorld(backend, { gravity: [0, -9.81 * (size / 0.3), 0] }, async (world) => {
    const shape = { type: "box", halfExtents: [size, size, size] } as const;
    world.addRigidBody({ motion: "static", shape, position: [0, -size, 0] });
    const mesh = boxTetrahedra({ size: [size, size, size], cells: [2, 2, 2], center: [0, 0.2 * size, 0] });
    const material = { density: 300, youngsModulus: (3e4 * size) / 0.3, poissonRatio: 0.3 };
    const cube = world.addBody(solidModel({ ...mesh, material }));
    const above: Vec3 = [0, 0.72 * size, 0];
    world.addBody(gpbdCloth(gridMesh({ width: 2 * size, height: 2 * size, columns: 6, rows: 6, center: above })));
    await world.whenReadyAsync();
    for (let frame = 0; frame < 10; frame++) {
      const before = await cube.readPositions();
      run(world, 1);
      const way = (await cube.readPositions()).reduce((most, x, i) => Math.max(most, Math.abs(x - before[i])), 0);
      expect(way / size, `frame ${frame}`).toBeLessThan(0.1);
    }
  });
});
