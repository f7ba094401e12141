import type { Skeleton } from "@babylonjs/core/Bones/skeleton";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { nonFinite, type PliantError } from "../../src/errors";
import type { DeformableBody, Vec3 } from "../../src/index";
import { dynamicBodyOf, unfelt } from "./leading-body";
import { LedPoints } from "./led-points";
import { leapPart } from "./parts";
import { feltBy, pickTriples, type Burden, type CarriedPoints, type Carrier } from "./carrier";

/** Pinned particles that a carrier moves along. */
interface Attachment {
  readonly carrier: Carrier;
  readonly particles: readonly number[];
  readonly points: CarriedPoints;
  /** their places at the start of the frame, and those at its end, world space */
  start: Float64Array;
  goal: Float64Array;
  /** after a jump of the carrier, until a GPU has the body there: from there to the particles, three numbers each [m] */
  away: Float64Array;
  /** mean way in the last frame that was no jump [m] */
  way?: Vec3 | undefined;
  /** while a dynamic body moves the carrier, and feels the particles */
  led?: LedPoints | undefined;
}

/** Nodes, bones and skins that carry parts of a deformable body. */
export class Attachments {
  /** While it is set, all particles keep their places: the attachments are waiting for a jump of the skeleton. */
  isHeld = false;
  private list: Attachment[] = [];
  private isFrameStart = true;

  constructor(
    private readonly body: DeformableBody,
    private readonly burden: Burden,
  ) {}

  /**
   * @param positions places of the particles, world space, one triple each
   * @param velocities velocities of the particles, if known
   */
  add(
    particles: readonly number[],
    carrier: Carrier,
    positions: ArrayLike<number>,
    velocities?: ArrayLike<number>,
  ): void {
    if (particles.length === 0) return;
    const start = Float64Array.from(positions);
    const attachment: Attachment = {
      carrier,
      particles,
      points: carrier.bind(start),
      start,
      goal: start,
      away: new Float64Array(start.length),
    };
    this.list.push(attachment);
    this.lead(attachment, velocities);
    // A page that is offline by now has carriers that jump as they did before.
    leapPart.load().catch(() => undefined);
  }

  /** Detaches the particles of a node, a bone or a skin, or of all of them; only those of a set, if there is one. Returns them. */
  remove(owner?: Carrier["owner"], among?: ReadonlySet<number>): number[] {
    const removed = new Set<number>();
    for (const { carrier, particles } of this.list)
      if (owner === undefined || carrier.owner === owner)
        for (const particle of particles) if (among?.has(particle) !== false) removed.add(particle);
    this.release(removed);
    return [...removed];
  }

  /** Detaches single particles from their carriers. */
  release(particles: ReadonlySet<number>): void {
    this.list = this.list
      .map((attachment) => this.without(attachment, particles))
      .filter((attachment) => attachment.particles.length > 0);
  }

  /** Particles that any carrier moves. */
  get particles(): Set<number> {
    return new Set(this.list.flatMap((attachment) => [...attachment.particles]));
  }

  /** Carriers, with their particles. */
  get all(): readonly { readonly carrier: Carrier; readonly particles: readonly number[] }[] {
    return this.list;
  }

  /** Nodes that carry particles. */
  get nodes(): TransformNode[] {
    return this.list.flatMap(({ carrier }) => carrier.node ?? []);
  }

  /** Whether bones of a skeleton carry particles. */
  isCarriedBy(skeleton: Skeleton): boolean {
    return this.list.some(({ carrier }) => carrier.skeleton === skeleton);
  }

