/**
 * What the iterations of a body learn from those before. Where a body bends or twists, A resists the turns of its parts as it does
 * strain, and iterations by themselves, which are gradient steps with A⁻¹, are slow. These are conjugate gradients in their place:
 *
 * q, r   iterate, n × 3 [m], and −h² ∇ε of (1) there, n × 3 [kg m]
 * S, Y   columns: by how much q and −r differ from one iterate to the next, so that Y = h² ∇²ε S, but for how the shape has changed
 * γ      (SᵀY) γ = Sᵀr:  q ← q + S γ has the least energy that the columns know of, r ← r − Y γ; the global step goes on from there
 *
 * What Y is to S depends on the shape, which changes little from step to step. So columns of the steps before serve on, and a step of
 * five iterations ends as near as one of many; the first step of all iterates twice as often. After the last iteration one more local
 * step has its column, too, and what that is good for.
 *
 * Where a shape gives way columns lie. An iterate with more energy than the one before is taken back to that, and goes on with the columns of
 * its own step; if that has more again, without any. Only what q alone decides is combined: elements with duals, bodies in contact,
 * and such with vertices that give, whose forces are no part of r, iterate as they are.
 */
import { dotProduct, solveCholesky } from "../../../math/dense";
import type { LocalGlobalModel } from "../model";

/** Columns that are kept. */
const MOST = 8;
/** Added to the diagonal of SᵀY, scaled to 1: columns may depend on each other. */
const REGULAR = 1e-4;
/** After the last iteration columns are believed where it has gained no more than such a part of what the step has. */
const NEAR = 0.1;

/** Of elements that an iteration decides by q alone. */
export function isWithoutDuals({ terms }: LocalGlobalModel): boolean {
  return terms.every(({ kind, material }) => kind === "bending" || material!.model === "arap");
}

export class Acceleration {
  /** S and Y, column by column; made when they are needed */
  private readonly ways: Float64Array[] = [];
  private readonly changes: Float64Array[] = [];
  /** columns that there are, how many of them are of this step, and where the next one goes: over the oldest */
  private count = 0;
  private fresh = 0;
  private next = 0;
  /** SᵀY, the mean of it and its transpose, MOST × MOST by places */
  private readonly gram = new Float64Array(MOST * MOST);
  /** of the last iterate, where there was one in this step */
  private q = new Float64Array(0);
  private r = new Float64Array(0);
  private energy = 0;
  private hasLast = false;
  /** whether no step has been made since there was nothing to learn from */
  isNew = true;
  /** whether it was taken back, and what energy the step has gained */
  private isBack = false;
  private gained = 0;
  private readonly places = new Int32Array(MOST);
  private readonly matrix = new Float64Array(MOST * MOST);
  private readonly gamma = new Float64Array(MOST);
  private readonly scale = new Float64Array(MOST);

  /** Another step begins, or iterations that are none of these have been done. */
  begin(): void {
    this.hasLast = false;
    this.isBack = false;
    this.gained = 0;
    this.fresh = 0;
  }

  /** Another system: what there is of columns is not true of it. */
  forget(): void {
    this.count = 0;
    this.next = 0;
    this.isNew = true;
    this.begin();
  }

  /** Whether there has been an iteration in this step. */
  get isUnderWay(): boolean {
    return this.hasLast;
  }

  /**
   * After a local step at q: moves q to where the columns have it, and r along.
   *
   * @param energy h² ε at q [kg m²]
   * @param isLast whether no iteration follows, which would find out where columns are wrong
   */
  improve(q: Float64Array, r: Float64Array, energy: number, isLast: boolean): void {
    const size = q.length;
    if (this.q.length < size) {
      this.q = new Float64Array(size);
      this.r = new Float64Array(size);
    }
    if (this.hasLast) {
      const gain = this.energy - energy;
      const isWorse = !(gain >= 0);
      this.learn(q, r);
      if (isWorse) {
        this.count = this.isBack ? 0 : this.fresh;
        q.set(this.q);
        r.set(this.r);
      } else {
        this.gained += gain;
        this.energy = energy;
      }
      this.isBack = isWorse;
      if (isLast && (isWorse || gain > NEAR * this.gained)) return;
    } else this.energy = energy;
    this.hasLast = true;
    this.q.set(q);
    this.r.set(r);
    if (this.count > 0 && this.solve(r)) this.move(q, r);
  }

  /** What the next step goes on from. */
  save(): Float64Array[] {
    const { ways, changes, count, next } = this;
    return [Float64Array.of(count, next, this.isNew ? 1 : 0), ...[...ways, ...changes].map((column) => column.slice())];
  }

  load([counts, ...columns]: readonly Float64Array[]): void {
    this.forget();
    if (!counts) return;
    const made = columns.length / 2;
    for (let k = 0; k < made; k++) {
      this.ways[k] = columns[k].slice();
      this.changes[k] = columns[made + k].slice();
    }
    [this.count, this.next] = [counts[0], counts[1]];
    this.isNew = counts[2] === 1;
    for (let j = 0; j < this.count; j++) this.measure(this.place(j));
  }

  /** Of the columns that there are, the newest first. */
  private place(j: number): number {
    return (this.next - 1 - j + MOST) % MOST;
  }

  /** The column of the way from the last iterate. */
  private learn(q: Float64Array, r: Float64Array): void {
    const k = this.next;
    const way = (this.ways[k] ??= new Float64Array(q.length));
    const change = (this.changes[k] ??= new Float64Array(q.length));
    for (let i = 0; i < q.length; i++) {
      way[i] = q[i] - this.q[i];
      change[i] = this.r[i] - r[i];
    }
    this.next = (k + 1) % MOST;
    this.count = Math.min(MOST, this.count + 1);
    this.fresh = Math.min(MOST, this.fresh + 1);
    this.measure(k);
  }

  /** Row and column k of SᵀY, with the columns that there are. */
  private measure(k: number): void {
    const { ways, changes, gram, count } = this;
    const size = ways[k].length;
    for (let n = 0; n < count; n++) {
      const j = this.place(n);
      const both = dotProduct(ways[k], changes[j], size) + dotProduct(ways[j], changes[k], size);
      gram[MOST * k + j] = gram[MOST * j + k] = both / 2;
    }
  }

  /** γ, from equations with a unit diagonal; a column along which the energy does not rise has no part in it. */
  private solve(r: Float64Array): boolean {
    const { ways, gram, gamma, scale, matrix, places, count } = this;
    for (let n = 0; n < count; n++) {
      const k = (places[n] = this.place(n));
      const square = gram[MOST * k + k];
      scale[n] = square > 0 ? 1 / Math.sqrt(square) : 0;
      gamma[n] = scale[n] * dotProduct(ways[k], r, r.length);
    }
    for (let i = 0; i < count; i++) {
      for (let j = 0; j < i; j++) matrix[count * i + j] = scale[i] * scale[j] * gram[MOST * places[i] + places[j]];
      matrix[count * i + i] = 1 + REGULAR;
    }
    if (!solveCholesky(matrix, gamma, count)) return false;
    for (let n = 0; n < count; n++) gamma[n] *= scale[n];
    return true;
  }

  private move(q: Float64Array, r: Float64Array): void {
    const { ways, changes, gamma, places, count } = this;
    for (let n = 0; n < count; n++) {
      const way = ways[places[n]];
      const change = changes[places[n]];
      const g = gamma[n];
      for (let i = 0; i < q.length; i++) {
        q[i] += g * way[i];
        r[i] -= g * change[i];
      }
    }
  }
}
