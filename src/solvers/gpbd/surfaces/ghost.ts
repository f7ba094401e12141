/**
 * A body of another solver among bodies of GPBD that it touches. It has made its step of the frame already. Here it goes its way of that
 * step substep by substep, and yields on it to what touches it, as its own solver would: by A⁻¹ of its step (guest.ts), with what it stands
 * on. Then its state is where it has come to.
 *
 * Its step was made with impulses that others gave it before, spread over the frame; in each substep that share is taken off first. So what
 * lies still on it gives them back, and nothing moves. Objects that it would be pushed into hold it too.
 */
import { sweepContact as sweep } from "../../../collision/contact/sweep";
import {
  type ContactReaction,
  createContactReaction,
  pushesOf,
  type Squeezing,
} from "../../../collision/obstacles/contact-reaction";
import { NearestPlaces } from "../../../collision/surface/nearest-places";
import type { SurfaceMesh } from "../../../collision/surface/surface-mesh";
import { boxOf, grown, sizeOf, union, type Box } from "../../../geometry/box";
import type { FrameInput, PinTable } from "../../deformable";
import { HeldAnswer } from "../../held-answer";
import type { Guest } from "../../guest";
import { pressing } from "../guard/pushing-together";
import { land } from "./ghost-landing";
import { defaultOptions, type GpbdOptions } from "../options";
import type { CpuGroupedSolver, GroupedSolver } from "./surface-group";

/** Part of its size by which it may yield in a frame beside its way. */
const SPRING = 0.1;

/** Its particles count as lighter than they have shown to be by this, and how fast what is known of that falls. */
const EASE_MARGIN = 2.5;
const EASE_FALL = 0.9;
/** Way into objects, and change of its own way after which it looks for them [m], as a part of the distance that it keeps. */
const MET = 0.05;
/** Most contacts with such objects in a frame, as the cost is cubic in them: the deepest ones. */
const MOST_HITS = 64;

export class Ghost implements GroupedSolver {
  readonly isGuest = true;
  readonly model;
  /** whether it hangs on others in this frame: then they count its mass as a load */
  isAttached = false;
  readonly state: { readonly positions: Float64Array };
  readonly scratch: { readonly start: Float64Array; readonly w: Float64Array; readonly reaction: ContactReaction };
  readonly touch: Squeezing;
  readonly pressing = pressing;
  /** impulses that it was given in the frame, particleCount × 3 [N s] */
  readonly given: Float64Array;
  looks = 0;
  /** its own solver has those that it has */
  readonly pins: PinTable;
  private frame: FrameInput | undefined;
  private held: HeldAnswer | undefined;
  private h = 0;
  /** substeps of the frame, and those that have begun */
  private substeps = 1;
  private begun = 0;
  /** way of its own step in a substep [m] */
  private readonly way: Float64Array;
  /** what it was given beyond what its step was made with, as a velocity [m/s] */
  private readonly yielded: Float64Array;
  /** where it was when it last answered */
  private readonly before: Float64Array;
  private readonly j: Float64Array;
  private readonly u: Float64Array;
  /** impulses that it was given in the substep [N s] */
  private readonly pushed: Float64Array;
  /** impulses that attachments gave it in the frame, particleCount × 3 [N s] */
  readonly pulled: Float64Array;
  /** its way beside that of its own step, as far as objects on it are known, as a velocity of the frame [m/s] */
  private readonly known: Float64Array;
  /** by how much less than by its mass alone a particle that is pushed gives, as far as that is known */
  private ease = 1;
  /** work of all that it was given in the frame [J] */
  private work = 0;
  private isPushed = false;
  /** A⁻¹ of unit impulses at particles that rigid bodies touch */
  private readonly columns = new Map<number, readonly Float64Array[]>();

  /**
   * @param expected forces of bodies of GPBD that its step was made with, particleCount × 3 [N]
   * @param expectedPull those of attachments to them
   */
  constructor(
    readonly guest: Guest,
    private readonly expected: Float64Array,
    private readonly expectedPull: Float64Array,
  ) {
    const { particleCount, faces } = guest.model;
    const vector = (): Float64Array => new Float64Array(3 * particleCount);
    const massesOf = (): Float64Array | undefined => (this.isAttached ? guest.model.masses : undefined);
    this.model = {
      positions: guest.restPositions,
      faces,
      rods: guest.edges && { edges: guest.edges },
      get masses() {
        return massesOf();
      },
    };
    this.state = { positions: vector() };
    const reaction = createContactReaction(particleCount);
    this.scratch = { start: vector(), w: new Float64Array(particleCount), reaction };
    const material = { thickness: guest.distance, friction: guest.friction };
    this.touch = { start: this.scratch.start, material, fractions: new Float64Array(2), sweep, hold: undefined };
    [this.given, this.way, this.yielded, this.before] = [vector(), vector(), vector(), vector()];
    [this.j, this.u, this.pushed, this.known] = [vector(), vector(), vector(), vector()];
    this.pulled = vector();
    this.pins = { pinned: new Uint8Array(particleCount), targets: vector(), changed: false };
  }

