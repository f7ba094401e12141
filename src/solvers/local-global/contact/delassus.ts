/**
 * The Delassus operator W = H A⁻¹ Hᵀ (27) of all contacts of a step, rigid bodies and held vertices included.
 *
 * The three rows of a contact, and contacts that share a vertex, have the same columns S eᵥ, and A is the same for the three
 * coordinates. So what is stored are the entries Gᵥᵥ' of A⁻¹ at the touched vertices (a ninth of W), and W z is formed by way
 * of the forces at the vertices; the rotation of a whole body adds a product of rank three. Beyond `MOST_STORED` vertices of a
 * body not even G is formed: products go through S.
 */
import type { RigidProxy } from "../../../collision/obstacles/rigid-proxy";
import { CableRows } from "./cable";
import type { ContactList } from "../../../collision/soft/contact-list";
import { CONTACT_VERTICES } from "../../../collision/soft/contact-table";
import { ContactPreconditioner } from "./contact-preconditioner";
import { type ContactBody, TouchedBody } from "./touched-body";
import { addCross } from "../body/turning";
import { answersOfLinks, type LinkAnswer } from "./link-answers";

export class Delassus {
  /** unknowns: three a contact, then one a cable */
  size = 0;
  /** W_jj [1/kg] */
  diagonal = new Float64Array(0);
  /** W of each contact with itself, 3 × 3 in its frame [1/kg] */
  own = new Float64Array(0);
  /** of each contact, what the bodies themselves have of W_jj [1/kg] */
  soft = new Float64Array(0);
  /** of the bodies, and places in them of the vertices of contacts */
  parts: TouchedBody[] = [];
  slots = new Int32Array(0);
  private wrenches = new Float64Array(0);
  private contacts: ContactList | undefined;
  cables = new CableRows();
  readonly preconditioner = new ContactPreconditioner();
  /** places in the bodies of the vertices of cables */
  cableSlots: number[] = [];
  private proxies: readonly RigidProxy[] = [];
  private links: Map<number, readonly LinkAnswer[]> = new Map();

  /** Once per step. Every contact has a vertex that is not held. */
  build(
    contacts: ContactList,
    bodies: readonly ContactBody[],
    proxies: readonly RigidProxy[],
    cables = new CableRows(),
  ): void {
    this.contacts = contacts;
    this.proxies = proxies;
    this.links = answersOfLinks(proxies);
    this.cables = cables;
    this.size = 3 * contacts.count + cables.count;
    this.parts = bodies.map((body) => new TouchedBody(body));
    this.slots = new Int32Array(CONTACT_VERTICES * contacts.count);
    this.wrenches = new Float64Array(6 * proxies.length);
    for (let i = 0; i < CONTACT_VERTICES * contacts.count; i++)
      if (contacts.body[i] >= 0) this.slots[i] = this.parts[contacts.body[i]].slot(contacts.vertex[i]);
    this.cableSlots = cables.body.map((body, i) => this.parts[body].slot(cables.vertex[i]));
    for (const part of this.parts) if (part.vertices.length > 0) part.build();
    this.diagonal = new Float64Array(this.size);
    this.soft = new Float64Array(contacts.count);
    this.own = new Float64Array(9 * contacts.count);
    this.preconditioner.build(contacts, this);
  }

  /** After the first local step: the rotations of the bodies, and with them W_jj. */
  finish(): void {
    for (const part of this.parts) part.buildArms();
    const { frame } = this.contacts!;
    for (let n = 0; n < this.contacts!.count; n++) {
      const soft = (this.soft[n] = this.softDiagonal(n));
      for (let row = 0; row < 3; row++) {
        for (let c = 0; c < 3; c++) push[c] = frame[9 * n + 3 * row + c]!;
        this.answerOf(n, push, rows);
        for (let r = 0; r < 3; r++) this.own[9 * n + 3 * r + row] = rows[r] + (r === row ? soft : 0);
        this.diagonal[3 * n + row] = this.own[9 * n + 4 * row]!;
      }
    }
    for (let k = 0; k < this.cables.count; k++) this.diagonal[3 * this.contacts!.count + k] = this.cableDiagonal(k);
  }

