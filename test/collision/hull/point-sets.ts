import { RandomGeometry } from "../random";
import { rotate } from "../narrow/reference";
import type { Vec3 } from "../../../src/math/types";

type Points = Vec3[];
const many = (count: number, make: (i: number) => Vec3): Points => Array.from({ length: count }, (_, i) => make(i));
const count = (random: RandomGeometry): number => Math.floor(random.between(5, 250));

/** Sets of points, about 2 large, of kinds that are hard for hulls. */
export const KINDS: Readonly<Record<string, (random: RandomGeometry) => Points>> = {
  random: (r) => many(count(r), () => r.vector(1)),
  ball: (r) => many(count(r), () => r.direction()),
  "few points": (r) => many(4 + Math.floor(r.between(0, 4)), () => r.vector(1)),
  cylinder: (r) => {
    const sides = Math.floor(r.between(3, 60));
    return many(2 * sides, (i) => {
      const angle = (2 * Math.PI * (i >> 1)) / sides;
      return [Math.cos(angle), i & 1 ? 0.7 : -0.7, Math.sin(angle)];
    });
  },
  cone: (r) => {
    const sides = Math.floor(r.between(3, 60));
    return many(sides + 1, (i) => {
      const angle = (2 * Math.PI * i) / sides;
      return i === sides ? [0, 1, 0] : [Math.cos(angle), -1, Math.sin(angle)];
    });
  },
  grid: (r) => {
    const n = Math.floor(r.between(2, 6));
    return many(n * n * n, (i) => [(i % n) / n, (Math.floor(i / n) % n) / n, Math.floor(i / n / n) / n]);
  },
  filleted: (r) => {
    const n = Math.floor(r.between(2, 6));
    const fillet = r.between(0.001, 0.3);
    const points: Points = [];
    for (let corner = 0; corner < 8; corner++)
      for (let i = 0; i <= n; i++)
        for (let j = 0; j <= n; j++) {
          const [a, b] = [(Math.PI / 2) * (i / n), (Math.PI / 2) * (j / n)];
          const p = [Math.cos(a) * Math.cos(b), Math.sin(a), Math.cos(a) * Math.sin(b)];
          points.push(asVec((k) => ((corner >> k) & 1 ? 1 : -1) * (1 - fillet + fillet * p[k])));
        }
    return points;
  },
  "on the faces of a box": (r) =>
    many(200, (i) => {
      const p = r.vector(1);
      return asVec((k) => (k === i % 3 ? (i & 1 ? 1 : -1) : p[k]));
    }),
  "on two planes": (r) => many(80, (i) => [r.between(-1, 1), i & 1 ? 0.3 : -0.3, r.between(-1, 1)]),
  "edges with points in them": (r) => {
    const corners = many(6, () => r.vector(1));
    const inner = many(120, () => {
      const [a, b] = [corners[Math.floor(r.between(0, 6))], corners[Math.floor(r.between(0, 6))]];
      const t = r.between(0, 1);
      return asVec((k) => a[k] + t * (b[k] - a[k]));
    });
    return [...corners, ...inner];
  },
  doubles: (r) => {
    const points = many(30, () => r.vector(1));
    return many(150, (i) => {
      const p = points[i % 30];
      const noise = r.vector(i % 2 ? 1e-9 : 0);
      return asVec((k) => p[k] + noise[k]);
    });
  },
  "rounded plate": (r) => {
    const sides = Math.floor(r.between(20, 100));
    const points: Points = [];
    for (let i = 0; i < sides; i++)
      for (const [radius, height] of [
        [1, 0.01],
        [1.01, 0.005],
        [1.01, -0.005],
        [1, -0.01],
      ]) {
        const angle = (2 * Math.PI * i) / sides;
        points.push([radius * Math.cos(angle), height, radius * Math.sin(angle)]);
      }
    return points;
  },
};

const asVec = (value: (axis: number) => number): Vec3 => [value(0), value(1), value(2)];

/**
 * A set in the form that a scene may have: stretched by 1 to 10⁴, turned, scaled, moved, and every other time rounded
 * to f32.
 */
export function pointSet(kind: string, seed: number): number[] {
  const random = new RandomGeometry(seed);
  const points = KINDS[kind](random);
  const stretch = asVec(() => (random.between(0, 1) < 0.7 ? 1 : 10 ** random.between(-4, 0)));
  const isTurned = random.between(0, 1) < 0.7;
  const turn = random.rotation();
  const size = 10 ** random.between(-3, 3);
  const shift = random.vector(random.between(0, 1) < 0.5 ? 0 : 3 * size);
  const isRounded = random.between(0, 1) < 0.5;
  return points.flatMap((p) => {
    const stretched = asVec((k) => stretch[k] * p[k]);
    const turned = isTurned ? rotate(turn, stretched) : stretched;
    return turned.map((value, k) => {
      const placed = size * value + shift[k];
      return isRounded ? Math.fround(placed) : placed;
    });
  });
}
