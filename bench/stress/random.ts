import type { Quat, Vec3 } from "../../src/index";

/** Random numbers from a text: the same text gives the same scene on every machine. */
export class Random {
  private state: number;

  constructor(text: string) {
    // FNV-1a of the text, then mulberry32
    let hash = 0x811c9dc5;
    for (const letter of text) hash = Math.imul(hash ^ letter.codePointAt(0)!, 0x01000193);
    this.state = hash >>> 0;
  }

  /** In [0, 1). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.next();
  }

  /** Logarithmic: each decade is equally likely. */
  decades(low: number, high: number): number {
    return low * (high / low) ** this.next();
  }

  /** An integer, both ends included. */
  whole(low: number, high: number): number {
    return low + Math.floor((high - low + 1) * this.next());
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  pick<T>(values: readonly T[]): T {
    return values[Math.floor(values.length * this.next())];
  }

  /** Uniform in a cube with this half side. */
  vector(size: number): Vec3 {
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
