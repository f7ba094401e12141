/**
 * Contact of guests with one another: of bodies of the Newton solver among themselves, and with local-global bodies.
 * All guests have made their step, with the impulses that these contacts gave them in the frame before. From the
 * resulting states the impulses of this frame are found, by a complementarity problem over the sum of the guests'
 * responses A⁻¹ (guest-problem.ts). For guests that stand on the ground, the problem includes the contacts there.
 * Finally the states are corrected by the change of the impulses.
 *
 * h   frame time [s];  û   velocities of the frame without these impulses;  p   impulses, three a contact [N s]
 */
import { ContactList } from "../../collision/soft/contact-list";
import { CONTACT_VERTICES } from "../../collision/soft/contact-table";
import { ImpulseMemory, type SavedImpulses } from "../../collision/soft/impulse-memory";
import type { SavedSides } from "../../collision/soft/pair-sides";
import { type SurfaceBody, SurfaceDetection } from "../../collision/soft/surface-detection";
import { type Guest, HeldContacts } from "../../solvers/guest";
import type { FrameInput } from "../../solvers/deformable";
import { GuestProblem } from "./guest-problem";
import { addTie, dropTied, type GuestTie, tiesAmong } from "./guest-ties";
import { sharePermitted } from "./meeting-energy";

/** Most iterations of the contact problem, and its residual when solved [m/s], times the grain. */
const ITERATIONS = 60;
const TOLERANCE = 1e-10;
/** Part of an overlap that a frame removes, and the highest speed of removal [m/s], times the grain. */
const RECOVERY = 0.25;
const RECOVERY_SPEED = 0.5;
/** Compliance of contacts, as a part of W, on the change of an impulse from frame to frame: nothing creeps. */
const NORMAL_GIVE = 1e-3;
const FRICTION_GIVE = 1e-2;
/** Unforeseen acceleration that the search for contacts allows for [m/s²], times the grain. */
const SUDDEN = 10;
/** Most times that the contacts are solved, with objects that guests push one another into. */
const ROUNDS = 4;
/** Most times that attached guests are linearized again where they have come to. */
const BENDS = 8;
/** Depth to which guests may push one another into such objects [m], as a part of the distance that they keep. */
const MET = 0.05;
/** ε of the steps of the contact problem. */
const REGULARIZATION = 1e-6;
/**
 * A step may have any of the last four residuals. Among hundreds of contacts of two sheets some change their state in each step, and steps that
 * had to reduce the last residual gave way to sweeps 40 times, without an end (`played` 53 of the random scenes).
 */
const EFFORT = { lookBack: 4, rescues: 8, sweeps: 8, enough: 0 } as const;
/**
 * Contacts that would remain this far apart are not part of the problem at first, and those that it leaves less deep than this not at all, as
 * parts of the distance that guests keep.
 */
const [AHEAD, LEFT_OUT] = [0.1, 1e-4];

/** State of the contacts of guests, for a snapshot. */
export interface GuestContactMemory {
  /** [N s] */
  readonly impulses: SavedImpulses;
  readonly sides: SavedSides;
}

export class GuestContacts {
  private readonly detection = new SurfaceDetection(
    (a, b) => 0.5 * (a.thickness + b.thickness),
    (a, b) => (a as DetectedGuest).kind !== (b as DetectedGuest).kind || (a as DetectedGuest).kind === "newton",
    true,
  );
  private readonly contacts = new ContactList();
  /** those of the problem: chosen ones, attachments, and contacts that hold guests; `body` is the index of a guest */
  private readonly rows = new HeldContacts();
  private readonly problem = new GuestProblem();
  /**
   * Contacts that are part of the problem, in ascending order. All particles of guests of millimeters may touch within a frame, and few do:
   * the cost of the problem is cubic in its particles.
   */
  private chosen: number[] = [];
  /** attachments of guests to each other */
  readonly ties: GuestTie[] = [];
  /** impulses beside those of the guests' own steps [N s], and changes of velocity without them [m/s] */
  private changes: readonly Float64Array[] = [];
  private rests: readonly Float64Array[] = [];
  /** impulses of the last frame [N s] */
  private readonly impulses = new ImpulseMemory();

