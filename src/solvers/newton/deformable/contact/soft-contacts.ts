/**
 * Contacts between points of deformable bodies and rigid bodies or obstacles, as rows of the solver: one normal and two
 * directions of friction each.
 *
 * w      weights of up to three particles: one particle, or the corners of a face
 * n      unit normal, out of the obstacle
 * r      arm from the center of mass of the rigid body
 * v      Σ w u − (ẋ + ω × r), along n, t₁, t₂
 */

import { type BodyTable, POSE_SIZE, resized } from "../../motion/bodies";

/** Numbers of a contact's geometry: n, t₁, t₂, r, velocity of the obstacle. */
export const SOFT_SIZE = 15;

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

export class SoftContacts {
  count = 0;
  private capacity = 0;
  /** identity of each contact: the touched object, its part, and, with `body`, the touching particle or face */
  source = new Int32Array(0);
  part = new Int32Array(0);
  feature = new Int32Array(0);
  /** `source` and `part` for added contacts */
  currentSource = 0;
  currentPart = 0;
  /** deformable body of each contact */
  body = new Int32Array(0);
  /** 3 a contact: particles */
  nodes = new Int32Array(0);
  /** 3 a contact */
  weights = new Float64Array(0);
  /** place of the rigid body, −1 for other obstacles */
  slot = new Int32Array(0);
  /** SOFT_SIZE a contact */
  geometry = new Float64Array(0);
  /** [m] */
  gap = new Float64Array(0);
  friction = new Float64Array(0);
  /** 3 a contact [N s], after the step: along n, t₁, t₂ */
  impulse = new Float64Array(0);
  /** of contacts that are attachments; their normal is any direction */
  readonly ties: (SoftTie | undefined)[] = [];
  /** 2 a contact [N s]: friction before the step, along t₁, t₂ */
  anchor = new Float64Array(0);

  clear(): void {
    this.count = 0;
  }

  /**
   * Adds a contact of one particle, with the normal n of unit length, and its point [m] on the obstacle; `spread` turns
   * it into a contact of a face.
   */
  add(
    bodies: BodyTable,
    body: number,
    node: number,
    slot: number,
    normal: Float64Array,
    point: Float64Array,
    gap: number,
    friction: number,
  ): number {
    if (this.count === this.capacity) this.grow(Math.max(64, 2 * this.capacity));
    const c = this.count++;
    this.body[c] = body;
    this.slot[c] = slot;
    this.gap[c] = gap;
    this.friction[c] = friction;
    this.source[c] = this.currentSource;
    this.part[c] = this.currentPart;
    this.feature[c] = node;
    this.ties[c] = undefined;
    this.anchor[2 * c] = this.anchor[2 * c + 1] = 0;
    for (let k = 0; k < 3; k++) {
      this.nodes[3 * c + k] = node;
      this.weights[3 * c + k] = k === 0 ? 1 : 0;
      this.impulse[3 * c + k] = 0;
    }
    const at = SOFT_SIZE * c;
    const { geometry } = this;
    for (let k = 0; k < 3; k++) {
      geometry[at + k] = normal[k];
      geometry[at + 9 + k] = slot < 0 ? 0 : point[k] - bodies.state.pose[POSE_SIZE * slot + k];
      geometry[at + 12 + k] = 0;
    }
    writeTangents(geometry, at);
    return c;
  }

  /** Adds an attachment to a point of a rigid body [m]. */
  addTie(bodies: BodyTable, body: number, slot: number, point: Float64Array, tie: SoftTie): void {
    const c = this.add(bodies, body, tie.node, slot, east, point, 0, 0);
    this.ties[c] = tie;
  }

  /** Removes contacts from `first` on. */
  drop(first: number, isDropped: (c: number) => boolean): void {
    let to = first;
    for (let c = first; c < this.count; c++) {
      if (isDropped(c)) continue;
      if (to < c) this.copy(c, to);
      to++;
    }
    this.count = to;
  }

  private copy(c: number, to: number): void {
    for (const list of [this.body, this.source, this.part, this.feature, this.slot, this.gap, this.friction])
      list[to] = list[c]!;
    for (const list of [this.nodes, this.weights, this.impulse]) list.copyWithin(3 * to, 3 * c, 3 * c + 3);
    this.anchor.copyWithin(2 * to, 2 * c, 2 * c + 2);
    this.geometry.copyWithin(SOFT_SIZE * to, SOFT_SIZE * c, SOFT_SIZE * (c + 1));
    this.ties[to] = this.ties[c];
  }

  /** Makes contact c a contact of a face, acting on its corners with their weights. */
  spread(c: number, faces: ArrayLike<number>, first: number, weights: Float64Array, at: number): void {
    this.feature[c] = FACES + first;
    for (let k = 0; k < 3; k++) {
      this.nodes[3 * c + k] = faces[first + k];
      this.weights[3 * c + k] = weights[at + k];
    }
  }

  private grow(capacity: number): void {
    this.capacity = capacity;
    this.body = resized(this.body, new Int32Array(capacity));
    this.source = resized(this.source, new Int32Array(capacity));
    this.part = resized(this.part, new Int32Array(capacity));
    this.feature = resized(this.feature, new Int32Array(capacity));
    this.anchor = resized(this.anchor, new Float64Array(2 * capacity));
    this.slot = resized(this.slot, new Int32Array(capacity));
    this.nodes = resized(this.nodes, new Int32Array(3 * capacity));
    this.weights = resized(this.weights, new Float64Array(3 * capacity));
    this.geometry = resized(this.geometry, new Float64Array(SOFT_SIZE * capacity));
    this.gap = resized(this.gap, new Float64Array(capacity));
    this.friction = resized(this.friction, new Float64Array(capacity));
    this.impulse = resized(this.impulse, new Float64Array(3 * capacity));
  }
}

const east = Float64Array.of(1, 0, 0);

/** Writes two directions that form a basis with n. */
function writeTangents(g: Float64Array, at: number): void {
  const [x, y, z] = [g[at], g[at + 1], g[at + 2]];
  let [a, b, c] = [0, -z, y];
  if (Math.abs(x) > Math.abs(y) || Math.abs(x) > Math.abs(z))
    [a, b, c] = Math.abs(y) <= Math.abs(z) ? [z, 0, -x] : [-y, x, 0];
  const scale = 1 / Math.sqrt(a * a + b * b + c * c);
  g[at + 3] = a * scale;
  g[at + 4] = b * scale;
  g[at + 5] = c * scale;
  g[at + 6] = y * g[at + 5] - z * g[at + 4];
  g[at + 7] = z * g[at + 3] - x * g[at + 5];
  g[at + 8] = x * g[at + 4] - y * g[at + 3];
}
