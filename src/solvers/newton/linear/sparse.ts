import { BlockFactor } from "../../../math/sparse/block-factor";
import { TWIST_SIZE } from "../motion/bodies";
import { CONTACT_SIZE } from "../contact/contacts";
import type { IslandSystem } from "../island/island-system";
import { ROW_SIZE } from "../contact/rows";
import { type LinearSolver, reportResiduals } from "./linear-solver";

/** Compliance used for a row without compliance, as a part of its mobility. */
const LEAST_COMPLIANCE = 1e-9;
/** Inertia used for a body that cannot turn [kg m²]. */
const UNTURNABLE = 1e30;
/** Part of the largest inverse inertia that is added to all axes if a body cannot turn about one of them. */
const STIFF_AXIS = 1e-12;

/**
 * Sparse factors of the system in terms of body velocities, for islands of many contacts. With v = M⁻¹ Jᵀ x, the change
 * of velocities by the impulses,
 *
 *     (J M⁻¹ Jᵀ + C) x = b     ⇔     (M + Jᵀ C⁻¹ J) v = Jᵀ C⁻¹ b,     x = C⁻¹ (b − J v)
 *
 * which has six unknowns for each body, for any number of contacts, and a block for each pair of bodies that touch. C
 * is positive by ε (8.4). The factors of a stack are linear in its height, those of a wall of n bodies take n^1.5
 * operations, and those of a heap n².
 */
export class SparseSolver implements LinearSolver {
  private readonly blocks = new BlockFactor();
  /** number of each body in the island, by place; −1 for immovable ones */
  private numberOf = new Int32Array(0);
  private edges = new Int32Array(0);
  private v = new Float64Array(0);
  private product = new Float64Array(0);
  private readonly row = new Float64Array(2 * TWIST_SIZE);
  private readonly inertia = new Float64Array(6);

  solve(
    system: IslandSystem,
    b: Float64Array,
    x: Float64Array,
    _iterations: number,
    _tolerance: number,
    residuals?: number[],
  ): number {
    const isFactored = this.factor(system);
    if (isFactored) this.solveFactored(system, b, x);
    else x.fill(0, 0, system.size);
    if (residuals) reportResiduals(system, b, x, this.product, residuals);
    return isFactored ? 1 : 0;
  }

  /** Factors the matrix of the active unknowns. Returns false if it is not positive definite. */
  factor(system: IslandSystem): boolean {
    this.reserve(system);
    this.numberBodies(system);
    this.blocks.setGraph(system.bodyCount, this.edges, this.collectEdges(system));
    this.blocks.clear();
    this.addMasses(system);
    this.addRows(system);
    return this.blocks.factor();
  }

  /** Solves for x with the factors of `factor`; `scratch.response` becomes M⁻¹ Jᵀ x. */
  solveFactored(system: IslandSystem, b: Float64Array, x: Float64Array): void {
    this.writeRightSide(system, b);
    this.blocks.solve(this.v, this.v);
    x.fill(0, 0, system.size);
    this.impulses(system, b, x);
  }

  private numberBodies(system: IslandSystem): void {
    const { bodies, bodyList, firstBody, bodyCount } = system;
    this.numberOf.fill(-1, 0, bodies.count);
    for (let k = 0; k < bodyCount; k++) {
      const slot = bodyList[firstBody + k];
      if (bodies.scratch.inverseMass[slot] > 0) this.numberOf[slot] = k;
    }
  }

  /** Collects pairs of bodies that share a contact or a row; contacts of a manifold come one after the other. */
  private collectEdges(system: IslandSystem): number {
    const { contacts, rows, firstContact, contactCount, firstRow, rowCount } = system;
    let count = 0;
    count = this.addEdges(contacts.bodyA, contacts.bodyB, firstContact, firstContact + contactCount, count);
    return this.addEdges(rows.bodyA, rows.bodyB, firstRow, firstRow + rowCount, count);
  }

