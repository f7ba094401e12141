/**
 * The contact problem of guests that meet. Its matrix is W = J G Jᵀ over all guests: J has the rows of contacts on the
 * particles that they push, and G = P A⁻¹ Pᵀ is the response of these particles.
 *
 * If two sheets lie on one another, there are many more contacts than particles. Therefore a step of Newton is solved
 * from the side of the particles, as in sparse-problem.ts: B Δp + E J y = b with y = G Jᵀ Δp, and (1 + G Jᵀ B⁻¹ E J) y
 * = G Jᵀ B⁻¹ b. The unknowns are those of particles at active contacts alone, often a few of very many that may touch.
 */
import { CONTACT_VERTICES, ContactTable } from "../../collision/soft/contact-table";
import type { Guest } from "../../solvers/guest";
import { ContactProblem } from "../../solvers/newton/deformable/problem/contact-problem";
import { DenseLu } from "../../solvers/newton/deformable/problem/dense-lu";

/** The particles of a guest that contacts push. */
interface Pushed {
  /** index of each particle among those of all guests */
  readonly placeOf: Map<number, number>;
  readonly first: number;
  /** G */
  readonly compliance: Float64Array;
}

export class GuestProblem extends ContactProblem {
  /** `body` is the index of a guest */
  private contacts = new ContactTable();
  private pushed: readonly Pushed[] = [];
  /** for each vertex of a contact its index among the particles, −1 if it is fixed */
  private places = new Int32Array(0);
  private mobility = new Float64Array(0);
  /** Jᵀ times impulses, and G times that */
  private force = new Float64Array(0);
  private y = new Float64Array(0);
  private readonly lu = new DenseLu();
  private right = new Float64Array(0);
  /** particles with unknown motion in a step, in the order of guests, and the place of each among them or −1 */
  private unknown: number[] = [];
  private unknownAt = new Int32Array(0);
  /** first unknown particle of each guest, and the end */
  private unknownFirst: number[] = [];
  private readonly block = new Float64Array(9);

  /**
   * @param contacts with impulses to start from
   * @param gives compliances of contacts in normal and tangential direction, as parts of their mobility
   */
  setContacts(guests: readonly Guest[], contacts: ContactTable, gives: readonly [number, number]): void {
    const { count, body, vertex } = contacts;
    this.resize(count, 0);
    this.contacts = contacts;
    let first = 0;
    this.pushed = guests.map((guest, g) => {
      const placeOf = new Map<number, number>();
      for (let e = 0; e < CONTACT_VERTICES * count; e++)
        if (body[e] === g && !guest.isFixed(vertex[e]) && !placeOf.has(vertex[e]))
          placeOf.set(vertex[e], first + placeOf.size);
      const made = { placeOf, first, compliance: complianceOf(guest, [...placeOf.keys()]) };
      first += placeOf.size;
      return made;
    });
    this.places = Int32Array.from({ length: CONTACT_VERTICES * count }, (_, e) =>
      body[e] < 0 ? -1 : (this.pushed[body[e]].placeOf.get(vertex[e]) ?? -1),
    );
    const vector = (): Float64Array<ArrayBuffer> => new Float64Array(3 * first);
    [this.force, this.y, this.right] = [vector(), vector(), vector()];
    this.unknownAt = new Int32Array(first);
    [this.mobility, this.give] = [new Float64Array(this.size), new Float64Array(this.size)];
    [this.free, this.gain] = [new Float64Array(this.size), new Float64Array(3 * this.size)];
    for (let i = 0; i < this.size; i++) {
      this.force.fill(0);
      this.addRow(i, 1, this.force);
      this.respond();
      const own = this.alongPlaces(i, this.y);
      this.give[i] = own * gives[Math.min(1, i % 3)];
      this.mobility[i] = own + this.give[i];
    }
    this.p.set(contacts.impulse.subarray(0, this.size));
    this.friction.set(contacts.friction.subarray(0, count));
  }

  /** Makes a contact an attachment, with a compliance of its own [1/kg]. */
  tie(c: number, compliance: number): void {
    this.bilateral[c] = 1;
    for (let i = 3 * c; i < 3 * c + 3; i++) {
      this.mobility[i] += compliance - this.give[i];
      this.give[i] = compliance;
    }
  }

  /** Compliance of the contact of a row [1/kg]. */
  giveOf(i: number): number {
    return this.give[i];
  }

  diagonal(i: number): number {
    return this.mobility[i];
  }

  /** J of a row times a vector over the particles. */
  along(i: number, of: (guest: number, node: number, k: number) => number): number {
    const { body, vertex, weight, frame } = this.contacts;
    let sum = 0;
    for (const e of this.contacts.verticesOf(Math.floor(i / 3)))
      for (let k = 0; k < 3; k++) sum += weight[e] * frame[3 * i + k] * of(body[e], vertex[e], k);
    return sum;
  }

