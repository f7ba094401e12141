/**
 * J of the rows of a large island: each contact or joint acts on a few vertices of a graph. Vertices are rigid bodies, then
 * linkages, then deformable bodies.
 */
import { CONTACT_VERTICES } from "../../../../collision/soft/contact-table";
import { resized } from "../../../../math/arrays";
import type { BlockLu } from "../../../../math/sparse/block-lu";
import type { IslandSystem } from "../../island/island-system";
import type { LinkageRows } from "../../linkage/linkage-rows";
import { LinkageVertices } from "../../linkage/linkage-vertices";
import { type BodyTable, TWIST_SIZE } from "../../motion/bodies";
import type { CoupledRows } from "../contact/coupled-rows";
import type { SoftContacts } from "../contact/soft-contacts";
import type { EnvelopePattern } from "../envelope";
import type { FemBody } from "../fem-body";
import { ContactNodes } from "./contact-nodes";
import type { SoftBlocks } from "./soft-blocks";
import { WholeBody } from "./whole-body";

/** Numbers of J of a link: three rows of a contact, or one of a joint. */
export const LINK = 3 * TWIST_SIZE;

/** The island, as rows act on it. */
export interface RowSources {
  readonly bodies: BodyTable;
  readonly system: IslandSystem | undefined;
  readonly rows: CoupledRows;
  readonly contacts: SoftContacts;
  /** the island's deformable bodies, and the place in them of a deformable body by its number */
  readonly softs: readonly FemBody[];
  softOf(body: number): number;
  /** effects of the rows on linkages */
  readonly links: LinkageRows;
}

export class RowGraph {
  links!: LinkageRows;
  readonly linked = new LinkageVertices();
  softs: readonly FemBody[] = [];
  /** of each deformable body its vertices, and the number of the first of them */
  readonly parts: SoftBlocks[] = [];
  readonly firstVertex: number[] = [];
  private readonly nodes: ContactNodes[] = [];
  private readonly wholes = new WeakMap<EnvelopePattern, WholeBody>();
  /** place of a rigid body by its vertex, vertex by its place */
  slots = new Int32Array(0);
  private vertexOf = new Int32Array(0);
  rigidCount = 0;
  vertexCount = 0;
  /** links of contact or joint g, to a vertex each: start[g] to start[g + 1] − 1 */
  start = new Int32Array(1);
  readonly vertex: number[] = [];
  /** LINK numbers a link: J, and M⁻¹ Jᵀ for rigid bodies */
  jacobian = new Float64Array(0);
  response = new Float64Array(0);
  private edges = new Int32Array(0);
  private contactCount = 0;
  /** contacts and joints */
  groupCount = 0;

  set(sources: RowSources, contactCount: number, rowCount: number): void {
    this.links = sources.links;
    this.softs = sources.softs;
    this.contactCount = contactCount;
    this.groupCount = contactCount + rowCount;
    this.numberVertices(sources);
    this.link(sources);
  }

  private numberVertices({ bodies, system, rows, contacts, softs, softOf }: RowSources): void {
    const { contactCount, nodes } = this;
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
    softs.forEach((body, s) => {
      this.parts[s] = this.wholeOf(body, nodes[s]) ?? nodes[s];
      this.firstVertex[s] = this.vertexCount;
      this.vertexCount += this.parts[s].vertexCount;
    });
  }

  /** The whole body instead of its particles in contact, if that takes less work. */
  private wholeOf(body: FemBody, contacts: ContactNodes): WholeBody | undefined {
    const { pattern } = body.matrix;
    // An edge of the graph has at most four pairs of particles, and a factor takes two products for each.
    if (contacts.work < pattern.pairs.length / 4) return undefined;
    let whole = this.wholes.get(pattern);
    if (!whole) this.wholes.set(pattern, (whole = new WholeBody(pattern)));
    if (whole.work >= contacts.work) return undefined;
    whole.replace(contacts, body);
    return whole;
  }