  private addEdges(bodyA: Int32Array, bodyB: Int32Array, from: number, to: number, count: number): number {
    const { edges, numberOf } = this;
    for (let c = from; c < to; c++) {
      const a = numberOf[bodyA[c]];
      const b = numberOf[bodyB[c]];
      if (a < 0 || b < 0 || (count > 0 && edges[2 * count - 2] === a && edges[2 * count - 1] === b)) continue;
      edges[2 * count] = a;
      edges[2 * count + 1] = b;
      count++;
    }
    return count;
  }

  private addMasses(system: IslandSystem): void {
    const { bodies, bodyList, firstBody, bodyCount } = system;
    const { inverseMass, worldInverseInertia } = bodies.scratch;
    const { values } = this.blocks;
    for (let k = 0; k < bodyCount; k++) {
      const slot = bodyList[firstBody + k];
      const at = this.blocks.diagonal(k);
      const mass = inverseMass[slot] > 0 ? 1 / inverseMass[slot] : 1;
      for (let i = 0; i < 3; i++) values[at + 7 * i] += mass;
      invert(worldInverseInertia, 6 * slot, this.inertia);
      for (let i = 0, e = 0; i < 3; i++)
        for (let j = i; j < 3; j++, e++) {
          values[at + 6 * (3 + i) + 3 + j] += this.inertia[e];
          if (j > i) values[at + 6 * (3 + j) + 3 + i] += this.inertia[e];
        }
    }
  }

  /** Adds Jᵀ C⁻¹ J. */
  private addRows(system: IslandSystem): void {
    for (let i = 0; i < system.size; i++) {
      if (system.active[i] === 0) continue;
      const place = this.writeRow(system, i);
      const w = 1 / compliance(system, i);
      const { bodyA, bodyB } = i < 3 * system.contactCount ? system.contacts : system.rows;
      const a = this.numberOf[bodyA[place]];
      const b = this.numberOf[bodyB[place]];
      if (a >= 0) this.addOuter(this.blocks.diagonal(a), 0, 0, w);
      if (b >= 0) this.addOuter(this.blocks.diagonal(b), TWIST_SIZE, TWIST_SIZE, w);
      if (a < 0 || b < 0 || a === b) continue;
      const isLater = this.blocks.isLater(a, b);
      this.addOuter(this.blocks.between(a, b), isLater ? 0 : TWIST_SIZE, isLater ? TWIST_SIZE : 0, w);
    }
  }

  private addOuter(at: number, rows: number, columns: number, w: number): void {
    const { row } = this;
    const { values } = this.blocks;
    for (let i = 0; i < TWIST_SIZE; i++) {
      const value = w * row[rows + i];
      for (let j = 0; j < TWIST_SIZE; j++) values[at + TWIST_SIZE * i + j] += value * row[columns + j];
    }
  }

  /** Writes Jᵀ C⁻¹ b to `v`. */
  private writeRightSide(system: IslandSystem, b: Float64Array): void {
    const { v, row } = this;
    v.fill(0, 0, TWIST_SIZE * system.bodyCount);
    for (let i = 0; i < system.size; i++) {
      if (system.active[i] === 0 || b[i] === 0) continue;
      const place = this.writeRow(system, i);
      const { bodyA, bodyB } = i < 3 * system.contactCount ? system.contacts : system.rows;
      const impulse = b[i] / compliance(system, i);
      for (let side = 0; side < 2; side++) {
        const body = this.numberOf[(side === 0 ? bodyA : bodyB)[place]];
        if (body < 0) continue;
        for (let k = 0; k < TWIST_SIZE; k++) v[TWIST_SIZE * body + k] += impulse * row[TWIST_SIZE * side + k];
      }
    }
  }

