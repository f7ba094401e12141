/**
 * Vertices of GPBD that are attached to vertices of guests, bodies of other solvers (guest.ts). A guest answers impulses j at its
 * attached vertices with velocities G j, where G = P A⁻¹ Pᵀ is what its step knows. So an attachment is a row of its own,
 *
 *   K Δj = −(gap / h + c j / h²),   K = E M⁻¹ Eᵀ + G + c / h²
 *
 * with the masses M of the knots of GPBD (cpu-ties.ts), the knot E of each row and the compliances c; all rows are solved at once.
 *
 * A row alone would be too soft: an element that pulls at a light knot would take it for free, and learn of the guest only when the knot
 * is put back. So elements see knots as heavy as they are with their guests. The answer of attached knots to impulses is
 * R = M⁻¹ − M⁻¹ Eᵀ K⁻¹ E M⁻¹. With the sums of its rows as their inverse masses no sweep overshoots, whatever pulls where (D − R is
 * diagonally dominant), and knots that are pulled alike, at a guest that is stiff, give way as they should in one sweep.
 *
 * A guest's answer takes no account of contacts that hold it: where they do, it stays behind, and the next rows close the gap.
 */
import { dotProduct, solveCholesky, substituteCholesky } from "../../../math/dense";
import type { Ghost } from "../surfaces/ghost";

/** A row's part on the diagonal of K where nothing can move. */
const LEAST = 1e-12;

/** Vertices of bodies of GPBD that are one particle, as far as rows see them. */
export interface RowKnot {
  /** [m] */
  readonly place: Float64Array;
  /** from that place to each member [m] */
  readonly away: Float64Array;
  /** h² over the sum of masses; 0 if a pin holds it */
  free: number;
}

/** An attachment of a member of a knot to a vertex of a guest. */
export interface GuestRow {
  readonly knot: RowKnot;
  readonly member: number;
  readonly ghost: Ghost;
  readonly node: number;
  /** 1 if the impulse of the frame is that on the guest, else −1 */
  readonly sign: number;
  /** [m/N] */
  readonly compliance: number;
  /** from the second vertex to the first [m] */
  readonly away: Float64Array;
  /** of the frame [N s] */
  readonly impulse: Float64Array;
}

export class GuestRows {
  private readonly size: number;
  /** G */
  private readonly answers: Float64Array = answersOf(this.rows);
  /** Cholesky factor of K, and the masses that it was made with */
  private readonly factor: Float64Array;
  private readonly madeWith: Float64Array;
  private readonly knots: readonly RowKnot[] = [...new Set(this.rows.map(({ knot }) => knot))];
  private readonly knotOf: readonly number[] = this.rows.map(({ knot }) => this.knots.indexOf(knot));
  /** R's sums by knot [1/kg] */
  private readonly ease = new Float64Array(this.knots.length);
  /** impulses on knots in the substep, and the part that guests have not been given [N s] */
  private readonly given: Float64Array;
  private readonly owed: Float64Array;
  /** velocities of guests by what they are owed [m/s] */
  private readonly owing: Float64Array;
  private readonly right: Float64Array;

  constructor(
    private readonly rows: readonly GuestRow[],
    private readonly h: number,
  ) {
    const size = (this.size = 3 * rows.length);
    this.factor = new Float64Array(size * size);
    this.madeWith = new Float64Array(this.knots.length).fill(-1);
    [this.given, this.owed, this.owing, this.right] = Array.from({ length: 4 }, () => new Float64Array(size)) as [
      Float64Array,
      Float64Array,
      Float64Array,
      Float64Array,
    ];
  }

  /** Begins a frame: puts knots where guests hold them, as a way that they have to go is no speed. */
  place(knots: ReadonlySet<RowKnot>): void {
    for (const knot of knots) {
      const rows = this.rows.filter((row) => row.knot === knot && row.compliance === 0);
      if (rows.length === 0) continue;
      for (let c = 0; c < 3; c++) {
        const sum = rows.reduce((all, { ghost, node, member, sign, away }) => {
          return all + ghost.state.positions[3 * node + c] + sign * away[c] - knot.away[3 * member + c];
        }, 0);
        knot.place[c] = sum / rows.length;
      }
    }
  }

  /** Begins a substep, when the masses of the knots are known. */
  begin(): void {
    this.given.fill(0);
    const { knots, madeWith } = this;
    if (knots.every(({ free }, k) => free === madeWith[k])) return;
    knots.forEach(({ free }, k) => (madeWith[k] = free));
    this.makeFactor();
    this.weigh();
  }

