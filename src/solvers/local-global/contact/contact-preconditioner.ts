/**
 * Preconditioner of the conjugate residuals on W = H A⁻¹ Hᵀ (27). A itself approximates W⁻¹: if all directions of the touched
 * vertices V are held, W⁻¹ differs from A between them along the rim of the touched patch only. So
 *
 *     P = Θ + D H⁺ᵀ A_VV H⁺ D,   H⁺ = C Hᵀ (H C Hᵀ)⁻¹
 *
 * A_VV  A between the touched vertices that are not held; C = diag A⁻¹ there: of two vertices of a contact the softer one moves more
 * D²    1/(1 + e a) of each row, with a the diagonal of H⁺ᵀ A_VV H⁺ and e the parts of the row other than A⁻¹: rigid bodies, the
 *       rotation of the whole, E of (22)
 * Θ     1/(W + E)ⱼⱼ for the part of rows that D takes off, and a little elsewhere: H⁺ is singular if contacts share vertices
 *
 * Θ alone with D = 0 is the Jacobi preconditioner of the paper, with which sheets on a plane need as many iterations as they
 * have vertices across.
 */
import type { ContactList } from "../../../collision/soft/contact-list";
import { CONTACT_VERTICES } from "../../../collision/soft/contact-table";
import type { TouchedBody } from "./touched-body";

/** Least part of Jacobi. */
const JACOBI = 0.02;

/** A_VV of a body, row by row of the places of touched vertices. */
interface LocalMatrix {
  readonly offsets: Int32Array;
  readonly columns: Int32Array;
  readonly values: Float64Array;
  readonly diagonal: Float64Array;
  /** three each */
  readonly x: Float64Array;
}

/** The parts of W = H A⁻¹ Hᵀ that the preconditioner needs; see `Delassus`. */
export interface ContactMatrix {
  /** number of rows */
  readonly size: number;
  /** bodies that contacts touch */
  readonly parts: readonly TouchedBody[];
  /** place of each vertex of a contact among the touched vertices of its body */
  readonly slots: ArrayLike<number>;
  readonly diagonal: ArrayLike<number>;
  readonly soft: ArrayLike<number>;
}

export class ContactPreconditioner {
  /** whether Θ is always all there is, as on the GPU */
  isJacobi = false;
  private matrices: LocalMatrix[] = [];
  /** H⁺ of each vertex of a contact, along each of its rows */
  private lean = new Float64Array(0);
  /** D and Θ of each row, 0 for one that is not active */
  private share = new Float64Array(0);
  private own = new Float64Array(0);
  /** diagonal of H⁺ᵀ A_VV H⁺, without what vertices of one contact have in common */
  private stiffness = new Float64Array(0);
  private readonly push = new Float64Array(3);

  /** Once W is built. */
  build(contacts: ContactList, w: ContactMatrix): void {
    this.matrices = w.parts.map(localMatrix);
    const { count, body, weight } = contacts;
    if (this.lean.length < CONTACT_VERTICES * count) this.lean = new Float64Array(2 * CONTACT_VERTICES * count);
    if (this.stiffness.length < count) this.stiffness = new Float64Array(2 * count);
    if (this.own.length < w.size) {
      this.own = new Float64Array(2 * w.size);
      this.share = new Float64Array(2 * w.size);
    }
    for (let n = 0; n < count; n++) {
      const [from, to] = [CONTACT_VERTICES * n, CONTACT_VERTICES * (n + 1)];
      let sum = 0;
      for (let i = from; i < to && body[i] >= 0; i++) {
        this.lean[i] = weight[i] * w.parts[body[i]].diagonal[w.slots[i]];
        sum += weight[i] * this.lean[i];
      }
      this.stiffness[n] = 0;
      for (let i = from; i < to && body[i] >= 0; i++) {
        this.lean[i] = sum > 0 ? this.lean[i] / sum : 0;
        this.stiffness[n] += this.lean[i] ** 2 * this.matrices[body[i]].diagonal[w.slots[i]];
      }
    }
  }

