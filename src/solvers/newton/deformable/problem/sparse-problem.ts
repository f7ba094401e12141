/**
 * The contact problem of a large island, with W = J A⁻¹ Jᵀ as a product: J of a row has the few bodies and particles
 * that it acts on; A⁻¹ has the inverse mass of each rigid body, and for each deformable body the response at the
 * particles that contacts push.
 *
 * A Newton step is solved for the motion of bodies. Each contact and joint requires B Δp + E J y = b of its own rows,
 * with y = A⁻¹ Jᵀ Δp, so Δp = B⁻¹ (b − E J y) and
 *
 *     (A + Jᵀ B⁻¹ E J) y = Jᵀ B⁻¹ b
 *
 * which has six unknowns for a rigid body, three for a particle in contact, and the coordinates of each mechanism, for
 * any number of contacts. Factors follow the graph of touching bodies, in which the particles of one body form a dense
 * part, or its whole mesh is a part if that takes less work (whole-body.ts), and the coordinates of a mechanism one with the pattern of its mass matrix. Sliding friction makes B
 * and E unsymmetric. B is positive thanks to ε (8.4) and the compliance of contacts.
 */

import { BlockLu } from "../../../../math/sparse/block-lu";
import { holdBack, holdMass } from "../contact/hold-back";
import { invert } from "../../linear/sparse";
import { type BodyTable, Motion, TWIST_SIZE } from "../../motion/bodies";
import { ContactProblem, IDLE, LEAST_EPSILON } from "./contact-problem";
import { LINK, RowGraph, type RowSources } from "./row-graph";

export class SparseProblem extends ContactProblem {
  private readonly lu = new BlockLu();
  private readonly graph = new RowGraph();
  private bodies!: BodyTable;
  /** Wᵢᵢ, including the contact's own part */
  private mobility = new Float64Array(0);
  /** 6 a vertex: y, and Jᵀ of impulses */
  private y = new Float64Array(0);
  private push = new Float64Array(0);
  private readonly inertia = new Float64Array(6);
  /** factors since these numbers were set to zero, and their 6 × 6 products */
  factors = 0;
  products = 0;
  private readonly product = new Float64Array(LINK);

  diagonal(i: number): number {
    return this.mobility[i];
  }

  /** Sets the rows of an island; call after `resize`. */
  setRows(sources: RowSources): void {
    const { size, contactCount, rowCount, graph } = this;
    this.bodies = sources.bodies;
    graph.set(sources, contactCount, rowCount);
    const numbers = TWIST_SIZE * graph.vertexCount;
    const groups = graph.groupCount;
    if (this.y.length < numbers) {
      this.y = new Float64Array(2 * numbers);
      this.push = new Float64Array(2 * numbers);
    }
    if (this.mobility.length < size) {
      this.mobility = new Float64Array(2 * size);
      this.give = new Float64Array(2 * size);
    }
    if (this.free.length >= 3 * groups && this.gain.length >= 9 * groups) return;
    this.free = new Float64Array(6 * groups);
    this.gain = new Float64Array(18 * groups);
  }

  /**
   * Takes the factors of the deformable bodies; call this in every iteration.
   *
   * @param giveOf compliance of a row itself, by its mobility
   */
  update(giveOf: (row: number, mobility: number) => number): void {
    const { size, mobility, give, graph } = this;
    graph.softs.forEach((body, s) => graph.parts[s].update(body));
    for (let i = 0; i < size; i++) {
      const value = this.ownMobility(i);
      give[i] = giveOf(i, value);
      mobility[i] = value + give[i];
    }
    if (graph.links.list.length > 0) this.blockIdle();
  }

  /** As in the dense problem: contact directions along which no mechanism can move give way by themselves. */
  private blockIdle(): void {
    const { mobility, give, contactCount } = this;
    for (let i = 0; i < 3 * contactCount; i += 3) {
      const most = Math.max(mobility[i], mobility[i + 1], mobility[i + 2]);
      for (let k = i; k < i + 3; k++) if (mobility[k] < IDLE * most) give[k] = mobility[k] = most;
    }
  }

