/**
 * Places on bodies that particles stick to. Friction undoes the slip of a substep, but a rigid body yields at the end of the substep only, to
 * all that touches it at once, and a particle can but guess how far. The rest of the slip would be lost in every substep, and bodies creep
 * down slopes. So a particle remembers its place on the body, as the distance remembers its depth.
 */
import { POSE, rotate, toFrame } from "../shape/pose";
import type { ColliderSet } from "./collider-set";

/** Numbers that are saved of an anchor: particle, primitive, place. */
const SAVED = 5;
const point = new Float64Array(3);

export class Anchors {
  /** in the frame of the primitive, n × 3 [m] */
  private readonly places = new Float64Array(3 * this.particleCount);
  private readonly primitives = new Int32Array(this.particleCount);
  /** substep in which an anchor was set last */
  private readonly set = new Int32Array(this.particleCount).fill(-1);
  private substep = 1;
  /** version of the colliders; undefined where the next ones are those that anchors are of */
  private version: number | undefined;

  constructor(private readonly particleCount: number) {}

  /** Ends a substep: anchors that it did not set are gone after the next one. */
  next(): void {
    this.substep++;
  }

  /** Writes the place at the end of the substep of what a particle sticks to; false if it does not stick to the primitive yet. */
  find(colliders: ColliderSet, k: number, p: number, out: Float64Array): boolean {
    this.follow(colliders);
    if (!this.isSet(p) || this.primitives[p] !== k) return false;
    const { substepEnds } = colliders;
    rotate(substepEnds, POSE * k, this.places[3 * p], this.places[3 * p + 1], this.places[3 * p + 2], out, 0);
    for (let c = 0; c < 3; c++) out[c] += substepEnds[POSE * k + c];
    return true;
  }

  /** A particle sticks to what is at a place at the end of the substep. */
  hold(colliders: ColliderSet, k: number, p: number, x: number, y: number, z: number): void {
    this.follow(colliders);
    point[0] = x;
    point[1] = y;
    point[2] = z;
    toFrame(colliders.substepEnds, POSE * k, point, 0, this.places, 3 * p);
    this.primitives[p] = k;
    this.set[p] = this.substep;
  }

  /** Finds the primitives again when obstacles have come or gone. */
  private follow(colliders: ColliderSet): void {
    const { version } = this;
    if (version === colliders.geometryVersion) return;
    this.version = colliders.geometryVersion;
    if (version !== undefined) this.findAgain(version, colliders);
  }

  /** Apart, as a function that others are made in allocates in every call. */
  private findAgain(version: number, { geometryVersion, moved }: ColliderSet): void {
    const { set, primitives } = this;
    set.forEach((substep, p) => {
      const place = version === geometryVersion - 1 && substep >= 0 ? moved[primitives[p]] : -1;
      if (place < 0) set[p] = -1;
      else primitives[p] = place;
    });
  }

  private isSet(p: number): boolean {
    return this.set[p] >= this.substep - 1;
  }

  /** Nothing, or one list. */
  save(): Float64Array[] {
    const all: number[] = [];
    this.set.forEach((_, p) => {
      if (this.isSet(p)) all.push(p, this.primitives[p], ...this.places.subarray(3 * p, 3 * p + 3));
    });
    return all.length > 0 ? [Float64Array.from(all)] : [];
  }

  load(saved?: Float64Array): void {
    this.version = undefined;
    this.set.fill(-1);
    for (let i = 0; saved && i < saved.length; i += SAVED) {
      const p = saved[i];
      this.primitives[p] = saved[i + 1];
      this.places.set(saved.subarray(i + 2, i + SAVED), 3 * p);
      this.set[p] = this.substep;
    }
  }
}