  save(): GuestContactMemory {
    return { impulses: this.impulses.save(), sides: this.detection.saveSides() };
  }

  load({ impulses, sides }: GuestContactMemory): void {
    this.impulses.load(impulses);
    this.detection.loadSides(sides);
  }

  forget(): void {
    this.impulses.clear();
  }

  /**
   * Solves the contacts of guests after their steps of a frame.
   *
   * @param pushes forces of these contacts in the step of each guest, particleCount × 3 [N]
   * @param given is filled with the impulses of these contacts, particleCount × 3 [N s]
   */
  solve(
    guests: readonly Guest[],
    frame: FrameInput,
    grain: number,
    pushes: readonly Float64Array[],
    given: readonly Float64Array[],
  ): void {
    const h = frame.dt;
    // Contacts are searched for without the impulses that the steps were made with. An expected repetition of a blow
    // could separate two guests so far that their contact would be missed.
    const back = pushes.map((push) => push.map((force) => -h * force) as Float64Array);
    this.detect(
      guests,
      guests.map((guest, g) => answered(guest, back[g])),
      h,
      grain,
    );
    const ties = tiesAmong(this.ties, guests);
    dropTied(this.contacts, ties, guests);
    const isMeeting = this.contacts.count + ties.length > 0;
    const held = guests.map((guest) => (isMeeting ? guest.heldContacts() : new HeldContacts()));
    let ways = guests.map((guest, g) => answered(guest, back[g]));
    this.rests = guests.map((_, g) => new Float64Array(back[g].length));
    this.chosen = [];
    this.choose(guests, ways, h, grain);
    // A part of what an attachment does, or another answer than its body knows, would let go of a body that responds.
    const mayShare = isMeeting && (ties.length === 0 || guests.every(({ isOnResponding }) => isOnResponding !== true));
    let share = 1;
    for (let bend = 0; ; bend++) {
      for (let round = 0; round < ROUNDS; round++) {
        do ways = this.answers(guests, ties, h, grain, back, held, given);
        while (this.choose(guests, ways, h, grain));
        // Guests may push one another into objects that their own steps did not meet.
        if (!isMeeting || round === ROUNDS - 1 || !meetMore(guests, ways, held, frame)) break;
      }
      share = mayShare ? sharePermitted(guests, ways, pushes, frame, grain) : 1;
      if (share === 1 || ties.length === 0 || bend === BENDS) break;
      const isOther = guests.map((guest, g) => guest.bend?.(this.changes[g], ways[g], this.rests[g]) === true);
      if (!isOther.includes(true)) break;
    }
    guests.forEach(({ state: { positions, velocities } }, g) => {
      const u = ways[g];
      for (let i = 0; i < u.length; i++) {
        positions[i] += share * h * u[i];
        velocities[i] += share * u[i];
      }
    });
    this.remember();
    if (share < 1) {
      // The next steps must not repeat this.
      this.forget();
      for (const impulses of given) impulses.fill(0);
    }
  }

