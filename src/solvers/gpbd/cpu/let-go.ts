/**
 * Cloth and ropes whose pins, or the bodies that carry them, go through obstacles. Contact has the last word, and would keep their particles on
 * the near side while the pins go on: they were drawn out to many times their length, and left at up to kilometers a second. So an obstacle that
 * does not yield lets go of a particle if it is between that and its pin, and these are further apart than the body reaches. It has to be between
 * a pin and a neighbor of that first: an obstacle that hits what hangs from pins is not, however far it draws that out. The particle comes to its
 * pin until there is nothing between them. Then it may still be within the obstacle, and leaves it as overlap.ts has it.
 */
import { createSweepContact, sweepBy } from "../../../collision/contact/sweep";
import { distanceAt } from "../../../collision/distance/signed-distance";
import type { ColliderSet } from "../../../collision/obstacles/collider-set";
import { POSE, toFrame } from "../../../collision/shape/pose";
import { boxOf, grown } from "../../../geometry/box";
import { distanceBetween, dot, norm } from "../../../math/vectors";
import type { PinTable } from "../../deformable";
import { findFirm } from "../held/held";
import type { GpbdModel } from "../model";
import { edgeAt, NearestPins } from "../held/nearest-pins";

/** A particle is let go of at so many times its way to the pin along edges at rest. */
const REACH = 1.05;
/** Sides of an obstacle whose normals are more opposed than this cosine are opposite ones. */
const OPPOSED = -0.5;

const contact = createSweepContact();
/** see `sweepBy`: from the start of the frame, without a distance */
const asked = new Float64Array(3);
const start = new Float64Array(3);
const place = new Float64Array(3);
const pose = new Float64Array(POSE);
/** gradients and distances at both */
const here = new Float64Array(4);
const far = new Float64Array(4);

export class LetGo {
  /** whether obstacles are between corners of a face, or let go of a particle */
  isOn = false;
  private readonly pins: NearestPins;
  /** obstacles that do not yield, and may be within the body */
  private readonly near: number[] = [];
  /** 1 for faces with an obstacle between their corners */
  private cut = new Uint8Array();

  constructor(particleCount: number) {
    this.pins = new NearestPins(particleCount);
  }

  /**
   * Call at the start of a frame.
   *
   * @param depths become infinite where obstacles let go: see overlap.ts
   */
  look(
    set: ColliderSet,
    x: Float64Array,
    pins: PinTable,
    { positions }: GpbdModel,
    faces: Uint32Array,
    depths: Float64Array,
  ): void {
    if (set.primitiveCount === 0) return;
    this.pins.follow(positions, faces, pins);
    const { isOn, near } = this;
    const { held, nearest, lengths } = this.pins;
    if (!isOn && !held.includes(1)) return;
    let way = 0;
    for (let i = 0; i < x.length; i++)
      if (held[Math.floor(i / 3)] === 1) way = Math.max(way, Math.abs(pins.targets[i] - x[i]));
    findFirm(set, grown(boxOf(x), way), near);
    // Proxies are placed for their first substep later.
    set.substepStarts.set(set.startPoses);
    set.substepEnds.set(set.endPoses);
    const isCut = (i: number, areAll: boolean): boolean => {
      const [p, q] = edgeAt(faces, i);
      if (held[p] === held[q])
        return areAll && (isBetween(set, near, x, p, x, q, 0) || isBetween(set, near, x, q, x, p, 0));
      return held[p] === 1
        ? isBetween(set, near, x, q, pins.targets, p, 1)
        : isBetween(set, near, x, p, pins.targets, q, 1);
    };
    if (!isOn && !faces.some((_, i) => isCut(i, false))) return;
    let isAny = false;
    nearest.forEach((pin, p) => {
      if (pin < 0 || !(distanceBetween(x, 3 * p, 3 * pin) > REACH * lengths[p])) return;
      const isDrawn = isBetween(set, near, x, pin, x, p, 0);
      if (isDrawn) depths[p] = Infinity;
      // A particle that was let go of within the obstacle is still drawn out.
      isAny ||= isDrawn || (isOn && depths[p] > 0);
    });
    const areAll = isOn || isAny;
    if (this.cut.length !== faces.length / 3) this.cut = new Uint8Array(faces.length / 3);
    this.cut.fill(0);
    for (let i = 0; i < faces.length; i++) {
      if (!isCut(i, areAll)) continue;
      this.cut[Math.floor(i / 3)] = 1;
      isAny = true;
    }
    this.isOn = isAny;
  }

  /** Whether nothing is between the corners of a face. */
  isFree(f: number): boolean {
    return !this.isOn || this.cut[f / 3] === 0;
  }

  /**
   * At the end of a substep h: while obstacles let go, nothing is faster beside its pin than by a fall from there to its other side, or all that
   * it was drawn out by would be its speed.
   */
  finish(x: Float64Array, before: Float64Array, v: Float64Array, h: number, gravity: number): void {
    if (!this.isOn) return;
    const { nearest, lengths } = this.pins;
    nearest.forEach((pin, p) => {
      if (pin < 0 || pin === p) return;
      const lead = [0, 1, 2].map((c) => (x[3 * pin + c] - before[3 * pin + c]) / h);
      const own = lead.map((u, c) => v[3 * p + c] - u);
      const part = Math.min(1, Math.sqrt(4 * gravity * lengths[p]) / norm(own));
      for (let c = 0; c < 3; c++) v[3 * p + c] = lead[c] + part * own[c];
    });
  }
}

/**
 * Whether one of some obstacles is between two places, on opposite sides of it.
 *
 * @param end of the frame up to which that is: 0 for its start, where the first place is anyway, or 1
 */
function isBetween(
  set: ColliderSet,
  near: readonly number[],
  x: ArrayLike<number>,
  from: number,
  y: ArrayLike<number>,
  to: number,
  end: number,
): boolean {
  for (let c = 0; c < 3; c++) {
    start[c] = x[3 * from + c];
    place[c] = y[3 * to + c];
  }
  asked[2] = end;
  for (const k of near) {
    if (!sweepBy(set, k, start, place, 0, asked, contact, false)) continue;
    set.readPoseBy(k, true, asked, 1, pose);
    toFrame(set.startPoses, POSE * k, start, 0, here, 0);
    toFrame(pose, 0, place, 0, far, 0);
    distanceAt(set.primitives[k], here, 0, here);
    distanceAt(set.primitives[k], far, 0, far);
    if (dot(here, far) < OPPOSED) return true;
  }
  return false;
}
