import { describe, expect, it } from "vitest";
import { figure } from "../../../bench/stress/families/ragdolls";
import { Random } from "../../../bench/stress/random";
import { turn } from "../../../src/math/quaternions";
import type { Vec3 } from "../../../src/math/types";
import type { RigidBody } from "../../../src/world/rigid/rigid-body";
import { RigidWorld } from "../../../src/world/rigid/rigid-world";
import { spinEnergy } from "./worlds";

/** `PLIANT_HEAPS=50 PLIANT_FIGURES=10 npx vitest run --project unit test/world/rigid/ragdoll-heap` drops more of them. */
const heaps = Number(process.env.PLIANT_HEAPS ?? 1);
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
    const rotation = random.rotation();
    const middle = [random.between(-0.3, 0.3), 1.1 + 1.9 * k, random.between(-0.3, 0.3)] as const;
    const made = figure(`figure ${k}`, SIZE, [0, -SIZE / 2, 0], limbs.length);
    for (const limb of made.limbs) {
      const place = turn(rotation, limb.position!);
      const position: Vec3 = [place[0] + middle[0], place[1] + middle[1], place[2] + middle[2]];
      limbs.push(world.addBody({ ...limb, position, rotation }));
    }
    for (const { a, b, ...options } of made.joints) world.addJoint({ ...options, bodyA: limbs[a], bodyB: limbs[b] });
  }
  return { world, limbs };
}

describe("a heap of figures that fall as they happen to be turned", () => {
  it.each(Array.from({ length: heaps }, (_, k) => k + 1))(
    "of seed %i: gains no energy, and all fall asleep within 15 s",
    (seed) => {
      const { world, limbs } = heap(seed);
      const energy = (): number =>
        limbs.reduce((sum, limb) => {
          const [x, y, z] = limb.linearVelocity;
          return sum + limb.mass * (0.5 * (x * x + y * y + z * z) + GRAVITY * limb.position[1]) + spinEnergy(limb);
        }, 0);
      const start = energy();
      const fall = Math.sqrt(2 * GRAVITY * Math.max(...limbs.map((limb) => limb.position[1])));
      for (let frame = 0; frame < 900 && limbs.some((limb) => !limb.isAsleep); frame++) {
        world.step(FRAME);
        expect(energy(), `frame ${frame}`).toBeLessThan(1.001 * start);
        // A leg whips its foot to 1.4 times the speed of the fall, with eight times as many steps too.
        const fastest = Math.max(...limbs.map((limb) => Math.hypot(...limb.linearVelocity)));
        expect(fastest, `frame ${frame}`).toBeLessThan(1.6 * fall);
      }
      expect(limbs.filter((limb) => !limb.isAsleep).map(({ name }) => name)).toEqual([]);
    },
    600_000,
  );
});