  /**
   * Finds the impulses of the chosen contacts, with those of contacts that hold guests.
   *
   * @param back impulses with which the steps were made, negative [N s]
   * @returns changes of velocity by them [m/s]
   */
  private answers(
    guests: readonly Guest[],
    ties: readonly GuestTie[],
    h: number,
    grain: number,
    back: readonly Float64Array[],
    held: readonly HeldContacts[],
    given: readonly Float64Array[],
  ): Float64Array[] {
    const { contacts, rows, problem, chosen } = this;
    const count = chosen.length;
    const own = count + ties.length;
    const change = back.map((impulses) => impulses.slice());
    rows.clear();
    chosen.forEach((c, n) => {
      rows.take(contacts, c, c + 1);
      this.impulses.recall(contacts, c, rows.impulse, 3 * n);
      rows.impulse[3 * n] = Math.max(0, rows.impulse[3 * n]);
    });
    for (const tie of ties) addTie(tie, guests, rows);
    held.forEach((table, guest) => {
      const first = rows.count;
      rows.take(table, 0, table.count);
      for (let e = CONTACT_VERTICES * first; e < CONTACT_VERTICES * rows.count; e++)
        if (rows.body[e] >= 0) rows.body[e] = guest;
    });
    problem.setContacts(guests, rows, [NORMAL_GIVE, FRICTION_GIVE]);
    ties.forEach(({ compliance }, k) => problem.tie(count + k, compliance / (h * h)));
    problem.addImpulses(-1, own, rows.count, change);
    this.changes = change;
    const free = guests.map((guest, g) => this.answered(guest, g));
    this.writeBias(guests, free, h, grain, ties);
    if (own > 0) problem.solve(ITERATIONS, grain * TOLERANCE, REGULARIZATION, EFFORT);
    for (const impulses of given) impulses.fill(0);
    problem.addImpulses(1, 0, own, given);
    ties.forEach(({ impulse }, k) => impulse.set(problem.p.subarray(3 * (count + k), 3 * (count + k) + 3)));
    guests.forEach((_, g) => given[g].forEach((value, i) => (change[g][i] += value)));
    problem.addImpulses(1, own, rows.count, change);
    return guests.map((guest, g) => this.answered(guest, g));
  }

  /** Change of velocity by the present impulses, with what is left without them [m/s]. */
  private answered(guest: Guest, g: number): Float64Array {
    const ways = answered(guest, this.changes[g]);
    this.rests[g].forEach((value, i) => (ways[i] += value));
    return ways;
  }

  /** @param ways changes of velocity that move the guests to their places without these contacts [m/s] */
  private detect(guests: readonly Guest[], ways: readonly Float64Array[], h: number, grain: number): void {
    this.contacts.clear();
    this.detection.find(
      guests.map((guest, g) => detected(guest, ways[g], h, SUDDEN * grain * h * h)),
      this.contacts,
    );
  }

  /**
   * Chooses contacts that were pushed in the last frame, and those that close.
   *
   * @param ways changes of velocity [m/s]
   * @returns whether there are more than before
   */
  private choose(guests: readonly Guest[], ways: readonly Float64Array[], h: number, grain: number): boolean {
    const { contacts, impulses, chosen } = this;
    const before = chosen.length;
    const known = new Set(chosen);
    for (let n = 0; n < contacts.count; n++) {
      if (known.has(n)) continue;
      const unit = guests[contacts.bodyOf(n)].distance / h;
      const isNew = before === 0 && impulses.has(contacts, n);
      if (isNew || this.closing(n, guests, ways, h, grain) < (before === 0 ? AHEAD : -LEFT_OUT) * unit) chosen.push(n);
    }
    chosen.sort((a, b) => a - b);
    return chosen.length > before;
  }

  /** Speed of a contact beyond the one that just closes it: less than zero if it goes further [m/s]. */
  private closing(
    n: number,
    guests: readonly Guest[],
    ways: readonly Float64Array[],
    h: number,
    grain: number,
  ): number {
    const { body, vertex, weight, frame, offset } = this.contacts;
    let speed = 0;
    let gap = -offset[3 * n];
    for (let k = CONTACT_VERTICES * n; k < CONTACT_VERTICES * (n + 1); k++) {
      if (body[k] < 0) continue;
      const { state, start } = guests[body[k]];
      for (let c = 0, i = 3 * vertex[k]; c < 3; c++, i++) {
        const part = weight[k] * frame[9 * n + c];
        gap += part * start[i];
        speed += part * ((state.positions[i] - start[i]) / h + ways[body[k]][i]);
      }
    }
    return speed + gapSpeed(gap, h, grain);
  }

