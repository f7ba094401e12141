import type { RigidBodyOptions } from "../../../src/index";
import { drawSetting, ground, places, times } from "../draw";
import type { Random } from "../random";
import type { Family } from "../scene";

/** Points like those of meshes: on round things, in rows, on edges, in single precision. */
function drawPoints(random: Random, radius: number): number[] {
  const count = random.whole(4, 120);
  const points = (): readonly (readonly number[])[] => {
    switch (random.pick(["ball", "cylinder", "lattice", "plate"] as const)) {
      case "ball":
        return Array.from({ length: count }, () => random.direction());
      case "cylinder":
        return Array.from({ length: count }, (_, i) => {
          const angle = (2 * Math.PI * (i >> 1)) / (count >> 1);
          return [0.7 * Math.cos(angle), i % 2 === 0 ? 0.7 : -0.7, 0.7 * Math.sin(angle)];
        });
      case "lattice":
        return Array.from({ length: 64 }, (_, i) => [i % 4, (i >> 2) % 4, i >> 4].map((n) => 0.35 * (n - 1.5)));
      default:
        return Array.from({ length: Math.max(8, count) }, (_, i) => {
          const [x, , z] = random.direction();
          return [x, i % 2 === 0 ? 0.02 : -0.02, z];
        });
    }
  };
  const isSingle = random.chance(0.5);
  return points().flatMap((point) => point.map((n) => (isSingle ? Math.fround(n * radius) : n * radius)));
}

/** Convex hulls of many kinds of points are thrown at the ground. */
export const hulls: Family = {
  name: "hulls",
  hasGpu: true,
  draw(random) {
    const setting = drawSetting(random);
    const { size, speed } = setting;
    const bodies = places(random, random.whole(1, 10), 1.3 * size, 0).map((position): RigidBodyOptions => {
      const shape = { type: "convex-hull", positions: drawPoints(random, size / 2) } as const;
      return {
        shape,
        position,
        rotation: random.rotation(),
        linearVelocity: random.chance(0.5) ? times(random.direction(), speed) : [0, 0, 0],
      };
    });
    return { ...setting, floor: true, bodies: [ground(setting), ...bodies] };
  },
};
