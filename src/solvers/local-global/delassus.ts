/**
 * The Delassus operator W = H A⁻¹ Hᵀ (27) of all contacts of a step, rigid bodies and held vertices included.
 *
 * The three rows of a contact, and contacts that share a vertex, have the same columns S eᵥ, and A is the same for the three
 * coordinates. So what is stored are the entries Gᵥᵥ' of A⁻¹ at the touched vertices (a ninth of W), and W z is formed by way
 * of the forces at the vertices; the rotation of a whole body adds a product of rank three. Beyond `MOST_STORED` vertices of a
 * body not even G is formed: products go through S.
 */
import type { RigidProxy } from "../../collision/rigid-proxy";
import type { BodySystem } from "./body-system";
import { CONTACT_VERTICES, type ContactList } from "./contact-list";
import type { PinSolver } from "./pin-solver";
import { addCross, type Turning } from "./turning";

/** Touched vertices of a body above which A⁻¹ between them is not stored. */
const MOST_STORED = 3000;

/** A body in the contact problem. */
export interface ContactBody {
  readonly system: BodySystem;
  readonly pinSolver: PinSolver;
  readonly turning: Turning;
  /** y = S r, in the order of elimination */
  readonly y: Float64Array;
  readonly state: { readonly positions: Float64Array };
}

/** Touched vertices of one body. */
class BodyPart {
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
  private y = new Float64Array(0);
  private zero = new Float64Array(0);
  private readonly target = new Float64Array(3);

  constructor(readonly body: ContactBody) {}

  slot(vertex: number): number {
    const known = this.slotOf.get(vertex);
    if (known !== undefined) return known;
    this.slotOf.set(vertex, this.vertices.length);
    return this.vertices.push(vertex) - 1;
  }

  /** The held vertices take their share off: Gᵥᵥ' − cᵥ · cᵥ' with the columns of `PinSolver.column`. */
  build(): void {
    const { vertices, body } = this;
    const { system, pinSolver } = body;
    const n = vertices.length;
    this.force = new Float64Array(3 * n);
    this.moved = new Float64Array(3 * n);
    this.diagonal = new Float64Array(n);
    this.arms = new Float64Array(3 * n);
    const held = vertices.map((vertex) => pinSolver.column(vertex));
    const entry = (i: number, j: number): number => {
      let value = system.inverseEntry(vertices[i]!, vertices[j]!);
      const [a, b] = [held[i]!, held[j]!];
      for (let k = 0; k < a.length; k++) value -= a[k]! * b[k]!;
      return value;
    };
    if (n > MOST_STORED) {
      this.y = new Float64Array(3 * system.inverse.size);
      this.zero = new Float64Array(3 * system.inverse.size);
      for (let i = 0; i < n; i++) this.diagonal[i] = entry(i, i);
      return;
    }
    this.entries = new Float64Array(n * n);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j <= i; j++) this.entries[i * n + j] = this.entries[j * n + i] = entry(i, j);
      this.diagonal[i] = this.entries[i * n + i]!;
    }
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

  get isStored(): boolean {
    return this.entries.length > 0 || this.vertices.length === 0;
  }

  /** `moved` by A⁻¹ alone, and `theta`. */
  spread(): void {
    this.multiplyStored();
    this.sumMoment();
  }

  /** Adds s f at a touched vertex to them. */
  push(slot: number, s: number, f: Float64Array): void {
    const { entries, moved, arms, moment, theta, body } = this;
    const n = this.vertices.length;
    const [x, y, z] = [s * f[0]!, s * f[1]!, s * f[2]!];
    for (let i = 0, k = n * slot; i < n; i++, k++) {
      const g = entries[k]!;
      moved[3 * i]! += g * x;
      moved[3 * i + 1]! += g * y;
      moved[3 * i + 2]! += g * z;
    }
    addCross(s, arms, 3 * slot, f, 0, moment);
    body.turning.angles(moment, theta);
  }

  multiply(): void {
    this.multiplyStored();
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
      for (let c = 0; c < 3; c++) moved[3 * i + c]! += q[3 * vertex + c]!;
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
    vertices.forEach((vertex, i) => body.system.add(vertex, force[3 * i]!, force[3 * i + 1]!, force[3 * i + 2]!, y));
    this.sumMoment();
    body.turning.turn(moment, y);
  }

  private multiplyStored(): void {
    const { entries, force, moved, vertices } = this;
    const n = vertices.length;
    if (entries.length === 0) {
      this.multiplyThroughInverse();
      return;
    }
    for (let i = 0; i < n; i++) {
      let [sx, sy, sz] = [0, 0, 0];
      for (let j = 0, at = i * n; j < n; j++, at++) {
        const g = entries[at]!;
        sx += g * force[3 * j]!;
        sy += g * force[3 * j + 1]!;
        sz += g * force[3 * j + 2]!;
      }
      moved[3 * i] = sx;
      moved[3 * i + 1] = sy;
      moved[3 * i + 2] = sz;
    }
  }

  /** y = S f, then Sᵀ y where vertices are touched. */
  private multiplyThroughInverse(): void {
    const { system, pinSolver } = this.body;
    const { y, force, moved, vertices } = this;
    y.fill(0);
    vertices.forEach((vertex, i) => system.add(vertex, force[3 * i]!, force[3 * i + 1]!, force[3 * i + 2]!, y));
    pinSolver.apply(y, this.zero);
    vertices.forEach((vertex, i) => {
      system.read(vertex, y, this.target, 0);
      moved.set(this.target, 3 * i);
    });
  }
}

