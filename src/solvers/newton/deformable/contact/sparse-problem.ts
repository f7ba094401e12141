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
 * part, and the coordinates of a mechanism one with the pattern of its mass matrix. Sliding friction makes B
 * and E unsymmetric. B is positive thanks to ε (8.4) and the compliance of contacts.
 */

import { resized } from "../../../../math/arrays";
import { BlockLu } from "../../../../math/sparse/block-lu";
import { type BodyTable, Motion, TWIST_SIZE } from "../../motion/bodies";
import type { IslandSystem } from "../../island/island-system";
import { invert } from "../../linear/sparse";
import type { LinkageRows } from "../../linkage/linkage-rows";
import { LinkageVertices } from "../../linkage/linkage-vertices";
import { ContactNodes } from "./contact-nodes";
import { ContactProblem, IDLE, LEAST_EPSILON } from "./contact-problem";
import type { CoupledRows } from "./coupled-rows";
import type { FemBody } from "../fem-body";
import { holdBack, holdMass } from "./hold-back";
import { CONTACT_VERTICES } from "../../../../collision/soft/contact-table";
import type { SoftContacts } from "./soft-contacts";

/** Numbers of J of a link: three rows of a contact, or one of a joint. */
const LINK = 3 * TWIST_SIZE;

export class SparseProblem extends ContactProblem {
  private readonly lu = new BlockLu();
  private bodies!: BodyTable;
  private links!: LinkageRows;
  private readonly linked = new LinkageVertices();
  private softs: readonly FemBody[] = [];
  /**
   * Vertices are rigid bodies, then linkages, then deformable bodies: for each of these its particles, and the first of
   * their vertices, which have two particles each.
   */
  private nodes: ContactNodes[] = [];
  private firstVertex: number[] = [];
  /** place of a rigid body by its vertex, vertex by its place */
  private slots = new Int32Array(0);
  private vertexOf = new Int32Array(0);
  private rigidCount = 0;
  private vertexCount = 0;
  /** links of contact or joint g, to a vertex each: linkStart[g] to linkStart[g + 1] − 1 */
  private linkStart = new Int32Array(1);
  private linkVertex: number[] = [];
  /** LINK numbers a link: J, and M⁻¹ Jᵀ for rigid bodies */
  private jacobian = new Float64Array(0);
  private response = new Float64Array(0);
  private edges = new Int32Array(0);
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

  /**
   * Sets the rows of an island; call after `resize`.
   *
   * @param softs the island's deformable bodies
   * @param softOf place in `softs` of a deformable body by its number
   * @param links effects of the rows on linkages
   */
  setRows(
    bodies: BodyTable,
    system: IslandSystem | undefined,
    rows: CoupledRows,
    contacts: SoftContacts,
    softs: readonly FemBody[],
    softOf: (body: number) => number,
    links: LinkageRows,
  ): void {
    this.bodies = bodies;
    this.links = links;
    this.softs = softs;
    this.numberVertices(system, rows, contacts, softOf);
    this.link(rows, contacts, softOf);
  }

  private numberVertices(
    system: IslandSystem | undefined,
    rows: CoupledRows,
    contacts: SoftContacts,
    softOf: (body: number) => number,
  ): void {
    const { bodies, softs, contactCount, nodes } = this;
    if (this.vertexOf.length < bodies.count) {
      this.vertexOf = new Int32Array(bodies.capacity);
      this.slots = new Int32Array(bodies.capacity);
    }
    this.vertexOf.fill(-1);
    this.rigidCount = 0;
    for (let k = 0; k < (system?.bodyCount ?? 0); k++) {
      const slot = system!.bodyList[system!.firstBody + k];
      if (!(bodies.scratch.inverseMass[slot] > 0)) continue;
      this.slots[this.rigidCount] = slot;
      this.vertexOf[slot] = this.rigidCount++;
    }
    while (nodes.length < softs.length) nodes.push(new ContactNodes());
    softs.forEach((body, s) => nodes[s].clear(body));
    for (let c = 0; c < contactCount; c++) {
      if (rows.soft[3 * c] < 0) continue;
      const place = rows.soft[3 * c] / 3;
      const s = softOf(contacts.bodyOf(place));
      for (let k = CONTACT_VERTICES * place; k < CONTACT_VERTICES * place + 3; k++)
        if (contacts.weight[k] !== 0 && softs[s].fixed[contacts.vertex[k]] === 0) nodes[s].add(contacts.vertex[k]);
    }
    this.vertexCount = this.linked.number(this.links.list, this.rigidCount);
    softs.forEach((_, s) => {
      this.firstVertex[s] = this.vertexCount;
      this.vertexCount += (nodes[s].count + 1) >> 1;
    });
    if (this.y.length >= TWIST_SIZE * this.vertexCount) return;
    this.y = new Float64Array(2 * TWIST_SIZE * this.vertexCount);
    this.push = new Float64Array(2 * TWIST_SIZE * this.vertexCount);
  }

