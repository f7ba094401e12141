/**
 * Meetings of deformable bodies of different solvers, on the CPU. Bodies of the Newton solver and local-global bodies
 * take one implicit step a frame. They make it first, then meet one another (guest-contacts.ts), then meet bodies of
 * GPBD within the substeps of those (ghost.ts), and move by the resulting impulses. They expect what the impulses of the last
 * three frames have in common, a load and not a blow, in the next frame as well, as a force in their step. With the mean of two frames solids
 * on bodies of GPBD swung with a period of three frames without end, as the step has the velocity of its end from the beginning. Sheets have
 * that mean all the same: one on a rope drifts less with it.
 */
import { areApart, grown } from "../../geometry/box";
import type { DeformableSystem, FrameInput } from "../../solvers/deformable";
import { Ghost } from "../../solvers/gpbd/surfaces/ghost";
import { type CpuGroupedSolver, SurfaceGroup } from "../../solvers/gpbd/surfaces/surface-group";
import { HeldAnswer } from "../../solvers/held-answer";
import type { Guest } from "../../solvers/guest";
import { grainOf } from "../../solvers/spacing";
import { norm } from "../../math/vectors";
import type { Meetings, SharedKind, Systems } from "../backend/systems";
import { GuestContacts, type GuestContactMemory } from "./guest-contacts";
import { MeetingSpin } from "./meeting-spin";
import type { GuestTie } from "./guest-ties";

/**
 * Part of the impulses of contacts that a sheet or rope expects again. If a sheet is stiff within a frame, its weight
 * does not determine the load on each particle, and errors of the loads have to die out: with a share of 1, a sheet on
 * another one crumples within seconds. Local-global bodies are even stiffer in a step, so they expect nothing from
 * other guests, and sheets nothing from attachments: of 101 random meetings of solids five failed if those expected what
 * others do, and two if they do not.
 */
const SHEET_SHARE = 0.5;
/**
 * By how much of the difference the expected forces of attachments to bodies of GPBD come nearer to those of a frame. A guest's step has
 * the velocity of its end from the beginning, also from what it expects; so forces that come late by a frame or two drive what swings with
 * a period of three frames (by 13 % a frame, if all of them are expected again). Slowly learned ones do not.
 */
const TIE_SHARE = 0.2;
/** Unforeseen acceleration that the search for near guests allows for [m/s²], times the grain. */
const SUDDEN = 10;

/** Impulses of one kind of contact to a guest. */
class Expectation {
  /** impulses of the last frame, and of the one before [N s] */
  readonly last: Float64Array;
  readonly earlier: Float64Array;
  /** force in the guest's next step [N] */
  readonly push: Float64Array;
  isNone = true;

  /**
   * @param share part of the impulses that is expected again
   * @param ofLoads whether that is what three frames have in common, a load and no blow, or the mean of two
   */
  constructor(
    size: number,
    private readonly share: number,
    private readonly ofLoads = false,
  ) {
    this.last = new Float64Array(size);
    this.earlier = new Float64Array(size);
    this.push = new Float64Array(size);
  }

  forget(): void {
    this.last.fill(0);
    this.earlier.fill(0);
    this.push.fill(0);
    this.isNone = true;
  }

  load(last: Float64Array, earlier: Float64Array, push: Float64Array): void {
    this.last.set(last);
    this.earlier.set(earlier);
    this.push.set(push);
    this.isNone = push.every((value) => value === 0);
  }

  /**
   * @param given impulses of this frame of h [s]
   * @param part if given, forces come only so much nearer to those of the frame
   */
  learn(given: Float64Array, h: number, part?: number): void {
    const { last, earlier, push, share } = this;
    this.isNone = true;
    for (let i = 0; i < given.length; i++) {
      const again = this.ofLoads ? common(given[i], last[i], earlier[i]) : (given[i] + last[i]) / 2;
      push[i] = part ? push[i] + part * ((share * given[i]) / h - push[i]) : (share * again) / h;
      earlier[i] = last[i]!;
      last[i] = given[i]!;
      if (push[i] !== 0) this.isNone = false;
    }
  }
}

/** State of a guest from frame to frame. */
interface Visitor {
  readonly guest: Guest;
  readonly ghost: Ghost;
  /** expected impulses from other guests, and from bodies of GPBD */
  readonly ofGuests: Expectation;
  readonly ofGpbd: Expectation;
  /** and from attachments to those */
  readonly ofTies: Expectation;
  /** impulses of contacts with other guests in the frame [N s] */
  readonly given: Float64Array;
  revision: number;
}