  /** [J A⁻¹ Jᵀ]ᵢᵢ */
  private ownMobility(i: number): number {
    const { graph } = this;
    const { start, vertex, jacobian, response, rigidCount } = graph;
    const g = graph.groupOf(i);
    const row = TWIST_SIZE * graph.rowIn(i);
    let sum = graph.links.couple(i, i);
    for (let e = start[g]; e < start[g + 1]; e++) {
      const at = LINK * e + row;
      if (graph.linked.has(vertex[e])) continue;
      if (vertex[e] < rigidCount) {
        for (let k = 0; k < TWIST_SIZE; k++) sum += jacobian[at + k] * response[at + k];
        continue;
      }
      const s = graph.softAt(vertex[e]);
      const part = graph.parts[s];
      const a = TWIST_SIZE * (vertex[e] - graph.firstVertex[s]);
      for (let f = start[g]; f < start[g + 1]; f++) {
        if (vertex[f] < graph.linked.end) continue;
        const b = TWIST_SIZE * (vertex[f] - graph.firstVertex[s]);
        for (let k = 0; k < TWIST_SIZE; k++) {
          const left = jacobian[at + k];
          if (left === 0) continue;
          for (let l = 0; l < TWIST_SIZE; l++) {
            const right = jacobian[LINK * f + row + l];
            if (right !== 0) sum += left * right * part.mobility(a + k, b + l);
          }
        }
      }
    }
    return sum;
  }

  protected multiply(x: Float64Array, v: Float64Array): void {
    const { push, y, give, size, graph } = this;
    push.fill(0, 0, TWIST_SIZE * graph.vertexCount);
    for (let i = 0; i < size; i++) if (x[i] !== 0) graph.addPush(i, x[i], push);
    this.respond();
    for (let i = 0; i < size; i++) v[i] = graph.along(i, y) + give[i] * x[i];
  }

  /** y = A⁻¹ push */
  private respond(): void {
    const { push: f, y, bodies, graph } = this;
    const { rigidCount, slots, softs, parts, firstVertex } = graph;
    const { inverseMass, worldInverseInertia: inverse } = bodies.scratch;
    for (let v = 0; v < rigidCount; v++) {
      const at = TWIST_SIZE * v;
      const m = inverseMass[slots[v]];
      for (let k = at; k < at + 3; k++) y[k] = m * f[k];
      if (bodies.model.motion[slots[v]] === Motion.led) holdBack(bodies, slots[v], y, at);
      const i = 6 * slots[v];
      const [a, b, c] = [f[at + 3], f[at + 4], f[at + 5]];
      y[at + 3] = inverse[i] * a + inverse[i + 1] * b + inverse[i + 2] * c;
      y[at + 4] = inverse[i + 1] * a + inverse[i + 3] * b + inverse[i + 4] * c;
      y[at + 5] = inverse[i + 2] * a + inverse[i + 4] * b + inverse[i + 5] * c;
    }
    graph.linked.respond(f, y);
    softs.forEach((_, s) => parts[s].respond(f, y, TWIST_SIZE * firstVertex[s]));
  }

  protected startSweeps(): void {
    const { p, size, push, graph } = this;
    push.fill(0, 0, TWIST_SIZE * graph.vertexCount);
    for (let i = 0; i < size; i++) if (p[i] !== 0) graph.addPush(i, p[i], push);
    this.respond();
  }

  protected speedOf(i: number): number {
    return this.bias[i] + this.graph.along(i, this.y) + this.give[i] * this.p[i];
  }

  protected put(i: number, value: number): void {
    const { p, y, graph } = this;
    const { start, vertex, jacobian, response, rigidCount } = graph;
    const change = value - p[i];
    if (change === 0) return;
    p[i] = value;
    graph.links.push(i, change, y, graph.linked.starts);
    const g = graph.groupOf(i);
    const row = TWIST_SIZE * graph.rowIn(i);
    for (let e = start[g]; e < start[g + 1]; e++) {
      const at = LINK * e + row;
      if (graph.linked.has(vertex[e])) continue;
      if (vertex[e] < rigidCount) {
        const to = TWIST_SIZE * vertex[e];
        for (let k = 0; k < TWIST_SIZE; k++) y[to + k] += change * response[at + k];
        continue;
      }
      const s = graph.softAt(vertex[e]);
      const first = TWIST_SIZE * graph.firstVertex[s];
      for (let k = 0; k < TWIST_SIZE; k++) {
        const impulse = change * jacobian[at + k];
        if (impulse !== 0) graph.parts[s].push(TWIST_SIZE * vertex[e] - first + k, impulse, y, first);
      }
    }
  }

  protected direction(): void {
    const { active, step, size, contactCount, rowCount, lu, push, y, graph } = this;
    for (let g = 0; g < contactCount + rowCount; g++)
      if (g < contactCount) this.lineariseContact(g);
      else this.lineariseJoint(g);
    graph.setGraph(lu, this.gain);
    lu.clear();
    this.addInertia();
    push.fill(0, 0, TWIST_SIZE * graph.vertexCount);
    for (let i = 0; i < size; i++) {
      step[i] = active[i] === 1 ? 0 : this.forcedStep(i);
      if (step[i] !== 0) graph.addPush(i, step[i], push);
    }
    for (let g = 0; g < contactCount + rowCount; g++) if (this.gain[9 * g] !== 0) this.addGroup(g);
    this.factors++;
    this.products += lu.work;
    if (!lu.factor()) {
      step.fill(0, 0, size);
      return;
    }
    lu.solve(push, y);
    for (let g = 0; g < contactCount + rowCount; g++) this.takeStep(g);
  }