  private link(rows: CoupledRows, contacts: SoftContacts, softOf: (body: number) => number): void {
    const { contactCount, rowCount, softs } = this;
    const groups = contactCount + rowCount;
    if (this.mobility.length < this.size) {
      this.mobility = new Float64Array(2 * this.size);
      this.give = new Float64Array(2 * this.size);
    }
    if (this.linkStart.length < groups + 1) {
      this.linkStart = new Int32Array(2 * groups);
      this.free = new Float64Array(6 * groups);
      this.gain = new Float64Array(18 * groups);
    }
    this.linkVertex.length = 0;
    for (let g = 0; g < groups; g++) {
      this.linkStart[g] = this.linkVertex.length;
      const isContact = g < contactCount;
      const first = isContact ? 3 * g : 3 * contactCount + g - contactCount;
      for (let side = 0; side < 2; side++) {
        const slot = side === 0 ? rows.slotA[first] : rows.slotB[first];
        if (slot < 0 || this.vertexOf[slot] < 0) continue;
        const at = this.addLink(g, this.vertexOf[slot]);
        for (let d = 0; d < (isContact ? 3 : 1); d++)
          for (let k = 0; k < TWIST_SIZE; k++) {
            const from = 12 * (first + d) + TWIST_SIZE * side + k;
            this.jacobian[at + TWIST_SIZE * d + k] += rows.jacobian[from];
            this.response[at + TWIST_SIZE * d + k] += rows.response[from];
          }
      }
      for (let side = 0; side < 2; side++) this.linkLinkage(g, first, side, isContact ? 3 : 1);
      if (!isContact || rows.soft[first] < 0) continue;
      const place = rows.soft[first] / 3;
      const s = softOf(contacts.bodyOf(place));
      for (let k = CONTACT_VERTICES * place; k < CONTACT_VERTICES * place + 3; k++) {
        if (contacts.weight[k] === 0 || softs[s].fixed[contacts.vertex[k]] === 1) continue;
        const n = this.nodes[s].place[contacts.vertex[k]];
        const at = this.addLink(g, this.firstVertex[s] + (n >> 1)) + 3 * (n & 1);
        for (let d = 0; d < 3; d++)
          for (let j = 0; j < 3; j++)
            this.jacobian[at + TWIST_SIZE * d + j] += contacts.weight[k] * contacts.frame[9 * place + 3 * d + j];
      }
    }
    this.linkStart[groups] = this.linkVertex.length;
  }

  /** Links contact or joint g with the coordinates of a linkage on which a side of its rows acts. */
  private linkLinkage(g: number, first: number, side: number, rows: number): void {
    const { links, linked } = this;
    const i = links.linkageOf(first, side);
    if (i < 0 || links.list[i].isFrozen) return;
    const { size } = links.list[i];
    for (let block = 0; block < size; block += TWIST_SIZE) {
      let at = -1;
      const end = Math.min(size, block + TWIST_SIZE);
      for (let d = 0; d < rows; d++)
        for (let k = block; k < end; k++) {
          const force = links.forceOf(first + d, side, k);
          if (force === 0) continue;
          if (at < 0) at = this.addLink(g, linked.first[i] + block / TWIST_SIZE);
          this.jacobian[at + TWIST_SIZE * d + k - block] += force;
        }
    }
  }

