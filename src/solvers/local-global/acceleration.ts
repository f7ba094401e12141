/**
 * Anderson's acceleration of the iterations of a body: of what the last iterates combine to, that which an iteration would change
 * least. Where a body bends or twists, A resists the turns of its parts as it does strain, and iterations by themselves are slow.
 *
 * q   iterate, d  what an iteration changes it by; n × 3 [m]
 * ΔQ, ΔD  columns: by how much both differ from one iteration to the next
 * γ   argmin ‖d − ΔD γ‖, then q ← q + d − (ΔQ + ΔD) γ
 *
 * What a change of q does to d depends on the shape, which changes little from step to step. So columns of the steps before serve
 * on, and a step of five iterations ends as near as one of many. Where a shape gives way they do not: an iterate with more
 * energy than the one before is taken back to q + d, and the columns are dropped. Only what q alone decides is combined: elements
 * with duals, and bodies in contact, iterate as they are.
 */
import { dotProduct, solveCholesky } from "../../math/dense";

/** Columns that are kept. */
const MOST = 8;
/** Of the scaled diagonal of ΔDᵀΔD, added to it: columns may depend on each other. */
const REGULAR = 1e-10;
/** Of an energy: what rounding may add. */
const ROUNDING = 1e-12;

export class Acceleration {
  /** ΔQ + ΔD and ΔD, column by column; made when they are needed */
  private steps: Float64Array[] = [];
  private changes: Float64Array[] = [];
  /** columns that there are, and where the next one goes */
  private count = 0;
  private next = 0;
  /** ΔDᵀΔD, MOST × MOST */
  private readonly gram = new Float64Array(MOST * MOST);
  private q = new Float64Array(0);
  private d = new Float64Array(0);
  /** whether they are of the last iteration, and whether more than d was done */
  private hasLast = false;
  private isTried = false;
  private energy = NaN;
  private readonly matrix = new Float64Array(MOST * MOST);
  private readonly gamma = new Float64Array(MOST);
  private readonly scale = new Float64Array(MOST);

  /** Another step begins, or iterations that are none of these have been done. */
  begin(): void {
    this.hasLast = false;
    this.isTried = false;
  }

  /** Another system: what there is of columns is not true of it. */
  forget(): void {
    this.count = 0;
    this.next = 0;
    this.begin();
  }

  /** Whether an iterate is still to be judged. */
  get isOpen(): boolean {
    return this.isTried;
  }

  /**
   * Takes q back where it has more energy than the one before.
   *
   * @returns whether it has
   */
  judge(q: Float64Array, energy: number): boolean {
    const isWorse = this.isTried && !(energy <= (1 + ROUNDING) * this.energy);
    if (isWorse) {
      for (let i = 0; i < q.length; i++) q[i] = this.q[i]! + this.d[i]!;
      this.forget();
    }
    this.isTried = false;
    this.energy = energy;
    return isWorse;
  }

  /** Moves q on by d, which an iteration would change it by, and what follows from the columns. */
  apply(q: Float64Array, d: Float64Array): void {
    const { steps, gamma } = this;
    const size = q.length;
    if (this.q.length < size) {
      this.q = new Float64Array(size);
      this.d = new Float64Array(size);
    }
    if (this.hasLast) this.addColumn(q, d);
    this.hasLast = true;
    this.q.set(q);
    this.d.set(d);
    for (let i = 0; i < size; i++) q[i]! += d[i]!;
    if (this.count === 0 || !this.solve(d)) return;
    this.isTried = true;
    for (let k = 0; k < this.count; k++) {
      const step = steps[k]!;
      const g = gamma[k]!;
      for (let i = 0; i < size; i++) q[i]! -= g * step[i]!;
    }
  }

  /** What the next step goes on from. */
  save(): Float64Array[] {
    const { steps, changes, count, next } = this;
    const columns = Array.from({ length: count }, (_, k) => [steps[k]!.slice(), changes[k]!.slice()]);
    return [Float64Array.of(count, next), ...columns.flat()];
  }

  load([counts, ...columns]: readonly Float64Array[]): void {
    this.forget();
    if (!counts) return;
    [this.count, this.next] = [counts[0]!, counts[1]!];
    for (let k = 0; k < this.count; k++) {
      this.steps[k] = columns[2 * k]!.slice();
      this.changes[k] = columns[2 * k + 1]!.slice();
      this.measure(k);
    }
  }

  private addColumn(q: Float64Array, d: Float64Array): void {
    const k = this.next;
    const step = (this.steps[k] ??= new Float64Array(q.length));
    const change = (this.changes[k] ??= new Float64Array(q.length));
    for (let i = 0; i < q.length; i++) {
      change[i] = d[i]! - this.d[i]!;
      step[i] = q[i]! - this.q[i]! + change[i]!;
    }
    this.next = (k + 1) % MOST;
    this.count = Math.max(this.count, k + 1);
    this.measure(k);
  }

  /** Row and column k of ΔDᵀΔD, with the columns that there are. */
  private measure(k: number): void {
    const { changes, gram, count } = this;
    const own = changes[k]!;
    for (let j = 0; j < count; j++)
      if (changes[j]) gram[MOST * k + j] = gram[MOST * j + k] = dotProduct(own, changes[j]!, own.length);
  }

  /** γ, from the normal equations with a unit diagonal. */
  private solve(d: Float64Array): boolean {
    const { changes, gram, gamma, scale, matrix, count } = this;
    for (let k = 0; k < count; k++) {
      const square = gram[MOST * k + k]!;
      scale[k] = square > 0 ? 1 / Math.sqrt(square) : 0;
      gamma[k] = scale[k]! * dotProduct(changes[k]!, d, d.length);
    }
    for (let i = 0; i < count; i++) {
      for (let j = 0; j < count; j++) matrix[count * i + j] = scale[i]! * scale[j]! * gram[MOST * i + j]!;
      matrix[count * i + i] = 1 + REGULAR;
    }
    if (!solveCholesky(matrix, gamma, count)) return false;
    for (let k = 0; k < count; k++) gamma[k]! *= scale[k]!;
    return true;
  }
}
