import { RandomGeometry } from "../../samples/random";

/** Random numbers from a text: the same text gives the same scene on every machine. */
export class Random extends RandomGeometry {
  constructor(text: string) {
    // FNV-1a of the text
    let hash = 0x811c9dc5;
    for (const letter of text) hash = Math.imul(hash ^ letter.codePointAt(0)!, 0x01000193);
    super(hash);
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
}