  /**
   * Adds a link.
   *
   * @returns start of J of contact or joint g for a vertex
   */
  private addLink(g: number, vertex: number): number {
    const { linkVertex, linkStart } = this;
    for (let e = linkStart[g]; e < linkVertex.length; e++) if (linkVertex[e] === vertex) return LINK * e;
    const at = LINK * linkVertex.length;
    linkVertex.push(vertex);
    if (this.jacobian.length < at + LINK) {
      this.jacobian = grown(this.jacobian, at + LINK);
      this.response = grown(this.response, at + LINK);
    }
    this.jacobian.fill(0, at, at + LINK);
    this.response.fill(0, at, at + LINK);
    return at;
  }

  /** Sets the graph of the factors, of active contacts and joints alone: few of those in a heap carry a load. */
  private setGraph(): void {
    const { lu, linkStart, linkVertex, contactCount, rowCount, softs, nodes, firstVertex, gain } = this;
    let count = 0;
    const add = (a: number, b: number): void => {
      if (count > 0 && this.edges[2 * count - 2] === a && this.edges[2 * count - 1] === b) return;
      if (this.edges.length < 2 * count + 2) this.edges = resized(this.edges, new Int32Array(4 * count + 64));
      this.edges[2 * count] = a;
      this.edges[2 * count + 1] = b;
      count++;
    };
    const groups = contactCount + rowCount;
    for (let g = 0; g < groups; g++)
      for (let e = linkStart[g]; e < linkStart[g + 1] && gain[9 * g] !== 0; e++)
        for (let f = linkStart[g]; f < e; f++) add(linkVertex[f], linkVertex[e]);
    this.linked.addEdges(add);
    softs.forEach((_, s) => {
      const end = firstVertex[s] + ((nodes[s].count + 1) >> 1);
      for (let a = firstVertex[s]; a < end; a++) for (let b = firstVertex[s]; b < a; b++) add(b, a);
    });
    lu.setGraph(this.vertexCount, this.edges, count);
  }

  /**
   * Takes the factors of the deformable bodies; call this in every iteration.
   *
   * @param giveOf compliance of a row itself, by its mobility
   */
  update(giveOf: (row: number, mobility: number) => number): void {
    const { size, mobility, give, softs } = this;
    softs.forEach((body, s) => this.nodes[s].update(body));
    for (let i = 0; i < size; i++) {
      const value = this.ownMobility(i);
      give[i] = giveOf(i, value);
      mobility[i] = value + give[i];
    }
    if (this.links.list.length > 0) this.blockIdle();
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
    const { linkStart, linkVertex, jacobian, response, rigidCount } = this;
    const g = this.groupOf(i);
    const row = TWIST_SIZE * this.rowIn(i);
    let sum = this.links.couple(i, i);
    for (let e = linkStart[g]; e < linkStart[g + 1]; e++) {
      const at = LINK * e + row;
      if (this.linked.has(linkVertex[e])) continue;
      if (linkVertex[e] < rigidCount) {
        for (let k = 0; k < TWIST_SIZE; k++) sum += jacobian[at + k] * response[at + k];
        continue;
      }
      const s = this.softAt(linkVertex[e]);
      const { compliance, count } = this.nodes[s];
      const a = TWIST_SIZE * (linkVertex[e] - this.firstVertex[s]);
      for (let f = linkStart[g]; f < linkStart[g + 1]; f++) {
        if (linkVertex[f] < this.linked.end) continue;
        const b = TWIST_SIZE * (linkVertex[f] - this.firstVertex[s]);
        for (let k = 0; k < TWIST_SIZE; k++) {
          const left = jacobian[at + k];
          if (left === 0) continue;
          for (let l = 0; l < TWIST_SIZE; l++) {
            const right = jacobian[LINK * f + row + l];
            if (right !== 0) sum += left * right * compliance[3 * count * (a + k) + b + l];
          }
        }
      }
    }
    return sum;
  }

