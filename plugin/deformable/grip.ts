import type { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Observer } from "@babylonjs/core/Misc/observable";
import { boxOf, sizeOf } from "../../src/geometry/box";
import type { BodyModel, Vec3 } from "../../src/index";
import type { DeformableAggregate } from "./deformable-aggregate";

/** Size of the gripped patch, as a part of the size of the body. */
const PATCH = 0.06;
/** Highest acceleration of a body by a grip [m/s²]. */
const MOST_ACCELERATION = 100;

/** A force that a body bears at a patch of this radius [m], and that moves it well [N]. */
function defaultForce(aggregate: DeformableAggregate, radius: number): number {
  const mass = aggregate.body.model.masses.reduce((sum, value) => sum + value, 0);
  return Math.min(MOST_ACCELERATION * mass, aggregate._strengthOf(radius));
}

/** A particle and the particles that share an element with it. */
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

/** A hold on some particles of a body, which moves them together. */
export class Grip {
  private readonly added: number[];
  /** largest distance by which a grip with a limited force pulls ahead of its particles [m] */
  private readonly lead: number = Infinity;
  private readonly observer: Observer<number> | undefined;

  private constructor(
    readonly aggregate: DeformableAggregate,
    /** the place where the body was gripped, world space; moves with the grip */
    readonly point: Vector3,
    private readonly particles: readonly number[],
    /** vectors from `point` to each particle */
    private readonly offsets: readonly Vector3[],
    /** [N] */
    maxForce: number,
    /** distance ahead of the body at which a compliant grip reaches its whole force [m] */
    reach: number,
  ) {
    const { body, solver, plugin } = aggregate;
    // particles that are pinned already keep their pins
    this.added = particles.filter((particle) => !body.isPinned(particle));
    if (solver !== "gpbd" && maxForce < Infinity) {
      // springs that reach the whole force at this distance
      body.pin(this.added, { compliance: (this.added.length * reach) / maxForce });
      this.lead = reach;
      this.observer = plugin.onBeforeStepObservable.add(() => this.place());
    } else body.pin(this.added);
    if (solver === "gpbd" && maxForce < Infinity) body.limitPins(this.added, maxForce);
    this.place();
  }

  /**
   * Grips the particles within `radius` of a point, and `particle` in any case; undefined if the body was disposed of
   * meanwhile.
   *
   * @param radius [m]; default: a part of the body's size, and all particles that share an element with `particle`
   * @param maxForce highest force of the whole grip [N]; default: about ten times the weight of the body, and no more
   * than the patch bears
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
      // A grip moves pinned particles only if it was taken at one of them. Otherwise pins hold against the pull.
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

  /** Releases the particles that were not pinned before; pinned ones stay at the place that they were dragged to. */
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

  /** A place, moved to within `lead` of the last known place of a particle. */
  private within(place: Vec3, seen: ArrayLike<number> | undefined, at: number): Vec3 {
    if (!seen || this.lead === Infinity) return place;
    const way = place.map((value, c) => value - seen[at + c]);
    const share = Math.min(1, this.lead / Math.hypot(...way));
    return way.map((value, c) => seen[at + c] + share * value) as unknown as Vec3;
  }
}
