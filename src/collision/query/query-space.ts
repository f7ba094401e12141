import { IdList } from "../../math/arrays";
import type { Quat, Vec3 } from "../../math/types";
import { BroadPhase } from "../broad/broad-phase";
import { worldBounds } from "../narrow/shapes/bounds";
import { collide } from "../narrow/collide";
import { ContactBuffer } from "../narrow/contact-buffer";
import type { RigidShape } from "../narrow/shapes/rigid-shape";
import { type PairFilter, pointDistance, Proximity, shapeDistance } from "./proximity";
import { rayShape, type ShapeRayHit } from "./ray-shape";
import { castShape, ShapeCastHit } from "./shape-cast";

/** Bodies and parts that a query looks at; default all. */
export interface QueryFilter {
  /** bits of the query; a body counts if the membership of each overlaps with the `collideWith` of the other */
  readonly membership?: number | undefined;
  readonly collideWith?: number | undefined;
  /** leaves out a body, or one of its parts */
  readonly accepts?: ((id: number, part: number) => boolean) | undefined;
}

/** A ray hit, and whose it is. */
export interface BodyRayHit extends ShapeRayHit {
  readonly id: number;
}

export interface BodyCastHit {
  readonly id: number;
  readonly hit: ShapeCastHit;
}

export interface BodyProximity {
  readonly id: number;
  readonly proximity: Proximity;
}

interface Entry {
  shape: RigidShape;
  readonly pose: Float64Array;
}

/**
 * Shapes at their poses, for spatial queries. This set is separate from the one for contacts, so that boxes are tight
 * and up to date at any time. Among equal answers the one with the lowest id wins.
 */
export class QuerySpace {
  private readonly broad = new BroadPhase();
  private readonly entries = new Map<number, Entry>();
  private readonly found = new IdList();
  private readonly box = new Float64Array(6);
  private readonly pose = new Float64Array(7);
  private isStale = false;

  /** Adds a body, or moves it. Ids are small integers. Membership bits work as in BroadPhase. */
  set(id: number, shape: RigidShape, position: Vec3, rotation: Quat, membership = ~0, collideWith = ~0): void {
    let entry = this.entries.get(id);
    if (!entry) {
      entry = { shape, pose: new Float64Array(7) };
      this.entries.set(id, entry);
      this.broad.add(id, false);
    }
    entry.shape = shape;
    entry.pose.set(position);
    entry.pose.set(rotation, 3);
    this.broad.setFilter(id, membership, collideWith);
    worldBounds(shape, entry.pose, 0, 0, this.box, 0);
    this.broad.setBox(id, this.box);
    this.isStale = true;
  }

  remove(id: number): void {
    if (!this.entries.delete(id)) return;
    this.broad.remove(id);
    this.isStale = true;
  }

  has(id: number): boolean {
    return this.entries.has(id);
  }

  get count(): number {
    return this.entries.size;
  }

  /**
   * Points where a ray enters bodies: the first hit of each part of each body, nearest first.
   *
   * @param direction unit vector
   * @param length of the ray [m]
   */
  raycastAll(origin: Vec3, direction: Vec3, length: number, filter: QueryFilter = {}): BodyRayHit[] {
    const hits: BodyRayHit[] = [];
    this.alongRay(origin, direction, length, filter, (id, { shape, pose }) => {
      for (let part = 0; part < shape.parts.length; part++) {
        if (filter.accepts && !filter.accepts(id, part)) continue;
        const hit = rayShape(shape, pose, 0, origin, direction, length, (other) => other === part);
        if (hit) hits.push({ ...hit, id });
      }
    });
    return hits.sort((a, b) => a.distance - b.distance || a.id - b.id);
  }

  /** The first hit of a ray. Parameters as `raycastAll`. */
  raycast(origin: Vec3, direction: Vec3, length: number, filter: QueryFilter = {}): BodyRayHit | undefined {
    let best: BodyRayHit | undefined;
    this.alongRay(origin, direction, length, filter, (id, { shape, pose }) => {
      const limit = best?.distance ?? length;
      const hit = rayShape(shape, pose, 0, origin, direction, limit, partFilter(filter, id));
      if (hit && (!best || hit.distance < best.distance)) best = { ...hit, id };
    });
    return best;
  }

