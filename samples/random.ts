import type { Quat, Vec3 } from "../src/index";

/** Uniform numbers in [0, 1) that are the same in every run (mulberry32). */
export function mulberry(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Random numbers, directions and rotations from a seed. */
export class RandomGeometry {
  /** In [0, 1). */
  readonly next: () => number;

  constructor(seed: number) {
    this.next = mulberry(seed);
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.next();
  }

  /** Uniform in a cube with this half side. */
  vector(size: number): [number, number, number] {
    return [this.between(-size, size), this.between(-size, size), this.between(-size, size)];
  }

  /** Uniform on the sphere. */
  direction(): Vec3 {
    const y = this.between(-1, 1);
    const angle = this.between(0, 2 * Math.PI);
    const r = Math.sqrt(1 - y * y);
    return [r * Math.cos(angle), y, r * Math.sin(angle)];
  }

  /** Uniform over rotations (Shoemake). */
  rotation(): Quat {
    const [u, a, b] = [this.next(), this.between(0, 2 * Math.PI), this.between(0, 2 * Math.PI)];
    const [r, s] = [Math.sqrt(1 - u), Math.sqrt(u)];
    return [r * Math.sin(a), r * Math.cos(a), s * Math.sin(b), s * Math.cos(b)];
  }
}