  /** Options as those of bodies of GPBD. */
  get options(): Readonly<GpbdOptions> {
    const { distance, friction, bodyCollision } = this.guest;
    const own = { thickness: distance, selfThickness: distance, friction, bodyCollision };
    return { ...defaultOptions, ...own, substeps: 1, iterations: 1, selfCollision: false };
  }

  get seen(): Float64Array {
    return this.guest.start;
  }

  nearestPlaces(mesh: SurfaceMesh, solvers: readonly CpuGroupedSolver[]): NearestPlaces {
    return new NearestPlaces(
      mesh,
      solvers.map(({ isGuest }) => isGuest === true),
    );
  }

  span(): Box {
    const { start, state } = this.guest;
    const from = boxOf(start);
    return grown(union(from, boxOf(state.positions)), SPRING * sizeOf(from));
  }

  isTied(p: number): boolean {
    return this.guest.isTied(p);
  }

  step(): void {
    // It touches nobody: its own solver has done that.
  }

  /** Whether it was stepped with others in a frame. */
  hasStepped(frame: FrameInput): boolean {
    return this.frame === frame;
  }

  beginFrame(frame: FrameInput, { substeps }: Readonly<GpbdOptions>): void {
    const { guest, way, state } = this;
    this.frame = frame;
    this.h = frame.dt / substeps;
    [this.substeps, this.begun] = [substeps, 0];
    this.held = new HeldAnswer(guest);
    for (let i = 0; i < way.length; i++) way[i] = (guest.state.positions[i] - guest.start[i]) / substeps;
    state.positions.set(guest.start);
    this.yielded.fill(0);
    this.known.fill(0);
    this.given.fill(0);
    this.pulled.fill(0);
    this.ease = 1;
    this.work = 0;
    this.isPushed = false;
    this.columns.clear();
  }

  predict(): void {
    const { guest, state, scratch, way, yielded, before, j, h, expected, expectedPull } = this;
    this.pushed.fill(0);
    const { masses } = guest.model;
    const { positions } = state;
    scratch.start.set(positions);
    this.touch.fractions[0] = this.begun / this.substeps;
    this.begun++;
    this.touch.fractions[1] = this.begun / this.substeps;
    let isPushed = false;
    for (let i = 0; i < j.length; i++) {
      j[i] = -h * (expected[i] + expectedPull[i]);
      if (j[i] !== 0) isPushed = true;
    }
    for (let i = 0; i < positions.length; i++) before[i] = positions[i] + way[i] + h * yielded[i];
    if (isPushed || this.held!.added > 0) this.answer();
    this.meetObjects();
    for (let p = 0; p < masses.length; p++) scratch.w[p] = guest.isFixed(p) ? 0 : (this.ease * h * h) / masses[p];
    positions.set(before);
  }

  projectTerms(): void {
    // Its own solver has done that.
  }

  /** Turns the ways that surfaces moved particles by into impulses, and lets these move it as they should. */
  projectObstacles(): void {
    const { state, scratch, before, j, h, given, pushed } = this;
    const { positions } = state;
    let isPushed = false;
    for (let i = 0; i < j.length; i++) {
      const w = scratch.w[Math.floor(i / 3)];
      j[i] = w > 0 ? (h * (positions[i] - before[i])) / w : 0;
      given[i] += j[i];
      if (j[i] !== 0) isPushed = true;
    }
    if (!isPushed) return;
    for (let i = 0; i < j.length; i++) pushed[i] += j[i]!;
    this.answer();
    this.learnEase();
    this.meetObjects();
    positions.set(before);
  }

  /**
   * Takes impulses of attachments, when it has taken those of surfaces.
   *
   * @param add adds them at its particles, particleCount × 3 [N s]
   */
  pull(add: (j: Float64Array) => void): void {
    const { state, before, j, pulled } = this;
    j.fill(0);
    add(j);
    for (let i = 0; i < j.length; i++) pulled[i] += j[i]!;
    this.answer();
    this.meetObjects();
    state.positions.set(before);
  }

  /**
   * Sets `w` of particles that may be pushed together by the row sums of A⁻¹ over them, which bounds how far all of them give: as single
   * particles they would give more, and as one body less.
   */
  weigh(particles: readonly number[], fresh: ReadonlySet<number>): void {
    const { guest, columns, scratch, h } = this;
    for (const p of particles) {
      if (columns.has(p)) continue;
      const j = new Float64Array(this.j.length);
      columns.set(
        p,
        [0, 1, 2].map((c) => {
          const u = new Float64Array(j.length);
          j[3 * p + c] = 1;
          guest.answer(j, u);
          j[3 * p + c] = 0;
          return u;
        }),
      );
    }
    const own = particles.flatMap((p) => columns.get(p)!);
    for (const p of fresh) {
      const sums = [0, 1, 2].map((c) => own.reduce((sum, u) => sum + Math.abs(u[3 * p + c]), 0));
      scratch.w[p] = h * h * Math.max(...sums);
    }
  }

