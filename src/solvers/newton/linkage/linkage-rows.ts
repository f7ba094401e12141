/**
 * Effect of the rows of an island on linkages: Jᵀ of each side of a row that acts on a link, in the coordinates of its
 * linkage, and M⁻¹ Jᵀ. So all links of a linkage respond to a push on any of them.
 */

import type { CoupledRows } from "../deformable/contact/coupled-rows";
import { TWIST_SIZE } from "../motion/bodies";
import type { Linkage, LinkageFriction, LinkageLimit } from "./linkage";

/** Compliance of dry friction of coordinates, so that the friction of coupled ones is unique. */
const HOLD_GIVE = 1e-6;

export class LinkageRows {
  list: readonly Linkage[] = [];
  /** limits, whose rows come after those of contacts and joints, and dry friction of coordinates, whose rows come last */
  readonly limits: LinkageLimit[] = [];
  readonly frictions: LinkageFriction[] = [];
  private firstLimit = 0;
  /** two a row, for bodies A and B: number of the linkage, −1 for none, and start of its columns */
  private linkage = new Int32Array(0);
  private at = new Int32Array(0);
  /** Jᵀ and M⁻¹ Jᵀ */
  private forces = new Float64Array(0);
  private answers = new Float64Array(0);
  private length = 0;

  /** Number of rows of coordinates. */
  get count(): number {
    return this.limits.length + this.frictions.length;
  }

  /** Adds the rows of limits and dry friction; they come after all others. */
  addCoordinates(rows: CoupledRows, list: readonly Linkage[]): void {
    this.list = list;
    this.limits.length = this.frictions.length = 0;
    this.firstLimit = rows.count;
    for (const linkage of list) {
      this.limits.push(...linkage.limits);
      this.frictions.push(...linkage.frictions);
    }
    for (let k = 0; k < this.count; k++) rows.addNone();
  }

  /** Velocities and gaps of the rows of coordinates, their compliance as a part of their mobility, and bounds of their impulses. */
  bounds(): { rate: number; gap: number; give: number; lower: number; upper: number }[] {
    return [
      ...this.limits.map(({ side, rate, gap }) => ({ rate: side * rate, gap, give: 0, lower: 0, upper: Infinity })),
      ...this.frictions.map((friction) => ({ ...friction, gap: 0, give: HOLD_GIVE })),
    ];
  }

  /** Writes the columns of all rows. */
  write(rows: CoupledRows): void {
    if (this.list.length === 0) return;
    this.reserve(rows);
    this.length = 0;
    this.linkage.fill(-1, 0, 2 * rows.count);
    const links = new Map<number, readonly [number, number]>();
    this.list.forEach(({ slots }, i) => slots.forEach((slot, k) => links.set(slot, [i, k])));
    for (let r = 0; r < this.firstLimit; r++)
      for (let side = 0; side < 2; side++) {
        const link = links.get(side === 0 ? rows.slotA[r] : rows.slotB[r]);
        if (!link) continue;
        const [i, k] = link;
        const at = this.open(2 * r + side, i);
        this.list[i].addForce(k, rows.jacobian, 2 * TWIST_SIZE * r + TWIST_SIZE * side, this.forces, at);
        this.close(i, at);
      }
    let r = this.firstLimit;
    const add = (i: number, coordinate: number, side: number): void => {
      const at = this.open(2 * r++, i);
      this.forces[at + coordinate] = side;
      this.close(i, at);
    };
    this.list.forEach(({ limits }, i) => limits.forEach(({ coordinate, side }) => add(i, coordinate, side)));
    this.list.forEach(({ frictions }, i) => frictions.forEach(({ coordinate }) => add(i, coordinate, 1)));
  }

  /** J M⁻¹ Jᵀ of two rows. */
  couple(r: number, q: number): number {
    if (this.list.length === 0) return 0;
    const { linkage, at, forces, answers } = this;
    let sum = 0;
    for (let a = 2 * r; a < 2 * r + 2; a++)
      for (let b = 2 * q; b < 2 * q + 2; b++) {
        if (linkage[a] < 0 || linkage[a] !== linkage[b]) continue;
        const { size } = this.list[linkage[a]];
        for (let k = 0; k < size; k++) sum += forces[at[a] + k] * answers[at[b] + k];
      }
    return sum;
  }

  /** Number of the linkage on which body A (side 0) or B (side 1) of a row acts, −1 for none. */
  linkageOf(r: number, side: number): number {
    return this.list.length === 0 ? -1 : this.linkage[2 * r + side];
  }

  /** Coordinate k of Jᵀ of a side of a row that acts on a linkage. */
  forceOf(r: number, side: number, k: number): number {
    return this.forces[this.at[2 * r + side] + k];
  }

  /**
   * y += M⁻¹ Jᵀ p of a row
   *
   * @param starts start of each linkage in y
   */
  push(r: number, p: number, y: Float64Array, starts: readonly number[]): void {
    if (this.list.length === 0) return;
    const { linkage, at, answers } = this;
    for (let a = 2 * r; a < 2 * r + 2; a++) {
      if (linkage[a] < 0) continue;
      const to = starts[linkage[a]];
      for (let k = 0; k < this.list[linkage[a]].size; k++) y[to + k] += p * answers[at[a] + k];
    }
  }

  /** Jᵀ p of the first rows: the impulses on each linkage. */
  impulses(p: Float64Array, count: number): Float64Array[] {
    const { linkage, at, forces } = this;
    const sums = this.list.map(({ size }) => new Float64Array(size));
    if (sums.length === 0) return sums;
    for (let a = 0; a < 2 * count; a++) {
      const push = p[a >> 1];
      if (linkage[a] < 0 || push === 0) continue;
      const sum = sums[linkage[a]];
      for (let k = 0; k < sum.length; k++) sum[k] += push * forces[at[a] + k];
    }
    return sums;
  }

  private open(entry: number, linkage: number): number {
    const at = this.length;
    const { size } = this.list[linkage];
    this.length += size;
    this.linkage[entry] = linkage;
    this.at[entry] = at;
    this.forces.fill(0, at, at + size);
    return at;
  }

  private close(linkage: number, at: number): void {
    const { forces, answers } = this;
    const { size } = this.list[linkage];
    for (let k = at; k < at + size; k++) answers[k] = forces[k];
    this.list[linkage].respond(answers.subarray(at, at + size));
  }

  private reserve({ count }: CoupledRows): void {
    if (this.linkage.length < 2 * count) {
      this.linkage = new Int32Array(4 * count);
      this.at = new Int32Array(4 * count);
    }
    const most = 2 * count * Math.max(...this.list.map(({ size }) => size));
    if (this.forces.length >= most) return;
    this.forces = new Float64Array(2 * most);
    this.answers = new Float64Array(2 * most);
  }
}
