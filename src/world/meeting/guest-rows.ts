/**
 * Rows of the contact problem of guests: three a contact, and how the guests answer to impulses along them.
 *
 * J   rows of a contact on the particles of up to two guests;  W = Σ J A⁻¹ Jᵀ over the guests
 */
import type { Guest } from "../../solvers/guest";
import type { Vec3 } from "../../math/types";

/** A particle that a contact pushes. */
export interface RowPart {
  /** place of the guest */
  readonly guest: number;
  readonly node: number;
  readonly weight: number;
}

export interface RowContact {
  readonly parts: readonly RowPart[];
  /** unit: normal, then two across it */
  readonly directions: readonly [Vec3, Vec3, Vec3];
}

export class GuestRows {
  /** of each guest: place of each particle that is pushed, and A⁻¹ of three unit impulses at it */
  private readonly places: readonly Map<number, number>[];
  private readonly columns: readonly Float64Array[][];

  constructor(
    private readonly guests: readonly Guest[],
    readonly contacts: readonly RowContact[],
  ) {
    this.places = guests.map(() => new Map<number, number>());
    for (const { parts } of contacts)
      for (const { guest, node } of parts)
        if (!guests[guest].isFixed(node) && !this.places[guest].has(node))
          this.places[guest].set(node, this.places[guest].size);
    this.columns = guests.map((guest, g) => columnsOf(guest, [...this.places[g].keys()]));
  }

  /** Fills W, 3 contacts × 3 contacts. */
  writeMatrix(out: Float64Array): void {
    const { contacts, guests, places } = this;
    const size = 3 * contacts.length;
    const answers = guests.map((_, g) => new Float64Array(3 * places[g].size));
    for (let c = 0; c < contacts.length; c++)
      for (let d = 0; d < 3; d++) {
        const row = 3 * c + d;
        for (const answer of answers) answer.fill(0);
        for (const { guest, node, weight } of contacts[c].parts) {
          if (guests[guest].isFixed(node)) continue;
          const place = places[guest].get(node)!;
          for (let k = 0; k < 3; k++) {
            const p = weight * contacts[c].directions[d][k];
            const column = this.columns[guest][3 * place + k];
            let i = 0;
            for (const other of places[guest].keys())
              for (let l = 0; l < 3; l++) answers[guest][i++] += p * column[3 * other + l];
          }
        }
        for (let other = 0; other <= c; other++)
          for (let e = 0; e < 3; e++) {
            const value = this.along(other, e, (guest, node, k) => {
              const place = places[guest].get(node);
              return place === undefined ? 0 : answers[guest][3 * place + k];
            });
            out[row * size + 3 * other + e] = out[(3 * other + e) * size + row] = value;
          }
      }
  }

  /** J of a row times what is told of particles. */
  along(c: number, d: number, of: (guest: number, node: number, k: number) => number): number {
    const { parts, directions } = this.contacts[c];
    let sum = 0;
    for (const { guest, node, weight } of parts)
      for (let k = 0; k < 3; k++) sum += weight * directions[d][k] * of(guest, node, k);
    return sum;
  }

  /** Adds Jᵀ p of some contacts to impulses at the particles of each guest. */
  addImpulses(p: ArrayLike<number>, from: number, to: number, out: readonly Float64Array[]): void {
    for (let c = from; c < to; c++)
      for (const { guest, node, weight } of this.contacts[c].parts) {
        if (this.guests[guest].isFixed(node)) continue;
        for (let d = 0; d < 3; d++)
          for (let k = 0; k < 3; k++)
            out[guest][3 * node + k] += weight * this.contacts[c].directions[d][k] * p[3 * c + d];
      }
  }
}

function columnsOf(guest: Guest, nodes: readonly number[]): Float64Array[] {
  const size = 3 * guest.model.particleCount;
  const j = new Float64Array(size);
  return nodes.flatMap((node) =>
    [0, 1, 2].map((k) => {
      const column = new Float64Array(size);
      j[3 * node + k] = 1;
      guest.answer(j, column);
      j[3 * node + k] = 0;
      return column;
    }),
  );
}
