import { BlockFactor } from "../../../math/sparse/block-factor";
import { TWIST_SIZE } from "../motion/bodies";
import { CONTACT_SIZE } from "../contact/contacts";
import type { IslandSystem } from "../island/island-system";
import { ROW_SIZE } from "../contact/rows";
import { type LinearSolver, type SolveLinear, reportResiduals } from "./linear-solver";

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
  private readonly inertia = new Float64Array(6);

  readonly solve: SolveLinear = (system, b, x, _iterations, _tolerance, residuals) => {
    const isFactored = this.factor(system);
    if (isFactored) this.solveFactored(system, b, x);
    else x.fill(0, 0, system.size);
    if (residuals) reportResiduals(system, b, x, this.product, residuals);
    return isFactored ? 1 : 0;
  };

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
    const { contacts, rows, firstContact, contactCount, firstRow, rowCount, active } = system;
    const { numberOf } = this;
    for (let k = 0; k < contactCount; k++) {
      if (active[3 * k] === 0 && active[3 * k + 1] === 0 && active[3 * k + 2] === 0) continue;
      const c = firstContact + k;
      this.addContact(system, k, numberOf[contacts.bodyA[c]], numberOf[contacts.bodyB[c]]);
    }
    for (let k = 0; k < rowCount; k++) {
      const i = 3 * contactCount + k;
      if (active[i] === 0) continue;
      const r = firstRow + k;
      const w = 1 / compliance(system, i);
      const a = numberOf[rows.bodyA[r]];
      const b = numberOf[rows.bodyB[r]];
      const ofA = ROW_SIZE * r;
      const ofB = ofA + TWIST_SIZE;
      if (a >= 0) this.addOuter(this.blocks.diagonal(a), rows.jacobian, ofA, ofA, w);
      if (b >= 0) this.addOuter(this.blocks.diagonal(b), rows.jacobian, ofB, ofB, w);
      if (a < 0 || b < 0 || a === b) continue;
      const isLater = this.blocks.isLater(a, b);
      this.addOuter(this.blocks.between(a, b), rows.jacobian, isLater ? ofA : ofB, isLater ? ofB : ofA, w);
    }
  }

  /**
   * Adds the three rows of a contact between the bodies of these numbers: with K = Σ d dᵀ / C over its directions, a
   * block of two bodies with arms r and s is ±(K, K [s]ᵀ; [r] K, [r] K [s]ᵀ).
   */
  private addContact(system: IslandSystem, k: number, a: number, b: number): void {
    const { geometry: g } = system.contacts;
    const at = CONTACT_SIZE * (system.firstContact + k);
    let xx = 0;
    let xy = 0;
    let xz = 0;
    let yy = 0;
    let yz = 0;
    let zz = 0;
    for (let d = 0; d < 3; d++) {
      if (system.active[3 * k + d] === 0) continue;
      const w = 1 / compliance(system, 3 * k + d);
      const x = g[at + 3 * d];
      const y = g[at + 3 * d + 1];
      const z = g[at + 3 * d + 2];
      xx += w * x * x;
      xy += w * x * y;
      xz += w * x * z;
      yy += w * y * y;
      yz += w * y * z;
      zz += w * z * z;
    }
    const { blocks } = this;
    const { values } = blocks;
    stiffness[0] = xx;
    stiffness[1] = stiffness[3] = xy;
    stiffness[2] = stiffness[6] = xz;
    stiffness[4] = yy;
    stiffness[5] = stiffness[7] = yz;
    stiffness[8] = zz;
    if (a >= 0) addBlock(values, blocks.diagonal(a), g, at + 9, at + 9);
    if (b >= 0) addBlock(values, blocks.diagonal(b), g, at + 12, at + 12);
    if (a < 0 || b < 0 || a === b) return;
    for (let i = 0; i < 9; i++) stiffness[i] = -stiffness[i];
    const isLater = blocks.isLater(a, b);
    addBlock(values, blocks.between(a, b), g, isLater ? at + 9 : at + 12, isLater ? at + 12 : at + 9);
  }

  private addOuter(at: number, jacobian: Float64Array, rows: number, columns: number, w: number): void {
    const { values } = this.blocks;
    for (let i = 0; i < TWIST_SIZE; i++) {
      const value = w * jacobian[rows + i];
      for (let j = 0; j < TWIST_SIZE; j++) values[at + TWIST_SIZE * i + j] += value * jacobian[columns + j];
    }
  }

  /** Writes Jᵀ C⁻¹ b to `v`. */
  private writeRightSide(system: IslandSystem, b: Float64Array): void {
    const { contacts, rows, firstContact, firstRow, contactCount, rowCount, active } = system;
    const { v, numberOf } = this;
    const { geometry: g } = contacts;
    v.fill(0, 0, TWIST_SIZE * system.bodyCount);
    for (let k = 0; k < contactCount; k++) {
      let x = 0;
      let y = 0;
      let z = 0;
      const at = CONTACT_SIZE * (firstContact + k);
      for (let d = 0; d < 3; d++) {
        const i = 3 * k + d;
        if (active[i] === 0 || b[i] === 0) continue;
        const impulse = b[i] / compliance(system, i);
        x += impulse * g[at + 3 * d];
        y += impulse * g[at + 3 * d + 1];
        z += impulse * g[at + 3 * d + 2];
      }
      const bodyA = numberOf[contacts.bodyA[firstContact + k]];
      const bodyB = numberOf[contacts.bodyB[firstContact + k]];
      for (let side = 0; side < 2; side++) {
        const body = side === 0 ? bodyA : bodyB;
        if (body < 0) continue;
        const sign = side === 0 ? -1 : 1;
        const arm = at + 9 + 3 * side;
        const o = TWIST_SIZE * body;
        v[o] += sign * x;
        v[o + 1] += sign * y;
        v[o + 2] += sign * z;
        v[o + 3] += sign * (g[arm + 1] * z - g[arm + 2] * y);
        v[o + 4] += sign * (g[arm + 2] * x - g[arm] * z);
        v[o + 5] += sign * (g[arm] * y - g[arm + 1] * x);
      }
    }
    for (let k = 0; k < rowCount; k++) {
      const i = 3 * contactCount + k;
      if (active[i] === 0 || b[i] === 0) continue;
      const impulse = b[i] / compliance(system, i);
      for (let side = 0; side < 2; side++) {
        const body = numberOf[(side === 0 ? rows.bodyA : rows.bodyB)[firstRow + k]];
        if (body < 0) continue;
        const at = ROW_SIZE * (firstRow + k) + TWIST_SIZE * side;
        for (let n = 0; n < TWIST_SIZE; n++) v[TWIST_SIZE * body + n] += impulse * rows.jacobian[at + n];
      }
    }
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

/** ± K of a contact */
const stiffness = new Float64Array(9);

/** Adds a block of a contact, see `addContact`; arms are three numbers of `g` from places r and s on. */
function addBlock(v: Float64Array, at: number, g: Float64Array, r: number, s: number): void {
  const k = stiffness;
  const x = g[s];
  const y = g[s + 1];
  const z = g[s + 2];
  for (let i = 0; i < 3; i++) {
    // rows of K, then of [r] K
    const j = i === 2 ? 0 : i + 1;
    const l = 3 - i - j;
    let kx = k[3 * i];
    let ky = k[3 * i + 1];
    let kz = k[3 * i + 2];
    for (let row = at + TWIST_SIZE * i; ; row += 3 * TWIST_SIZE) {
      v[row] += kx;
      v[row + 1] += ky;
      v[row + 2] += kz;
      v[row + 3] += y * kz - z * ky;
      v[row + 4] += z * kx - x * kz;
      v[row + 5] += x * ky - y * kx;
      if (row >= at + 3 * TWIST_SIZE) break;
      kx = g[r + j] * k[3 * l] - g[r + l] * k[3 * j];
      ky = g[r + j] * k[3 * l + 1] - g[r + l] * k[3 * j + 1];
      kz = g[r + j] * k[3 * l + 2] - g[r + l] * k[3 * j + 2];
    }
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
