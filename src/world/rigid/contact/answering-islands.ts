/**
 * Rigid bodies that carry particles of GPBD or are pushed by them, with all that they touch and are joined to, as one answer to impulses:
 *
 *     Δu = M⁻¹ (j + Jᵀ Δp)
 *
 * with the impulses j of deformable bodies in a substep, and the changes Δp of the impulses of contacts and joints. Over the frame normal
 * impulses stay above zero and friction within its cone; contacts close by their gaps at most, and joints do not open. Projected Gauss-Seidel,
 * from the solution of the last substep on: as loads change little from substep to substep, a few sweeps do.
 *
 * Without this, a plank under a crate would answer a rope as if it were alone, or, with the crate's push against the rope, as if it were
 * fixed, and the crate would hear of the rope a frame later. Staggered like that, a load of four times the mass of what bears it is
 * thrown off, however small the steps are.
 */
import type { ProxyIsland, RigidProxy } from "../../../collision/obstacles/rigid-proxy";
import { CONTACT_SIZE, type ContactRows, relativeSpeed } from "../../../solvers/newton/contact/contacts";
import { type JointRows, ROW_SIZE, rowSpeed } from "../../../solvers/newton/contact/rows";
import { type BodyTable, Motion, TWIST_SIZE } from "../../../solvers/newton/motion/bodies";
import type { Vec3 } from "../../../math/types";
import { cross } from "../../../math/vectors";
import { solveCholesky, substituteCholesky } from "../../../math/dense";
import type { TiedRows } from "../soft/tied-rows";

/** Most bodies of an island, nearest ones first: those beyond count as fixed. */
const MOST = 64;
/** Most bodies of an island that carries nothing: contacts hold heaps well enough, see support.ts, and they would take many times as long. */
const FEW = 16;
/** Most sweeps of a substep. */
const SWEEPS = 20;
/** Sweeps end if no impulse changes by more than this part of the greatest one. */
const EXACT = 1e-3;

/** Contacts and joints of the last part of a step. */
interface Solved {
  readonly bodies: BodyTable;
  readonly stepper: { readonly contacts: ContactRows; readonly rows: JointRows } | undefined;
}

/** Two bodies move each other by the impulse of a row. */
interface Row {
  /** places in the island; −1 for a body that does not yield */
  readonly a: number;
  readonly b: number;
  /** ROW_SIZE each: J and M⁻¹ Jᵀ */
  readonly jacobian: Float64Array;
  readonly response: Float64Array;
  /** J M⁻¹ Jᵀ */
  readonly diagonal: number;
  /** that of the step [N s] */
  readonly impulse: number;
}

/** A joint's row, with bounds of its impulse [N s]; Γ of a spring, see rows.ts */
interface JointRow extends Row {
  readonly lower: number;
  readonly upper: number;
  readonly compliance: number;
  /** by how much it may close in the frame [m, rad] */
  readonly room: number;
}

interface Contact {
  readonly normal: Row;
  readonly tangents: readonly [Row, Row];
  /** speeds along the tangents at the end of the step [m/s] */
  readonly slip: readonly [number, number];
  readonly friction: number;
  /** by how much it may close in the frame [m] */
  readonly room: number;
}

/** Attachments of a deformable body of another solver, all solved at once. */
class Tied {
  /** Cholesky factor of J M⁻¹ Jᵀ and its answers */
  private readonly factor: Float64Array;
  private readonly right = new Float64Array(this.rows.length);
  private readonly ways = new Float64Array(this.rows.length);

  constructor(
    readonly rows: readonly Row[],
    private readonly own: TiedRows,
  ) {
    const { length } = rows;
    this.factor = own.answers.slice();
    rows.forEach((row, r) => {
      for (let s = 0; s < length; s++) {
        const { a, jacobian } = rows[s];
        for (let i = 0; i < TWIST_SIZE && a >= 0 && a === row.a; i++)
          this.factor[length * s + r] += jacobian[i] * row.response[i];
      }
    });
    // Leaves the factor in its place.
    solveCholesky(this.factor, this.right, length);
  }

  /**
   * @param given impulses of the island's rows, from `first` on its own
   * @param out the impulses that they should have, in the same order
   */
  solve(changes: Float64Array, given: Float64Array, first: number, out: Float64Array): void {
    const { rows, own, right, factor } = this;
    const { length } = rows;
    for (let r = 0; r < length; r++) {
      writeSpeed(rows[r], changes, right, r);
      for (let s = 0; s < length; s++) right[r] += own.answers[length * r + s] * given[first + s];
      right[r] = -right[r];
    }
    substituteCholesky(factor, right, length);
    for (let r = 0; r < length; r++) out[first + r] = given[first + r] + right[r];
  }

