/**
 * Contacts of deformable bodies, one record each, whoever meets: a point on up to four vertices, whose weights are negative on the second
 * side, and what it touches. Each solver adds columns of its own.
 */
import { Table } from "../../math/table";
import type { Vec3 } from "../../math/types";
import { writeTangents } from "../../math/vectors";

/** Vertices of a contact at most: one against three, or two against two. */
export const CONTACT_VERTICES = 4;
/** Numbers that name a contact. */
export const KEY_SIZE = 4;

export class ContactTable extends Table {
  /** count × 4: what names a contact from step to step */
  key = new Int32Array(KEY_SIZE);
  /** count × 4: body of each vertex, −1 where there are fewer */
  body = new Int32Array(CONTACT_VERTICES);
  vertex = new Int32Array(CONTACT_VERTICES);
  /** count × 4 */
  weight = new Float64Array(CONTACT_VERTICES);
  /** count × 9: normal and two tangents, unit */
  frame = new Float64Array(9);
  friction = new Float64Array(1);
  /** place of the rigid body that is touched, −1 for none */
  rigid = new Int32Array(1);
  /** count × 3: along the frame, in the unit of the solver */
  impulse = new Float64Array(3);

  /** Makes room for one more, without vertices, rigid body and impulse. */
  add(): number {
    const n = this.append();
    this.body.fill(-1, CONTACT_VERTICES * n, CONTACT_VERTICES * (n + 1));
    this.rigid[n] = -1;
    this.impulse.fill(0, 3 * n, 3 * n + 3);
    return n;
  }

  /** Names a contact. */
  setKey(n: number, a: number, b: number, c: number, d: number): void {
    const at = KEY_SIZE * n;
    this.key[at] = a;
    this.key[at + 1] = b;
    this.key[at + 2] = c;
    this.key[at + 3] = d;
  }

  /** Sets the frame: a unit normal, and two tangents across it. */
  setNormal(n: number, x: number, y: number, z: number): void {
    this.frame[9 * n] = x;
    this.frame[9 * n + 1] = y;
    this.frame[9 * n + 2] = z;
    writeTangents(this.frame, 9 * n);
  }

  /** Body of the first side. */
  bodyOf(n: number): number {
    return this.body[CONTACT_VERTICES * n]!;
  }

  /** Places of the vertices of a contact. */
  verticesOf(n: number): number[] {
    const places: number[] = [];
    for (let i = CONTACT_VERTICES * n; i < CONTACT_VERTICES * (n + 1) && this.body[i] >= 0; i++) places.push(i);
    return places;
  }

  /** Σ w x over the vertices of a contact along direction d of its frame, for a list of three numbers a vertex. */
  along(n: number, d: number, x: ArrayLike<number>): number {
    const { body, vertex, weight, frame } = this;
    const at = 9 * n + 3 * d;
    let sum = 0;
    for (let e = CONTACT_VERTICES * n; e < CONTACT_VERTICES * (n + 1) && body[e] >= 0; e++) {
      const i = 3 * vertex[e];
      sum += weight[e] * (frame[at] * x[i] + frame[at + 1] * x[i + 1] + frame[at + 2] * x[i + 2]);
    }
    return sum;
  }
}

/** Three numbers of a list. */
export const threeOf = (list: Float64Array, at: number): Vec3 => [list[at], list[at + 1], list[at + 2]];
