/**
 * The iterations of a body learn from earlier ones. If a body bends or twists, A resists the turns of its parts as much as strain,
 * and plain iterations, which are gradient steps with A⁻¹, are slow. Conjugate gradients take their place:
 *
 * q, r   iterate, n × 3 [m], and −h² ∇ε of (1) there, n × 3 [kg m]
 * S, Y   columns: the changes of q and −r from one iterate to the next, so that Y = h² ∇²ε S, except for changes of the shape
 * γ      (SᵀY) γ = Sᵀr:  q ← q + S γ has the least energy that the columns know of, r ← r − Y γ; the global step starts there
 *
 * The relation of Y to S depends on the shape, which changes little from step to step. So columns of earlier steps remain useful, and
 * a step of five iterations ends as near the solution as one of many; the first step of all has twice the iterations. After the last
 * iteration one more local step adds its column and uses it.
 *
 * If a shape buckles, the columns are wrong. An iterate with more energy than the one before is taken back to that one and continues
 * with the columns of its own step; if the energy rises again, without any. The method needs forces that q alone decides: elements
 * with duals, bodies in contact and bodies with vertices that give, whose forces are no part of r, iterate plainly.
 */
import { dotProduct, solveCholesky } from "../../../math/dense";
import type { LocalGlobalModel } from "../model";

/** Columns that are kept. */
const MOST = 8;
/** Added to the diagonal of SᵀY, scaled to 1: columns may depend on each other. */
const REGULAR = 1e-4;
/** After the last iteration columns are used only if it has gained at most this part of the energy that the step has. */
const NEAR = 0.1;

/** Whether a model has only elements that q alone decides. */
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
  /** whether no step has been made since columns were last forgotten */
  isNew = true;
  /** whether the last iterate was taken back, and the energy that the step has gained */
  private isBack = false;
  private gained = 0;
  private readonly places = new Int32Array(MOST);
  private readonly matrix = new Float64Array(MOST * MOST);
  private readonly gamma = new Float64Array(MOST);
  private readonly scale = new Float64Array(MOST);

  /** Another step begins, or other iterations have been done in between. */
  begin(): void {
    this.hasLast = false;
    this.isBack = false;
    this.gained = 0;
    this.fresh = 0;
  }

  /** Another system: columns of the old one are wrong for it. */
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
   * After a local step at q: moves q to the minimum over the columns, and r along.
   *
   * @param energy h² ε at q [kg m²]
   * @param isLast whether no iteration follows that would find wrong columns
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

  /** Columns and counts that the next step starts from. */
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

  /** Place of column j, counted from the newest. */
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