  /**
   * Moves the particles by the part `fraction` of the way of their carriers in this frame.
   *
   * @param dt length of the step [s]
   * @param refuse is called for a carrier that a dynamic body moves by now and that does not feel its particles
   * @throws PliantError `non-finite` for a carrier without a finite position: its particles keep their places, the
   * others are moved
   */
  beforeStep(fraction: number, dt: number, refuse: (carrier: Carrier, error: PliantError) => void): void {
    if (this.isHeld) return;
    this.refuseUnfelt(refuse);
    let lost: Attachment | undefined;
    const { isFrameStart } = this;
    const { plugin } = this.burden;
    const { world } = plugin;
    this.isFrameStart = fraction >= 1;
    for (const attachment of this.list) {
      const { led } = attachment;
      if (this.lead(attachment)) {
        if (isFrameStart && led && led === attachment.led && this.list.length === 1)
          leapPart.loaded?.leapOfBody(this.body, attachment, led, plugin, dt / fraction);
        continue;
      }
      const to = attachment.points.follow() ?? attachment.goal;
      if (!to.every(Number.isFinite)) {
        lost = attachment;
        continue;
      }
      const leaps = leapPart.loaded;
      const mayLeap = isFrameStart && attachment.carrier.node && this.list.length === 1;
      const hasLeapt = mayLeap && leaps?.leap(this.body, attachment, to, plugin, dt / fraction);
      const { away, start } = attachment;
      const isApart = away.some((value) => value !== 0);
      if (isApart) leaps?.comeNearer(away, world, dt);
      attachment.goal = to;
      if (start === to && !isApart && !hasLeapt) continue;
      this.place(attachment, (i) => start[i] + fraction * (to[i] - start[i]) + away[i]);
      if (fraction >= 1) attachment.start = to;
    }
    if (!lost) return;
    const object = `deformable body "${this.body.name}" attached to "${lost.carrier.owner.name}"`;
    throw nonFinite(object, lost.carrier.owner.position.asArray(), "must be carried by what is somewhere");
  }

  private refuseUnfelt(refuse: (carrier: Carrier, error: PliantError) => void): void {
    for (const { carrier } of [...this.list]) {
      const body = carrier.node && dynamicBodyOf(carrier.node);
      if (!body || feltBy(body, this.burden)) continue;
      refuse(carrier, unfelt(`deformable body "${this.body.name}".attach`, carrier.node, body));
    }
  }

  /** Moves the particles at once to the places of their carriers. */
  jump(): void {
    for (const attachment of this.list) {
      attachment.away.fill(0);
      if (this.lead(attachment)) {
        attachment.led?.aim(attachment.away);
        continue;
      }
      attachment.start = attachment.goal = attachment.points.follow() ?? attachment.goal;
      this.place(attachment, (i) => attachment.goal[i]);
    }
  }

  /** Called when rigid bodies have made their step. */
  afterRigidStep(): void {
    for (const { led, away } of this.list) led?.follow(away);
  }

  /**
   * Updates the attachment if a dynamic body begins or ceases to move the carrier.
   *
   * @returns whether a dynamic body moves it
   */
  private lead(attachment: Attachment, velocities?: ArrayLike<number>): boolean {
    const { carrier, particles, led } = attachment;
    const body = carrier.node && dynamicBodyOf(carrier.node);
    const state = body && feltBy(body, this.burden);
    if (state === led?.state) {
      led?.begin();
      return led !== undefined;
    }
    led?.release();
    // The places that the carrier has led to so far.
    const places = attachment.points.follow() ?? attachment.goal;
    attachment.start = attachment.goal = places;
    attachment.led = state && new LedPoints(this.body, particles, state, places, velocities);
    return state !== undefined;
  }

  private without(attachment: Attachment, released: ReadonlySet<number>): Attachment {
    const rest = without(attachment, released);
    if (rest === attachment) return rest;
    attachment.led?.release();
    if (rest.particles.length > 0) this.lead(rest);
    return rest;
  }

  private place({ particles }: Attachment, at: (i: number) => number): void {
    particles.forEach((particle, i) => this.body.setPinTarget(particle, at(3 * i), at(3 * i + 1), at(3 * i + 2)));
  }
}

function without(attachment: Attachment, released: ReadonlySet<number>): Attachment {
  const kept = attachment.particles.map((_, i) => i).filter((i) => !released.has(attachment.particles[i]));
  if (kept.length === attachment.particles.length) return attachment;
  return {
    carrier: attachment.carrier,
    particles: kept.map((i) => attachment.particles[i]),
    points: attachment.points.pick(kept),
    start: pickTriples(attachment.start, kept),
    goal: pickTriples(attachment.goal, kept),
    away: pickTriples(attachment.away, kept),
    way: attachment.way,
  };
}
