import type { Skeleton } from "@babylonjs/core/Bones/skeleton";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { PliantError } from "../../src/errors";
import type { DeformableBody } from "../../src/index";
import { dynamicBodyOf, unfelt } from "./leading-body";
import { LedPoints } from "./led-points";
import { feltBy, pickTriples, type Burden, type CarriedPoints, type Carrier } from "./carrier";

/** Pinned particles that something carries along. */
interface Attachment {
  readonly carrier: Carrier;
  readonly particles: readonly number[];
  readonly points: CarriedPoints;
  /** where they were at the start of the frame, and are to be at its end, world space */
  start: Float64Array;
  goal: Float64Array;
  /** while a dynamic body moves the carrier, and feels it */
  led?: LedPoints | undefined;
}

/** Nodes, bones and skins that carry parts of a deformable body. */
export class Attachments {
  /** While it is set, all stays where it is: a jump of the skeleton is being waited for. */
  isHeld = false;
  private list: Attachment[] = [];

  constructor(
    private readonly body: DeformableBody,
    private readonly burden: Burden,
  ) {}

  /**
   * @param positions where the particles are, world space, one triple each
   * @param velocities theirs, if they have some
   */
  add(
    particles: readonly number[],
    carrier: Carrier,
    positions: ArrayLike<number>,
    velocities?: ArrayLike<number>,
  ): void {
    const start = Float64Array.from(positions);
    const attachment: Attachment = { carrier, particles, points: carrier.bind(start), start, goal: start };
    this.list.push(attachment);
    this.lead(attachment, velocities);
  }

  /** Takes the particles of a node, a bone or a skin off it, or all; returns them. */
  remove(owner?: Carrier["owner"]): number[] {
    const removed = this.list.filter(({ carrier }) => owner === undefined || carrier.owner === owner);
    this.list = this.list.filter((attachment) => !removed.includes(attachment));
    for (const { led } of removed) led?.release();
    return removed.flatMap((attachment) => [...attachment.particles]);
  }

  /** Takes single particles off whatever carries them. */
  release(particles: ReadonlySet<number>): void {
    this.list = this.list
      .map((attachment) => this.without(attachment, particles))
      .filter((attachment) => attachment.particles.length > 0);
  }

  /** Particles that some node carries. */
  get particles(): Set<number> {
    return new Set(this.list.flatMap((attachment) => [...attachment.particles]));
  }

  /** Nodes that carry some. */
  get nodes(): TransformNode[] {
    return this.list.flatMap(({ carrier }) => carrier.node ?? []);
  }

  /** Whether bones of a skeleton carry some. */
  isCarriedBy(skeleton: Skeleton): boolean {
    return this.list.some(({ carrier }) => carrier.skeleton === skeleton);
  }

  /**
   * Moves the particles the part `fraction` of the way that their carriers went in this frame.
   *
   * @param refuse is called for a carrier that a dynamic body moves by now which does not feel what it carries
   * @throws PliantError `non-finite` for a carrier that is nowhere: what it carries stays where it is, the rest is moved
   */
  beforeStep(fraction: number, refuse: (carrier: Carrier, error: PliantError) => void): void {
    if (this.isHeld) return;
    this.refuseUnfelt(refuse);
    let lost: Attachment | undefined;
    for (const attachment of this.list) {
      if (this.lead(attachment)) continue;
      const to = attachment.points.follow() ?? attachment.goal;
      if (!to.every(Number.isFinite)) {
        lost = attachment;
        continue;
      }
      attachment.goal = to;
      const { start, goal } = attachment;
      if (start === goal) continue;
      this.place(attachment, (i) => start[i] + fraction * (goal[i] - start[i]));
      if (fraction >= 1) attachment.start = goal;
    }
    if (!lost) return;
    const object = `deformable body "${this.body.name}" attached to "${lost.carrier.owner.name}"`;
    throw new PliantError(
      "non-finite",
      object,
      lost.carrier.owner.position.asArray(),
      "must be carried by what is somewhere",
    );
  }

  private refuseUnfelt(refuse: (carrier: Carrier, error: PliantError) => void): void {
    for (const { carrier } of [...this.list]) {
      const body = carrier.node && dynamicBodyOf(carrier.node);
      if (!body || feltBy(body, this.burden)) continue;
      refuse(carrier, unfelt(`deformable body "${this.body.name}".attach`, carrier.node, body));
    }
  }

  /** Puts the particles at once to where their carriers are. */
  jump(): void {
    for (const attachment of this.list) {
      if (this.lead(attachment)) {
        attachment.led?.aim();
        continue;
      }
      attachment.start = attachment.goal = attachment.points.follow() ?? attachment.goal;
      this.place(attachment, (i) => attachment.goal[i]);
    }
  }

  /** Rigid bodies have made their step. */
  afterRigidStep(): void {
    for (const { led } of this.list) led?.place();
  }

  /**
   * Takes note of whether a dynamic body moves the carrier.
   *
   * @returns whether one does
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
    // Where they were to be: the carrier has been followed until now.
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
  };
}
