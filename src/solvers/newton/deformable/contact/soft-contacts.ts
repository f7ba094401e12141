/**
 * Contacts between points of deformable bodies and rigid bodies or obstacles, as rows of the solver: one normal and two
 * directions of friction each.
 *
 * w      weights of up to three particles: one particle, or the corners of a face
 * n      unit normal, out of the obstacle
 * r      arm from the center of mass of the rigid body
 * v      Σ w u − (ẋ + ω × r), along n, t₁, t₂
 */

import { CONTACT_VERTICES, ContactTable } from "../../../../collision/soft/contact-table";
import type { ImpulseMemory } from "../../../../collision/soft/impulse-memory";
import { type BodyTable, POSE_SIZE } from "../../motion/bodies";

/** A particle that is attached to a rigid body. */
export interface SoftTie {
  readonly node: number;
  /** [m/N] */
  readonly compliance: number;
  /** from the point of the body to the particle: what is left of the way between the two when they were attached [m] */
  readonly away: Float64Array;
  /** impulse on the particle in the frame [N s] */
  readonly impulse: Float64Array;
}

/** First feature number of faces; particles have smaller numbers. */
const FACES = 0x40000000;

/** Contacts with keys of the touched object, its part, the body, and the touching particle or face. `rigid` is a place in the body table. */
export class SoftContacts extends ContactTable {
  /** object and part of added contacts */
  currentSource = 0;
  currentPart = 0;
  /** 3 a contact: r, and the velocity of an obstacle [m/s] */
  arm = new Float64Array(3);
  speed = new Float64Array(3);
  /** [m] */
  gap = new Float64Array(1);
  /** of contacts that are attachments; their normal is any direction */
  readonly ties: (SoftTie | undefined)[] = [];
  /** 2 a contact [N s]: friction before the step, along t₁, t₂ */
  anchor = new Float64Array(2);

  /**
   * Adds a contact of one particle, with the normal n of unit length, and its point [m] on the obstacle; `spread` turns
   * it into a contact of a face.
   */
  addNode(
    bodies: BodyTable,
    body: number,
    node: number,
    slot: number,
    normal: Float64Array,
    point: Float64Array,
    gap: number,
    friction: number,
  ): number {
    const c = this.add();
    const first = CONTACT_VERTICES * c;
    this.body[first] = body;
    this.vertex.fill(node, first, first + CONTACT_VERTICES);
    this.weight.fill(0, first, first + CONTACT_VERTICES);
    this.weight[first] = 1;
    this.rigid[c] = slot;
    this.gap[c] = gap;
    this.friction[c] = friction;
    this.setKey(c, this.currentSource, this.currentPart, body, node);
    this.ties[c] = undefined;
    this.anchor[2 * c] = this.anchor[2 * c + 1] = 0;
    for (let k = 0; k < 3; k++) {
      this.arm[3 * c + k] = slot < 0 ? 0 : point[k] - bodies.state.pose[POSE_SIZE * slot + k];
      this.speed[3 * c + k] = 0;
    }
    this.setNormal(c, normal[0], normal[1], normal[2]);
    return c;
  }

  /** Adds an attachment to a point of a rigid body [m]. */
  addTie(bodies: BodyTable, body: number, slot: number, point: Float64Array, tie: SoftTie): void {
    const c = this.addNode(bodies, body, tie.node, slot, east, point, 0, 0);
    this.ties[c] = tie;
  }

  /** Gives contacts their last impulses, from which friction then starts. */
  recall(memory: ImpulseMemory): void {
    const { impulse, anchor } = this;
    for (let c = 0; c < this.count; c++) {
      if (!memory.recall(this, c, impulse, 3 * c)) continue;
      if (!this.ties[c]) impulse[3 * c] = Math.max(0, impulse[3 * c]);
      anchor[2 * c] = impulse[3 * c + 1]!;
      anchor[2 * c + 1] = impulse[3 * c + 2]!;
    }
  }

  override move(c: number, to: number): void {
    super.move(c, to);
    this.ties[to] = this.ties[c];
  }

  /** Makes contact c a contact of a face, acting on its corners with their weights. */
  spread(c: number, faces: ArrayLike<number>, first: number, weights: Float64Array, at: number): void {
    const to = CONTACT_VERTICES * c;
    this.body.fill(this.bodyOf(c), to, to + 3);
    this.setKey(c, this.currentSource, this.currentPart, this.bodyOf(c), FACES + first);
    for (let k = 0; k < 3; k++) {
      this.vertex[to + k] = faces[first + k];
      this.weight[to + k] = weights[at + k];
    }
  }
}

const east = Float64Array.of(1, 0, 0);
