import { describe, expect, it } from "vitest";
import { boxTetrahedra, solidModel, type SolverName } from "../../src/index";
import { cos, sin, tan } from "../../src/math/deterministic";
import { type BackendName, createWorld } from "./worlds";

const [ANGLE, SIDE, HEIGHT, FRAMES] = [Math.PI / 9, 0.2, 0.1, 48];

/**
 * A soft block on one that is twice as long and held below, vertex on vertex.
 *
 * @param grip by how much µ is over the tangent of the angle
 * @returns by how much it gets faster in the last 12 frames [m/s]
 */
async function slide(upper: SolverName, lower: SolverName, grip: number): Promise<number> {
  const world = await createWorld("cpu", { snapshotInterval: 0 });
  const block = (solver: SolverName, length: number, y: number) => {
    const mesh = boxTetrahedra({ size: [length * SIDE, HEIGHT, SIDE], cells: [2 * length, 1, 2], center: [0, y, 0] });
    const model = solidModel({
      solver,
      ...mesh,
      material: { youngsModulus: 3e4, poissonRatio: 0.3, density: 500 },
    });
    const isBelow = (p: number): boolean => y === 0 && model.positions[3 * p + 1] < -0.4 * HEIGHT;
    const pins = Array.from(model.masses, (_, p) => p).filter(isBelow);
    return world.addBody(model, { friction: tan(ANGLE) + grip, pins });
  };
  block(lower, 2, 0);
  const body = block(upper, 1, HEIGHT + 0.002);
  let [speed, before] = [0, 0];
  for (let frame = 1; frame <= FRAMES; frame++) {
    const part = Math.min(1, frame / 30);
    const now = ANGLE * part * part * (3 - 2 * part);
    world.gravity = [9.81 * sin(now), -9.81 * cos(now), 0];
    world.step(1 / 60);
    await world.settled();
    if (frame !== FRAMES - 12 && frame !== FRAMES) continue;
    const { velocities } = await body.readState();
    before = speed;
    speed = body.model.masses.reduce((sum, m, p) => sum + m * velocities[3 * p], 0) / (SIDE * SIDE * HEIGHT * 500);
  }
  world.dispose();
  return speed - before;
}

describe("soft blocks of different solvers that lie vertex on vertex on a slope of 20°", () => {
  it.each<readonly [SolverName, SolverName]>([
    ["gpbd", "local-global"],
    ["local-global", "gpbd"],
  ])("slide as Coulomb's law has it: %s on %s", async (upper, lower) => {
    expect(await slide(upper, lower, -0.02)).toBeCloseTo(0.2 * 9.81 * 0.02 * cos(ANGLE), 2);
  });

  it("stick above the limit", async () => {
    expect(Math.abs(await slide("gpbd", "local-global", 0.02))).toBeLessThan(5e-3);
  });
});

describe("a box on a solid of gpbd that is a slope of 12°, 0.02 above the limit of friction", () => {
  it.each<{ size: number; rate: number; backend: BackendName }>([
    { size: 0.2, rate: 30, backend: "cpu" },
    { size: 0.2, rate: 120, backend: "cpu" },
    { size: 2, rate: 20, backend: "cpu" },
    { size: 0.2, rate: 30, backend: "webgpu" },
    { size: 2, rate: 20, backend: "webgpu" },
  ])("does not creep: $size m, $rate Hz, $backend", async ({ size, rate, backend }) => {
    const angle = Math.PI / 15;
    const world = await createWorld(backend, { snapshotInterval: 0 });
    world.gravity = [9.81 * sin(angle), -9.81 * cos(angle), 0];
    const friction = tan(angle) + 0.02;
    const mesh = boxTetrahedra({ size: [2 * size, size / 2, size], cells: [8, 2, 4], center: [0, 0, 0] });
    const material = { youngsModulus: 5e5 * size, poissonRatio: 0.3, density: 500 };
    const model = solidModel({ ...mesh, material });
    const pins = Array.from(model.masses, (_, p) => p).filter((p) => model.positions[3 * p + 1] < 0);
    world.addBody(model, { friction, pins });
    const box = world.addRigidBody({
      shape: { type: "box", halfExtents: [size / 2, size / 4, size / 2] },
      mass: 250 * size ** 3,
      friction,
      position: [0, 0.51 * size, 0],
    });
    const time = Math.sqrt(size / 0.2);
    let before = 0;
    for (let frame = 1; frame <= time * rate; frame++) {
      world.step(1 / rate);
      await world.settled();
      if (frame !== Math.round(0.7 * time * rate)) continue;
      before = box.position[0];
      // Anchors are part of the state.
      world.restore(structuredClone(await world.snapshot()));
    }
    expect(Math.abs(box.position[0] - before)).toBeLessThan(1e-3 * size);
    world.dispose();
  });
});
