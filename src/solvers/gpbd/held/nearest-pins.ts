import { distanceBetween } from "../../../math/vectors";
import { pinHolds, type PinTable } from "../../deformable";

/** The pin nearest to each particle of a body, by the way along edges at rest. */
export class NearestPins {
  /** −1 without one */
  readonly nearest: Int32Array;
  /** infinite without one [m] */
  readonly lengths: Float64Array;
  /** 1 for particles that pins hold */
  readonly held: Uint8Array;
  private rest: ArrayLike<number> | undefined;

  constructor(particleCount: number) {
    this.nearest = new Int32Array(particleCount);
    this.lengths = new Float64Array(particleCount);
    this.held = new Uint8Array(particleCount);
  }

  /** Finds them again if pins or the shape at rest have changed, and returns whether. */
  follow(rest: ArrayLike<number>, faces: Uint32Array, pins: PinTable): boolean {
    const { held, nearest, lengths } = this;
    let isSame = this.rest === rest;
    for (let p = 0; p < held.length; p++) {
      const holds = Number(pinHolds(pins, p));
      isSame &&= held[p] === holds;
      held[p] = holds;
    }
    if (isSame) return false;
    this.rest = rest;
    held.forEach((holds, p) => {
      nearest[p] = holds === 1 ? p : -1;
      lengths[p] = holds === 1 ? 0 : Infinity;
    });
    for (let goesOn = held.includes(1); goesOn;) {
      goesOn = false;
      for (let i = 0; i < faces.length; i++) {
        const [a, b] = edgeAt(faces, i);
        const [p, q] = lengths[a] < lengths[b] ? [a, b] : [b, a];
        const length = lengths[p] + distanceBetween(rest, 3 * p, 3 * q);
        if (!(length < lengths[q])) continue;
        lengths[q] = length;
        nearest[q] = nearest[p];
        goesOn = true;
      }
    }
    return true;
  }
}

/** Particles of the edge of a face that begins at a corner. */
export const edgeAt = (faces: ArrayLike<number>, i: number): readonly [number, number] => [
  faces[i],
  faces[i % 3 < 2 ? i + 1 : i - 2],
];
