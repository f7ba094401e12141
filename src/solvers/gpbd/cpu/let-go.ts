/**
 * Particles that pins or bodies draw through an obstacle. Contact has the last word, and would keep them on their side while the pins
 * go on: cloth was drawn out to many times its length, and left at hundreds of meters a second. So an obstacle that does not yield lets go of a
 * particle if it is between it and its pin, and these are further apart than the body reaches.
 */
import { createSweepContact, sweepBy } from "../../../collision/contact/sweep";
import { distanceAt } from "../../../collision/distance/signed-distance";
import type { ColliderSet } from "../../../collision/obstacles/collider-set";
import { POSE, toFrame } from "../../../collision/shape/pose";
import { distanceBetween, dot } from "../../../math/vectors";
import { pinHolds, type PinTable } from "../../deformable";
import { facesOf, type GpbdModel } from "../model";

/** A particle is let go of at so many times the length between it and its pin at rest. */
const REACH = Number(globalThis.process?.env.REACH ?? 1.1);
/** Sides of an obstacle whose normals are less opposed than this cosine are not opposite ones. */
const OPPOSED = -0.5;

const contact = createSweepContact();
/** at the start of the frame, without distance */
const asked = new Float64Array(3);
const start = new Float64Array(3);
const place = new Float64Array(3);
/** gradients and distances at both */
const near = new Float64Array(4);
const far = new Float64Array(4);

export class LetGo {
  /** nearest pin of each particle, −1 without one, and the way to it along edges at rest [m] */
  private nearest: Int32Array;
  private lengths: Float64Array;
  private rest: ArrayLike<number> | undefined;
  private readonly held: Uint8Array;

  constructor(particleCount: number) {
    this.nearest = new Int32Array(particleCount).fill(-1);
    this.lengths = new Float64Array(particleCount);
    this.held = new Uint8Array(particleCount);
  }

  /** Finds the nearest pins, if these or the shape at rest have changed. */
  follow(model: GpbdModel, pins: PinTable): void {
    let isSame = this.rest === model.positions;
    for (let p = 0; p < this.held.length; p++) {
      const holds = Number(pinHolds(pins, p));
      isSame &&= this.held[p] === holds;
      this.held[p] = holds;
    }
    if (isSame) return;
    const { held, nearest, lengths } = this;
    const { positions } = model;
    this.rest = positions;
    held.forEach((holds, p) => {
      nearest[p] = holds === 1 ? p : -1;
      lengths[p] = holds === 1 ? 0 : Infinity;
    });
    const faces = facesOf(model);
    for (let goesOn = held.includes(1); goesOn;) {
      goesOn = false;
      for (let i = 0; i < faces.length; i++)
        for (const [p, q] of [
          [faces[i], faces[i % 3 < 2 ? i + 1 : i - 2]],
          [faces[i % 3 < 2 ? i + 1 : i - 2], faces[i]],
        ]) {
          const length = lengths[p] + distanceBetween(positions, 3 * p, 3 * q);
          if (!(length < lengths[q])) continue;
          lengths[q] = length;
          nearest[q] = nearest[p];
          goesOn = true;
        }
    }
  }

  /** @returns the pin that draws a particle through an obstacle, −1 without one */
  drawnBy(set: ColliderSet, positions: Float64Array, p: number): number {
    const pin = this.nearest[p];
    const isFar = pin >= 0 && distanceBetween(positions, 3 * p, 3 * pin) > REACH * this.lengths[p];
    return isFar && isBetween(set, positions, pin, p) ? pin : -1;
  }
}

/** Whether a particle at which there is none has an obstacle that does not yield between itself and another one. */
export function isBetween(set: ColliderSet, positions: Float64Array, from: number, to: number): boolean {
  for (let c = 0; c < 3; c++) {
    start[c] = positions[3 * from + c];
    place[c] = positions[3 * to + c];
  }
  for (let k = 0; k < set.primitiveCount; k++) {
    if (set.proxyOf[k] >= 0 && set.proxies[set.proxyOf[k]].inverseMass > 0) continue;
    if (!sweepBy(set, k, start, place, 0, asked, contact, false)) continue;
    toFrame(set.startPoses, POSE * k, start, 0, near, 0);
    toFrame(set.startPoses, POSE * k, place, 0, far, 0);
    distanceAt(set.primitives[k], near, 0, near);
    distanceAt(set.primitives[k], far, 0, far);
    if (near[3] > 0 && dot(near, far) < OPPOSED) return true;
  }
  return false;
}