export class Delassus {
  /** unknowns: three a contact */
  size = 0;
  /** W_jj [1/kg] */
  diagonal = new Float64Array(0);
  /** of the bodies, and places in them of the vertices of contacts */
  parts: BodyPart[] = [];
  slots = new Int32Array(0);
  private wrenches = new Float64Array(0);
  private contacts: ContactList | undefined;
  private proxies: readonly RigidProxy[] = [];

  /** Once per step. Every contact has a vertex that is not held. */
  build(contacts: ContactList, bodies: readonly ContactBody[], proxies: readonly RigidProxy[]): void {
    this.contacts = contacts;
    this.proxies = proxies;
    this.size = 3 * contacts.count;
    this.parts = bodies.map((body) => new BodyPart(body));
    this.slots = new Int32Array(CONTACT_VERTICES * contacts.count);
    this.wrenches = new Float64Array(6 * proxies.length);
    for (let i = 0; i < CONTACT_VERTICES * contacts.count; i++)
      if (contacts.body[i]! >= 0) this.slots[i] = this.parts[contacts.body[i]!]!.slot(contacts.vertex[i]!);
    for (const part of this.parts) if (part.vertices.length > 0) part.build();
    this.diagonal = new Float64Array(this.size);
  }

  /** After the first local step: the rotations of the bodies, and with them W_jj. */
  finish(): void {
    for (const part of this.parts) part.buildArms();
    for (let n = 0; n < this.size / 3; n++) {
      const soft = this.softDiagonal(n);
      for (let row = 0; row < 3; row++)
        this.diagonal[3 * n + row] = soft + this.turnDiagonal(n, row) + this.rigidDiagonal(n, row);
    }
  }

  /** Whether columns of W are at hand. */
  get isStored(): boolean {
    return this.parts.every((part) => part.isStored);
  }

  /** Prepares `BodyPart.push` and `pushRigid`: what z moves. */
  spread(z: Float64Array): void {
    this.applyForces(z);
    for (const part of this.parts) if (part.vertices.length > 0) part.spread();
  }

  /** out = W z */
  multiply(z: Float64Array, out: Float64Array): void {
    this.applyForces(z);
    for (const part of this.parts) if (part.vertices.length > 0) part.multiply();
    this.gatherRows(out);
  }

