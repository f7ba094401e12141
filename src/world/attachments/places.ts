import { conjugate, turn } from "../../math/quaternions";
import type { Vec3 } from "../../math/types";
import { subtract } from "../../math/vectors";
import { closeIn, closingPace } from "../../solvers/gpbd/ties/ties";
import type { DeformableBody } from "../body";
import type { RigidBody } from "../rigid/rigid-body";
import type { ResolvedAttachment } from "./attachment-options";

/** The last known positions of a body, particleCount × 3 [m]. */
function knownPlaces(body: DeformableBody): ArrayLike<number> {
  const { state } = body.stepper as { readonly state?: { readonly positions: ArrayLike<number> } };
  return state?.positions ?? body.latestPositions ?? body.model.positions;
}

function placesOf(x: ArrayLike<number>, vertices: readonly number[]): Vec3[] {
  return vertices.map((v): Vec3 => [x[3 * v]!, x[3 * v + 1]!, x[3 * v + 2]!]);
}

/** The places of vertices, also of those that are held while a GPU has the others. */
export function placesNow(body: DeformableBody, vertices: ArrayLike<number>): Vec3[] {
  const list = Array.from(vertices);
  if ("state" in body.stepper) return placesOf(knownPlaces(body), list);
  return list.map((v) => (body.isPinned(v) ? body.pinTarget(v) : placesOf(knownPlaces(body), [v])[0]));
}

/** The last known velocities of a body, particleCount × 3 [m/s]; undefined while a GPU has them. */
export function knownVelocities(body: DeformableBody): ArrayLike<number> | undefined {
  return (body.stepper as { readonly state?: { readonly velocities: ArrayLike<number> } }).state?.velocities;
}

export const plus = (a: Vec3, b: ArrayLike<number>): Vec3 => [a[0] + b[0]!, a[1] + b[1]!, a[2] + b[2]!];

/** The place of a point of a rigid body. */
export function placeOf({ position, rotation }: RigidBody, point: Vec3): Vec3 {
  return plus(position, turn(rotation, point));
}

/** A place in the axes of a rigid body. */
function pointOn({ position, rotation }: RigidBody, place: Vec3): Vec3 {
  return turn(conjugate(rotation), subtract(place, position));
}

/** The way from a point of a rigid body to a place. */
function wayTo({ position, rotation }: RigidBody, point: Vec3, place: Vec3): Vec3 {
  return subtract(subtract(place, position), turn(rotation, point));
}

/** The ways by which attached vertices and the places where they belong may still be apart. They grow shorter step by step. */
export class Ways {
  /** of each vertex from its place [m] */
  readonly away: readonly Float64Array[];
  /** where each vertex belongs, in the axes of the rigid body; none on another body */
  readonly points: readonly Vec3[] = [];
  private readonly all: Float64Array;

  constructor(private readonly attachment: ResolvedAttachment) {
    const { body, vertices, to } = attachment;
    const all = new Float64Array(3 * vertices.length);
    this.all = all;
    this.away = vertices.map((_, k) => all.subarray(3 * k, 3 * k + 3));
    if ("rigid" in to) this.points = to.points ?? placesNow(body, vertices).map((place) => pointOn(to.rigid, place));
    if (!("rigid" in to && !to.points)) this.measure();
  }

  /** Bodies were put elsewhere: what is apart now comes together as at the start, instead of at once. */
  measure(): void {
    const { body, vertices, to } = this.attachment;
    const ends = "rigid" in to ? [] : placesNow(to.body, to.vertices);
    placesNow(body, vertices).forEach((place, k) =>
      this.away[k].set("rigid" in to ? wayTo(to.rigid, this.points[k], place) : subtract(place, ends[k])),
    );
  }

  /** In a step of dt [s]. */
  close(gravity: Vec3, dt: number): void {
    closeIn(this.all, closingPace(gravity, dt));
  }

  save(): Float64Array {
    return this.all.slice();
  }

  load(away: Float64Array): void {
    this.all.set(away);
  }
}
