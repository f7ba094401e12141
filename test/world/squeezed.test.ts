import { describe, expect, it } from "vitest";
import type { ColliderShape } from "../../src/collision/shape/shape";
import { boxTetrahedra, ropeModel } from "../../src/index";
import { gridCloth } from "./cloths";
import { createWorld } from "./worlds";

interface Case {
  readonly backend: "cpu" | "reference" | "webgpu";
  readonly size: number;
  /** of the body [kg] */
  readonly mass: number;
  readonly shape: "box" | "hull";
  readonly under: "cloth" | "rope";
}

const hull = (size: number): ColliderShape => {
  const { positions } = boxTetrahedra({ size: [size, 0.5 * size, size], cells: [1, 1, 1] });
  const narrowed = Array.from(positions, (x, i) => (i % 3 !== 1 && positions[i - (i % 3) + 1] > 0 ? 0.8 * x : x));
  return { type: "convex-hull", positions: narrowed };
};
const shapes: Record<Case["shape"], (size: number) => ColliderShape> = {
  box: (size) => ({ type: "box", halfExtents: [0.5 * size, 0.25 * size, 0.5 * size] }),
  hull,
};

describe("a rigid body on something thin that lies on the ground comes to rest", () => {
  it.each<Case>([
    { backend: "cpu", size: 0.2, mass: 2, shape: "box", under: "cloth" },
    { backend: "reference", size: 0.2, mass: 2, shape: "hull", under: "cloth" },
    { backend: "cpu", size: 0.6, mass: 0.05, shape: "hull", under: "cloth" },
    { backend: "reference", size: 0.2, mass: 20, shape: "box", under: "rope" },
    { backend: "webgpu", size: 0.2, mass: 2, shape: "box", under: "cloth" },
    { backend: "webgpu", size: 0.6, mass: 0.05, shape: "hull", under: "cloth" },
    { backend: "webgpu", size: 0.2, mass: 20, shape: "box", under: "rope" },
  ])("$backend: $shape of $mass kg and $size m on a $under", async ({ backend, size, mass, shape, under }) => {
    const world = await createWorld(backend, { gravity: [0, -9.81, 0] });
    world.addRigidBody({ motion: "static", shape: { type: "box", halfExtents: [2, 0.5, 2] }, position: [0, -0.5, 0] });
    const thin = 0.004;
    if (under === "cloth") {
      const sheet = gridCloth({ width: 1.2 * size, height: 1.2 * size, columns: 6, rows: 6 }, { fabric: "denim" });
      const positions = sheet.positions.map((x, i) => (i % 3 === 1 ? x + thin : x + 0.01 * size));
      world.addBody({ ...sheet, positions }, { friction: 0.5 });
    } else {
      const ring = Float64Array.from({ length: 60 }, (_, i) => {
        const angle = (2 * Math.PI * Math.floor(i / 3)) / 20;
        return [0.35 * size * Math.cos(angle), 0.008, 0.35 * size * Math.sin(angle)][i % 3];
      });
      world.addBody(ropeModel({ positions: ring, radius: 0.008, closed: true, naturalShape: "path", density: 1000 }), {
        friction: 0.5,
      });
    }
    const gap = under === "cloth" ? 2 * thin : 0.02;
    const body = world.addRigidBody({
      shape: shapes[shape](size),
      mass,
      friction: 0.5,
      position: [0, 0.25 * size + gap, 0],
    });
    const pose = () => [...body.position, ...body.rotation];
    const step = async (frames: number) => {
      for (let frame = 0; frame < frames; frame++) {
        world.step(1 / 60);
        await world.settled();
      }
    };
    await step(60);
    const before = pose();
    expect(body.position[1]).toBeGreaterThan(0.25 * size);
    await step(60);
    const moved = Math.max(...pose().map((value, i) => Math.abs(value - before[i])));
    expect(moved).toBeLessThan(1e-3);
    expect(Math.hypot(body.position[0], body.position[2])).toBeLessThan(5e-3);
    world.dispose();
  });
});

// They stand on faces whose corners lie beside them.
it.each([
  { backend: "cpu", size: 0.06, mass: 0.1, cells: 8 },
  { backend: "reference", size: 0.03, mass: 0.5, cells: 12 },
  { backend: "webgpu", size: 0.03, mass: 0.5, cells: 12 },
] as const)("a box smaller than a cell of a cloth on the ground does not jump: $backend, $size m", async (run) => {
  const { backend, size, mass, cells } = run;
  const world = await createWorld(backend, { gravity: [0, -9.81, 0] });
  world.addRigidBody({ motion: "static", shape: { type: "box", halfExtents: [2, 0.5, 2] }, position: [0, -0.5, 0] });
  const sheet = gridCloth({ width: 1, height: 1, columns: cells, rows: cells, plane: "xz" }, { fabric: "cotton" });
  world.addBody({ ...sheet, positions: sheet.positions.map((x, i) => (i % 3 === 1 ? x + 0.006 : x)) });
  const half = 0.5 * size;
  const shape = { type: "box", halfExtents: [half, half, half] } as const;
  const boxes = [-0.11, 0, 0.12].map((x) =>
    world.addRigidBody({ shape, mass, position: [x, half + 0.02, 0.1 * x + 0.01] }),
  );
  let fastest = 0;
  for (let frame = 0; frame < 90; frame++) {
    world.step(1 / 60);
    await world.settled();
    for (const { linearVelocity } of frame < 45 ? [] : boxes)
      fastest = Math.max(fastest, Math.hypot(...linearVelocity));
  }
  expect(fastest).toBeLessThan(0.06);
  world.dispose();
});
