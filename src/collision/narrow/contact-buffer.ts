import { Table } from "../../math/table";

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

/**
 * Contacts between shapes A and B, one stretch of each array for each contact, in world space. The buffer grows as
 * needed: a contact is never dropped. Growth replaces the arrays, so read them from the buffer each time.
 *
 * The caller keeps track of the pair that a contact belongs to: `collide` appends, so the contacts of a pair are those
 * from the count before the call to the count after it.
 */
export class ContactBuffer extends Table {
  /** 3 a contact: point on the surface of A [m] */
  pointA = new Float64Array(3);
  /** 3 a contact: point on the surface of B [m] */
  pointB = new Float64Array(3);
  /** 3 a contact: unit normal from A to B */
  normal = new Float64Array(3);
  /** 1 a contact: normal · (pointB − pointA) [m], negative where the shapes overlap */
  separation = new Float64Array(1);
  /**
   * 1 a contact: number of the contact within its pair of bodies that stays the same from step to step as long as the
   * same features meet: parts and features of both shapes, hashed to 32 bits. The solver uses it to look up impulses of
   * the last step.
   */
  id = new Uint32Array(1);
  /** 1 a contact: see ContactKind */
  kind = new Uint8Array(1);
  /** 1 a contact each: number of the part of the rigid shape, in the order of its leaves (0 for a shape of one part) */
  partA = new Uint32Array(1);
  partB = new Uint32Array(1);
  /** 1 a contact each: triangle of a mesh (place in the user's indices / 3) or heightfield, −1 for other shapes */
  triangleA = new Int32Array(1);
  triangleB = new Int32Array(1);

  /** As for any table, column by column without a look at their names: contacts move in every step. */
  override move(from: number, to: number): void {
    if (from === to) return;
    const { pointA, pointB, normal } = this;
    for (let i = 0; i < 3; i++) {
      pointA[3 * to + i] = pointA[3 * from + i];
      pointB[3 * to + i] = pointB[3 * from + i];
      normal[3 * to + i] = normal[3 * from + i];
    }
    this.separation[to] = this.separation[from];
    this.id[to] = this.id[from];
    this.kind[to] = this.kind[from];
    this.partA[to] = this.partA[from];
    this.partB[to] = this.partB[from];
    this.triangleA[to] = this.triangleA[from];
    this.triangleB[to] = this.triangleB[from];
  }
}
