import { describe, expect, it } from "vitest";
import type { Vec3 } from "../../../src/math/types";
import type { RigidBodyOptions } from "../../../src/world/rigid/body-options";
import type { RigidWorld } from "../../../src/world/rigid/rigid-world";
import { floorWorld, run } from "./worlds";

const heap: RigidBodyOptions[] = Array.from({ length: 24 }, (_, k) => ({
  id: k + 1,
  shape: { type: "box", halfExtents: [0.2, 0.15 + 0.01 * (k % 5), 0.25] },
  position: [0.11 * (k % 3), 0.4 + 0.45 * k, 0.07 * (k % 4)],
  rotation: [0.1 * (k % 2), 0.2, 0.05 * (k % 7), 1],
  friction: 0.4,
}));

function build(order: readonly RigidBodyOptions[]): RigidWorld {
  const world = floorWorld();
  const bodies = order.map((options) => world.addBody(options));
  const named = (id: number) => bodies.find((body) => body.id === id)!;
  world.addJoint({ type: "ball", bodyA: named(1), bodyB: named(2), pivotA: [0, 0.2, 0], pivotB: [0, -0.25, 0] });
  return world;
}

function state(world: RigidWorld): number[] {
  return world.bodies.flatMap((body) => [...body.position, ...body.rotation, ...body.linearVelocity]);
}

describe("the rigid world", () => {
  it("gives the same bits whatever is created first", () => {
    const shuffled = [...heap.slice(9).reverse(), ...heap.slice(0, 9)];
    const [first, second] = [build(heap), build(shuffled)];
    run(first, 1.5);
    run(second, 1.5);
    expect(state(second)).toEqual(state(first));
  });

  it("goes on from a snapshot with the same bits", () => {
    const world = build(heap);
    run(world, 1);
    const snapshot = world.snapshot();
    run(world, 1);
    const end = state(world);
    world.restore(snapshot);
    run(world, 1);
    expect(state(world)).toEqual(end);
    const other = build(heap);
    other.restore(snapshot);
    run(other, 1);
    expect(state(other)).toEqual(end);
  });

  it("goes on as before without a body that is gone", () => {
    const world = build(heap);
    run(world, 0.5);
    world.bodies[5].dispose();
    expect(world.bodies.length).toBe(24);
    run(world, 0.5);
    expect(state(world).every(Number.isFinite)).toBe(true);
  });

  it("falls asleep as a whole and wakes up when it is hit", () => {
    const world = floorWorld();
    const lower = world.addBody({ shape: { type: "box", halfExtents: [0.5, 0.5, 0.5] }, position: [0, 0.5, 0] });
    const upper = world.addBody({ shape: { type: "box", halfExtents: [0.5, 0.5, 0.5] }, position: [0, 1.5, 0] });
    run(world, 1);
    expect([lower.isAsleep, upper.isAsleep]).toEqual([true, true]);
    world.addBody({
      shape: { type: "sphere", radius: 0.3 },
      position: [-3, 0.5, 0],
      linearVelocity: [20, 0, 0],
      density: 3000,
    });
    run(world, 0.5);
    expect([lower.isAsleep, upper.isAsleep]).toEqual([false, false]);
    expect(lower.position[0]).toBeGreaterThan(0.05);
    run(world, 4);
    const rest = world.snapshot();
    expect(rest.asleep.length).toBe(4);
  });

  it("stands as it stood when it is woken", () => {
    const world = floorWorld({ substeps: 2 });
    const boxes = [0, 1, 2].map((k) =>
      world.addBody({ shape: { type: "box", halfExtents: [0.5, 0.5, 0.5] }, position: [0, 0.5 + k, 0] }),
    );
    run(world, 1);
    const heights = boxes.map((body) => body.position[1]);
    expect(boxes.every((body) => body.isAsleep)).toBe(true);
    boxes[2].wake();
    run(world, 0.2, 1 / 60, () => {
      boxes.forEach((body, k) => expect(Math.abs(body.position[1] - heights[k])).toBeLessThan(1e-6));
    });
    expect(boxes.every((body) => !body.isAsleep)).toBe(true);
  });

  it("starts from the impulses that bodies fell asleep with when they wake up", () => {
    const world = floorWorld({ solver: { directLimit: 0, newtonIterations: 1, sweeps: 1, smallSteps: 0 } });
    const boxes = [0, 1, 2, 3].map((k) =>
      world.addBody({
        shape: { type: "box", halfExtents: [0.5, 0.5, 0.5] },
        position: [3 * (k % 2), 0.5 + (k >> 1), 0],
      }),
    );
    run(world, 5);
    expect(boxes.every((body) => body.isAsleep)).toBe(true);
    const count = world.dynamics.stepper!.cache.count;
    expect(count).toBeGreaterThanOrEqual(12);
    run(world, 0.1);
    expect(world.dynamics.stepper!.cache.count).toBe(count);
    world.dynamics.reports = [];
    boxes[0].wake();
    world.step(1 / 60);
    // Free fall would be at 0.16 m/s.
    for (const { residuals } of world.dynamics.reports) expect(residuals[0]).toBeLessThan(1e-3);
    expect(world.dynamics.reports.length).toBe(1);
  });

  it.each([1, 10])(
    "is not looked at while it sleeps, and everything has the bits that it would have (sizes times %d)",
    (size) => {
      // With deformable bodies in the world a step looks at all bodies.
      const worlds = [false, true].map((isMixed) => Object.assign(floorWorld(), { isMixed }));
      const halfExtents: Vec3 = [0.2 * size, 0.15 * size, 0.25 * size];
      const casts = worlds.map((world) => {
        const boxes = Array.from({ length: 40 }, (_, k) =>
          world.addBody({
            shape: { type: "box", halfExtents },
            position: [((k >> 1) % 5) * size, (0.15 + 0.3 * (k & 1)) * size, (k >> 1) * 0.2 * size],
          }),
        );
        for (const k of [0, 8])
          world.addJoint({
            type: "ball",
            bodyA: boxes[k],
            bodyB: boxes[k + 1],
            pivotA: [0, 0.15 * size, 0],
            pivotB: [0, -0.15 * size, 0],
          });
        const pusher = world.addBody({
          motion: "kinematic",
          shape: { type: "sphere", radius: 0.1 * size },
          position: [0, 5 * size, 0],
        });
        return { boxes, pusher };
      });
      for (let frame = 0; frame < 240; frame++) {
        for (const { boxes, pusher } of casts) {
          if (frame === 80) boxes[21].linearVelocity = [size, 0, 0];
          if (frame === 150) boxes[8].wake();
          if (frame > 180) pusher.moveTo([0, (5 - 0.1 * (frame - 180)) * size, 0]);
        }
        for (const world of worlds) world.step(1 / 60);
        const [state, whole] = worlds.map(({ dynamics }) => dynamics.bodies.state);
        if (frame % 5 === 0)
          expect([state.pose, state.velocity, state.asleep]).toEqual([whole.pose, whole.velocity, whole.asleep]);
        if (frame !== 75) continue;
        expect(casts[0].boxes.every(({ isAsleep }) => isAsleep)).toBe(true);
        expect(worlds.map(({ dynamics }) => dynamics.stepper!.islands.count)).toEqual([0, 38]);
      }
      expect(casts[0].boxes.some(({ isAsleep }) => !isAsleep)).toBe(true);
    },
  );
});