  /** The first touch of a shape that moves along a straight line without turning. @param shape made of convex parts */
  shapeCast(
    shape: RigidShape,
    rotation: Quat,
    from: Vec3,
    to: Vec3,
    filter: QueryFilter = {},
  ): BodyCastHit | undefined {
    this.pose.set(from);
    this.pose.set(rotation, 3);
    const way: Vec3 = [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
    worldBounds(shape, this.pose, 0, 1e-6, this.box, 0);
    for (let k = 0; k < 3; k++) {
      this.box[k] += Math.min(0, way[k]);
      this.box[3 + k] += Math.max(0, way[k]);
    }
    let best: BodyCastHit | undefined;
    this.inBox(filter, (id, entry) => {
      const hit = new ShapeCastHit();
      if (!castShape(shape, this.pose, 0, way, entry.shape, entry.pose, 0, hit, pairFilter(filter, id))) return;
      if (!best || hit.fraction < best.hit.fraction) best = { id, hit };
    });
    return best;
  }

  /** The body closest to a shape, at most `maxDistance` [m] away; A is the shape of the query. */
  shapeProximity(
    shape: RigidShape,
    position: Vec3,
    rotation: Quat,
    maxDistance: number,
    filter: QueryFilter = {},
  ): BodyProximity | undefined {
    this.pose.set(position);
    this.pose.set(rotation, 3);
    worldBounds(shape, this.pose, 0, maxDistance, this.box, 0);
    return this.closest(maxDistance, filter, (id, entry, limit, out) =>
      shapeDistance(shape, this.pose, 0, entry.shape, entry.pose, 0, limit, out, pairFilter(filter, id)),
    );
  }

  /**
   * All contacts of a shape with the bodies around it, up to a separation of `distance` [m]. A is the shape of the query.
   *
   * @param visit receives a body and the place of a contact in a buffer, which must be read at once
   */
  contacts(
    shape: RigidShape,
    position: Vec3,
    rotation: Quat,
    distance: number,
    filter: QueryFilter,
    visit: (id: number, contacts: ContactBuffer, c: number) => void,
  ): void {
    this.pose.set(position);
    this.pose.set(rotation, 3);
    worldBounds(shape, this.pose, 0, distance, this.box, 0);
    this.inBox(filter, (id, entry) => {
      buffer.clear();
      collide(shape, this.pose, 0, entry.shape, entry.pose, 0, distance, buffer);
      for (let c = 0; c < buffer.count; c++)
        if (!filter.accepts || filter.accepts(id, buffer.partB[c])) visit(id, buffer, c);
    });
  }

  /** The body closest to a point, at most `maxDistance` [m] away; A is the point. */
  pointProximity(point: Vec3, maxDistance: number, filter: QueryFilter = {}): BodyProximity | undefined {
    for (let k = 0; k < 3; k++) {
      this.box[k] = point[k] - maxDistance;
      this.box[3 + k] = point[k] + maxDistance;
    }
    const [x, y, z] = point;
    return this.closest(maxDistance, filter, (id, entry, limit, out) =>
      pointDistance(x, y, z, entry.shape, entry.pose, 0, limit, out, partFilter(filter, id)),
    );
  }

  private closest(
    maxDistance: number,
    filter: QueryFilter,
    measure: (id: number, entry: Entry, limit: number, out: Proximity) => boolean,
  ): BodyProximity | undefined {
    let best: BodyProximity | undefined;
    this.inBox(filter, (id, entry) => {
      const proximity = new Proximity();
      // Overlaps count by their depth, so the search among touching bodies continues for a deeper one.
      const limit = Math.max(0, Math.min(maxDistance, best?.proximity.distance ?? Infinity));
      if (!measure(id, entry, limit, proximity)) return;
      if (!best || proximity.distance < best.proximity.distance) best = { id, proximity };
    });
    return best;
  }

  /** Bodies whose boxes meet `this.box`, in the order of ids. */
  private inBox(filter: QueryFilter, visit: (id: number, entry: Entry) => void): void {
    this.refresh();
    this.broad.query(this.box, this.found);
    this.visitFound(filter, visit);
  }

  /** Bodies whose boxes a ray meets, in the order of ids. */
  private alongRay(
    origin: Vec3,
    direction: Vec3,
    length: number,
    filter: QueryFilter,
    visit: (id: number, entry: Entry) => void,
  ): void {
    this.refresh();
    this.broad.queryRay(origin, direction, length, this.found);
    this.visitFound(filter, visit);
  }

  private visitFound(filter: QueryFilter, visit: (id: number, entry: Entry) => void): void {
    const { membership = ~0, collideWith = ~0 } = filter;
    for (const id of this.found.items.slice(0, this.found.count))
      if (this.broad.matches(id, membership, collideWith)) visit(id, this.entries.get(id)!);
  }

  private refresh(): void {
    if (!this.isStale) return;
    this.broad.update();
    this.isStale = false;
  }
}

const buffer = new ContactBuffer();

function partFilter({ accepts }: QueryFilter, id: number): ((part: number) => boolean) | undefined {
  return accepts && ((part) => accepts(id, part));
}

function pairFilter({ accepts }: QueryFilter, id: number): PairFilter | undefined {
  return accepts && ((_, part) => accepts(id, part));
}