/** State of visitors, in the order of the bodies. */
export interface MeetingMemory {
  /** last impulses, those before, and pushes, from guests, from bodies of GPBD and from attachments to these */
  readonly visitors: readonly (readonly Float64Array[])[];
  /** indices of the guests that met */
  readonly met: readonly number[];
  readonly contacts: GuestContactMemory;
}

class CpuMeetings implements Meetings {
  private visitors: Visitor[] = [];
  private readonly contacts = new GuestContacts();
  /** guests that met in the last frame */
  private met: readonly Guest[] = [];
  private group: SurfaceGroup<CpuGroupedSolver> | undefined;
  private memory: MeetingMemory | undefined;
  /** of bodies that step together with guests in the frame */
  private readonly spins: MeetingSpin[] = [];

  meet(guests: readonly Guest[], others: DeformableSystem | undefined, frame: FrameInput): void {
    this.follow(guests, others);
    if (!this.mayMeet()) return;
    const { group } = this;
    const active = this.visitors.filter(({ guest }) => guest.isStepped);
    this.meetGuests(active, frame);
    if (!group) return;
    const ghosts = new Map(active.map(({ ghost, guest }) => [ghost, guest]));
    for (const ghost of ghosts.keys()) {
      ghost.isAttached = false;
      group.join(ghost, ghost.options, ghost.pins);
    }
    group.onTogether = (members) => {
      if (!members.some((member) => ghosts.has(member as unknown as Ghost))) return;
      const spin = MeetingSpin.of(ghosts, members);
      if (spin) this.spins.push(spin);
    };
  }

  settle(frame: FrameInput): void {
    if (this.mayMeet()) for (const visitor of this.visitors) this.settleVisitor(visitor, frame);
    for (const spin of this.spins.splice(0)) spin.settle(frame);
    if (this.group) this.group.onTogether = undefined;
  }

  ghostOf(guest: Guest): Ghost | undefined {
    return this.visitors.find((visitor) => visitor.guest === guest)?.ghost;
  }

  /** attachments of guests to each other */
  get ties(): GuestTie[] {
    return this.contacts.ties;
  }

  save(): MeetingMemory {
    const visitors = this.visitors.map((visitor) =>
      expectationsOf(visitor).flatMap(({ last, earlier, push }) => [last.slice(), earlier.slice(), push.slice()]),
    );
    const { met } = this;
    const places = met.map((guest) => this.visitors.findIndex((visitor) => visitor.guest === guest));
    return { visitors, met: places, contacts: this.contacts.save() };
  }

  /** The data is used in the next step, when the bodies are known. */
  load(memory: MeetingMemory): void {
    this.memory = memory;
  }

  /** Whether guests may meet bodies of GPBD, or, if there is one of the Newton solver, one another. */
  private mayMeet(): boolean {
    const { visitors } = this;
    const isNewton = ({ guest }: Visitor): boolean => guest.model.solver === "newton";
    return visitors.length > 0 && (this.group !== undefined || (visitors.length > 1 && visitors.some(isNewton)));
  }

  private follow(guests: readonly Guest[], others: DeformableSystem | undefined): void {
    const known = new Map(this.visitors.map((visitor) => [visitor.guest, visitor]));
    this.visitors = guests.map((guest) => known.get(guest) ?? newVisitor(guest));
    for (const [guest, { ghost }] of known) if (!guests.includes(guest)) this.group?.leave(ghost);
    this.group = others instanceof SurfaceGroup ? (others as SurfaceGroup<CpuGroupedSolver>) : undefined;
    for (const visitor of this.visitors) this.lookAfter(visitor);
    this.recall();
  }

  /** Forgets the expectations of a guest whose state was written. */
  private lookAfter(visitor: Visitor): void {
    if (visitor.revision === visitor.guest.revision) return;
    visitor.revision = visitor.guest.revision;
    for (const expectation of expectationsOf(visitor)) expectation.forget();
    this.group?.forget(visitor.ghost);
  }

  private recall(): void {
    const { memory, visitors } = this;
    this.memory = undefined;
    if (!memory || memory.visitors.length !== visitors.length) return;
    visitors.forEach((visitor, k) => {
      const saved = memory.visitors[k];
      expectationsOf(visitor).forEach((expectation, n) =>
        expectation.load(saved[3 * n], saved[3 * n + 1], saved[3 * n + 2]),
      );
      expect(visitor);
    });
    this.met = memory.met.map((place) => visitors[place].guest);
    this.contacts.load(memory.contacts);
  }

