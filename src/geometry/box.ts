import type { Vec3 } from "../math/types";

/** Lowest and highest corner [m]. */
export interface Box {
  readonly min: Vec3;
  readonly max: Vec3;
}

/** @param positions count × 3 [m] */
export function boxOf(positions: ArrayLike<number>): Box {
  const min: [number, number, number] = [Infinity, Infinity, Infinity];
  const max: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; i++) {
    min[i % 3] = Math.min(min[i % 3]!, positions[i]!);
    max[i % 3] = Math.max(max[i % 3]!, positions[i]!);
  }
  return { min, max };
}

/** Longest side [m]. */
export function sizeOf({ min, max }: Box): number {
  return Math.max(...[0, 1, 2].map((c) => max[c]! - min[c]!));
}

/** A box with `margin` more on every side [m]. */
export function grown({ min, max }: Box, margin: number): Box {
  return {
    min: [min[0] - margin, min[1] - margin, min[2] - margin],
    max: [max[0] + margin, max[1] + margin, max[2] + margin],
  };
}

/** What two boxes have in common; undefined where they are apart. */
export function intersection(a: Box, b: Box): Box | undefined {
  const [min, max] = [a.min.slice(), a.max.slice()];
  for (let c = 0; c < 3; c++) {
    min[c] = Math.max(min[c]!, b.min[c]!);
    max[c] = Math.min(max[c]!, b.max[c]!);
    if (min[c]! > max[c]!) return undefined;
  }
  return { min: min as [number, number, number], max: max as [number, number, number] };
}