  /** Takes what rigid bodies push it by, as displacements of single particles. */
  press(moved: Float64Array): void {
    const { state, before, scratch, j, h, given, pushed } = this;
    for (let i = 0; i < j.length; i++) {
      const w = scratch.w[Math.floor(i / 3)];
      j[i] = w > 0 ? (h * moved[i]) / w : 0;
      given[i] += j[i]!;
      pushed[i] += j[i]!;
    }
    if (j.every((value) => value === 0)) return;
    this.answer();
    this.learnEase();
    this.meetObjects();
    state.positions.set(before);
  }

  /** Takes back a part of what it was given in the substep. */
  giveBack(part: number): void {
    const { state, before, j, given, pushed } = this;
    for (let i = 0; i < j.length; i++) {
      j[i] = -part * pushed[i];
      given[i] += j[i]!;
    }
    this.answer();
    state.positions.set(before);
    this.handOver(-part);
  }

  finish(): void {
    // No bound on displacements holds it back: its particles do not move by themselves.
    this.state.positions.set(this.before);
  }

  returnReactions(): void {
    // They are handed over.
    const { owner, displacement } = this.scratch.reaction;
    owner.fill(-1);
    displacement.fill(0);
  }

  handOver(part = 1): void {
    const { state, scratch, frame, h } = this;
    pushesOf(scratch.reaction, scratch.w, state.positions, part * h, frame!.colliders.substepWrenches);
  }

  pressWork(): number {
    const { state, scratch } = this;
    const { reaction, start, w } = scratch;
    let sum = 0;
    for (let i = 0; i < start.length; i++) {
      const push = reaction.displacement[i];
      if (push !== 0) sum += (push * (state.positions[i] - start[i])) / w[Math.floor(i / 3)];
    }
    return sum;
  }

  /** After a frame: the state of the body is where it has come to. @returns whether its linear answer was right */
  settle(): boolean {
    const { guest, state, yielded, work, held } = this;
    // Attachments know exactly where it is.
    if (!this.isPushed || this.pulled.some((value) => value !== 0)) {
      guest.state.positions.set(state.positions);
      for (let i = 0; i < yielded.length; i++) guest.state.velocities[i] += yielded[i]!;
      return true;
    }
    const ways = state.positions.map((value, i) => value - guest.state.positions[i]) as Float64Array;
    const isHeld = held!.isHolding || guest.model.masses.some((_, p) => guest.isFixed(p));
    return land(guest, { ways, yielded, work, isHeld, frame: this.frame! });
  }

  /** The way that it gave to pushes of late, over the way that its particles would have given by themselves. */
  private learnEase(): void {
    const { j, u, guest } = this;
    const { masses } = guest.model;
    let [given, alone] = [0, 0];
    for (let i = 0; i < j.length; i++) {
      given += j[i] * u[i];
      alone += (j[i] * j[i]) / masses[Math.floor(i / 3)];
    }
    if (!(alone > 0)) return;
    this.ease = Math.min(1, Math.max((EASE_MARGIN * given) / alone, EASE_FALL * this.ease));
  }

  /** u of j, which joins what it was given, and moves it. */
  private answer(): void {
    const { held, j, u, yielded, before, scratch, h } = this;
    held!.place(scratch.start, before, h);
    held!.answer(j, u);
    this.isPushed = true;
    for (let i = 0; i < u.length; i++) {
      this.work += j[i] * (this.way[i] / h + yielded[i] + 0.5 * u[i]);
      yielded[i] += u[i]!;
      before[i] += h * u[i]!;
    }
  }

  /** Takes up contacts with objects that it is pushed into before the frame ends. */
  private meetObjects(): void {
    const { guest, known, frame, h, begun, substeps, j } = this;
    const least = (MET * guest.distance) / frame!.dt;
    const left = h * (substeps - begun);
    let isOff = false;
    for (let i = 0; i < known.length && !isOff; i++) isOff = Math.abs(this.aside(i, left) - known[i]) > least;
    if (!isOff) return;
    for (let i = 0; i < known.length; i++) known[i] = this.aside(i, left);
    const hits = guest.hits(known, frame!.dt, frame!.colliders);
    const deepest = Array.from({ length: hits.count }, (_, n) => ({ n, speed: hits.speedWith(n, known) }))
      .filter(({ speed }) => speed < -least)
      .sort((a, b) => a.speed - b.speed)
      .slice(0, MOST_HITS - this.held!.added)
      .map(({ n }) => n);
    if (!this.held!.meet(hits, deepest, frame!.dt)) return;
    j.fill(0);
    this.answer();
  }

  /** Way that a coordinate will have made in the frame beside that of its own step, as a velocity [m/s]. */
  private aside(i: number, left: number): number {
    const own = this.guest.start[i] + this.begun * this.way[i];
    return (this.before[i] - own + left * this.yielded[i]) / this.frame!.dt;
  }
}
