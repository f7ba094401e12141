/**
 * A body's part of the Delassus operator: A⁻¹ between its vertices that constraints act on, and the rotation of the whole.
 *
 * G = S_Vᵀ S_V − CᵀC  with the columns S_V of S at the touched vertices V, and C = L⁻¹ E A⁻¹ of the held ones (`PinSolver.column`)
 *
 * Either G is stored, or products are done by way of y = S_V f and g = C f, whichever reads less: sheets have columns of a few
 * hundred numbers where thousands of vertices are touched.
 */
import * as constants from "../../../generated/constants";
import type { BodySystem } from "../body/body-system";
import type { PinSolver } from "../body/pin-solver";
import { addCross, type Turning } from "../body/turning";

/** A body in the contact problem. */
export interface ContactBody {
  readonly system: BodySystem;
  readonly pinSolver: PinSolver;
  readonly turning: Turning;
  /** y = S r, in the order of elimination */
  readonly y: Float64Array;
  readonly state: { readonly positions: Float64Array };
}

/** From which part of a rigid body's on the motion that vertices have in common makes a body stiff. */
const STIFF = 0.9;

export class TouchedBody {
  readonly vertices: number[] = [];
  readonly slotOf = new Map<number, number>();
  /** G, row-major; empty where it is not stored */
  entries = new Float64Array(0);
  /** diagonal of G */
  diagonal = new Float64Array(0);
  force = new Float64Array(0);
  /** A⁻¹ force at the touched vertices */
  moved = new Float64Array(0);
  /** what `Turning.arms` are at the touched vertices, three each */
  arms = new Float64Array(0);
  readonly moment = new Float64Array(3);
  /** T moment */
  readonly theta = new Float64Array(3);
  /** S_V f in the order of elimination, and C f, three each; where G is not stored */
  private y = new Float64Array(0);
  private g = new Float64Array(0);
  private held: readonly Float64Array[] = [];
  private isStored = true;
  private readonly pushed = new Float64Array(3);

  constructor(readonly body: ContactBody) {}

  get isTouched(): boolean {
    return this.vertices.length > 0;
  }

  slot(vertex: number): number {
    const known = this.slotOf.get(vertex);
    if (known !== undefined) return known;
    this.slotOf.set(vertex, this.vertices.length);
    return this.vertices.push(vertex) - 1;
  }

