/**
 * The parts of a body that stay the same from step to step (section 4): A = M + h² Σ wᵢ GᵢᵀGᵢ and its sparse inverse, and entries
 * of A⁻¹ for the vertices that constraints touch, kept as they are found (the reuse of section 5.3).
 */
import { SparseInverse, type SymbolicInverse } from "../../../math/sparse/sparse-inverse";
import type { SymmetricMatrix } from "../../../math/sparse/symmetric-matrix";
import type { LocalGlobalModel } from "../model";
import { systemMatrix } from "./system-matrix";

/** A column of S at a vertex that constraints touch, with what it has in common with the others so far. */
interface Slot {
  readonly vertex: number;
  readonly column: Float64Array;
  /** entries of A⁻¹ with the slots before and with itself; made when one is asked for */
  row: Float64Array | undefined;
}

export class BodySystem {
  readonly matrix: SymmetricMatrix;
  readonly inverse: SparseInverse;
  private readonly slots: Slot[] = [];
  private readonly slotOf = new Int32Array(this.model.particleCount).fill(-1);

  /**
   * @param made A and its inverse, where they are there already
   * @param symbolic where S has entries, where that is known
   * @throws PliantError as `SparseInverse.of`
   */
  constructor(
    readonly model: LocalGlobalModel,
    /** time step that it holds for [s] */
    readonly h: number,
    made?: { readonly matrix: SymmetricMatrix; readonly inverse: SparseInverse },
    symbolic?: SymbolicInverse,
  ) {
    const options = { name: `body "${model.name}"`, coordinates: model.restPositions, symbolic };
    this.matrix = made?.matrix ?? systemMatrix(model, h);
    this.inverse = made?.inverse ?? SparseInverse.of(this.matrix, options);
  }

  /** Entry of A⁻¹ [1/kg] from two columns of S (27). */
  inverseEntry(i: number, j: number): number {
    const a = this.slot(i);
    const b = this.slot(j);
    const [first, second] = a < b ? [a, b] : [b, a];
    const slot = this.slots[second];
    const { vertex, column } = slot;
    const row = (slot.row ??= new Float64Array(second + 1).fill(NaN));
    const known = row[first];
    if (!Number.isNaN(known)) return known;
    const other = this.slots[first];
    const shared = this.inverse.sharedLength(vertex, other.vertex);
    const p = column.length - shared;
    const q = other.column.length - shared;
    let sum = 0;
    for (let k = 0; k < shared; k++) sum += column[p + k] * other.column[q + k];
    row[first] = sum;
    return sum;
  }

  /** S eᵥ, packed; see `SparseInverse.column`. */
  column(vertex: number): Float64Array {
    return this.slots[this.slot(vertex)].column;
  }

  /** (S eᵥ)ᵀ y for three right-hand sides: A⁻¹ b at a vertex, with y = S b. Into three numbers of `out`. */
  read(vertex: number, y: Float64Array, out: Float64Array, at: number): void {
    const column = this.column(vertex);
    const { starts, blockOf, parentOf } = this.inverse.tree;
    let k = 0;
    let [sx, sy, sz] = [0, 0, 0];
    for (let row = this.inverse.place[vertex]; row >= 0;) {
      const block = blockOf[row];
      for (const end = starts[block + 1]; row < end; row++) {
        const s = column[k++];
        sx += s * y[3 * row];
        sy += s * y[3 * row + 1];
        sz += s * y[3 * row + 2];
      }
      row = parentOf[block]!;
    }
    out[at] = sx;
    out[at + 1] = sy;
    out[at + 2] = sz;
  }

  /** y += (S eᵥ) fᵀ: a force at a vertex joins y = S b. */
  add(vertex: number, fx: number, fy: number, fz: number, y: Float64Array): void {
    const column = this.column(vertex);
    const { starts, blockOf, parentOf } = this.inverse.tree;
    let k = 0;
    for (let row = this.inverse.place[vertex]; row >= 0;) {
      const block = blockOf[row];
      for (const end = starts[block + 1]; row < end; row++) {
        const s = column[k++];
        y[3 * row] += s * fx;
        y[3 * row + 1] += s * fy;
        y[3 * row + 2] += s * fz;
      }
      row = parentOf[block]!;
    }
  }

  private slot(vertex: number): number {
    const known = this.slotOf[vertex];
    if (known >= 0) return known;
    this.slotOf[vertex] = this.slots.length;
    this.slots.push({ vertex, column: this.inverse.column(vertex), row: undefined });
    return this.slots.length - 1;
  }
}
