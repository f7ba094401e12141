import { beforeAll, expect, it } from "vitest";
import { loadWebGpu } from "../../scripts/environment/node-webgpu";
import type { GpuContext } from "../../src/gpu/device";
import { boxTetrahedra, type DeformableBody, solidModel, type Vec3, World } from "../../src/index";
import { testContext } from "../gpu/context";

let gpu: GPU;
let context: GpuContext;
beforeAll(async () => {
  ({ gpu } = await loadWebGpu());
  context = await testContext();
});

interface Motion {
  readonly energy: number;
  readonly momentum: Vec3;
}

/** Kinetic energy [J] and momentum [kg m/s] of bodies. */
async function motionOf(bodies: readonly DeformableBody[]): Promise<Motion> {
  let energy = 0;
  const momentum: [number, number, number] = [0, 0, 0];
  for (const body of bodies) {
    const { velocities } = await body.readState();
    velocities.forEach((value, i) => {
      const mass = body.model.masses[Math.floor(i / 3)];
      energy += 0.5 * mass * value * value;
      momentum[i % 3] += mass * value;
    });
  }
  return { energy, momentum };
}

// With a rotation that is linear in its moment the energy grows to 1e47 times the initial one, on both backends.
it.each([
  ["cpu", 29.4, 1e6],
  ["webgpu", 29.4, 1e6],
] as const)("bars that meet off centre gain no energy: %s, %s m/s", async (backend, speed, youngsModulus) => {
  const world = await World.create({ backend, gpu, device: context.device, gravity: [0, 0, 0], snapshotInterval: 0 });
  const places: readonly Vec3[] = [
    [-0.2, 0.11, -0.04],
    [0.2, 0, 0],
  ];
  const bodies = places.map((center, k) => {
    const mesh = boxTetrahedra({ size: [0.2, 0.6, 0.2], cells: [1, 3, 1], center });
    const material = { youngsModulus, poissonRatio: 0.3, density: 1000, model: "corotational" } as const;
    const body = world.addBody(solidModel({ solver: "local-global", ...mesh, material }));
    const velocities = Float64Array.from(body.model.positions, (_, i) => (i % 3 === 0 ? (0.5 - k) * speed : 0));
    body.writeState({ positions: body.model.positions.slice(), velocities });
    return body;
  });
  const before = await motionOf(bodies);
  for (let frame = 0; frame < 8; frame++) {
    world.step(1 / 60);
    if (frame % 4 !== 3) continue;
    const { energy, momentum } = await motionOf(bodies);
    expect(energy / before.energy).toBeLessThan(1.02);
    for (const part of momentum) expect(Math.abs(part)).toBeLessThan(1e-4 * speed * 24);
  }
  expect((await world.frozenBodies()).size).toBe(0);
  world.dispose();
});

// Contacts between the held vertices of both bodies moved nothing except by rounding, so that no force was enough for
// them.
it.each(["cpu", "webgpu"] as const)("bars that are held in one place stay finite: %s", async (backend) => {
  const world = await World.create({ backend, gpu, device: context.device, snapshotInterval: 0 });
  const material = { youngsModulus: 1e5, poissonRatio: 0.3, density: 1000, model: "corotational" } as const;
  const bodies = [0, 1].map((k) => {
    // the second is offset by a rounding error, and longer
    const shift = 1e-8 * k;
    const mesh = boxTetrahedra({ size: [0.1, 0.2, 0.1], cells: [1, 2, 1], center: [shift, 0, shift] });
    const ys = Array.from(mesh.positions).filter((_, i) => i % 3 === 1);
    const pins = ys.flatMap((y, vertex) => (y > 0.09 ? [vertex] : []));
    const body = world.addBody(solidModel({ solver: "local-global", ...mesh, material }), { pins });
    const positions = body.model.positions.map((x, i) => (i % 3 === 1 ? 0.1 + (1 + 0.3 * k) * (x - 0.1) : x));
    body.writeState({ positions, velocities: new Float64Array(positions.length) });
    return body;
  });
  for (let frame = 0; frame < 3; frame++) world.step(1 / 60);
  for (const body of bodies) {
    const { positions, velocities } = await body.readState();
    expect(Math.max(...velocities.map(Math.abs))).toBeGreaterThan(0);
    expect(Math.max(...positions.map(Math.abs))).toBeLessThan(0.4);
  }
  expect((await world.frozenBodies()).size).toBe(0);
  world.dispose();
});
