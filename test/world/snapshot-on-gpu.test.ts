import { describe, expect, it } from "vitest";
import { boxTetrahedra, type RigidBody, type Snapshot, solidModel, type World } from "../../src/index";
import { cos, sin, tan } from "../../src/math/deterministic";
import { createWorld } from "./worlds";

const ANGLE = Math.PI / 15;
const FRICTION = tan(ANGLE) + 0.02;

/** A box on a soft slope, 0.02 above the limit of friction. */
function fill(world: World, size: number): RigidBody {
  world.gravity = [9.81 * sin(ANGLE), -9.81 * cos(ANGLE), 0];
  const mesh = boxTetrahedra({ size: [2 * size, size / 2, size], cells: [4, 2, 2], center: [0, 0, 0] });
  const material = { youngsModulus: 5e5 * size, poissonRatio: 0.3, density: 500 };
  const model = solidModel({ ...mesh, material });
  const pins = Array.from(model.masses, (_, p) => p).filter((p) => model.positions[3 * p + 1] < 0);
  world.addBody(model, { friction: FRICTION, pins });
  return world.addRigidBody({
    shape: { type: "box", halfExtents: [size / 2, size / 4, size / 2] },
    mass: 250 * size ** 3,
    friction: FRICTION,
    position: [0.01 * size, 0.51 * size, 0],
  });
}

async function go(world: World, frames: number): Promise<void> {
  for (let frame = 0; frame < frames; frame++) {
    world.step(1 / 30);
    await world.settled();
  }
}

async function stateOf(world: World, box: RigidBody): Promise<number[]> {
  const { positions, velocities } = await world.bodies[0].readState();
  return [...box.position, ...box.rotation, ...box.linearVelocity, ...positions, ...velocities];
}

describe.each([0.2, 2])("a box that a solid of %d m holds by friction on WebGPU", (size) => {
  const play = async (
    act: (world: World, box: RigidBody, saved: Snapshot) => Promise<void>,
  ): Promise<{ apart: number; moved: number }> => {
    const world = await createWorld("webgpu");
    const box = fill(world, size);
    await go(world, 12);
    const saved = structuredClone(await world.snapshot());
    const before = await stateOf(world, box);
    await go(world, 3);
    const expected = await stateOf(world, box);
    await act(world, box, saved);
    const last = await stateOf(world, box);
    const apart = Math.max(...expected.map((value, k) => Math.abs(value - last[k])));
    const moved = Math.max(...expected.map((value, k) => Math.abs(value - before[k])));
    world.dispose();
    return { apart, moved };
  };

  it("goes on from a snapshot with the same bits", async () => {
    const { apart, moved } = await play(async (world, _, saved) => {
      world.restore(saved);
      await go(world, 3);
    });
    expect(moved).toBeGreaterThan(0);
    expect(apart).toBe(0);
  });

  it("gets nothing of the steps that were under way", async () => {
    const { apart } = await play(async (world, box, saved) => {
      box.linearVelocity = [0, -3, 0];
      world.step(1 / 30);
      world.step(1 / 30);
      world.restore(saved);
      await go(world, 3);
    });
    expect(apart).toBe(0);
  });

  it("does so in another world", async () => {
    const other = await createWorld("webgpu");
    const copy = fill(other, size);
    let expected: number[] = [];
    await play(async (world, box, saved) => {
      expected = await stateOf(world, box);
      other.restore(saved);
      await go(other, 3);
    });
    expect(await stateOf(other, copy)).toEqual(expected);
    other.dispose();
  });
});