  /** Adds Jᵀ p of the contacts from `from` to `to`, times s, to impulses at the particles of each guest. */
  addImpulses(s: number, from: number, to: number, out: readonly Float64Array[]): void {
    const { body, vertex, weight, frame } = this.contacts;
    for (let i = 3 * from; i < 3 * to; i++)
      for (const e of this.freeOf(i))
        for (let k = 0; k < 3; k++) out[body[e]][3 * vertex[e] + k] += s * weight[e] * frame[3 * i + k] * this.p[i];
  }

  protected multiply(x: Float64Array, out: Float64Array): void {
    const { size, give, y } = this;
    this.force.fill(0);
    for (let i = 0; i < size; i++) if (x[i] !== 0) this.addRow(i, x[i], this.force);
    this.respond();
    for (let i = 0; i < size; i++) out[i] = this.alongPlaces(i, y) + give[i] * x[i];
  }

  protected startSweeps(): void {
    const { size, p } = this;
    this.force.fill(0);
    for (let i = 0; i < size; i++) if (p[i] !== 0) this.addRow(i, p[i], this.force);
    this.respond();
  }

  protected speedOf(i: number): number {
    return this.bias[i] + this.alongPlaces(i, this.y) + this.give[i] * this.p[i];
  }

  protected put(i: number, value: number): void {
    const change = value - this.p[i];
    if (change === 0) return;
    this.p[i] = value;
    const { body, weight, frame } = this.contacts;
    for (const e of this.freeOf(i)) {
      const { placeOf, first, compliance } = this.pushed[body[e]];
      const m = 3 * placeOf.size;
      for (let k = 0; k < 3; k++) {
        const from = m * (3 * (this.places[e] - first) + k);
        const impulse = change * weight[e] * frame[3 * i + k];
        for (let l = 0; l < m; l++) this.y[3 * first + l] += impulse * compliance[from + l];
      }
    }
  }

  protected direction(): void {
    const { active, step, size, contactCount, lu, force, right, y } = this;
    force.fill(0);
    for (let i = 0; i < size; i++) {
      step[i] = active[i] === 1 ? 0 : this.forcedStep(i);
      if (step[i] !== 0) this.addRow(i, step[i], force);
    }
    this.respond();
    for (let c = 0; c < contactCount; c++) this.lineariseContact(c);
    this.numberUnknowns();
    const { unknown } = this;
    const length = 3 * unknown.length;
    lu.reserve(length);
    const { matrix } = lu;
    matrix.fill(0, 0, length * length);
    for (let i = 0; i < length; i++) {
      matrix[i * (length + 1)] = 1;
      right[i] = y[3 * unknown[Math.floor(i / 3)] + (i % 3)]!;
    }
    for (let c = 0; c < contactCount; c++) if (this.gain[9 * c] !== 0) this.addContact(c);
    // Columns count in units of their largest number, so that redundant rows show as small pivots.
    const unit = force.fill(0, 0, length);
    for (let i = 0; i < length; i++)
      for (let j = 0; j < length; j++) unit[j] = Math.max(unit[j], Math.abs(matrix[i * length + j]));
    for (let i = 0; i < length; i++) for (let j = 0; j < length; j++) matrix[i * length + j] /= unit[j]!;
    lu.solve(right, length);
    for (let i = 0; i < length; i++) y[3 * unknown[Math.floor(i / 3)] + (i % 3)] = right[i] / unit[i];
    for (let c = 0; c < contactCount; c++) this.takeStep(c);
  }

  /** Finds the particles of contacts whose step is unknown. */
  private numberUnknowns(): void {
    const { contactCount, places, unknownAt, pushed } = this;
    unknownAt.fill(-1);
    for (let c = 0; c < contactCount; c++)
      if (this.gain[9 * c] !== 0) for (const e of this.freeOf(3 * c)) unknownAt[places[e]] = 0;
    this.unknown = [];
    this.unknownFirst = [];
    for (const { first, placeOf } of pushed) {
      this.unknownFirst.push(this.unknown.length);
      for (let place = first; place < first + placeOf.size; place++)
        if (unknownAt[place] === 0) unknownAt[place] = this.unknown.push(place) - 1;
    }
    this.unknownFirst.push(this.unknown.length);
  }

