/**
 * All particles of a deformable body in the factors of an island, with the pattern of its mesh. If contacts push many of
 * them, this takes less work than the dense matrix of those alone.
 */
import { BLOCK, BlockFactor, N } from "../../../../math/sparse/block-factor";
import type { BlockLu } from "../../../../math/sparse/block-lu";
import { selectedInverse } from "../../../../math/sparse/selected-inverse";
import type { EnvelopeMatrix, EnvelopePattern } from "../envelope";
import type { FemBody } from "../fem-body";
import type { ContactNodes } from "./contact-nodes";
import type { SoftBlocks } from "./soft-blocks";

export class WholeBody implements SoftBlocks {
  readonly place: Int32Array;
  vertexCount = 0;
  /** pairs of particles that A couples, and each particle with itself; start of their numbers in `blocks` */
  private readonly pairs: number[] = [];
  private readonly pairAt: number[] = [];
  /** vertices of each edge */
  private readonly edges: Int32Array;
  /** A: a block of each vertex, then of each edge with the rows of its first vertex */
  private readonly blocks: Float64Array;
  private readonly factor = new BlockFactor();
  /** A⁻¹ at the places of the factor */
  private inverse = new Float64Array(0);
  private contacts!: ContactNodes;
  private body!: FemBody;
  private readonly right: Float64Array;
  private readonly left: Float64Array;
  /** columns of A⁻¹ at particles in contact, for impulses that change one by one */
  private readonly columns = new Map<number, Float64Array>();

  constructor({ pairs, size }: EnvelopePattern) {
    this.right = new Float64Array(size);
    this.left = new Float64Array(size);
    this.place = new Int32Array(size / 3).fill(-1);
    this.number(pairs);
    const edgeOf = new Map<number, number>();
    const edges: number[] = [];
    for (let i = 0; i < pairs.length; i += 2) {
      const isStraight = this.place[pairs[i]] < this.place[pairs[i + 1]];
      const [p, q] = isStraight ? [pairs[i], pairs[i + 1]] : [pairs[i + 1], pairs[i]];
      const [a, b] = [this.place[p] >> 1, this.place[q] >> 1];
      const key = a * this.vertexCount + b;
      if (a !== b && !edgeOf.has(key)) {
        edgeOf.set(key, this.vertexCount + edges.length / 2);
        edges.push(a, b);
      }
      this.addPair(p, q, edgeOf.get(key) ?? a);
    }
    this.edges = Int32Array.from(edges);
    this.blocks = new Float64Array(BLOCK * (this.vertexCount + edges.length / 2));
    for (let at = 0; at < BLOCK * this.vertexCount; at += BLOCK)
      for (let i = 0; i < N; i++) this.blocks[at + (N + 1) * i] = 1;
    this.factor.setGraph(this.vertexCount, this.edges, edges.length / 2);
  }

  /** 6 × 6 products of a factor */
  get work(): number {
    return this.factor.work;
  }

  /** Takes the place of the particles in contact alone, for a step. */
  replace(contacts: ContactNodes, body: FemBody): void {
    this.contacts = contacts;
    this.body = body;
    body.copy = this;
  }

  /** Gives two particles that are neighbors a vertex. */
  private number(pairs: Int32Array): void {
    const { place } = this;
    const neighbors: number[][] = Array.from(place, () => []);
    for (let i = 0; i < pairs.length; i += 2) {
      neighbors[pairs[i]].push(pairs[i + 1]);
      neighbors[pairs[i + 1]].push(pairs[i]);
    }
    for (let p = 0; p < place.length; p++) {
      if (place[p] >= 0) continue;
      place[p] = 2 * this.vertexCount++;
      const other = neighbors[p].find((q) => place[q] < 0);
      if (other !== undefined) place[other] = place[p] + 1;
    }
    for (let p = 0; p < place.length; p++) this.addPair(p, p, place[p] >> 1);
  }

  private addPair(p: number, q: number, block: number): void {
    this.pairs.push(p, q);
    this.pairAt.push(BLOCK * block + 3 * (N * (this.place[p] & 1) + (this.place[q] & 1)));
  }