  private groupOf(i: number): number {
    const contacts = 3 * this.contactCount;
    return i < contacts ? Math.floor(i / 3) : this.contactCount + i - contacts;
  }

  private rowIn(i: number): number {
    return i < 3 * this.contactCount ? i % 3 : 0;
  }

  /** The deformable body of a vertex. */
  private softAt(vertex: number): number {
    let s = this.softs.length - 1;
    while (this.firstVertex[s] > vertex) s--;
    return s;
  }

  protected multiply(x: Float64Array, v: Float64Array): void {
    const { push, y, give, size } = this;
    push.fill(0, 0, TWIST_SIZE * this.vertexCount);
    for (let i = 0; i < size; i++) if (x[i] !== 0) this.addPush(i, x[i]);
    this.respond();
    for (let i = 0; i < size; i++) v[i] = this.along(i, y) + give[i] * x[i];
  }

  /** push += Jᵀ p of a row. */
  private addPush(i: number, p: number): void {
    const { linkStart, linkVertex, jacobian, push } = this;
    const g = this.groupOf(i);
    const row = TWIST_SIZE * this.rowIn(i);
    for (let e = linkStart[g]; e < linkStart[g + 1]; e++) {
      const [at, to] = [LINK * e + row, TWIST_SIZE * linkVertex[e]];
      for (let k = 0; k < TWIST_SIZE; k++) push[to + k] += p * jacobian[at + k];
    }
  }

  /** y = A⁻¹ push */
  private respond(): void {
    const { push: f, y, rigidCount, slots, bodies, softs, nodes, firstVertex } = this;
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
    this.linked.respond(f, y);
    for (let s = 0; s < softs.length; s++) {
      const { compliance, count } = nodes[s];
      const at = TWIST_SIZE * firstVertex[s];
      for (let k = 0, from = 0; k < 3 * count; k++, from += 3 * count) {
        let sum = 0;
        for (let l = 0; l < 3 * count; l++) sum += compliance[from + l] * f[at + l];
        y[at + k] = sum;
      }
    }
  }

  /** J y of a row. */
  private along(i: number, y: Float64Array): number {
    const { linkStart, linkVertex, jacobian } = this;
    const g = this.groupOf(i);
    const row = TWIST_SIZE * this.rowIn(i);
    let sum = 0;
    for (let e = linkStart[g]; e < linkStart[g + 1]; e++) {
      const [at, from] = [LINK * e + row, TWIST_SIZE * linkVertex[e]];
      for (let k = 0; k < TWIST_SIZE; k++) sum += jacobian[at + k] * y[from + k];
    }
    return sum;
  }

  protected startSweeps(): void {
    const { p, size } = this;
    this.push.fill(0, 0, TWIST_SIZE * this.vertexCount);
    for (let i = 0; i < size; i++) if (p[i] !== 0) this.addPush(i, p[i]);
    this.respond();
  }

  protected speedOf(i: number): number {
    return this.bias[i] + this.along(i, this.y) + this.give[i] * this.p[i];
  }

  protected put(i: number, value: number): void {
    const { p, y, linkStart, linkVertex, jacobian, response, rigidCount } = this;
    const change = value - p[i];
    if (change === 0) return;
    p[i] = value;
    this.links.push(i, change, y, this.linked.starts);
    const g = this.groupOf(i);
    const row = TWIST_SIZE * this.rowIn(i);
    for (let e = linkStart[g]; e < linkStart[g + 1]; e++) {
      const at = LINK * e + row;
      if (this.linked.has(linkVertex[e])) continue;
      if (linkVertex[e] < rigidCount) {
        const to = TWIST_SIZE * linkVertex[e];
        for (let k = 0; k < TWIST_SIZE; k++) y[to + k] += change * response[at + k];
        continue;
      }
      const s = this.softAt(linkVertex[e]);
      const { compliance, count } = this.nodes[s];
      const first = TWIST_SIZE * this.firstVertex[s];
      for (let k = 0; k < TWIST_SIZE; k++) {
        const impulse = change * jacobian[at + k];
        if (impulse === 0) continue;
        const from = 3 * count * (TWIST_SIZE * linkVertex[e] - first + k);
        for (let l = 0; l < 3 * count; l++) y[first + l] += impulse * compliance[from + l];
      }
    }
  }

