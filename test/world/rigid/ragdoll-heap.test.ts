import { describe, expect, it } from "vitest";
import { figure } from "../../../bench/stress/families/ragdolls";
import { Random } from "../../../bench/stress/random";
import type { RigidBody } from "../../../src/world/rigid/rigid-body";
import { RigidWorld } from "../../../src/world/rigid/rigid-world";

/** `PLIANT_HEAPS=50 PLIANT_FIGURES=10 npx vitest run --project unit test/world/rigid/ragdoll-heap` drops more of them. */
const heaps = Number(process.env.PLIANT_HEAPS ?? 2);
const figures = Number(process.env.PLIANT_FIGURES ?? 3);
const SIZE = 1.8;
const GRAVITY = 9.81;
const FRAME = 1 / 60;

function heap(seed: number): { readonly world: RigidWorld; readonly limbs: RigidBody[] } {
  const random = new Random(`heap ${seed}`);
  const world = new RigidWorld();
  world.gravity = [0, -GRAVITY, 0];
  world.addBody({ shape: { type: "box", halfExtents: [40, 1, 40] }, position: [0, -1, 0], motion: "static" });
  const limbs: RigidBody[] = [];
  for (let k = 0; k < figures; k++) {
    const foot = [random.between(-0.7, 0.7), 0.2 + 1.9 * k, random.between(-0.7, 0.7)] as const;
    const made = figure(`figure ${k}`, SIZE, foot, limbs.length);
    for (const limb of made.limbs) limbs.push(world.addBody(limb));
    for (const { a, b, ...options } of made.joints) world.addJoint({ ...options, bodyA: limbs[a], bodyB: limbs[b] });
  }
  return { world, limbs };
}

describe("a heap of figures", () => {
  it.each(Array.from({ length: heaps }, (_, k) => k + 1))(
    "of seed %i: none is faster than its fall, and all fall asleep within 15 s",
    (seed) => {
      const { world, limbs } = heap(seed);
      const top = Math.max(...limbs.map((limb) => limb.position[1]));
      let fastest = 0;
      for (let frame = 0; frame < 900 && limbs.some((limb) => !limb.isAsleep); frame++) {
        world.step(FRAME);
        for (const limb of limbs) fastest = Math.max(fastest, Math.hypot(...limb.linearVelocity));
      }
      expect(fastest).toBeLessThan(Math.sqrt(2 * GRAVITY * top));
      expect(limbs.filter((limb) => !limb.isAsleep).map(({ name }) => name)).toEqual([]);
    },
    600_000,
  );
});