  /** Copies A, before its factors replace it. */
  take(matrix: EnvelopeMatrix): void {
    const { pairs, pairAt, place, blocks } = this;
    for (let i = 0; i < pairAt.length; i++) {
      const [p, q] = [pairs[2 * i], pairs[2 * i + 1]];
      matrix.readBlock(p, q, blocks, pairAt[i], N, 1);
      // the other triangle of a block on the diagonal
      if (p !== q && place[p] >> 1 === place[q] >> 1) matrix.readBlock(p, q, blocks, pairAt[i] + 3 * (N - 1), 1, N);
    }
  }

  update(): void {
    const { factor, vertexCount, blocks, edges } = this;
    this.columns.clear();
    factor.clear();
    if (this.inverse.length < factor.values.length) this.inverse = new Float64Array(factor.values.length);
    for (let v = 0; v < vertexCount; v++) copy(blocks, BLOCK * v, factor.values, factor.diagonal(v), N, 1);
    for (let e = 0; e < edges.length / 2; e++) {
      const [a, b] = [edges[2 * e], edges[2 * e + 1]];
      const [row, column] = factor.isLater(a, b) ? [N, 1] : [1, N];
      copy(blocks, BLOCK * (vertexCount + e), factor.values, factor.between(a, b), row, column);
    }
    factor.factor();
    selectedInverse(factor, this.inverse);
  }

  mobility(a: number, b: number): number {
    const { factor, inverse } = this;
    const [v, w] = [Math.floor(a / N), Math.floor(b / N)];
    if (v === w) return inverse[factor.diagonal(v) + N * (a % N) + (b % N)];
    const [row, column] = factor.isLater(v, w) ? [a % N, b % N] : [b % N, a % N];
    return inverse[factor.between(v, w) + N * row + column];
  }

  respond(f: Float64Array, y: Float64Array, at: number): void {
    const { contacts, place, right, left, body } = this;
    right.fill(0);
    for (let n = 0; n < contacts.count; n++) {
      const p = contacts.nodes[n];
      for (let d = 0; d < 3; d++) right[3 * p + d] = f[at + 3 * place[p] + d];
    }
    body.solve(right, left);
    for (let n = 0; n < contacts.count; n++) {
      const p = contacts.nodes[n];
      for (let d = 0; d < 3; d++) y[at + 3 * place[p] + d] = left[3 * p + d];
    }
  }

  push(component: number, impulse: number, y: Float64Array, at: number): void {
    const { contacts, place } = this;
    let column = this.columns.get(component);
    if (!column) this.columns.set(component, (column = this.column(component)));
    for (let n = 0; n < contacts.count; n++) {
      const to = at + 3 * place[contacts.nodes[n]];
      for (let d = 0; d < 3; d++) y[to + d] += impulse * column[3 * n + d];
    }
  }

  private column(component: number): Float64Array {
    const { contacts, right, left, body } = this;
    const p = contacts.nodes.findIndex((node) => this.place[node] === Math.floor(component / 3));
    right.fill(0);
    right[3 * contacts.nodes[p] + (component % 3)] = 1;
    body.solve(right, left);
    const column = new Float64Array(3 * contacts.count);
    for (let n = 0; n < contacts.count; n++)
      for (let d = 0; d < 3; d++) column[3 * n + d] = left[3 * contacts.nodes[n] + d]!;
    return column;
  }

  addEdges(add: (a: number, b: number) => void, first: number): void {
    for (let i = 0; i < this.edges.length; i += 2) add(first + this.edges[i], first + this.edges[i + 1]);
  }

  addStiffness(lu: BlockLu, first: number): void {
    const { vertexCount, blocks, edges } = this;
    for (let v = 0; v < vertexCount; v++) copy(blocks, BLOCK * v, lu.values, lu.diagonal(first + v), N, 1);
    for (let e = 0; e < edges.length / 2; e++) {
      const [a, b] = [first + edges[2 * e], first + edges[2 * e + 1]];
      // Both places have the rows of the later vertex.
      const [row, column] = lu.isLater(a, b) ? [N, 1] : [1, N];
      for (const to of [lu.block(a, b), lu.block(b, a)])
        copy(blocks, BLOCK * (vertexCount + e), lu.values, to, row, column);
    }
  }
}

/** Copies a block to one whose rows and columns lie so far apart. */
function copy(from: Float64Array, at: number, to: Float64Array, start: number, row: number, column: number): void {
  for (let i = 0; i < N; i++) for (let j = 0; j < N; j++) to[start + row * i + column * j] = from[at + N * i + j]!;
}