  /**
   * The rows of a Newton step.
   *
   * @param compliance E of (22) [1/kg]
   * @param isJacobi whether Θ is all there is
   */
  setRows(
    contacts: ContactList,
    w: ContactMatrix,
    active: Uint8Array,
    compliance: Float64Array,
    isJacobi: boolean,
  ): void {
    for (let i = 0; i < w.size; i++) {
      const all = w.diagonal[i] + compliance[i];
      const isActive = active[i] === 1;
      const n = Math.floor(i / 3);
      const stiff = n < contacts.count && !isJacobi && !this.isJacobi ? this.stiffness[n] : 0;
      const share = stiff > 0 ? 1 / (1 + (all - w.soft[n]) * stiff) : 0;
      this.share[i] = isActive ? Math.sqrt(share) : 0;
      this.own[i] = isActive ? Math.max(JACOBI, 1 - share) / all : 0;
    }
  }

  /** out = P r */
  apply(contacts: ContactList, w: ContactMatrix, r: Float64Array, out: Float64Array): void {
    const { own, share, lean, push } = this;
    const { count, body, frame } = contacts;
    for (const { x } of this.matrices) x.fill(0);
    for (let i = 0; i < w.size; i++) out[i] = own[i] * r[i];
    for (let n = 0; n < count; n++) {
      const [a, b, c] = [share[3 * n] * r[3 * n], share[3 * n + 1] * r[3 * n + 1], share[3 * n + 2] * r[3 * n + 2]];
      for (let k = 0, at = 9 * n; k < 3; k++, at++) push[k] = a * frame[at] + b * frame[at + 3] + c * frame[at + 6];
      for (let i = CONTACT_VERTICES * n; i < CONTACT_VERTICES * (n + 1) && body[i] >= 0; i++) {
        const { x } = this.matrices[body[i]];
        for (let k = 0; k < 3; k++) x[3 * w.slots[i] + k] += lean[i] * push[k];
      }
    }
    for (let n = 0; n < count; n++) {
      push.fill(0);
      for (let i = CONTACT_VERTICES * n; i < CONTACT_VERTICES * (n + 1) && body[i] >= 0; i++)
        addRow(this.matrices[body[i]], w.slots[i], lean[i], push);
      for (let k = 0, at = 9 * n; k < 3; k++, at += 3)
        out[3 * n + k] += share[3 * n + k] * (frame[at] * push[0] + frame[at + 1] * push[1] + frame[at + 2] * push[2]);
    }
  }
}

/** out += s (A x) at a place. */
function addRow({ offsets, columns, values, x }: LocalMatrix, slot: number, s: number, out: Float64Array): void {
  let [sx, sy, sz] = [0, 0, 0];
  for (let k = offsets[slot]; k < offsets[slot + 1]; k++) {
    const value = values[k];
    const j = 3 * columns[k];
    sx += value * x[j];
    sy += value * x[j + 1];
    sz += value * x[j + 2];
  }
  out[0] += s * sx;
  out[1] += s * sy;
  out[2] += s * sz;
}

function localMatrix({ vertices, slotOf, body }: TouchedBody): LocalMatrix {
  const { matrix } = body.system;
  const { vertices: pins, give } = body.pinSolver;
  const held = new Set(pins.filter((_, i) => give[i] === 0));
  // what gives is as stiff as 1/C besides
  const stiff = new Map(Array.from(pins, (vertex, i) => [vertex, 1 / give[i]]));
  const offsets = new Int32Array(vertices.length + 1);
  const diagonal = new Float64Array(vertices.length);
  const columns: number[] = [];
  const values: number[] = [];
  vertices.forEach((vertex, i) => {
    for (let k = matrix.offsets[vertex]; k < matrix.offsets[vertex + 1]; k++) {
      const j = slotOf.get(matrix.columns[k]);
      if (j === undefined || held.has(vertex) || held.has(matrix.columns[k])) continue;
      const value = matrix.values[k] + (j === i ? (stiff.get(vertex) ?? 0) : 0);
      columns.push(j);
      values.push(value);
      if (j === i) diagonal[i] = value;
    }
    offsets[i + 1] = columns.length;
  });
  return {
    offsets,
    columns: Int32Array.from(columns),
    values: Float64Array.from(values),
    diagonal,
    x: new Float64Array(3 * vertices.length),
  };
}