  /** Adds A of rigid bodies, of linkages, and of deformable bodies at their contacts. */
  private addInertia(): void {
    const { lu, bodies, inertia, graph } = this;
    const { slots, rigidCount, softs, parts, firstVertex } = graph;
    const { inverseMass, worldInverseInertia } = bodies.scratch;
    const { values } = lu;
    for (let v = 0; v < rigidCount; v++) {
      const at = lu.diagonal(v);
      for (let i = 0; i < 3; i++) values[at + 7 * i] = 1 / inverseMass[slots[v]];
      if (bodies.model.motion[slots[v]] === Motion.led) holdMass(bodies, slots[v], values, at);
      invert(worldInverseInertia, 6 * slots[v], inertia);
      for (let i = 0, e = 0; i < 3; i++)
        for (let j = i; j < 3; j++, e++)
          values[at + 6 * (3 + i) + 3 + j] = values[at + 6 * (3 + j) + 3 + i] = inertia[e];
    }
    graph.linked.addInertia(lu);
    softs.forEach((_, s) => parts[s].addStiffness(lu, firstVertex[s]));
  }

  private lineariseJoint(g: number): void {
    const { contactCount, active, residual, compliance, mobility, free, gain } = this;
    const epsilon = Math.max(LEAST_EPSILON, this.epsilon);
    const k = g - contactCount;
    const i = 3 * contactCount + k;
    const own = active[i] === 1 ? 1 / (epsilon * mobility[i] + compliance[k]) : 0;
    free.fill(0, 3 * g, 3 * g + 3);
    gain.fill(0, 9 * g, 9 * g + 9);
    free[3 * g] = -own * residual[i];
    gain[9 * g] = own;
  }

  /** Adds Jᵀ B⁻¹ E J and Jᵀ B⁻¹ b of a contact or joint. */
  private addGroup(g: number): void {
    const { product: t, gain, free, push, lu } = this;
    const { start, vertex, jacobian: j } = this.graph;
    const { values } = lu;
    const [from, to] = [start[g], start[g + 1]];
    const at = 9 * g;
    for (let f = from; f < to; f++) {
      const b = LINK * f;
      for (let k = 0; k < TWIST_SIZE; k++) {
        const [x, y, z] = [j[b + k], j[b + TWIST_SIZE + k], j[b + 2 * TWIST_SIZE + k]];
        t[k] = gain[at] * x;
        t[TWIST_SIZE + k] = gain[at + 3] * x + gain[at + 4] * y + gain[at + 5] * z;
        t[2 * TWIST_SIZE + k] = gain[at + 6] * x + gain[at + 7] * y + gain[at + 8] * z;
        push[TWIST_SIZE * vertex[f] + k] += free[3 * g] * x + free[3 * g + 1] * y + free[3 * g + 2] * z;
      }
      for (let e = from; e < to; e++) {
        const a = LINK * e;
        const place = lu.block(vertex[e], vertex[f]);
        // Blocks above the diagonal are stored transposed.
        const isStraight = e === f || lu.isLater(vertex[e], vertex[f]);
        const [across, down] = isStraight ? [1, TWIST_SIZE] : [TWIST_SIZE, 1];
        for (let i = 0; i < TWIST_SIZE; i++) {
          const [x, y, z] = [j[a + i], j[a + TWIST_SIZE + i], j[a + 2 * TWIST_SIZE + i]];
          const row = place + down * i;
          for (let k = 0; k < TWIST_SIZE; k++)
            values[row + across * k] += x * t[k] + y * t[TWIST_SIZE + k] + z * t[2 * TWIST_SIZE + k];
        }
      }
    }
  }

  /** Computes Δp of the active rows of a contact or joint from y. */
  private takeStep(g: number): void {
    const { contactCount, step, active, free, gain, y, graph } = this;
    const isContact = g < contactCount;
    const first = isContact ? 3 * g : 2 * contactCount + g;
    if (active[first] === 0) return;
    const at = 9 * g;
    const v1 = graph.along(first, y);
    step[first] = free[3 * g] - gain[at] * v1;
    if (!isContact || active[first + 1] === 0) return;
    const [v2, v3] = [graph.along(first + 1, y), graph.along(first + 2, y)];
    for (let d = 1; d < 3; d++)
      step[first + d] = free[3 * g + d] - gain[at + 3 * d] * v1 - gain[at + 3 * d + 1] * v2 - gain[at + 3 * d + 2] * v3;
  }
}