  build(): void {
    const { vertices, body } = this;
    const { system, pinSolver } = body;
    const n = vertices.length;
    this.force = new Float64Array(3 * n);
    this.moved = new Float64Array(3 * n);
    this.diagonal = new Float64Array(n);
    this.arms = new Float64Array(3 * n);
    this.held = vertices.map((vertex) => pinSolver.column(vertex));
    const { tree, place } = system.inverse;
    let length = n * pinSolver.vertices.length;
    for (const vertex of vertices) length += tree.depth[place[vertex]];
    this.isStored = n * n <= constants.ENTRIES_PER_VALUE * length;
    for (let i = 0; i < n; i++) this.diagonal[i] = this.makeEntry(i, i);
    if (!this.isStored) {
      this.y = new Float64Array(3 * system.inverse.size);
      this.g = new Float64Array(3 * pinSolver.vertices.length);
      return;
    }
    this.entries = new Float64Array(n * n);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < i; j++) this.entries[i * n + j] = this.entries[j * n + i] = this.makeEntry(i, j);
      this.entries[i * n + i] = this.diagonal[i]!;
    }
  }

  /** Gᵢⱼ of two touched vertices. */
  entry(i: number, j: number): number {
    return this.isStored ? this.entries[i * this.vertices.length + j] : this.makeEntry(i, j);
  }

  private makeEntry(i: number, j: number): number {
    const { vertices, held, body } = this;
    let value = body.system.inverseEntry(vertices[i], vertices[j]);
    const [a, b] = [held[i], held[j]];
    for (let k = 0; k < a.length; k++) value -= a[k] * b[k];
    return value;
  }

  /** The rotation is known after the first local step only. */
  buildArms(): void {
    this.vertices.forEach((vertex, i) => {
      for (let c = 0; c < 3; c++) this.arms[3 * i + c] = this.body.turning.arms[3 * vertex + c]!;
    });
  }

  /** Nᵀ force, and the rotation */
  private sumMoment(): void {
    const { arms, force, moment } = this;
    moment.fill(0);
    for (let i = 0; i < force.length; i += 3) addCross(1, arms, i, force, i, moment);
    this.body.turning.angles(moment, this.theta);
  }

  /** Motion of the touched vertices by the forces, the rotation included. */
  multiply(): void {
    if (this.isStored) this.multiplyStored();
    else {
      this.gatherForces();
      for (let i = 0; i < this.vertices.length; i++) this.readMoved(i);
    }
    this.sumMoment();
    const { arms, moved, theta } = this;
    for (let i = 0; i < moved.length; i += 3) addCross(1, theta, 0, arms, i, moved, i);
  }

  /** Positions of the touched vertices after the global step. */
  readPositions(): void {
    const { moved, body } = this;
    const q = body.state.positions;
    this.vertices.forEach((vertex, i) => {
      body.system.read(vertex, body.y, moved, 3 * i);
      for (let c = 0; c < 3; c++) moved[3 * i + c] += q[3 * vertex + c];
    });
  }

  /** The forces act at q, and the rotation is told so. */
  addLag(): void {
    const { vertices, force, body } = this;
    body.turning.lag.fill(0);
    vertices.forEach((vertex, i) => body.turning.addLag(vertex, body.state.positions, force, 3 * i));
  }

  /** Adds the forces, and the rotation that follows from them, to y = S r. */
  addForces(): void {
    const { vertices, force, moment, body } = this;
    const { y } = body;
    vertices.forEach((vertex, i) => body.system.add(vertex, force[3 * i], force[3 * i + 1], force[3 * i + 2], y));
    this.sumMoment();
    body.turning.turn(moment, y);
  }

  /** Nothing is pushed, and nothing has moved. */
  begin(): void {
    this.moved.fill(0);
    this.moment.fill(0);
    this.theta.fill(0);
    this.y.fill(0);
    this.g.fill(0);
  }

  /**
   * Whether its touched vertices move together more than each by itself: 1ᵀ G 1 / (n tr G) is one for a rigid body that does not turn, and
   * near 1/n for a soft one. Not known without G, for sheets.
   */
  get isStiff(): boolean {
    if (!this.isTouched || !this.isStored) return false;
    const { entries, diagonal } = this;
    let [sum, trace] = [0, 0];
    for (const value of entries) sum += value;
    for (const value of diagonal) trace += value;
    return sum > STIFF * diagonal.length * trace;
  }

  /** Numbers that the motion by all that was pushed follows from. */
  private get motion(): readonly Float64Array[] {
    return this.isStored ? [this.moment, this.moved] : [this.moment, this.y, this.g];
  }

  get motionSize(): number {
    return this.isTouched ? this.motion.reduce((sum, { length }) => sum + length, 0) : 0;
  }

  /** @returns the place behind it */
  readMotion(out: Float64Array, at: number): number {
    if (this.isTouched)
      for (const values of this.motion) {
        out.set(values, at);
        at += values.length;
      }
    return at;
  }

  /** @returns the place behind it */
  writeMotion(from: Float64Array, at: number): number {
    if (!this.isTouched) return at;
    for (const values of this.motion) {
      values.set(from.subarray(at, at + values.length));
      at += values.length;
    }
    this.body.turning.angles(this.moment, this.theta);
    return at;
  }

  /** A force at a touched vertex moves all of them, from `begin` on. Places by `addPlace` only. */
  push(slot: number, x: number, y: number, z: number): void {
    const { entries, moved, arms, moment, pushed } = this;
    if (this.isStored) {
      const n = this.vertices.length;
      for (let j = 0, at = slot * n; j < n; j++, at++) {
        const g = entries[at];
        moved[3 * j] += g * x;
        moved[3 * j + 1] += g * y;
        moved[3 * j + 2] += g * z;
      }
    } else this.addForce(slot, x, y, z);
    pushed[0] = x;
    pushed[1] = y;
    pushed[2] = z;
    addCross(1, arms, 3 * slot, pushed, 0, moment);
    this.body.turning.angles(moment, this.theta);
  }

  /** out += s times the motion of a touched vertex by all that was pushed */
  addPlace(slot: number, s: number, out: Float64Array): void {
    const { moved, arms, theta } = this;
    if (!this.isStored) this.readMoved(slot);
    for (let c = 0; c < 3; c++) out[c] += s * moved[3 * slot + c];
    addCross(s, theta, 0, arms, 3 * slot, out);
  }

  private multiplyStored(): void {
    const { entries, force, moved, vertices } = this;
    const n = vertices.length;
    for (let i = 0; i < n; i++) {
      let [sx, sy, sz] = [0, 0, 0];
      for (let j = 0, at = i * n; j < n; j++, at++) {
        const g = entries[at];
        sx += g * force[3 * j];
        sy += g * force[3 * j + 1];
        sz += g * force[3 * j + 2];
      }
      moved[3 * i] = sx;
      moved[3 * i + 1] = sy;
      moved[3 * i + 2] = sz;
    }
  }

  private gatherForces(): void {
    const { force, vertices } = this;
    this.y.fill(0);
    this.g.fill(0);
    for (let i = 0; i < vertices.length; i++) this.addForce(i, force[3 * i], force[3 * i + 1], force[3 * i + 2]);
  }

  /** y += (S eᵥ) fᵀ, g += cᵥ fᵀ */
  private addForce(slot: number, fx: number, fy: number, fz: number): void {
    if (fx === 0 && fy === 0 && fz === 0) return;
    const { g } = this;
    this.body.system.add(this.vertices[slot], fx, fy, fz, this.y);
    const held = this.held[slot];
    for (let k = 0; k < held.length; k++) {
      g[3 * k] += held[k] * fx;
      g[3 * k + 1] += held[k] * fy;
      g[3 * k + 2] += held[k] * fz;
    }
  }

  /** A⁻¹ force at a touched vertex: (S eᵥ)ᵀ y − cᵥᵀ g */
  private readMoved(slot: number): void {
    const { moved, g } = this;
    this.body.system.read(this.vertices[slot], this.y, moved, 3 * slot);
    const held = this.held[slot];
    for (let k = 0; k < held.length; k++) for (let c = 0; c < 3; c++) moved[3 * slot + c] -= held[k] * g[3 * k + c];
  }
}
