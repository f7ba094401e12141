import { describe, expect, it } from "vitest";
import type { ColliderShape, Quat, RigidBody, World } from "../../../src/index";
import { RandomGeometry } from "../../collision/random";
import { frameTime, inWorld } from "../worlds";

const SIDES = 12;

/** A drum about z, as wide as a meter, of boards. */
function drum(radius: number): ColliderShape {
  const children = Array.from({ length: SIDES }, (_, k) => {
    const angle = (2 * Math.PI * k) / SIDES;
    const rotation: Quat = [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)];
    const halfExtents = [1.05 * radius * Math.tan(Math.PI / SIDES), 0.025 * radius, 0.5 * radius] as const;
    const shape: ColliderShape = { type: "box", halfExtents };
    return { shape, position: [radius * Math.sin(angle), -radius * Math.cos(angle), 0] as const, rotation };
  });
  const lids = [-0.5, 0.5].map((z) => ({
    shape: { type: "box", halfExtents: [1.1 * radius, 1.1 * radius, 0.025 * radius] } as const,
    position: [0, 0, z * radius] as const,
  }));
  const paddle = {
    shape: { type: "box", halfExtents: [0.03 * radius, 0.15 * radius, 0.5 * radius] } as const,
    position: [0, -0.85 * radius, 0] as const,
  };
  return { type: "container", children: [...children, ...lids, paddle] };
}

function fill(world: World, radius: number, seed: number): RigidBody[] {
  const random = new RandomGeometry(seed);
  return Array.from({ length: 10 }, (_, k) => {
    const size = radius * random.between(0.05, 0.1);
    const position = [random.between(-0.4, 0.4), random.between(-0.4, 0.4), random.between(-0.3, 0.3)];
    return world.addRigidBody({
      shape: k % 2 ? { type: "sphere", radius: size } : { type: "box", halfExtents: [size, size, size] },
      mass: random.between(0.01, 1),
      position: position.map((value) => value * radius) as never,
    });
  });
}

describe("bodies in a drum that turns", () => {
  it.each([
    { radius: 0.03, turns: 1, seed: 1 },
    { radius: 0.3, turns: 5, seed: 2 },
    { radius: 0.3, turns: 8, seed: 3 },
    { radius: 3, turns: 2, seed: 4 },
  ])("stay in it: $radius m, $turns turns a second", async ({ radius, turns, seed }) => {
    await inWorld("cpu", {}, async (world) => {
      const wall = world.addRigidBody({ shape: drum(radius), motion: "kinematic" });
      const bodies = fill(world, radius, seed);
      for (let frame = 1; frame <= 90; frame++) {
        const half = Math.PI * turns * frame * frameTime;
        wall.moveTo([0, 0, 0], [0, 0, Math.sin(half), Math.cos(half)]);
        world.step(frameTime);
        const outside = bodies.filter(
          ({ position: [x, y, z] }) => Math.hypot(x, y) > 1.05 * radius || Math.abs(z) > 0.55 * radius,
        );
        expect(outside.length, `frame ${frame}`).toBe(0);
        const speed = Math.max(...bodies.map(({ linearVelocity }) => Math.hypot(...linearVelocity)));
        expect(speed).toBeLessThan(1.5 * 2 * Math.PI * turns * radius + 2 * Math.sqrt(2 * 9.81 * radius));
      }
    });
  });
});