  /**
   * The tangents of a contact have turned about its normal; c and s are cosine and sine. Newton steps keep the diagonal of W that they began
   * with as their scale, as they do on a GPU.
   */
  turnTangents(n: number, c: number, s: number): void {
    const { own } = this;
    const at = 9 * n;
    const turn = (i: number, j: number): void => {
      const [x, y] = [own[i], own[j]];
      own[i] = c * x + s * y;
      own[j] = c * y - s * x;
    };
    for (let i = at; i < at + 3; i++) turn(i + 3, i + 6);
    for (let i = at; i < at + 9; i += 3) turn(i + 1, i + 2);
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

  /**
   * Takes the supports from rigid bodies that the forces of the last `addForces` lift, with the pulls of their joints: a support does not pull.
   *
   * @param fall h² g [m]: less than the weight leaves a body where it is
   * @returns whether there was one, so that W is another now
   */
  letGo(fall: number): boolean {
    const { proxies, wrenches } = this;
    const loads = wrenches.slice();
    for (const island of new Set(proxies.map(({ seat }) => seat?.island)))
      if (island?.addPulls) {
        const places = island.proxies.map((proxy) => TWIST * proxies.indexOf(proxy));
        const j = Float64Array.from(places.flatMap((at) => [...wrenches.subarray(at, at + TWIST)]));
        island.addPulls(j);
        places.forEach((at, k) => loads.set(j.subarray(TWIST * k, TWIST * (k + 1)), at));
      }
    let isAny = false;
    proxies.forEach((proxy, k) => {
      const { support, free, inverseMass, mobility } = proxy;
      const [x, y, z] = loads.subarray(TWIST * k);
      const lift = -(support[0] * x + support[1] * y + support[2] * z);
      if (!(lift > (free[0] > 0 ? fall / free[0] : (fall * mobility) / inverseMass))) return;
      support.fill(0);
      proxy.release();
      isAny = true;
    });
    return isAny;
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
    const rows = 3 * this.contacts!.count;
    for (let i = 0; i < rows; i++) out[i] -= offset[i];
    for (let k = 0; k < this.cables.count; k++) out[rows + k] -= this.cables.offset[k];
  }

  /** Before sweeps over single contacts and cables: nothing is pushed, and nothing has moved. */
  beginSweeps(): void {
    this.wrenches.fill(0);
    for (const part of this.parts) if (part.isTouched) part.begin();
  }

  /** Numbers that tell the motion since `beginSweeps`; it is linear in what was pushed. */
  get motionSize(): number {
    return this.parts.reduce((sum, part) => sum + part.motionSize, this.wrenches.length);
  }

  /** Copies the motion to a place of an array. */
  readMotion(out: Float64Array, at: number): void {
    out.set(this.wrenches, at);
    let to = at + this.wrenches.length;
    for (const part of this.parts) to = part.readMotion(out, to);
  }

  /** Takes the motion from there. */
  writeMotion(from: Float64Array, at: number): void {
    this.wrenches.set(from.subarray(at, at + this.wrenches.length));
    let next = at + this.wrenches.length;
    for (const part of this.parts) next = part.writeMotion(from, next);
  }

  /** Adds the motion by a force at a contact, in world axes. */
  moveByContact(n: number, f: Float64Array): void {
    const { body, weight, rigid, point } = this.contacts!;
    for (let i = CONTACT_VERTICES * n; i < CONTACT_VERTICES * (n + 1) && body[i] >= 0; i++) {
      const s = weight[i];
      this.parts[body[i]].push(this.slots[i], s * f[0], s * f[1], s * f[2]);
    }
    if (rigid[n] >= 0) this.pushRigid(rigid[n], point, 3 * n, f);
  }

  /** Adds the motion by a pull of a cable. */
  moveByCable(k: number, z: number): void {
    const { start, body, direction } = this.cables;
    for (let i = start[k]; i < start[k + 1]; i++)
      this.parts[body[i]].push(
        this.cableSlots[i],
        direction[3 * i] * z,
        direction[3 * i + 1] * z,
        direction[3 * i + 2] * z,
      );
    this.pullRigid(k, z);
  }

  /** out = rows of W z of a contact */
  readContact(n: number, out: Float64Array): void {
    const { body, weight } = this.contacts!;
    place.fill(0);
    for (let i = CONTACT_VERTICES * n; i < CONTACT_VERTICES * (n + 1) && body[i] >= 0; i++)
      this.parts[body[i]].addPlace(this.slots[i], weight[i], place);
    this.alongFrame(n, out);
  }

  /** Row of W z of a cable. */
  readCable(k: number): number {
    const { start, body, direction } = this.cables;
    let sum = this.rigidPull(k);
    for (let i = start[k]; i < start[k + 1]; i++) {
      place.fill(0);
      this.parts[body[i]].addPlace(this.cableSlots[i], 1, place);
      for (let c = 0; c < 3; c++) sum += direction[3 * i + c] * place[c];
    }
    return sum;
  }

  /** out = rows of a contact for a force on it alone, without what elements give: `soft` of that force. */
  answerOf(n: number, f: Float64Array, out: Float64Array): void {
    const { body, weight, rigid, point } = this.contacts!;
    place.fill(0);
    const [from, to] = [CONTACT_VERTICES * n, CONTACT_VERTICES * (n + 1)];
    for (let first = from; first < to && body[first] >= 0; first++) {
      // each body once, at its first vertex
      let isKnown = false;
      for (let i = from; i < first; i++) isKnown ||= body[i] === body[first];
      if (isKnown) continue;
      const { arms, body: owner } = this.parts[body[first]];
      moment.fill(0);
      for (let i = first; i < to && body[i] >= 0; i++)
        if (body[i] === body[first]) addCross(weight[i], arms, 3 * this.slots[i], f, 0, moment);
      owner.turning.angles(moment, angles);
      for (let i = first; i < to && body[i] >= 0; i++)
        if (body[i] === body[first]) addCross(weight[i], angles, 0, arms, 3 * this.slots[i], place);
    }
    if (rigid[n] >= 0) {
      this.wrenches.fill(0);
      this.pushRigid(rigid[n], point, 3 * n, f);
    }
    this.alongFrame(n, out);
  }

  /** out = `place` along the frame of a contact, less what its rigid body has moved */
  private alongFrame(n: number, out: Float64Array): void {
    const { frame, rigid, point } = this.contacts!;
    if (rigid[n] >= 0) this.subtractRigid(rigid[n], point, 3 * n, place);
    for (let row = 0, at = 9 * n; row < 3; row++, at += 3)
      out[row] = frame[at] * place[0] + frame[at + 1] * place[1] + frame[at + 2] * place[2];
  }

  /** Forces at the vertices, and what they do to the rigid bodies: 6 numbers each, linear and about the centre. */
  private applyForces(z: Float64Array): void {
    const { body, weight, frame, count, rigid, point } = this.contacts!;
    for (const part of this.parts) part.force.fill(0);
    this.wrenches.fill(0);
    for (let n = 0, at = 0; n < count; n++, at += 9) {
      const [x, y, z0] = [z[3 * n], z[3 * n + 1], z[3 * n + 2]];
      const owner = rigid[n];
      if (x === 0 && y === 0 && z0 === 0) continue;
      const fx = frame[at] * x + frame[at + 3] * y + frame[at + 6] * z0;
      const fy = frame[at + 1] * x + frame[at + 4] * y + frame[at + 7] * z0;
      const fz = frame[at + 2] * x + frame[at + 5] * y + frame[at + 8] * z0;
      for (let i = CONTACT_VERTICES * n; i < CONTACT_VERTICES * (n + 1) && body[i] >= 0; i++) {
        const { force } = this.parts[body[i]];
        const to = 3 * this.slots[i];
        force[to] += weight[i] * fx;
        force[to + 1] += weight[i] * fy;
        force[to + 2] += weight[i] * fz;
      }
      if (owner < 0) continue;
      world[0] = fx;
      world[1] = fy;
      world[2] = fz;
      this.pushRigid(owner, point, 3 * n, world);
    }
    const { start, body: bodies, direction } = this.cables;
    for (let k = 0; k < this.cables.count; k++)
      for (let i = start[k]; i < start[k + 1]; i++) {
        const { force } = this.parts[bodies[i]];
        for (let c = 0; c < 3; c++) force[3 * this.cableSlots[i] + c] += direction[3 * i + c] * z[3 * count + k];
      }
    for (let k = 0; k < this.cables.count; k++) this.pullRigid(k, z[3 * count + k]);
  }

  /** A cable pulls at the rigid bodies on its way. */
  private pullRigid(k: number, z: number): void {
    const { rigidStart, proxy, rigidDirection, rigidPoint } = this.cables;
    for (let i = rigidStart[k]; i < rigidStart[k + 1]; i++) {
      for (let c = 0; c < 3; c++) world[c] = -z * rigidDirection[3 * i + c];
      this.pushRigid(proxy[i], rigidPoint, 3 * i, world);
    }
  }

  /** Change of a cable's length by the motion of the rigid bodies on its way. */
  private rigidPull(k: number): number {
    const { rigidStart, proxy, rigidDirection, rigidPoint } = this.cables;
    let sum = 0;
    for (let i = rigidStart[k]; i < rigidStart[k + 1]; i++) {
      place.fill(0);
      this.subtractRigid(proxy[i], rigidPoint, 3 * i, place);
      for (let c = 0; c < 3; c++) sum -= rigidDirection[3 * i + c] * place[c];
    }
    return sum;
  }

  /** A rigid body takes the opposite of a force at a point. */
  private pushRigid(owner: number, point: ArrayLike<number>, at: number, f: ArrayLike<number>): void {
    const { centreNow } = this.proxies[owner];
    for (let c = 0; c < 3; c++) {
      world[3 + c] = centreNow[c] - point[at + c];
      this.wrenches[6 * owner + c] -= f[c];
    }
    addCross(1, world, 3, f, 0, this.wrenches, 6 * owner + 3);
  }

  /** Subtracts the motion of a rigid body at a point by M⁻¹ of its wrench. */
  private subtractRigid(owner: number, point: ArrayLike<number>, at: number, out: Float64Array): void {
    const { centreNow, inverseMass, inverseInertia: m, support, blocked: d } = this.proxies[owner];
    const w = this.wrenches;
    for (let c = 0; c < 3; c++) world[3 + c] = point[at + c] - centreNow[c];
    const links = this.links.get(owner);
    if (links) {
      turned.fill(0);
      for (const { owner: other, answer } of links)
        for (let r = 0; r < 6; r++) for (let c = 0; c < 6; c++) turned[r] += answer[6 * r + c] * w[6 * other + c];
      for (let c = 0; c < 3; c++) out[c] -= turned[c];
      addCross(-1, turned, 3, world, 3, out);
      return;
    }
    const k = 6 * owner;
    world[0] = m[0] * w[k + 3] + m[3] * w[k + 4] + m[4] * w[k + 5];
    world[1] = m[3] * w[k + 3] + m[1] * w[k + 4] + m[5] * w[k + 5];
    world[2] = m[4] * w[k + 3] + m[5] * w[k + 4] + m[2] * w[k + 5];
    const held = support[0] * w[k] + support[1] * w[k + 1] + support[2] * w[k + 2];
    const [x, y, z] = [w[k], w[k + 1], w[k + 2]];
    out[0] -= inverseMass * (x - held * support[0] - (d[0] * x + d[3] * y + d[4] * z));
    out[1] -= inverseMass * (y - held * support[1] - (d[3] * x + d[1] * y + d[5] * z));
    out[2] -= inverseMass * (z - held * support[2] - (d[4] * x + d[5] * y + d[2] * z));
    addCross(-1, world, 0, world, 3, out);
  }

  /** Rows of H on what has moved, less what the rigid bodies have moved there by M⁻¹ of their wrenches. */
  private gatherRows(out: Float64Array): void {
    const { body, weight, frame, count, rigid, point } = this.contacts!;
    for (let n = 0; n < count; n++) {
      let [x, y, z] = [0, 0, 0];
      for (let i = CONTACT_VERTICES * n; i < CONTACT_VERTICES * (n + 1) && body[i] >= 0; i++) {
        const { moved } = this.parts[body[i]];
        const from = 3 * this.slots[i];
        x += weight[i] * moved[from];
        y += weight[i] * moved[from + 1];
        z += weight[i] * moved[from + 2];
      }
      if (rigid[n] >= 0) {
        place[0] = x;
        place[1] = y;
        place[2] = z;
        this.subtractRigid(rigid[n], point, 3 * n, place);
        x = place[0]!;
        y = place[1]!;
        z = place[2]!;
      }
      for (let row = 0, at = 9 * n; row < 3; row++, at += 3)
        out[3 * n + row] = frame[at] * x + frame[at + 1] * y + frame[at + 2] * z;
    }
    const { start, body: bodies, direction } = this.cables;
    for (let k = 0; k < this.cables.count; k++) {
      let sum = this.rigidPull(k);
      for (let i = start[k]; i < start[k + 1]; i++) {
        const { moved } = this.parts[bodies[i]];
        for (let c = 0; c < 3; c++) sum += direction[3 * i + c] * moved[3 * this.cableSlots[i] + c];
      }
      out[3 * count + k] = sum;
    }
  }

  /** g A⁻¹ gᵀ of a cable with the rotations of its bodies, by a product: cables are few. */
  private cableDiagonal(k: number): number {
    const { count } = this.contacts!;
    const one = new Float64Array(this.size);
    const out = new Float64Array(this.size);
    one[3 * count + k] = 1;
    this.multiply(one, out);
    return out[3 * count + k];
  }

  /** Σ wᵢ wⱼ Gᵢⱼ over the vertices of a contact: the same for its three rows. */
  private softDiagonal(n: number): number {
    const { body, weight } = this.contacts!;
    let sum = 0;
    for (let i = CONTACT_VERTICES * n; i < CONTACT_VERTICES * (n + 1) && body[i] >= 0; i++) {
      const part = this.parts[body[i]];
      sum += weight[i] ** 2 * part.diagonal[this.slots[i]];
      for (let j = CONTACT_VERTICES * n; j < i; j++) {
        if (body[j] !== body[i]) continue;
        sum += 2 * weight[i] * weight[j] * part.entry(this.slots[i], this.slots[j]);
      }
    }
    return sum;
  }
}

/** Numbers of a wrench. */
const TWIST = 6;

const turned = new Float64Array(6);
const world = new Float64Array(6);
const place = new Float64Array(3);
const moment = new Float64Array(3);
const angles = new Float64Array(3);
const push = new Float64Array(3);
const rows = new Float64Array(3);