  private meetGuests(active: readonly Visitor[], frame: FrameInput): void {
    const grain = grainOf(norm(frame.gravity));
    const close = nearOnes(active, grain, frame.dt);
    const tied = new Set(this.ties.flatMap(({ ends }) => ends.map(({ guest }) => guest)));
    const near = active.filter((visitor) => close.includes(visitor) || tied.has(visitor.guest));
    const guests = near.map(({ guest }) => guest);
    const isSame = guests.length === this.met.length && guests.every((guest, k) => guest === this.met[k]);
    if (!isSame) this.contacts.forget();
    this.met = guests;
    const given = near.map(({ given: impulses }) => impulses.fill(0));
    if (near.length > 0) {
      const pushes = near.map(({ ofGuests }) => ofGuests.push);
      this.contacts.solve(guests, frame, grain, pushes, given);
    }
    for (const visitor of active) {
      const { ofGuests } = visitor;
      if (near.includes(visitor)) ofGuests.learn(visitor.given, frame.dt);
      else takeBack(visitor.guest, ofGuests, frame.dt);
    }
  }

  private settleVisitor(visitor: Visitor, frame: FrameInput): void {
    const { guest, ghost, ofGpbd, ofTies } = visitor;
    if (ghost.hasStepped(frame)) {
      const isLinear = ghost.settle();
      ofGpbd.learn(ghost.given, frame.dt);
      // The next steps must not repeat what the answer was wrong for.
      if (!isLinear) ofGpbd.forget();
      ofTies.learn(ghost.pulled, frame.dt, TIE_SHARE);
    } else if (guest.isStepped) for (const expectation of [ofGpbd, ofTies]) takeBack(guest, expectation, frame.dt);
    expect(visitor);
  }
}

const meetings: SharedKind<CpuMeetings> = { name: "meetings", create: () => new CpuMeetings() };

/** Gives a world the meetings that all its bodies share. */
export function joinMeetings(systems: Systems): void {
  systems.meetings = systems.of(meetings);
}

function newVisitor(guest: Guest): Visitor {
  const size = 3 * guest.model.particleCount;
  const share = guest.model.tetrahedra ? 1 : SHEET_SHARE;
  const isStiff = guest.model.solver === "local-global";
  const ofGuests = new Expectation(size, isStiff ? 0 : share, true);
  const ofGpbd = new Expectation(size, share, share === 1);
  const ofTies = new Expectation(size, isStiff && share < 1 ? 0 : 1);
  const ghost = new Ghost(guest, ofGpbd.push, ofTies.push);
  guest.pressedBy = ofGpbd;
  return { guest, ghost, ofGuests, ofGpbd, ofTies, given: new Float64Array(size), revision: guest.revision };
}

const expectationsOf = ({ ofGuests, ofGpbd, ofTies }: Visitor) => [ofGuests, ofGpbd, ofTies] as const;

/** Sets the force in the guest's next step: the sum of all that is expected. */
function expect({ guest, ofGuests, ofGpbd, ofTies }: Visitor): void {
  for (let i = 0; i < guest.push.length; i++) guest.push[i] = ofGuests.push[i] + ofGpbd.push[i] + ofTies.push[i];
}

/** Takes back impulses that a step expected but that did not occur. */
function takeBack(guest: Guest, expectation: Expectation, h: number): void {
  if (expectation.isNone) return;
  const u = new Float64Array(expectation.push.length);
  new HeldAnswer(guest).answer(
    expectation.push.map((force) => -h * force),
    u,
  );
  const { positions, velocities } = guest.state;
  for (let i = 0; i < u.length; i++) {
    positions[i] += h * u[i];
    velocities[i] += u[i]!;
  }
  expectation.forget();
}

/** Guests that may touch another guest. */
function nearOnes(visitors: readonly Visitor[], grain: number, h: number): Visitor[] {
  const open = visitors.filter(({ guest }) => guest.bodyCollision);
  if (open.length < 2) return [];
  const boxes = open.map(({ guest, ghost }) => grown(ghost.span(), guest.distance + SUDDEN * grain * h * h));
  const isNear = open.map(() => false);
  open.forEach(({ guest }, k) => {
    for (let l = 0; l < k; l++) {
      if (guest.model.solver !== "newton" && open[l].guest.model.solver !== "newton") continue;
      if (!areApart(boxes[k], boxes[l])) isNear[k] = isNear[l] = true;
    }
  });
  return open.filter((_, k) => isNear[k]);
}

/** The common part of impulses: the smallest of them, zero if two are opposite. */
function common(a: number, b: number, c: number): number {
  return a * b > 0 && b * c > 0 ? Math.sign(a) * Math.min(Math.abs(a), Math.abs(b), Math.abs(c)) : 0;
}