  /** Its rows had other impulses before a substep with so much time left. */
  note(given: Float64Array, before: Float64Array, first: number, time: number): void {
    const { ways } = this;
    for (let r = 0; r < ways.length; r++) ways[r] += (given[first + r] - before[first + r]) * time;
  }

  settle(given: Float64Array, first: number): void {
    this.own.give(given.slice(first, first + this.rows.length), this.ways);
  }
}

/** Answers for bodies that are connected. */
class AnsweringIsland implements ProxyIsland {
  readonly mass: number = this.inverse.reduce((sum, [inverseMass]) => sum + 1 / inverseMass, 0);
  readonly impulses = new Float64Array(TWIST_SIZE * this.proxies.length);
  readonly changes = new Float64Array(TWIST_SIZE * this.proxies.length);
  readonly stands: boolean;
  /** all of Δu in the frame */
  private readonly yielded = new Float64Array(TWIST_SIZE * this.proxies.length);
  /** of joints, of contacts, and of what is tied */
  private readonly all: readonly Row[];
  /** impulses of all rows, before a substep, and those that they should have. Numbers in the rows themselves would be allocated anew */
  private readonly given: Float64Array;
  private readonly before: Float64Array;
  private readonly wanted: Float64Array;
  /** by how much joints and then contacts may still close in the frame [m, rad] */
  private readonly rooms: Float64Array;
  /** the greatest change of an impulse in a sweep, and the greatest impulse; speeds of up to two rows */
  private readonly found = new Float64Array(2);
  private readonly speeds = new Float64Array(2);

  /** @param inverse M⁻¹: inverse mass [1/kg], then inverse inertia xx, xy, xz, yy, yz, zz [1/(kg m²)], of each body */
  constructor(
    readonly proxies: readonly RigidProxy[],
    private readonly inverse: readonly Float64Array[],
    private readonly contacts: readonly Contact[],
    private readonly joints: readonly JointRow[],
    private readonly tied: Tied[],
  ) {
    const ofContacts = contacts.flatMap(({ normal, tangents }) => [normal, ...tangents]);
    this.all = [...joints, ...ofContacts, ...tied.flatMap(({ rows }) => rows)];
    this.given = Float64Array.from(this.all, ({ impulse }) => impulse);
    this.before = new Float64Array(this.all.length);
    this.wanted = new Float64Array(this.all.length);
    this.rooms = Float64Array.from([...joints, ...contacts], ({ room }) => room);
    this.stands = this.all.some(({ a, b, impulse }) => Math.min(a, b) < 0 && impulse !== 0);
  }

  respond(h: number, rest: number): void {
    const { impulses, changes, yielded, all, given, before, inverse, rooms, speeds, joints, contacts, tied } = this;
    for (let k = 0; k < inverse.length; k++) applyInverse(inverse[k], impulses, changes, TWIST_SIZE * k);
    for (let i = 0; i < changes.length; i++) changes[i] += yielded[i];
    before.set(given);
    for (let sweep = 0; sweep < SWEEPS && !this.sweep(h + rest); sweep++);
    for (let r = 0; r < all.length; r++) move(all[r], all[r].jacobian, given, before, r, impulses);
    for (let k = 0, first = this.firstTied; k < tied.length; first += tied[k++].rows.length)
      tied[k].note(given, before, first, h + rest);
    for (let i = 0; i < rooms.length; i++) {
      writeSpeed(i < joints.length ? joints[i] : contacts[i - joints.length].normal, changes, speeds, 0);
      rooms[i] = Math.max(0, rooms[i] + h * speeds[0]);
    }
    for (let i = 0; i < changes.length; i++) {
      const sum = changes[i];
      changes[i] -= yielded[i];
      yielded[i] = sum;
    }
  }

  settle(): void {
    let first = this.firstTied;
    for (const tied of this.tied.splice(0)) {
      tied.settle(this.given, first);
      first += tied.rows.length;
    }
  }

  private get firstTied(): number {
    return this.joints.length + 3 * this.contacts.length;
  }

