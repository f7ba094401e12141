import { resized } from "../../math/arrays";

/** The kinds of features of the two shapes that meet in a contact. */
export const ContactKind = {
  /** a face of A against a vertex (or a clipped point) of B */
  faceVertex: 0,
  /** a vertex (or a clipped point) of A against a face of B */
  vertexFace: 1,
  /** two edges that cross, or a corner against an edge or a corner */
  edgeEdge: 2,
  /** a sphere, a capsule or the side or rim of a cylinder takes part: the contact point moves over the surface */
  round: 3,
} as const;
export type ContactKind = (typeof ContactKind)[keyof typeof ContactKind];

const FIRST_CAPACITY = 64;

/**
 * Contacts between shapes A and B, one stretch of each array for each contact, in world space. The buffer grows as
 * needed: a contact is never dropped. Growth replaces the arrays, so read them from the buffer each time.
 *
 * The caller keeps track of the pair that a contact belongs to: `collide` appends, so the contacts of a pair are those
 * from the count before the call to the count after it.
 */
export class ContactBuffer {
  count = 0;
  /** 3 a contact: point on the surface of A [m] */
  pointA: Float64Array;
  /** 3 a contact: point on the surface of B [m] */
  pointB: Float64Array;
  /** 3 a contact: unit normal from A to B */
  normal: Float64Array;
  /** 1 a contact: normal · (pointB − pointA) [m], negative where the shapes overlap */
  separation: Float64Array;
  /**
   * 1 a contact: number of the contact within its pair of bodies that stays the same from step to step as long as the
   * same features meet: parts and features of both shapes, hashed to 32 bits. The solver uses it to look up impulses of
   * the last step.
   */
  id: Uint32Array;
  /** 1 a contact: see ContactKind */
  kind: Uint8Array;
  /** 1 a contact each: number of the part of the rigid shape, in the order of its leaves (0 for a shape of one part) */
  partA: Uint32Array;
  partB: Uint32Array;
  /** 1 a contact each: triangle of a mesh (place in the user's indices / 3) or heightfield, −1 for other shapes */
  triangleA: Int32Array;
  triangleB: Int32Array;

  constructor(capacity = FIRST_CAPACITY) {
    this.pointA = new Float64Array(3 * capacity);
    this.pointB = new Float64Array(3 * capacity);
    this.normal = new Float64Array(3 * capacity);
    this.separation = new Float64Array(capacity);
    this.id = new Uint32Array(capacity);
    this.kind = new Uint8Array(capacity);
    this.partA = new Uint32Array(capacity);
    this.partB = new Uint32Array(capacity);
    this.triangleA = new Int32Array(capacity);
    this.triangleB = new Int32Array(capacity);
  }

  get capacity(): number {
    return this.separation.length;
  }

  /** Removes all contacts and keeps the memory. */
  clear(): void {
    this.count = 0;
  }

  /** Makes room for one more contact and returns its place; the caller fills every array there. */
  append(): number {
    if (this.count === this.separation.length) this.grow(2 * this.count);
    return this.count++;
  }

  /** Makes room for at least `capacity` contacts, so that later appends allocate nothing. */
  reserve(capacity: number): void {
    if (capacity > this.separation.length) this.grow(capacity);
  }

  /** Copies contact `from` over contact `to`. */
  move(from: number, to: number): void {
    if (from === to) return;
    for (let k = 0; k < 3; k++) {
      this.pointA[3 * to + k] = this.pointA[3 * from + k];
      this.pointB[3 * to + k] = this.pointB[3 * from + k];
      this.normal[3 * to + k] = this.normal[3 * from + k];
    }
    this.separation[to] = this.separation[from];
    this.id[to] = this.id[from];
    this.kind[to] = this.kind[from];
    this.partA[to] = this.partA[from];
    this.partB[to] = this.partB[from];
    this.triangleA[to] = this.triangleA[from];
    this.triangleB[to] = this.triangleB[from];
  }

  private grow(capacity: number): void {
    this.pointA = resized(this.pointA, new Float64Array(3 * capacity));
    this.pointB = resized(this.pointB, new Float64Array(3 * capacity));
    this.normal = resized(this.normal, new Float64Array(3 * capacity));
    this.separation = resized(this.separation, new Float64Array(capacity));
    this.id = resized(this.id, new Uint32Array(capacity));
    this.kind = resized(this.kind, new Uint8Array(capacity));
    this.partA = resized(this.partA, new Uint32Array(capacity));
    this.partB = resized(this.partB, new Uint32Array(capacity));
    this.triangleA = resized(this.triangleA, new Int32Array(capacity));
    this.triangleB = resized(this.triangleB, new Int32Array(capacity));
  }
}