  /** Adds the forces Hᵀ z to y = S r of the bodies. Held vertices are to be held again. */
  addForces(z: Float64Array): void {
    this.applyForces(z);
    for (const part of this.parts) if (part.vertices.length > 0) part.addForces();
  }

  /** Before a global step: tells the rotations of the bodies what the forces of the last one turn. */
  addLag(z: Float64Array): void {
    this.applyForces(z);
    for (const part of this.parts) part.addLag();
  }

  /** out = H q − d at positions q + Sᵀy; obstacles stand as they were planned. */
  readGaps(out: Float64Array): void {
    for (const part of this.parts) part.readPositions();
    this.wrenches.fill(0);
    this.gatherRows(out);
    const { offset } = this.contacts!;
    for (let i = 0; i < this.size; i++) out[i]! -= offset[i]!;
  }

  /** Forces at the vertices, and what they do to the rigid bodies: 6 numbers each, linear and about the centre. */
  private applyForces(z: Float64Array): void {
    const { body, weight, frame, count, proxy, point } = this.contacts!;
    for (const part of this.parts) part.force.fill(0);
    this.wrenches.fill(0);
    for (let n = 0; n < count; n++) {
      const [fx, fy, fz] = [0, 1, 2].map(
        (c) =>
          frame[9 * n + c]! * z[3 * n]! + frame[9 * n + 3 + c]! * z[3 * n + 1]! + frame[9 * n + 6 + c]! * z[3 * n + 2]!,
      ) as [number, number, number];
      for (let i = CONTACT_VERTICES * n; i < CONTACT_VERTICES * (n + 1) && body[i]! >= 0; i++) {
        const { force } = this.parts[body[i]!]!;
        const at = 3 * this.slots[i]!;
        force[at]! += weight[i]! * fx;
        force[at + 1]! += weight[i]! * fy;
        force[at + 2]! += weight[i]! * fz;
      }
      const owner = proxy[n]!;
      if (owner < 0) continue;
      world[0] = fx;
      world[1] = fy;
      world[2] = fz;
      this.pushRigid(owner, point, 3 * n, world);
    }
  }

  /** A rigid body takes the opposite of a force at a point. */
  pushRigid(owner: number, point: ArrayLike<number>, at: number, f: ArrayLike<number>): void {
    const { centreNow } = this.proxies[owner]!;
    for (let c = 0; c < 3; c++) {
      world[3 + c] = centreNow[c]! - point[at + c]!;
      this.wrenches[6 * owner + c]! -= f[c]!;
    }
    addCross(1, world, 3, f, 0, this.wrenches, 6 * owner + 3);
  }

  /** Takes off what M⁻¹ of its wrench moves a rigid body at a point. */
  subtractRigid(owner: number, point: ArrayLike<number>, at: number, out: Float64Array): void {
    const { centreNow, inverseMass, inverseInertia: m } = this.proxies[owner]!;
    const w = this.wrenches;
    const k = 6 * owner;
    world[0] = m[0]! * w[k + 3]! + m[3]! * w[k + 4]! + m[4]! * w[k + 5]!;
    world[1] = m[3]! * w[k + 3]! + m[1]! * w[k + 4]! + m[5]! * w[k + 5]!;
    world[2] = m[4]! * w[k + 3]! + m[5]! * w[k + 4]! + m[2]! * w[k + 5]!;
    for (let c = 0; c < 3; c++) {
      world[3 + c] = point[at + c]! - centreNow[c]!;
      out[c]! -= inverseMass * w[k + c]!;
    }
    addCross(-1, world, 0, world, 3, out);
  }