  /**
   * @param time to the end of the frame [s]
   * @returns whether no impulse changed by more than a small part of the greatest
   */
  private sweep(time: number): boolean {
    const { changes, given, wanted, found, speeds, rooms, joints, contacts, tied } = this;
    found.fill(0);
    for (let k = 0, first = this.firstTied; k < tied.length; k++) {
      tied[k].solve(changes, given, first, wanted);
      for (const last = first + tied[k].rows.length; first < last; first++) this.put(first);
    }
    for (let r = 0; r < joints.length; r++) {
      const { lower, upper, compliance, impulse: before, diagonal } = joints[r];
      const gives = compliance * (given[r] - before);
      writeSpeed(joints[r], changes, speeds, 0);
      const goal = given[r] - (speeds[0] + gives + rooms[r] / time) / (diagonal + compliance);
      wanted[r] = Math.min(upper, Math.max(lower, goal));
      this.put(r);
    }
    for (let k = 0; k < contacts.length; k++) {
      const { normal, tangents, slip, friction } = contacts[k];
      const n = joints.length + 3 * k;
      writeSpeed(normal, changes, speeds, 0);
      wanted[n] = Math.max(0, given[n] - (speeds[0] + rooms[joints.length + k] / time) / normal.diagonal);
      this.put(n);
      writeSpeed(tangents[0], changes, speeds, 0);
      writeSpeed(tangents[1], changes, speeds, 1);
      const p = given[n + 1] - (speeds[0] + slip[0]) / tangents[0].diagonal;
      const q = given[n + 2] - (speeds[1] + slip[1]) / tangents[1].diagonal;
      const length = Math.sqrt(p * p + q * q);
      const scale = length > friction * given[n] ? (friction * given[n]) / length : 1;
      wanted[n + 1] = scale * p;
      wanted[n + 2] = scale * q;
      this.put(n + 1);
      this.put(n + 2);
    }
    return !(found[1] > 0) || found[0] / found[1] <= EXACT;
  }

  /** Gives a row the impulse that it should have. */
  private put(r: number): void {
    const { all, given, wanted, found, changes } = this;
    move(all[r], all[r].response, wanted, given, r, changes);
    found[0] = Math.max(found[0], Math.abs(wanted[r] - given[r]));
    given[r] = wanted[r];
    found[1] = Math.max(found[1], Math.abs(given[r]));
  }
}

/**
 * The islands of bodies that carry particles or are pushed by them, after a step. A body that touches nothing and has no joint answers by
 * itself.
 *
 * @param movers places of the bodies
 * @param proxyOf the proxy of the body at a place
 * @param part length of the last part of the step [s]
 * @param dt of the whole step [s]
 * @param tied attachments to bodies of the Newton solver; beside such bodies only islands with some of them answer
 */
export function answeringIslands(
  { bodies, stepper }: Solved,
  movers: readonly number[],
  proxyOf: (slot: number) => RigidProxy,
  part: number,
  dt: number,
  tied?: readonly TiedRows[],
): readonly ProxyIsland[] {
  if (!stepper) return [];
  const { contacts, rows } = stepper;
  const links = Array.from({ length: bodies.count }, (): number[] => []);
  const link = (at: number, a: number, b: number): void => {
    links[a].push(at);
    links[b].push(at);
  };
  for (let c = 0; c < contacts.count; c++) link(c, contacts.bodyA[c], contacts.bodyB[c]);
  for (let r = 0; r < rows.count; r++) link(contacts.count + r, rows.bodyA[r], rows.bodyB[r]);
  const first = contacts.count + rows.count;
  tied?.forEach(({ slots }, k) => {
    for (const slot of new Set(slots)) links[slot].push(first + k);
  });
  const joinedAt = (at: number): readonly number[] => {
    if (at >= first) return tied![at - first].slots;
    const r = at - contacts.count;
    return r < 0 ? [contacts.bodyA[at], contacts.bodyB[at]] : [rows.bodyA[r], rows.bodyB[r]];
  };
  const seatOf = new Int32Array(bodies.count).fill(-1);
  return movers.flatMap((mover) => {
    if (seatOf[mover] >= 0 || !yields(bodies, mover) || links[mover].length === 0) return [];
    const slots = [mover];
    const used = new Set<number>();
    seatOf[mover] = 0;
    for (const slot of slots)
      for (const at of links[slot]) {
        used.add(at);
        for (const other of joinedAt(at))
          if (seatOf[other] < 0 && slots.length < MOST && yields(bodies, other)) seatOf[other] = slots.push(other) - 1;
      }
    const order = [...used].sort((x, y) => x - y);
    const carries = slots.some((slot) => proxyOf(slot).carried > 0);
    const answers = tied ? carries && order.some((at) => at >= first) : carries || slots.length <= FEW;
    if (!answers) return [];
    const touching = order.filter((at) => at < contacts.count);
    const joined = order.filter((at) => at >= contacts.count && at < first).map((at) => at - contacts.count);
    const own = order.filter((at) => at >= first).map((at) => tied![at - first]);
    const { inverseMass, worldInverseInertia } = bodies.scratch;
    const inverse = slots.map((slot) =>
      Float64Array.of(inverseMass[slot], ...worldInverseInertia.subarray(6 * slot, 6 * slot + 6)),
    );
    // Bodies of another island, beyond the nearest of this one, count as fixed as well.
    const seat = (slot: number): number => (slots[seatOf[slot]] === slot ? seatOf[slot] : -1);
    const make = (a: number, b: number, jacobian: Float64Array, impulse: number): Row =>
      rowOf(seat(a), seat(b), inverse, jacobian, impulse * (dt / part));
    return new AnsweringIsland(
      slots.map(proxyOf),
      inverse,
      touching.map((c) => contactOf(contacts, c, bodies, part, make)),
      joined.map((r) => jointOf(rows, r, bodies, part, dt, make)),
      own.map((one) => {
        const made = one.slots.map((slot, r) => {
          const jacobian = new Float64Array(ROW_SIZE);
          jacobian.set(one.jacobians[r]);
          return make(slot, slot, jacobian, 0);
        });
        return new Tied(
          made.map((row) => ({ ...row, b: -1 })),
          one,
        );
      }),
    );
  });
}

