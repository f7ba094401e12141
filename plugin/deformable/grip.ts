import type { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Observer } from "@babylonjs/core/Misc/observable";
import { boxOf, sizeOf } from "../../src/geometry/box";
import type { BodyModel, Vec3 } from "../../src/index";
import type { DeformableAggregate } from "./deformable-aggregate";

/** Of the size of a body: what it is taken hold of. */
const PATCH = 0.06;
/** [m/s²]: a body is accelerated by no more */
const MOST_ACCELERATION = 100;

/** The force that a body bears at a patch of so much radius [m], and that moves it well [N]. */
function defaultForce(aggregate: DeformableAggregate, radius: number): number {
  const mass = aggregate.body.model.masses.reduce((sum, value) => sum + value, 0);
  return Math.min(MOST_ACCELERATION * mass, aggregate._strengthOf(radius));
}

/** A particle and those that share an element with it. */
function around(model: BodyModel, particle: number): Set<number> {
  const found = new Set([particle]);
  const rods = "rods" in model ? model.rods : undefined;
  for (const [elements, arity] of [
    [model.faces, 3],
    [model.tetrahedra, 4],
    [rods?.edges, 2],
  ] as const)
    for (let e = 0; elements && e < elements.length; e += arity) {
      const corners = elements.subarray(e, e + arity);
      if (corners.includes(particle)) for (const p of corners) found.add(p);
    }
  return found;
}

/** A hold on some particles of a body, that moves them together. */
export class Grip {
  private readonly added: number[];
  /** how far ahead of its particles the grip pulls at most, where its force follows from that [m] */
  private readonly lead: number = Infinity;
  private readonly observer: Observer<number> | undefined;

  private constructor(
    readonly aggregate: DeformableAggregate,
    /** where the body was taken, world space; moves with the grip */
    readonly point: Vector3,
    private readonly particles: readonly number[],
    /** from `point` to each particle */
    private readonly offsets: readonly Vector3[],
    /** [N] */
    maxForce: number,
    /** how far ahead of the body a grip that gives pulls with all of it [m] */
    reach: number,
  ) {
    const { body, solver, plugin } = aggregate;
    // what is pinned already stays so in the way that it is
    this.added = particles.filter((particle) => !body.isPinned(particle));
    if (solver !== "gpbd" && maxForce < Infinity) {
      // springs that pull with the whole force where they are so far ahead
      body.pin(this.added, { compliance: (this.added.length * reach) / maxForce });
      this.lead = reach;
      this.observer = plugin.onBeforeStepObservable.add(() => this.place());
    } else body.pin(this.added);
    if (solver === "gpbd" && maxForce < Infinity) body.limitPins(this.added, maxForce);
    this.place();
  }

  /**
   * Takes hold of the particles within `radius` of a point, of `particle` in any case; undefined when the body went away
   * meanwhile.
   *
   * @param radius [m]; default: a part of the body's size, and whoever shares an element with `particle`
   * @param maxForce with which all of it is pulled at most [N]; default: about ten times the weight of the body, and no more than what the
   * patch bears
   */
  static async take(
    aggregate: DeformableAggregate,
    particle: number,
    point: Vector3,
    radius?: number,
    maxForce?: number,
  ): Promise<Grip | undefined> {
    const { body } = aggregate;
    const positions = await body.readPositions();
    if (aggregate.isDisposed) return undefined;
    const { frame } = aggregate.plugin;
    const patchSize = PATCH * sizeOf(boxOf(body.model.positions));
    const reach = radius ?? frame.lengthInScene(patchSize);
    const patch = radius === undefined ? around(body.model, particle) : new Set([particle]);
    const particles: number[] = [];
    const offsets: Vector3[] = [];
    for (let p = 0; p < positions.length / 3; p++) {
      if (body.model.masses[p] === 0) continue;
      // What is pinned is only moved by who takes hold of it itself: next to it, it holds against the pull.
      if (body.isPinned(p) && !body.isPinned(particle)) continue;
      const offset = frame.pointInScene(positions, 3 * p).subtractInPlace(point);
      if (!patch.has(p) && offset.length() > reach) continue;
      particles.push(p);
      offsets.push(offset);
    }
    const wide = frame.length(Math.max(reach, ...offsets.map((offset) => offset.length())));
    const force = maxForce ?? defaultForce(aggregate, wide);
    return new Grip(aggregate, point, particles, offsets, force, Math.max(wide, patchSize));
  }

  moveTo(point: Vector3): void {
    this.point.copyFrom(point);
    this.place();
  }

  /** Lets go of what was not pinned before; that stays where it was dragged to. */
  release(): void {
    this.observer?.remove();
    if (!this.aggregate.isDisposed) this.aggregate._free(this.added);
  }

  private place(): void {
    if (this.aggregate.isDisposed) return;
    const { body, plugin } = this.aggregate;
    if (this.lead < Infinity) body.requestReadback();
    this.particles.forEach((particle, i) => {
      if (!body.isPinned(particle)) return;
      const place = plugin.frame.point(this.point.add(this.offsets[i]));
      body.setPinTarget(particle, ...this.within(place, body.latestPositions, 3 * particle));
    });
  }

  /** A place, no further than `lead` from where a particle was last seen. */
  private within(place: Vec3, seen: ArrayLike<number> | undefined, at: number): Vec3 {
    if (!seen || this.lead === Infinity) return place;
    const way = place.map((value, c) => value - seen[at + c]);
    const share = Math.min(1, this.lead / Math.hypot(...way));
    return way.map((value, c) => seen[at + c] + share * value) as unknown as Vec3;
  }
}
