/**
 * Rigid bodies that joints hold together, as one answer to the pushes of a substep:
 *
 *     Δu = W (j + Jᵀ p),  J Δu = 0
 *
 * with the responses W of single bodies, supports included. A light body would yield by itself to a push that its heavy partner
 * should take up, and the joint would be open at the end of the frame by as far as it went. Supports bear and do not pull: a body that its
 * partner lifts has none. If its support held it here, the whole pull of the joint would be its speed afterwards (`Support.yielding`).
 */
import { type ProxyIsland, type RigidProxy, YIELD } from "../../../collision/obstacles/rigid-proxy";
import { FAR_TURN } from "../../../generated/constants";
import { solveCholesky, substituteCholesky } from "../../../math/dense";
import { lengthAt } from "../../../math/vectors";
import { type JointRows, ROW_SIZE } from "../../../solvers/newton/contact/rows";
import { type BodyTable, Motion, TWIST_SIZE } from "../../../solvers/newton/motion/bodies";

/** Most bodies of an island: the others answer by themselves. */
const MOST = 16;
/** Added to the diagonal of J W Jᵀ, as a part of it: loops of joints say some things twice. */
const RIDGE = 1e-12;

/** Places of two bodies in the island, negative for one that does not yield, and J. */
interface Row {
  readonly seats: readonly [number, number];
  readonly jacobian: Float64Array;
}

export class JointedIsland implements ProxyIsland {
  readonly impulses = new Float64Array(TWIST_SIZE * this.proxies.length);
  readonly changes = new Float64Array(TWIST_SIZE * this.proxies.length);
  /** Cholesky factors of J W Jᵀ, from the first push on, by the bodies without support, and those released, as bits */
  private readonly factors = new Map<number, Float64Array>();
  private readonly p = new Float64Array(this.rows.length);
  private readonly sum = new Float64Array(TWIST_SIZE * this.proxies.length);

  constructor(
    readonly proxies: readonly RigidProxy[],
    private readonly rows: readonly Row[],
  ) {}

  /** Of the lightest one as a push sees it [kg]. */
  get mass(): number {
    return Math.min(...this.proxies.map(({ inverseMass }) => 1 / inverseMass));
  }

  respond(): void {
    const { impulses, changes, proxies, sum } = this;
    changes.fill(0);
    if (impulses.every((value) => value === 0)) return;
    let lifted = 0;
    for (let round = 0; round <= proxies.length; round++) {
      sum.set(impulses);
      this.solve(sum, changes.fill(0), lifted);
      const before = lifted;
      lifted = this.those((proxy, k) => alongSupport(proxy, sum, TWIST_SIZE * k) < 0);
      if (lifted === before) break;
    }
    impulses.set(sum);
  }

  answer(place: number, wrench: Float64Array, changes: Float64Array): void {
    if (wrench.every((value) => value === 0)) return;
    this.sum.fill(0).set(wrench, TWIST_SIZE * place);
    this.solve(this.sum, changes, 0);
  }

  addPulls(impulses: Float64Array): void {
    this.solve(impulses, this.changes.fill(0), 0);
  }

  /** Joints are linear in the turns of a frame, and would open by turns of radians: bodies then go only a part of their way. */
  settle(): void {
    const most = Math.max(...this.proxies.map(({ yielded }) => lengthAt(yielded, YIELD.turn)));
    if (!(most > FAR_TURN)) return;
    for (const { yielded } of this.proxies)
      for (let i = YIELD.offset; i < YIELD.size; i++) yielded[i] *= FAR_TURN / most;
  }

  /** Places of some bodies, as bits. */
  private those(are: (proxy: RigidProxy, place: number) => boolean): number {
    return this.proxies.reduce((bits, proxy, k) => bits | (are(proxy, k) ? 1 << k : 0), 0);
  }

  /**
   * Adds Jᵀ p to j, and Δu to `changes`.
   *
   * @param lifted bodies that no support holds, as bits
   */
  private solve(j: Float64Array, changes: Float64Array, lifted: number): void {
    const { proxies, rows, p } = this;
    const free = new Float64Array(j.length);
    proxies.forEach((proxy, k) => respondAlone(proxy, lifted & (1 << k), j, free, TWIST_SIZE * k));
    rows.forEach(({ seats, jacobian }, r) => (p[r] = -along(seats, jacobian, free)));
    // Supports may be lost in a frame.
    const loose = lifted | this.those(({ support }) => support.every((value) => value === 0));
    const state = loose | (this.those(({ isReleased }) => isReleased) << MOST);
    const factor = this.factors.get(state);
    if (factor) substituteCholesky(factor, p, rows.length);
    else this.factorise(p, loose, state);
    rows.forEach(({ seats, jacobian }, r) =>
      seats.forEach((seat, side) => {
        for (let i = 0; i < TWIST_SIZE && seat >= 0; i++)
          j[TWIST_SIZE * seat + i] += p[r] * jacobian[TWIST_SIZE * side + i];
      }),
    );
    proxies.forEach((proxy, k) => respondAlone(proxy, lifted & (1 << k), j, changes, TWIST_SIZE * k));
  }