  private link({ rows, contacts, softs, softOf }: RowSources): void {
    const { contactCount, groupCount } = this;
    if (this.start.length < groupCount + 1) this.start = new Int32Array(2 * groupCount);
    this.vertex.length = 0;
    for (let g = 0; g < groupCount; g++) {
      this.start[g] = this.vertex.length;
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
        const n = this.parts[s].place[contacts.vertex[k]];
        const at = this.addLink(g, this.firstVertex[s] + (n >> 1)) + 3 * (n & 1);
        for (let d = 0; d < 3; d++)
          for (let j = 0; j < 3; j++)
            this.jacobian[at + TWIST_SIZE * d + j] += contacts.weight[k] * contacts.frame[9 * place + 3 * d + j];
      }
    }
    this.start[groupCount] = this.vertex.length;
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

  /** Adds a link. @returns start of J of contact or joint g for a vertex */
  private addLink(g: number, to: number): number {
    const { vertex, start } = this;
    for (let e = start[g]; e < vertex.length; e++) if (vertex[e] === to) return LINK * e;
    const at = LINK * vertex.length;
    vertex.push(to);
    if (this.jacobian.length < at + LINK) {
      this.jacobian = grown(this.jacobian, at + LINK);
      this.response = grown(this.response, at + LINK);
    }
    this.jacobian.fill(0, at, at + LINK);
    this.response.fill(0, at, at + LINK);
    return at;
  }

  /**
   * Sets the graph of factors, of active contacts and joints alone: few of those in a heap carry a load.
   *
   * @param gain nine numbers a contact or joint; the first is zero for those that are not active
   */
  setGraph(lu: BlockLu, gain: Float64Array): void {
    const { start, vertex, groupCount, softs, parts, firstVertex, linked } = this;
    let count = 0;
    const add = (a: number, b: number): void => {
      if (count > 0 && this.edges[2 * count - 2] === a && this.edges[2 * count - 1] === b) return;
      if (this.edges.length < 2 * count + 2) this.edges = resized(this.edges, new Int32Array(4 * count + 64));
      this.edges[2 * count] = a;
      this.edges[2 * count + 1] = b;
      count++;
    };
    for (let g = 0; g < groupCount; g++)
      for (let e = start[g]; e < start[g + 1] && gain[9 * g] !== 0; e++)
        // Particles of a contact are those of a face, whose body adds them.
        for (let f = start[g]; f < e && vertex[f] < linked.end; f++) add(vertex[f], vertex[e]);
    linked.addEdges(add);
    softs.forEach((_, s) => parts[s].addEdges(add, firstVertex[s]));
    lu.setGraph(this.vertexCount, this.edges, count);
  }

  /** Contact or joint of a row, and which of its rows it is. */
  groupOf(i: number): number {
    const contacts = 3 * this.contactCount;
    return i < contacts ? Math.floor(i / 3) : this.contactCount + i - contacts;
  }

  rowIn(i: number): number {
    return i < 3 * this.contactCount ? i % 3 : 0;
  }

  /** The deformable body of a vertex. */
  softAt(vertex: number): number {
    let s = this.softs.length - 1;
    while (this.firstVertex[s] > vertex) s--;
    return s;
  }

  /** push += Jᵀ p of a row; six numbers a vertex. */
  addPush(i: number, p: number, push: Float64Array): void {
    const { start, vertex, jacobian } = this;
    const g = this.groupOf(i);
    const row = TWIST_SIZE * this.rowIn(i);
    for (let e = start[g]; e < start[g + 1]; e++) {
      const [at, to] = [LINK * e + row, TWIST_SIZE * vertex[e]];
      for (let k = 0; k < TWIST_SIZE; k++) push[to + k] += p * jacobian[at + k];
    }
  }

  /** J y of a row. */
  along(i: number, y: Float64Array): number {
    const { start, vertex, jacobian } = this;
    const g = this.groupOf(i);
    const row = TWIST_SIZE * this.rowIn(i);
    let sum = 0;
    for (let e = start[g]; e < start[g + 1]; e++) {
      const [at, from] = [LINK * e + row, TWIST_SIZE * vertex[e]];
      for (let k = 0; k < TWIST_SIZE; k++) sum += jacobian[at + k] * y[from + k];
    }
    return sum;
  }
}

function grown(from: Float64Array, length: number): Float64Array<ArrayBuffer> {
  const to = new Float64Array(Math.max(2 * from.length, 64 * length));
  to.set(from);
  return to;
}
