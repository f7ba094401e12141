import { describe, expect, it } from "vitest";
import { surfaceIntersections } from "../../src/collision/surface/intersections";
import { joinSurfaces } from "../../src/collision/surface/surface-mesh";
import type { DeformableBody } from "../../src/world/body";
import type { World } from "../../src/world/world";
import { expectRefused } from "../refusal";
import { gridCloth } from "./cloths";
import { backends, inWorld, run } from "./worlds";

const touching = { selfCollision: true, bodyCollision: true, airDensity: 0, substeps: 5 };

function sheet(name: string, height: number, size = 0.3, segments = 8): ReturnType<typeof gridCloth> {
  const grid = { width: size, height: size, columns: segments, rows: segments, center: [0, height, 0] } as const;
  return gridCloth({ ...grid, center: [0, height, 0] }, { name, fabric: "cotton" });
}

/** How often the bodies pass through themselves and each other. */
async function crossings(bodies: readonly DeformableBody[]): Promise<number> {
  const mesh = joinSurfaces(
    bodies.map(({ model }) => ({ restPositions: model.positions, faces: model.faces, selfCollision: true })),
  );
  const positions = await Promise.all(bodies.map((body) => body.readPositions()));
  return surfaceIntersections(mesh, Float64Array.from(positions.flatMap((list) => [...list]))).length;
}

async function momentum(bodies: readonly DeformableBody[]): Promise<number[]> {
  const sum = [0, 0, 0];
  for (const { model, ...rest } of bodies.map((body) => ({ body, model: body.model }))) {
    const v = await rest.body.readVelocities();
    for (let i = 0; i < v.length; i++) sum[i % 3] += model.masses[Math.floor(i / 3)] * v[i];
  }
  return sum;
}

function push(body: DeformableBody, velocity: readonly number[]): void {
  const { positions, particleCount } = body.model;
  body.writeState({
    positions,
    velocities: Float64Array.from({ length: 3 * particleCount }, (_, i) => velocity[i % 3]),
  });
}

function two(world: World): DeformableBody[] {
  return [
    world.addBody(sheet("lower", 0), touching),
    world.addBody(gridCloth({ width: 0.25, height: 0.25, columns: 7, rows: 7, center: [0.03, 0.03, 0.02] }), touching),
  ];
}

describe.each(backends)("surfaces of cloth on %s", (backend) => {
  it("do not pass through each other, and keep momentum when they meet", async () => {
    await inWorld(backend, { gravity: [0, 0, 0] }, async (world) => {
      const bodies = two(world);
      push(bodies[0], [0, 0, 0]);
      push(bodies[1], [0.3, -1.5, 0]);
      const before = await momentum(bodies);
      run(world, 20);
      const after = await momentum(bodies);
      for (let c = 0; c < 3; c++) expect(Math.abs(after[c] - before[c])).toBeLessThan(1e-4 * Math.abs(before[1]));
      expect(await crossings(bodies)).toBe(0);
      const heights = await Promise.all(bodies.map(async (body) => (await body.readVelocities())[1]));
      // the one that was struck is taken along
      expect(heights[0]).toBeLessThan(-0.05);
    });
  });

  it("lie on one another on a plate", async () => {
    await inWorld(backend, {}, async (world) => {
      world.addCollider({ type: "box", halfExtents: [1, 0.1, 1] }, { position: [0, -0.15, 0] });
      const bodies = two(world);
      run(world, 40);
      expect(await crossings(bodies)).toBe(0);
      const [lower, upper] = await Promise.all(bodies.map((body) => body.readPositions()));
      const mean = (list: Float32Array): number =>
        list.filter((_, i) => i % 3 === 1).reduce((sum, y) => sum + y, 0) / (list.length / 3);
      const { thickness } = bodies[0].options;
      expect(mean(lower)).toBeCloseTo(-0.05 + thickness, 3);
      expect(mean(upper) - mean(lower)).toBeGreaterThan(0.7 * thickness);
      expect(mean(upper) - mean(lower)).toBeLessThan(1.5 * thickness);
    });
  });

  it("pass through each other where it is not asked for", async () => {
    await inWorld(backend, { gravity: [0, 0, 0] }, async (world) => {
      const bodies = two(world);
      bodies[0].setOptions({ bodyCollision: false });
      push(bodies[1], [0, -1.5, 0]);
      run(world, 4);
      // rounding of positions in f32, over the length of a substep
      expect((await bodies[0].readVelocities()).every((v) => Math.abs(v) < 1e-3)).toBe(true);
    });
  });
});

describe("the backends", () => {
  it("bring surfaces that meet to the same places", async () => {
    const [reference, result] = await Promise.all(
      backends.map((backend) =>
        inWorld(backend, { gravity: [0, 0, 0] }, async (world) => {
          const bodies = two(world);
          push(bodies[1], [0.3, -1.5, 0]);
          run(world, 4);
          return Promise.all(bodies.map((body) => body.readPositions()));
        }),
      ),
    );
    reference.forEach((positions, k) => {
      const difference = positions.reduce((most, x, i) => Math.max(most, Math.abs(x - result[k][i])), 0);
      expect(difference).toBeLessThan(3e-4);
    });
    // they have met
    expect(reference[0].some((y, i) => i % 3 === 1 && y < -1e-3)).toBe(true);
  });
});

describe("self-collision", () => {
  it("is refused where the surface passes through itself from the start", async () => {
    await inWorld("cpu", {}, async (world) => {
      const model = sheet("crossed", 0);
      // one corner is pulled through the middle of the sheet
      model.positions.set([0.02, -0.05, 0.015], 0);
      model.positions.set([0.02, 0.05, 0.015], 3);
      expectRefused(() => world.addBody(model, touching), "degenerate-geometry", /triangle .*own surface/);
      expect(world.bodies.length).toBe(0);
    });
  });
});
