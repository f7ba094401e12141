import { describe, expect, it } from "vitest";
import { boxTetrahedra, solidModel, World, type Vec3 } from "../../../../src/index";
import { cross } from "../../../../src/math/vectors";

/** Two boxes side by side with a joint between them, in the air, in a world with a soft body far away. */
async function pair(type: "lock" | "hinge", ratio: number, size: number) {
  const world = await World.create({ backend: "cpu" });
  const half = size / 2;
  const shape = { type: "box", halfExtents: [half, half, half] } as const;
  const [a, b] = [-half, half].map((x, i) =>
    world.addRigidBody({ shape, mass: i === 0 ? 1 : ratio, position: [x, 100 * size, 0] }),
  );
  world.addJoint({ bodyA: a, bodyB: b, type, pivotA: [half, 0, 0], pivotB: [-half, 0, 0] });
  const mesh = boxTetrahedra({ size: [size, size, size], cells: [1, 1, 1], center: [50 * size, 50 * size, 0] });
  world.addBody(
    solidModel({ solver: "gpbd", ...mesh, material: { youngsModulus: 1e5, poissonRatio: 0.3, density: 1000 } }),
  );
  await world.whenReadyAsync();
  world.step(1e-4);
  const answer = (push: Vec3, at: Vec3): { linear: Vec3; angular: Vec3 }[] => {
    const { island, place } = world.rigidObstacles.proxyOf(a)!.seat!;
    const changes = new Float64Array(6 * island.proxies.length);
    island.answer!(place, Float64Array.of(...push, ...cross(at, push)), changes);
    return [a, b].map((body) => {
      const k = 6 * world.rigidObstacles.proxyOf(body)!.seat!.place;
      const three = (from: number): Vec3 => [changes[from], changes[from + 1], changes[from + 2]];
      return { linear: three(k), angular: three(k + 3) };
    });
  };
  return { answer, dispose: () => world.dispose() };
}

const sum = (u: Vec3, v: Vec3): Vec3 => [u[0] + v[0], u[1] + v[1], u[2] + v[2]];
const apart = (u: Vec3, v: Vec3): number => Math.hypot(u[0] - v[0], u[1] - v[1], u[2] - v[2]);

describe.each([
  ["lock", 1, 1],
  ["lock", 1000, 0.001],
  ["hinge", 1e6, 1],
  ["hinge", 1e-3, 100],
] as const)("two bodies with a %s and masses of 1 : %d, %d m", (type, ratio, size) => {
  it("answer to a push as a whole", async () => {
    const { answer, dispose } = await pair(type, ratio, size);
    const half = size / 2;
    for (const push of [
      [1, 0, 0],
      [0, -1, 0],
      [0.3, 0.5, -0.8],
    ] as const) {
      const [a, b] = answer(push, [-0.2 * half, half, 0.4 * half]);
      const fastest = Math.max(...[a, b].map(({ linear }) => Math.hypot(...linear)));
      // Momentum is that of the push, and the point that they share has one velocity.
      const momentum = [0, 1, 2].map((c) => a.linear[c] + ratio * b.linear[c]) as unknown as Vec3;
      expect(apart(momentum, push)).toBeLessThan(1e-6 * Math.max(1, ratio));
      const [atA, atB] = [
        sum(a.linear, cross(a.angular, [half, 0, 0])),
        sum(b.linear, cross(b.angular, [-half, 0, 0])),
      ];
      expect(apart(atA, atB)).toBeLessThan(1e-5 * fastest);
      if (type === "lock") expect(apart(a.angular, b.angular) * size).toBeLessThan(1e-5 * fastest);
    }
    // A push at both centers of mass together moves them by itself, and turns nothing.
    if (type === "lock") {
      const [a] = answer([0, -1, 0], [(half * 2 * ratio) / (1 + ratio), 0, 0]);
      expect(Math.abs(a.linear[1] * -(1 + ratio) - 1)).toBeLessThan(1e-4);
    }
    dispose();
  });
});
