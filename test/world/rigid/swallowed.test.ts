import { afterEach, expect, it } from "vitest";
import { boxTetrahedra, type SolverName, solidModel, World } from "../../../src/index";

let world: World;
afterEach(() => world.dispose());

const SIDE = 0.5;

it.each<readonly [solver: SolverName, size: number, mass: number, speed: number, x: number, z: number]>([
  ["gpbd", 0.0125, 0.01, 12, 0.11, 0.03],
  ["local-global", 0.0125, 0.01, 12, 0.125, 0.125],
  ["newton", 0.0125, 0.01, 12, 0.03, 0.11],
  ["newton", 0.02, 0.1, 30, 0.0625, 0.07],
])("a %s solid of coarse cells stops a box of %f m and %f kg at %f m/s", async (solver, size, mass, speed, x, z) => {
  world = await World.create({ backend: "cpu", gravity: [0, 0, 0] });
  const mesh = boxTetrahedra({ size: [SIDE, SIDE, SIDE], cells: [2, 2, 2] });
  const model = solidModel({ ...mesh, solver, material: { density: 300, youngsModulus: 3e4, poissonRatio: 0.3 } });
  const soft = world.addBody(model);
  const half = size / 2;
  const box = world.addRigidBody({
    shape: { type: "box", halfExtents: [half, half, half] },
    mass,
    position: [x, SIDE / 2 + size, z],
    rotation: [0, 0, Math.sin(0.3), Math.cos(0.3)],
  });
  box.linearVelocity = [0, -speed, 0];
  await world.whenReadyAsync();
  for (let frame = 0; frame < 20; frame++) {
    world.step(1 / 60);
    const { positions } = await soft.readState();
    // of the top, which may be pressed in, but not turned
    const corners = Array.from(positions).filter((_, i) => i % 3 === 1 && model.positions[i] > 0.49 * SIDE);
    expect(box.position[1], `frame ${frame}`).toBeGreaterThan(Math.min(...corners) - half);
  }
  const { velocities } = await soft.readState();
  const given = model.masses.reduce((sum, m, p) => sum + m * velocities[3 * p + 1], 0);
  expect(Math.abs(given + mass * box.linearVelocity[1] + mass * speed)).toBeLessThan(1e-4 * mass * speed);
});

// The faces of the solid go through the box; put onto their other side it would be in the ground, frame after frame.
it.each<readonly [solver: SolverName, x: number, height: number]>([
  ["local-global", 0.12, 0.2],
  ["local-global", 0.07, 0.05],
  ["gpbd", 0.12, 0.2],
])(
  "a light box on the ground stays above it when a %s solid falls on it at x = %f m from %f m",
  async (solver, x, height) => {
    world = await World.create({ backend: "cpu" });
    world.addRigidBody({ motion: "static", shape: { type: "box", halfExtents: [99, 1, 99] }, position: [0, -1, 0] });
    const mesh = boxTetrahedra({ size: [SIDE, SIDE, SIDE], cells: [2, 2, 2], center: [0, SIDE / 2 + height, 0] });
    world.addBody(solidModel({ ...mesh, solver, material: { density: 300, youngsModulus: 1e6, poissonRatio: 0.3 } }));
    const half = 0.02;
    const box = world.addRigidBody({
      shape: { type: "box", halfExtents: [half, half, half] },
      mass: 0.01,
      position: [x, half, 0.1],
    });
    await world.whenReadyAsync();
    let lowest = half;
    for (let frame = 0; frame < 40; frame++) {
      world.step(1 / 60);
      lowest = Math.min(lowest, box.position[1]);
    }
    expect(lowest).toBeGreaterThan(0.4 * half);
  },
);