  /** Writes J of unknown i. Returns its contact or row. */
  private writeRow(system: IslandSystem, i: number): number {
    const { contacts, rows, firstContact, contactCount, firstRow } = system;
    const { row } = this;
    if (i >= 3 * contactCount) {
      const r = firstRow + i - 3 * contactCount;
      for (let k = 0; k < ROW_SIZE; k++) row[k] = rows.jacobian[ROW_SIZE * r + k];
      return r;
    }
    const d = i % 3;
    const c = firstContact + (i - d) / 3;
    const g = contacts.geometry;
    const at = CONTACT_SIZE * c;
    const x = g[at + 3 * d];
    const y = g[at + 3 * d + 1];
    const z = g[at + 3 * d + 2];
    row[0] = -x;
    row[1] = -y;
    row[2] = -z;
    row[3] = -(g[at + 10] * z - g[at + 11] * y);
    row[4] = -(g[at + 11] * x - g[at + 9] * z);
    row[5] = -(g[at + 9] * y - g[at + 10] * x);
    row[6] = x;
    row[7] = y;
    row[8] = z;
    row[9] = g[at + 13] * z - g[at + 14] * y;
    row[10] = g[at + 14] * x - g[at + 12] * z;
    row[11] = g[at + 12] * y - g[at + 13] * x;
    return c;
  }

  /** Computes x = C⁻¹ (b − J v). */
  private impulses(system: IslandSystem, b: Float64Array, x: Float64Array): void {
    const { bodies, bodyList, firstBody, bodyCount, size } = system;
    const { response } = bodies.scratch;
    for (let k = 0; k < bodyCount; k++) {
      const slot = bodyList[firstBody + k];
      const isPushed = this.numberOf[slot] >= 0;
      for (let i = 0; i < TWIST_SIZE; i++) response[TWIST_SIZE * slot + i] = isPushed ? this.v[TWIST_SIZE * k + i] : 0;
    }
    system.measure(response, this.product);
    for (let i = 0; i < size; i++) if (system.active[i] !== 0) x[i] = (b[i] - this.product[i]) / compliance(system, i);
  }

  private reserve(system: IslandSystem): void {
    const { size, bodyCount, bodies, contactCount, rowCount } = system;
    if (this.numberOf.length < bodies.count) this.numberOf = new Int32Array(2 * bodies.count);
    if (this.edges.length < 2 * (contactCount + rowCount)) this.edges = new Int32Array(4 * (contactCount + rowCount));
    if (this.v.length < TWIST_SIZE * bodyCount) this.v = new Float64Array(2 * TWIST_SIZE * bodyCount);
    if (this.product.length < size) this.product = new Float64Array(2 * size);
  }
}

function compliance(system: IslandSystem, i: number): number {
  const least = LEAST_COMPLIANCE * system.mobility(i);
  return system.compliance[i] > least ? system.compliance[i] : least;
}

/** Computes an inertia from its inverse, both as xx, xy, xz, yy, yz, zz. */
export function invert(m: Float64Array, at: number, out: Float64Array): void {
  const most = Math.max(m[at], m[at + 3], m[at + 5]);
  if (!(most > 0)) {
    out.fill(0);
    out[0] = out[3] = out[5] = UNTURNABLE;
    return;
  }
  const xx = m[at] + STIFF_AXIS * most;
  const xy = m[at + 1];
  const xz = m[at + 2];
  const yy = m[at + 3] + STIFF_AXIS * most;
  const yz = m[at + 4];
  const zz = m[at + 5] + STIFF_AXIS * most;
  const a = yy * zz - yz * yz;
  const b = xz * yz - xy * zz;
  const c = xy * yz - xz * yy;
  const scale = 1 / (xx * a + xy * b + xz * c);
  out[0] = a * scale;
  out[1] = b * scale;
  out[2] = c * scale;
  out[3] = (xx * zz - xz * xz) * scale;
  out[4] = (xy * xz - xx * yz) * scale;
  out[5] = (xx * yy - xy * xy) * scale;
}