  /** Rows of H on what has moved, less what the rigid bodies have moved there by M⁻¹ of their wrenches. */
  private gatherRows(out: Float64Array): void {
    const { body, weight, frame, count, proxy, point } = this.contacts!;
    for (let n = 0; n < count; n++) {
      place.fill(0);
      for (let i = CONTACT_VERTICES * n; i < CONTACT_VERTICES * (n + 1) && body[i]! >= 0; i++) {
        const { moved } = this.parts[body[i]!]!;
        for (let c = 0; c < 3; c++) place[c]! += weight[i]! * moved[3 * this.slots[i]! + c]!;
      }
      if (proxy[n]! >= 0) this.subtractRigid(proxy[n]!, point, 3 * n, place);
      for (let row = 0; row < 3; row++) {
        const at = 9 * n + 3 * row;
        out[3 * n + row] = frame[at]! * place[0]! + frame[at + 1]! * place[1]! + frame[at + 2]! * place[2]!;
      }
    }
  }

  /** Σ wᵢ wⱼ Gᵢⱼ over the vertices of a contact: the same for its three rows. */
  private softDiagonal(n: number): number {
    const { body, vertex, weight } = this.contacts!;
    let sum = 0;
    for (let i = CONTACT_VERTICES * n; i < CONTACT_VERTICES * (n + 1) && body[i]! >= 0; i++) {
      const part = this.parts[body[i]!]!;
      sum += weight[i]! ** 2 * part.diagonal[this.slots[i]!]!;
      for (let j = CONTACT_VERTICES * n; j < i; j++) {
        if (body[j] !== body[i]) continue;
        const size = part.vertices.length;
        const entry =
          part.entries.length > 0
            ? part.entries[size * this.slots[i]! + this.slots[j]!]!
            : part.body.system.inverseEntry(vertex[i]!, vertex[j]!);
        sum += 2 * weight[i]! * weight[j]! * entry;
      }
    }
    return sum;
  }

  /** h N T (h N)ᵀ for a row h of H, body by body. */
  private turnDiagonal(n: number, row: number): number {
    const { body, weight, frame } = this.contacts!;
    let sum = 0;
    for (let first = CONTACT_VERTICES * n; first < CONTACT_VERTICES * (n + 1) && body[first]! >= 0; first++) {
      // each body once, at its first vertex
      let isKnown = false;
      for (let i = CONTACT_VERTICES * n; i < first; i++) isKnown ||= body[i] === body[first];
      if (isKnown) continue;
      const part = this.parts[body[first]!]!;
      moment.fill(0);
      for (let i = first; i < CONTACT_VERTICES * (n + 1) && body[i]! >= 0; i++)
        if (body[i] === body[first])
          addCross(weight[i]!, part.arms, 3 * this.slots[i]!, frame, 9 * n + 3 * row, moment);
      part.body.turning.angles(moment, angles);
      sum += moment[0]! * angles[0]! + moment[1]! * angles[1]! + moment[2]! * angles[2]!;
    }
    return sum;
  }

  private rigidDiagonal(n: number, row: number): number {
    const { proxy, point, frame } = this.contacts!;
    const owner = proxy[n]!;
    if (owner < 0) return 0;
    const { centreNow, inverseMass, inverseInertia: i } = this.proxies[owner]!;
    const rx = point[3 * n]! - centreNow[0]!;
    const ry = point[3 * n + 1]! - centreNow[1]!;
    const rz = point[3 * n + 2]! - centreNow[2]!;
    const [x, y, z] = frame.subarray(9 * n + 3 * row, 9 * n + 3 * row + 3) as unknown as [number, number, number];
    const [tx, ty, tz] = [ry * z - rz * y, rz * x - rx * z, rx * y - ry * x];
    return (
      inverseMass +
      i[0]! * tx * tx +
      i[1]! * ty * ty +
      i[2]! * tz * tz +
      2 * (i[3]! * tx * ty + i[4]! * tx * tz + i[5]! * ty * tz)
    );
  }
}

const world = new Float64Array(6);
const place = new Float64Array(3);
const moment = new Float64Array(3);
const angles = new Float64Array(3);