  protected direction(): void {
    const { active, step, size, contactCount, rowCount, lu, push, y } = this;
    for (let g = 0; g < contactCount + rowCount; g++) {
      if (g < contactCount) this.lineariseContact(g);
      else this.lineariseJoint(g);
    }
    this.setGraph();
    lu.clear();
    this.addInertia();
    push.fill(0, 0, TWIST_SIZE * this.vertexCount);
    for (let i = 0; i < size; i++) {
      step[i] = active[i] === 1 ? 0 : this.forcedStep(i);
      if (step[i] !== 0) this.addPush(i, step[i]);
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
    const { lu, bodies, slots, rigidCount, inertia, softs, nodes, firstVertex } = this;
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
    this.linked.addInertia(lu);
    for (let s = 0; s < softs.length; s++) {
      const size = 3 * nodes[s].count;
      const { stiffness } = nodes[s];
      const first = firstVertex[s];
      for (let a = 0; TWIST_SIZE * a < size; a++)
        for (let b = 0; TWIST_SIZE * b < size; b++) {
          // Rows of a stored block belong to the later vertex; the matrix is symmetric.
          const [r, c] = lu.isLater(first + a, first + b) ? [a, b] : [b, a];
          const at = lu.block(first + a, first + b);
          for (let i = 0; i < TWIST_SIZE; i++)
            for (let j = 0; j < TWIST_SIZE; j++) {
              const [row, column] = [TWIST_SIZE * r + i, TWIST_SIZE * c + j];
              const isThere = row < size && column < size;
              values[at + TWIST_SIZE * i + j] = isThere ? stiffness[row * size + column] : row === column ? 1 : 0;
            }
        }
    }
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
    const { linkStart, linkVertex, jacobian: j, product: t, gain, free, push, lu } = this;
    const { values } = lu;
    const [from, to] = [linkStart[g], linkStart[g + 1]];
    const at = 9 * g;
    for (let f = from; f < to; f++) {
      const b = LINK * f;
      for (let k = 0; k < TWIST_SIZE; k++) {
        const [x, y, z] = [j[b + k], j[b + TWIST_SIZE + k], j[b + 2 * TWIST_SIZE + k]];
        t[k] = gain[at] * x;
        t[TWIST_SIZE + k] = gain[at + 3] * x + gain[at + 4] * y + gain[at + 5] * z;
        t[2 * TWIST_SIZE + k] = gain[at + 6] * x + gain[at + 7] * y + gain[at + 8] * z;
        push[TWIST_SIZE * linkVertex[f] + k] += free[3 * g] * x + free[3 * g + 1] * y + free[3 * g + 2] * z;
      }
      for (let e = from; e < to; e++) {
        const a = LINK * e;
        const place = lu.block(linkVertex[e], linkVertex[f]);
        // Blocks above the diagonal are stored transposed.
        const isStraight = e === f || lu.isLater(linkVertex[e], linkVertex[f]);
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
    const { contactCount, step, active, free, gain, y } = this;
    const isContact = g < contactCount;
    const first = isContact ? 3 * g : 2 * contactCount + g;
    if (active[first] === 0) return;
    const at = 9 * g;
    const v1 = this.along(first, y);
    step[first] = free[3 * g] - gain[at] * v1;
    if (!isContact || active[first + 1] === 0) return;
    const [v2, v3] = [this.along(first + 1, y), this.along(first + 2, y)];
    for (let d = 1; d < 3; d++)
      step[first + d] = free[3 * g + d] - gain[at + 3 * d] * v1 - gain[at + 3 * d + 1] * v2 - gain[at + 3 * d + 2] * v3;
  }
}

function grown(from: Float64Array, length: number): Float64Array<ArrayBuffer> {
  const to = new Float64Array(Math.max(2 * from.length, 64 * length));
  to.set(from);
  return to;
}