  /** Writes v of the rows at p = 0, with gaps; for contacts that hold standing guests, with their slip. */
  private writeBias(
    guests: readonly Guest[],
    free: readonly Float64Array[],
    h: number,
    grain: number,
    ties: readonly GuestTie[],
  ): void {
    const { problem, contacts, chosen } = this;
    const { bias, p } = problem;
    const count = chosen.length;
    const own = count + ties.length;
    for (let row = 0; row < problem.size; row++) {
      const [c, d] = [Math.floor(row / 3), row % 3];
      if (c >= count && c < own) {
        const way = problem.along(
          row,
          (guest, node, k) => guests[guest].state.positions[3 * node + k] + h * free[guest][3 * node + k],
        );
        bias[row] = (way - ties[c - count].away[d]) / h;
        continue;
      }
      bias[row] = problem.along(row, (guest, node, k) => free[guest][3 * node + k]) - problem.giveOf(row) * p[row];
      if (c >= own) {
        // A standing guest has already made the right motion for the impulses that it had.
        bias[row] += this.rows.slip[row];
        continue;
      }
      bias[row] += problem.along(row, (guest, node, k) => {
        const { state, start } = guests[guest];
        return (state.positions[3 * node + k] - start[3 * node + k]) / h;
      });
      if (d > 0) continue;
      const gap =
        problem.along(row, (guest, node, k) => guests[guest].start[3 * node + k]) - contacts.offset[3 * chosen[c]];
      bias[row] += gapSpeed(gap, h, grain);
    }
  }

  private remember(): void {
    const { contacts, problem, impulses } = this;
    impulses.clear();
    this.chosen.forEach((c, n) => {
      if (problem.p[3 * n] !== 0) impulses.add(contacts, c, problem.p, 3 * n);
    });
  }
}

interface DetectedGuest extends SurfaceBody {
  readonly kind: string | undefined;
}

function detected(guest: Guest, way: Float64Array, h: number, sudden: number): DetectedGuest {
  const { model, restPositions, edges, start, state, distance, friction, bodyCollision } = guest;
  return {
    kind: model.solver,
    restPositions,
    faces: model.faces,
    edges,
    pinned: Uint8Array.from(model.masses, (_, p) => Number(guest.isFixed(p))),
    start,
    predicted: state.positions.map((value, i) => value + h * way[i]) as Float64Array,
    isSolid: model.tetrahedra !== undefined,
    thickness: distance,
    margin: distance + sudden,
    friction,
    selfCollision: false,
    bodyCollision,
  };
}

/**
 * Adds contacts of guests with objects that they would be pushed into.
 *
 * @param ways changes of velocity [m/s]
 * @param held contacts of each guest: is extended
 * @returns whether there are any
 */
function meetMore(
  guests: readonly Guest[],
  ways: readonly Float64Array[],
  held: readonly HeldContacts[],
  { dt, colliders }: FrameInput,
): boolean {
  let isMore = false;
  guests.forEach((guest, g) => {
    const u = ways[g];
    if (u.every((value) => value === 0)) return;
    const least = (MET * guest.distance) / dt;
    const hits = guest.hits(u, dt, colliders);
    for (let n = 0; n < hits.count; n++) {
      if (hits.speedWith(n, u) > -least) continue;
      isMore = true;
      held[g].take(hits, n, n + 1);
    }
  });
  return isMore;
}

/** Speed at which a gap closes in a step, or part of an overlap that a step leaves, as a speed [m/s]. */
function gapSpeed(gap: number, h: number, grain: number): number {
  return gap >= 0 ? gap / h : Math.max((RECOVERY * gap) / h, -RECOVERY_SPEED * grain);
}

function answered(guest: Guest, j: Float64Array): Float64Array {
  const out = new Float64Array(j.length);
  if (j.some((value) => value !== 0)) guest.answer(j, out);
  return out;
}
