/**
 * The response of a guest to impulses while it rests on immovable objects: u = A⁻¹ (j + Jᵀ p). The contacts of its step
 * react with impulses p as far as they can: together with the impulses that they carry already, normal parts stay above
 * zero and friction stays within its cone.
 *
 * K   J A⁻¹ Jᵀ, with a little on its diagonal, as contacts of one face depend on each other
 */
import { substituteCholesky } from "../math/dense";
import type { Guest, HeldContact } from "./guest";

/** Part of the diagonal of K that is added to it. */
const GIVE = 1e-3;
/** Number of sweeps if a contact opens or slides. */
const SWEEPS = 30;

export class HeldAnswer {
  private readonly contacts: readonly HeldContact[];
  private readonly size: number;
  /** A⁻¹ Jᵀ, one array for each row of J */
  private readonly columns: readonly Float64Array[];
  private readonly k: Float64Array;
  /** Cholesky factor of K */
  private readonly factor: Float64Array;
  /** impulses that contacts carry [N s] */
  private readonly carried: Float64Array;
  private readonly speed: Float64Array;
  private readonly change: Float64Array;

  constructor(private readonly guest: Guest) {
    const { particleCount } = guest.model;
    this.contacts = guest.heldContacts();
    const size = (this.size = 3 * this.contacts.length);
    const j = new Float64Array(3 * particleCount);
    this.columns = Array.from({ length: size }, (_, row) => {
      const column = new Float64Array(3 * particleCount);
      j.fill(0);
      this.addRow(row, 1, j);
      guest.answer(j, column);
      return column;
    });
    this.carried = Float64Array.from(this.contacts.flatMap(({ impulse }) => impulse));
    this.speed = new Float64Array(size);
    this.change = new Float64Array(size);
    this.k = new Float64Array(size * size);
    this.factor = new Float64Array(size * size);
    this.makeFactor();
  }

  /** out = u of impulses j, particleCount × 3 each; the impulses of the contacts are remembered. */
  answer(j: Float64Array, out: Float64Array): void {
    this.guest.answer(j, out);
    const { size, speed, change, carried, columns } = this;
    if (size === 0) return;
    for (let row = 0; row < size; row++) speed[row] = this.along(row, out);
    this.hold();
    for (let row = 0; row < size; row++) {
      if (change[row] === 0) continue;
      carried[row] += change[row];
      const column = columns[row];
      for (let i = 0; i < out.length; i++) out[i] += change[row] * column[i];
    }
  }

  private makeFactor(): void {
    const { size, columns, k, factor } = this;
    for (let a = 0; a < size; a++)
      for (let b = 0; b <= a; b++) k[a * size + b] = k[b * size + a] = this.along(a, columns[b]);
    for (let a = 0; a < size; a++) {
      for (let b = 0; b <= a; b++) {
        let sum = k[a * size + b] * (a === b ? 1 + GIVE : 1);
        for (let c = 0; c < b; c++) sum -= factor[a * size + c] * factor[b * size + c];
        factor[a * size + b] = a > b ? sum / factor[b * size + b] : Math.sqrt(Math.max(sum, 1e-12 * k[a * size + a]));
      }
    }
  }

  /** Finds impulses of the contacts for which each contact sticks, opens or slides. */
  private hold(): void {
    const { size, factor, change, speed, contacts } = this;
    for (let row = 0; row < size; row++) change[row] = -speed[row];
    substituteCholesky(factor, change, size);
    let isOut = false;
    for (let c = 0; c < contacts.length; c++) if (this.project(c)) isOut = true;
    for (let sweep = 0; sweep < SWEEPS && isOut; sweep++)
      for (let c = 0; c < contacts.length; c++) {
        for (let row = 3 * c; row < 3 * c + 3; row++) this.relax(row);
        this.project(c);
      }
  }

  private relax(row: number): void {
    const { size, k, change, speed } = this;
    const diagonal = k[row * size + row];
    if (!(diagonal > 0)) return;
    let sum = speed[row];
    for (let b = 0; b < size; b++) sum += k[row * size + b] * change[b];
    change[row] -= sum / (diagonal * (1 + GIVE));
  }

  /** Projects the impulse that a contact carries into its cone. Returns whether it was outside. */
  private project(c: number): boolean {
    const { carried, change, contacts } = this;
    const n = 3 * c;
    let isOut = false;
    if (carried[n] + change[n] < 0) {
      change[n] = -carried[n];
      isOut = true;
    }
    const limit = contacts[c].friction * (carried[n] + change[n]);
    const x = carried[n + 1] + change[n + 1];
    const y = carried[n + 2] + change[n + 2];
    const length = Math.sqrt(x * x + y * y);
    if (length <= limit) return isOut;
    change[n + 1] = (x * limit) / length - carried[n + 1];
    change[n + 2] = (y * limit) / length - carried[n + 2];
    return true;
  }

  private addRow(row: number, p: number, j: Float64Array): void {
    const { nodes, weights, directions } = this.contacts[Math.floor(row / 3)];
    const direction = directions[row % 3];
    nodes.forEach((node, k) => {
      if (!this.guest.isFixed(node)) for (let i = 0; i < 3; i++) j[3 * node + i] += p * weights[k] * direction[i];
    });
  }

  private along(row: number, u: Float64Array): number {
    const { nodes, weights, directions } = this.contacts[Math.floor(row / 3)];
    const [x, y, z] = directions[row % 3];
    let sum = 0;
    for (let k = 0; k < nodes.length; k++) {
      const at = 3 * nodes[k];
      sum += weights[k] * (x * u[at] + y * u[at + 1] + z * u[at + 2]);
    }
    return sum;
  }
}
