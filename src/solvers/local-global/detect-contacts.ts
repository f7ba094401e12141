/**
 * Collision detection of a step (the H of section 5.3): once, between where the bodies start and where they would go without
 * forces. A contact is taken up while there is still room, so that what elastic forces press on meets it in the same step.
 */
import type { ColliderSet } from "../../collision/collider-set";
import { createSweepContact, sweepContact } from "../../collision/sweep";
import { CONTACT_VERTICES, type ContactList } from "./contact-list";

const sweep = createSweepContact();

/** What of a body detection needs. */
export interface DetectedBody {
  /** vertices that may touch something */
  readonly surface: Uint32Array;
  readonly pinned: Uint8Array;
  /** n × 3 [m] at the start of the step, and where the vertices are expected at its end */
  readonly start: Float64Array;
  readonly predicted: Float64Array;
  /** distance to keep [m], and how far beyond it contacts are taken up [m] */
  readonly thickness: number;
  readonly margin: number;
  readonly friction: number;
}

/**
 * Appends contacts of a body's vertices with all obstacles.
 *
 * @param index of the body in its group
 * @param fraction0 where in the frame the step begins, 0 to 1; `fraction1` where it ends
 */
export function detectObstacles(
  body: DetectedBody,
  index: number,
  set: ColliderSet,
  fraction0: number,
  fraction1: number,
  out: ContactList,
): void {
  const { surface, pinned, start, predicted, thickness, margin } = body;
  const reach = thickness + margin;
  for (let k = 0; k < set.primitiveCount; k++) {
    const friction = Math.sqrt(body.friction * set.friction[k]!);
    for (const v of surface) {
      if (pinned[v] === 1) continue;
      if (!sweepContact(set, k, start, predicted, 3 * v, reach, fraction0, fraction1, sweep)) continue;
      const n = out.add();
      out.body[CONTACT_VERTICES * n] = index;
      out.vertex[CONTACT_VERTICES * n] = v;
      out.weight[CONTACT_VERTICES * n] = 1;
      const [x, y, z] = sweep.normal as unknown as [number, number, number];
      out.setFrame(n, x, y, z);
      // gap at `predicted` is reach − push − thickness
      out.offset[3 * n] = row(out, n, 0, predicted, v) - (margin - sweep.push);
      for (let t = 1; t < 3; t++)
        out.offset[3 * n + t] = row(out, n, t, start, v) + alongRow(out, n, t, sweep.surfaceDisplacement);
      out.friction[n] = friction;
      out.proxy[n] = set.proxyOf[k]!;
      for (let c = 0; c < 3; c++) out.point[3 * n + c] = predicted[3 * v + c]!;
      out.key[n] = `${index} ${v} ${k}`;
    }
  }
}

function row(out: ContactList, n: number, r: number, x: ArrayLike<number>, v: number): number {
  const at = 9 * n + 3 * r;
  return out.frame[at]! * x[3 * v]! + out.frame[at + 1]! * x[3 * v + 1]! + out.frame[at + 2]! * x[3 * v + 2]!;
}

function alongRow(out: ContactList, n: number, r: number, d: ArrayLike<number>): number {
  const at = 9 * n + 3 * r;
  return out.frame[at]! * d[0]! + out.frame[at + 1]! * d[1]! + out.frame[at + 2]! * d[2]!;
}