  /** h² over the mass that elements see at a knot; 0 if a pin holds it. */
  weightOf(knot: RowKnot): number {
    return this.h * this.h * this.ease[this.knots.indexOf(knot)];
  }

  /** Moves knots, and notes what that gives to guests. */
  solve(): void {
    const { rows, right, h, given, owed, owing, size, answers, factor } = this;
    rows.forEach(({ knot, member, ghost, node, sign, away, compliance }, r) => {
      const x = ghost.state.positions;
      for (let c = 0; c < 3; c++) {
        const i = 3 * r + c;
        const way = knot.place[c] + knot.away[3 * member + c] - x[3 * node + c] - h * owing[i];
        right[i] = -(way - sign * away[c]) / h - (compliance / (h * h)) * given[i];
      }
    });
    substituteCholesky(factor, right, size);
    rows.forEach(({ knot }, r) => {
      for (let c = 0; c < 3; c++) {
        const i = 3 * r + c;
        given[i] += right[i]!;
        owed[i] -= right[i]!;
        knot.place[c] += (knot.free / h) * right[i];
      }
    });
    for (let i = 0; i < size; i++) owing[i] -= dotProduct(answers.subarray(i * size), right, size);
  }

  /** Gives guests what they are owed. */
  handOver(): void {
    const { owed, rows } = this;
    if (owed.every((value) => value === 0)) return;
    for (const ghost of new Set(rows.map((row) => row.ghost)))
      ghost.pull((j) =>
        rows.forEach((row, r) => {
          if (row.ghost === ghost) for (let c = 0; c < 3; c++) j[3 * row.node + c] += owed[3 * r + c]!;
        }),
      );
    owed.fill(0);
    this.owing.fill(0);
  }

  /** Ends a substep: adds up the impulses of the frame. */
  finish(): void {
    this.rows.forEach(({ impulse, sign }, r) => {
      for (let c = 0; c < 3; c++) impulse[c] -= sign * this.given[3 * r + c];
    });
  }

  private makeFactor(): void {
    const { size, factor, answers, rows, knotOf, madeWith, h } = this;
    factor.set(answers);
    let most = 0;
    for (let r = 0; r < rows.length; r++)
      for (let c = 0; c < 3; c++) {
        const i = 3 * r + c;
        for (let s = 0; s < rows.length; s++)
          if (knotOf[s] === knotOf[r]) factor[i * size + 3 * s + c] += madeWith[knotOf[r]] / (h * h);
        factor[i * size + i] += rows[r].compliance / (h * h);
        most = Math.max(most, factor[i * size + i]!);
      }
    for (let i = 0; i < size; i++) factor[i * (size + 1)] += LEAST * (most || 1);
    // Leaves the factor in its place.
    solveCholesky(factor, this.right.fill(0), size);
  }

  /** Finds R's sums. */
  private weigh(): void {
    const { size, rows, knotOf, knots, madeWith, ease, factor, right, h } = this;
    knots.forEach((_, k) => {
      const own = madeWith[k] / (h * h);
      let most = 0;
      for (let c = 0; c < 3 && own > 0; c++) {
        for (let i = 0; i < size; i++) right[i] = i % 3 === c && knotOf[Math.floor(i / 3)] === k ? own : 0;
        substituteCholesky(factor, right, size);
        const answer = new Float64Array(3 * knots.length);
        answer[3 * k + c] = own;
        rows.forEach((__, r) => {
          const other = knotOf[r];
          for (let d = 0; d < 3; d++) answer[3 * other + d] -= (madeWith[other] / (h * h)) * right[3 * r + d];
        });
        most = Math.max(
          most,
          answer.reduce((sum, value) => sum + Math.abs(value), 0),
        );
      }
      ease[k] = Math.min(own, Math.max(most, LEAST * own));
    });
  }
}

/** G: the velocities of the attached particles of guests by impulses at them. */
function answersOf(rows: readonly GuestRow[]): Float64Array {
  const size = 3 * rows.length;
  const answers = new Float64Array(size * size);
  rows.forEach(({ ghost: { guest }, ghost, node }, r) => {
    if (guest.isFixed(node)) return;
    const length = 3 * guest.model.particleCount;
    const [j, u] = [new Float64Array(length), new Float64Array(length)];
    for (let c = 0; c < 3; c++) {
      j[3 * node + c] = 1;
      guest.answer(j, u);
      j[3 * node + c] = 0;
      rows.forEach((other, s) => {
        if (other.ghost === ghost)
          for (let d = 0; d < 3; d++) answers[(3 * s + d) * size + 3 * r + c] = u[3 * other.node + d]!;
      });
    }
  });
  return answers;
}