type MakeRow = (a: number, b: number, jacobian: Float64Array, impulse: number) => Row;

function contactOf(contacts: ContactRows, c: number, bodies: BodyTable, part: number, make: MakeRow): Contact {
  const { bodyA, bodyB, impulse, geometry: g, gap, friction } = contacts;
  const { velocity } = bodies.state;
  const at = CONTACT_SIZE * c;
  const row = (d: number): Row => {
    const n: Vec3 = [g[at + 3 * d], g[at + 3 * d + 1], g[at + 3 * d + 2]];
    const [a, b] = [9, 12].map((arm) => cross([g[at + arm], g[at + arm + 1], g[at + arm + 2]], n));
    const jacobian = Float64Array.of(-n[0], -n[1], -n[2], -a[0], -a[1], -a[2], ...n, ...b);
    return make(bodyA[c], bodyB[c], jacobian, impulse[3 * c + d]);
  };
  const speed = (d: number): number => relativeSpeed(contacts, c, d, velocity);
  return {
    normal: row(0),
    tangents: [row(1), row(2)],
    slip: [speed(1), speed(2)],
    friction: friction[c],
    room: Math.max(0, gap[c] + part * speed(0)),
  };
}

function jointOf(rows: JointRows, r: number, bodies: BodyTable, part: number, dt: number, make: MakeRow): JointRow {
  const { bodyA, bodyB, impulse, lower, upper, compliance, value } = rows;
  const row = make(bodyA[r], bodyB[r], rows.jacobian.slice(ROW_SIZE * r, ROW_SIZE * (r + 1)), impulse[r]);
  const scale = dt / part;
  const isOpen = rows.isLimit(r) && impulse[r] === 0;
  return {
    ...row,
    lower: scale * lower[r],
    upper: scale * upper[r],
    compliance: compliance[r] / scale,
    room: isOpen ? Math.max(0, value[r] + part * rowSpeed(rows, r, bodies.state.velocity)) : 0,
  };
}

function rowOf(a: number, b: number, inverse: readonly Float64Array[], jacobian: Float64Array, impulse: number): Row {
  const response = new Float64Array(ROW_SIZE);
  [a, b].forEach((seat, side) => {
    if (seat >= 0) applyInverse(inverse[seat], jacobian, response, TWIST_SIZE * side);
  });
  const diagonal = jacobian.reduce((sum, value, i) => sum + value * response[i], 0);
  return { a, b, jacobian, response, diagonal, impulse };
}

const yields = ({ scratch, model }: BodyTable, slot: number): boolean =>
  model.motion[slot] === Motion.dynamic && scratch.inverseMass[slot] > 0;

/** out = J u, in place `at` */
function writeSpeed({ a, b, jacobian }: Row, u: Float64Array, out: Float64Array, at: number): void {
  let sum = 0;
  for (let i = 0; i < TWIST_SIZE; i++) {
    if (a >= 0) sum += jacobian[i] * u[TWIST_SIZE * a + i];
    if (b >= 0) sum += jacobian[TWIST_SIZE + i] * u[TWIST_SIZE * b + i];
  }
  out[at] = sum;
}

/** to += (p − q) · by, for the two bodies of row `r` */
function move({ a, b }: Row, by: Float64Array, p: Float64Array, q: Float64Array, r: number, to: Float64Array): void {
  const change = p[r] - q[r];
  for (let i = 0; i < TWIST_SIZE; i++) {
    if (a >= 0) to[TWIST_SIZE * a + i] += change * by[i];
    if (b >= 0) to[TWIST_SIZE * b + i] += change * by[TWIST_SIZE + i];
  }
}

/** out = M⁻¹ j, of the body from place `at` on */
function applyInverse(inverse: Float64Array, j: Float64Array, out: Float64Array, at: number): void {
  const x = j[at + 3];
  const y = j[at + 4];
  const z = j[at + 5];
  for (let c = 0; c < 3; c++) out[at + c] = inverse[0] * j[at + c];
  out[at + 3] = inverse[1] * x + inverse[2] * y + inverse[3] * z;
  out[at + 4] = inverse[2] * x + inverse[4] * y + inverse[5] * z;
  out[at + 5] = inverse[3] * x + inverse[5] * y + inverse[6] * z;
}
