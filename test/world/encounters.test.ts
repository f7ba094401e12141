import { expect, it, vi } from "vitest";
import { boxTetrahedra } from "../../src/geometry/tetrahedra/tet-mesh";
import type { Vec3 } from "../../src/math/types";
import { gpbdSolid, type SoftBodyModel } from "../../src/models/gpbd/soft-body";
import { surfacesAreFree } from "../../src/collision/surface/free-surfaces";
import { ropeModel, type DeformableBody } from "../../src/index";
import type { World } from "../../src/world/world";
import { gridCloth, verticesWhere } from "./cloths";
import { backends, frameTime, inWorld, run } from "./worlds";

const SIDE = 0.2;
const weightless = { gravity: [0, 0, 0] } as const;

function cube(center: Vec3): SoftBodyModel {
  return gpbdSolid({
    ...boxTetrahedra({ size: [SIDE, SIDE, SIDE], cells: [1, 1, 1], center }),
    material: { youngsModulus: 3e4, poissonRatio: 0.3, density: 1000, damping: 2e-3 },
  });
}

/** Puts a body in its original shape at another place, with a velocity. */
function put(body: DeformableBody, offset: Vec3, velocity: Vec3): void {
  const { positions } = body.model;
  body.writeState({
    positions: positions.map((x, i) => x + offset[i % 3]),
    velocities: positions.map((_, i) => velocity[i % 3]),
  });
}

async function meanSpeed(body: DeformableBody, axis: number): Promise<number> {
  const v = await body.readVelocities();
  return (3 * v.reduce((sum, value, i) => sum + (i % 3 === axis ? value : 0), 0)) / v.length;
}

async function areFree(a: DeformableBody, b: DeformableBody): Promise<boolean> {
  const [p, q] = await Promise.all([a, b].map((body) => body.readPositions()));
  return surfacesAreFree({ positions: p, faces: a.model.faces }, { positions: q, faces: b.model.faces }, 1e-5);
}

/** Runs frames, each of which knows the result of the one before. */
async function runSeen(world: World, frames: number): Promise<void> {
  for (let frame = 0; frame < frames; frame++) {
    world.step(frameTime);
    await world.settled();
  }
}

it.each(backends)(
  "bodies that are far apart are stepped as if they were alone, with the same bits: %s",
  async (backend) => {
    const stepped = (others: readonly { readonly bodyCollision?: boolean }[]): Promise<Float32Array> =>
      inWorld(backend, {}, async (world) => {
        world.addCollider({ type: "box", halfExtents: [9, 0.1, 9] }, { position: [0, -0.25, 0] });
        const body = world.addBody(cube([0, 0, 0]), { iterations: 2, faceContacts: false });
        others.forEach((options, k) => world.addBody(cube([3 * (k + 1), 0, 0]), { substeps: 30, ...options }));
        await runSeen(world, 6);
        return body.readPositions();
      });
    const alone = await stepped([]);
    expect(await stepped([{}])).toEqual(alone);
    if (backend === "cpu") expect(await stepped([{}, { bodyCollision: false }])).toEqual(alone);
  },
);

it("buffers for contact between bodies are made when these come near, once", async () => {
  await inWorld("webgpu", weightless, async (world) => {
    const made = vi.spyOn(world.device!, "createBuffer");
    const ofSurfaces = (): number => made.mock.calls.filter(([{ label }]) => label?.startsWith("surface")).length;
    const [a, b] = [0, 1].map((k) => world.addBody(cube([2 * k, 0, 0]), { substeps: 2 }));
    await runSeen(world, 2);
    expect(ofSurfaces()).toBe(0);
    put(b, [SIDE + 0.01 - 2, 0, 0], [-1, 0, 0]);
    await runSeen(world, 6);
    expect(await meanSpeed(a, 0)).toBeLessThan(-0.2);
    const first = ofSurfaces();
    expect(first).toBeGreaterThan(0);
    put(b, [0, 0, 0], [0, 0, 0]);
    await runSeen(world, 2);
    put(b, [SIDE + 0.05 - 2, 0, 0], [0, 0, 0]);
    await runSeen(world, 2);
    expect(ofSurfaces()).toBe(first);
    made.mockRestore();
  });
});

it.each(backends)(
  "bodies that begin in each other pass through each other until they are free: %s",
  async (backend) => {
    await inWorld(backend, { gravity: [-60, 0, 0] }, async (world) => {
      const options = { substeps: 4, airDensity: 0 };
      const still = world.addBody(cube([0, 0, 0]), { ...options, gravityFactor: 0 });
      const thrown = world.addBody(cube([0, 0, 0]), options);
      put(thrown, [0.05, 0.07, 0.03], [6, 0, 0]);
      await runSeen(world, 6);
      expect(Math.abs(await meanSpeed(still, 0))).toBeLessThan(1e-3);
      expect(Math.abs(await meanSpeed(thrown, 0))).toBeLessThan(0.2);
      expect(await areFree(still, thrown)).toBe(true);
      // and now it returns
      await runSeen(world, 7);
      expect(await meanSpeed(still, 0)).toBeLessThan(-1);
      expect(await areFree(still, thrown)).toBe(true);
    });
  },
);

it("a rope hangs on the cloth that it is tied to, and its other end lies on another", async () => {
  await inWorld("cpu", {}, async (world) => {
    const points = 13;
    const rope = ropeModel({
      positions: Array.from({ length: points }, (_, i) => [0.1 + 0.04 * i, 0, 0]).flat(),
      radius: 0.01,
      density: 500,
      youngsModulus: 1e5,
    });
    const cloth = (size: number, x: number, y: number) =>
      gridCloth({ width: size, height: size, columns: 4, rows: 4, center: [x, y, 0] });
    const [flag, tray] = [cloth(0.2, 0, 0), cloth(0.6, 0.45, -0.1)];
    const tied = verticesWhere(flag.positions, (x, _, z) => x > 0.099 && Math.abs(z) < 1e-6);
    const options = { damping: 2, substeps: 20 };
    const [held, under, string] = [
      world.addBody(flag, { ...options, pins: tied }),
      world.addBody(tray, { ...options, pins: verticesWhere(tray.positions, () => true) }),
      world.addBody(rope, { ...options, pins: [0] }),
    ];
    run(world, 40);
    const [at, rods] = await Promise.all([held, string].map((body) => body.readPositions()));
    expect(Math.max(...(await held.readVelocities()).map(Math.abs))).toBeLessThan(2);
    expect(at[3 * tied[0]]).toBeCloseTo(rods[0], 6);
    // If the end were free, it would hang half a meter lower.
    const distance = (string.options.selfThickness! + under.options.thickness) / 2;
    expect(rods[3 * points - 2]).toBeGreaterThan(-0.1 + 0.8 * distance);
  });
});