  /** Solves for p as well. */
  private factorise(p: Float64Array, loose: number, state: number): void {
    const { proxies, rows } = this;
    const count = rows.length;
    const matrix = new Float64Array(count * count);
    const [unit, response] = [this.sum.slice(), this.sum.slice()];
    rows.forEach(({ seats, jacobian }, r) => {
      unit.fill(0);
      response.fill(0);
      seats.forEach((seat, side) => {
        if (seat < 0) return;
        unit.set(jacobian.subarray(TWIST_SIZE * side, TWIST_SIZE * (side + 1)), TWIST_SIZE * seat);
        respondAlone(proxies[seat], loose & (1 << seat), unit, response, TWIST_SIZE * seat);
      });
      for (let s = r; s < count; s++) matrix[count * s + r] = along(rows[s].seats, rows[s].jacobian, response);
      matrix[(count + 1) * r] = matrix[(count + 1) * r] * (1 + RIDGE) || 1;
    });
    if (solveCholesky(matrix, p, count)) this.factors.set(state, matrix);
    else p.fill(0);
  }
}

/**
 * The islands of joints with bodies that have proxies.
 *
 * @param proxyOf the proxy of the body at a place; undefined for one that answers otherwise
 */
export function jointedIslands(
  { bodies, stepper }: { readonly bodies: BodyTable; readonly stepper: { readonly rows: JointRows } | undefined },
  proxyOf: (slot: number) => RigidProxy | undefined,
): readonly ProxyIsland[] {
  const { rows } = stepper!;
  const { motion } = bodies.model;
  const held = Array.from({ length: rows.count }, (_, r) => r).filter((r) => rows.isRigid(r) && rows.isBilateral(r));
  const rowsOf = new Map<number, number[]>();
  for (const r of held)
    for (const slot of [rows.bodyA[r], rows.bodyB[r]])
      if (motion[slot] === Motion.dynamic) rowsOf.set(slot, [...(rowsOf.get(slot) ?? []), r]);
  const seen = new Set<number>();
  const islands: ProxyIsland[] = [];
  for (const first of [...rowsOf.keys()].sort((a, b) => a - b)) {
    if (seen.has(first)) continue;
    const slots = [first];
    seen.add(first);
    for (const slot of slots)
      for (const r of rowsOf.get(slot)!)
        for (const other of [rows.bodyA[r], rows.bodyB[r]])
          if (rowsOf.has(other) && !seen.has(other)) {
            seen.add(other);
            slots.push(other);
          }
    if (slots.length > MOST) continue;
    const proxies = slots.map(proxyOf);
    if (!proxies.every((proxy) => proxy !== undefined)) continue;
    const used = [...new Set(slots.flatMap((slot) => rowsOf.get(slot)!))].sort((a, b) => a - b);
    islands.push(
      new JointedIsland(
        proxies,
        used.map((r) => ({
          seats: [slots.indexOf(rows.bodyA[r]), slots.indexOf(rows.bodyB[r])],
          jacobian: rows.jacobian.slice(ROW_SIZE * r, ROW_SIZE * (r + 1)),
        })),
      ),
    );
  }
  return islands;
}

/** J u */
function along(seats: readonly [number, number], jacobian: Float64Array, u: Float64Array): number {
  let sum = 0;
  for (let side = 0; side < 2; side++)
    for (let i = 0; i < TWIST_SIZE && seats[side] >= 0; i++)
      sum += jacobian[TWIST_SIZE * side + i] * u[TWIST_SIZE * seats[side] + i];
  return sum;
}

const alongSupport = ({ support: s }: RigidProxy, j: Float64Array, at: number): number =>
  s[0] * j[at] + s[1] * j[at + 1] + s[2] * j[at + 2];

/** out += W j, of the body from place `at` on */
function respondAlone(proxy: RigidProxy, isLifted: number, j: Float64Array, out: Float64Array, at: number): void {
  const { inverseMass, inverseInertia: i, support: s } = proxy;
  const held = isLifted ? 0 : alongSupport(proxy, j, at);
  for (let c = 0; c < 3; c++) out[at + c] += inverseMass * (j[at + c] - held * s[c]);
  const [x, y, z] = [j[at + 3], j[at + 4], j[at + 5]];
  out[at + 3] += i[0] * x + i[3] * y + i[4] * z;
  out[at + 4] += i[3] * x + i[1] * y + i[5] * z;
  out[at + 5] += i[4] * x + i[5] * y + i[2] * z;
}