  /** Adds G Jᵀ B⁻¹ E J and G Jᵀ B⁻¹ b of a contact to the system. */
  private addContact(c: number): void {
    const { gain, free, block, unknown, unknownAt, unknownFirst, pushed, right, lu } = this;
    const { places, contacts } = this;
    const { frame, weight, body } = contacts;
    const own = this.freeOf(3 * c);
    const length = 3 * unknown.length;
    block.fill(0);
    for (let a = 0; a < 3; a++)
      for (let b = 0; b < 3; b++) {
        const g = gain[9 * c + 3 * a + b];
        if (g === 0) continue;
        for (let k = 0; k < 3; k++)
          for (let l = 0; l < 3; l++) block[3 * k + l] += frame[9 * c + 3 * a + k] * g * frame[9 * c + 3 * b + l];
      }
    const [p0, p1, p2] = [0, 1, 2].map((k) =>
      [0, 1, 2].reduce((sum, a) => sum + frame[9 * c + 3 * a + k] * free[3 * c + a], 0),
    );
    for (const e of own) {
      const { first, compliance, placeOf } = pushed[body[e]];
      const m = 3 * placeOf.size;
      const from = 3 * m * (places[e] - first);
      for (let i = 3 * unknownFirst[body[e]]; i < 3 * unknownFirst[body[e] + 1]; i++) {
        const at = from + 3 * (unknown[Math.floor(i / 3)] - first) + (i % 3);
        const [x, y, z] = [
          weight[e] * compliance[at],
          weight[e] * compliance[at + m],
          weight[e] * compliance[at + 2 * m],
        ];
        right[i] += x * p0 + y * p1 + z * p2;
        for (const f of own) {
          const to = i * length + 3 * unknownAt[places[f]];
          for (let l = 0; l < 3; l++)
            lu.matrix[to + l] += weight[f] * (x * block[l] + y * block[3 + l] + z * block[6 + l]);
        }
      }
    }
  }

  /** Δp of the active rows of a contact from y. */
  private takeStep(c: number): void {
    const { step, active, free, gain, y } = this;
    if (active[3 * c] === 0) return;
    const v = [0, 1, 2].map((d) => this.alongPlaces(3 * c + d, y));
    for (let d = 0; d < 3; d++) {
      if (active[3 * c + d] === 0) continue;
      const at = 9 * c + 3 * d;
      step[3 * c + d] = free[3 * c + d] - gain[at] * v[0] - gain[at + 1] * v[1] - gain[at + 2] * v[2];
    }
  }

  private addRow(i: number, p: number, out: Float64Array): void {
    const { places, contacts } = this;
    const { weight, frame } = contacts;
    const first = CONTACT_VERTICES * Math.floor(i / 3);
    for (let e = first; e < first + CONTACT_VERTICES; e++)
      if (places[e] >= 0) for (let k = 0; k < 3; k++) out[3 * places[e] + k] += p * weight[e] * frame[3 * i + k];
  }

  private alongPlaces(i: number, y: Float64Array): number {
    const { places, contacts } = this;
    const { weight, frame } = contacts;
    const first = CONTACT_VERTICES * Math.floor(i / 3);
    let sum = 0;
    for (let e = first; e < first + CONTACT_VERTICES; e++) {
      if (places[e] < 0) continue;
      const at = 3 * places[e];
      sum += weight[e] * (frame[3 * i] * y[at] + frame[3 * i + 1] * y[at + 1] + frame[3 * i + 2] * y[at + 2]);
    }
    return sum;
  }

  /** Places in the table of the free vertices of the contact of a row. */
  private freeOf(i: number): number[] {
    return this.contacts.verticesOf(Math.floor(i / 3)).filter((e) => this.places[e] >= 0);
  }

  /** y = G f */
  private respond(): void {
    const { pushed, force, y } = this;
    for (const { placeOf, first, compliance } of pushed) {
      const m = 3 * placeOf.size;
      const from = 3 * first;
      y.fill(0, from, from + m);
      for (let j = 0; j < m; j++) {
        const f = force[from + j];
        if (f !== 0) for (let i = 0; i < m; i++) y[from + i] += f * compliance[j * m + i];
      }
    }
  }
}

/** G of some particles. */
function complianceOf(guest: Guest, nodes: readonly number[]): Float64Array {
  const length = 3 * guest.model.particleCount;
  const m = 3 * nodes.length;
  const [j, u] = [new Float64Array(length), new Float64Array(length)];
  const compliance = new Float64Array(m * m);
  for (let a = 0; a < m; a++) {
    const at = 3 * nodes[Math.floor(a / 3)] + (a % 3);
    j[at] = 1;
    guest.answer(j, u);
    j[at] = 0;
    for (let b = 0; b < m; b++) compliance[a * m + b] = u[3 * nodes[Math.floor(b / 3)] + (b % 3)]!;
  }
  return compliance;
}
