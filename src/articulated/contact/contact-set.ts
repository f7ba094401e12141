import { Table } from "../../math/table";

/**
 * Kinds of contacts by the features of the two shapes, which determine the derivatives in closed form (paper 4: section
 * 5). Body A is pushed along +n, body B along -n; a face always belongs to B.
 */
export const ContactKind = {
  /** A vertex or sphere center of A above a face of B. */
  PointFace: 0,
  /** Two vertices or centers. */
  PointPoint: 1,
  /** A point of A and an edge or capsule axis of B. */
  PointEdge: 2,
  /** An edge or capsule axis of A and a point of B. */
  EdgePoint: 3,
  EdgeEdge: 4,
  /** A face of B, and the point at which an edge of A leaves it: on a side plane of B's face. */
  EdgeOverSide: 5,
  /** A face of B, and the point of A's face over a corner of B's face. */
  FaceOverCorner: 6,
} as const;

/**
 * Contacts of one configuration; each contact has a range of each array. All vectors are in world axes.
 *
 *   n    unit normal from B to A                    δ    depth, positive where the shapes overlap [m]
 *   xa   the point of A's feature, on its core      ra   radius of A around its core [m]
 *   p    = xa - (ra - δ/2) n, midway in the overlap
 */
export class ContactSet extends Table {
  /** Links, -1 for the world. */
  linkA = new Int32Array(1);
  linkB = new Int32Array(1);
  kind = new Uint8Array(1);
  /** Number that stays the same from step to step as long as the same features meet. */
  key = new Float64Array(1);
  /** 3 a contact */
  point = new Float64Array(3);
  normal = new Float64Array(3);
  /** First direction of round friction, set with the rows; the second one is n × t₁. 3 a contact */
  tangent = new Float64Array(3);
  anchor = new Float64Array(3);
  /** Unit direction of A's edge, or normal of A's face (`FaceOverCorner`); 3 a contact. */
  directionA = new Float64Array(3);
  /** Unit direction of B's edge, or normal of B's side plane (`EdgeOverSide`); 3 a contact. */
  directionB = new Float64Array(3);
  radius = new Float64Array(1);
  depth = new Float64Array(1);
  /** Signed distance of the cores along n [m]. */
  gap = new Float64Array(1);
  friction = new Float64Array(1);
  restitution = new Float64Array(1);
  /** Touching parts, for parameters of shapes. */
  partA = new Int32Array(1);
  partB = new Int32Array(1);
}
