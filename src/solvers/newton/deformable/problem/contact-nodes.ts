/**
 * The particles of a deformable body that contacts push, and the body's response at them: G = P A⁻¹ Pᵀ, and its
 * inverse, the stiffness that remains of A after elimination of all other particles.
 */

import { resized } from "../../../../math/arrays";
import type { BlockLu } from "../../../../math/sparse/block-lu";
import { TWIST_SIZE } from "../../motion/bodies";
import type { FemBody } from "../fem-body";
import type { SoftBlocks } from "./soft-blocks";

/** Pivots of G below this part of its diagonal are raised to it. */
const LEAST_PIVOT = 1e-14;

export class ContactNodes implements SoftBlocks {
  count = 0;
  place = new Int32Array(0);
  /** the first `count` are particles in contact, by their slots */
  nodes = new Int32Array(0);
  /** G, 3 count × 3 count */
  private compliance = new Float64Array(0);
  /** G⁻¹ */
  private stiffness = new Float64Array(0);
  /** L⁻¹ Pᵀ, column by column, and the first non-zero row of each column */
  private columns = new Float64Array(0);
  private starts = new Int32Array(0);

  get vertexCount(): number {
    return (this.count + 1) >> 1;
  }

  /** 6 × 6 products of a factor, and of G and its inverse */
  get work(): number {
    const { vertexCount: n } = this;
    return (n * (n - 1) * (n + 4)) / 3;
  }

  clear(body: FemBody): void {
    this.count = 0;
    if (this.place.length < body.count) this.place = new Int32Array(body.count);
    this.place.fill(-1);
  }

  /** Adds a particle unless it is known. @returns the slot of the particle */
  add(node: number): number {
    if (this.place[node] >= 0) return this.place[node];
    if (this.count === this.nodes.length)
      this.nodes = resized(this.nodes, new Int32Array(Math.max(16, 2 * this.count)));
    this.nodes[this.count] = node;
    return (this.place[node] = this.count++);
  }

  /** Computes G and G⁻¹ from the factors of the body. */
  update(body: FemBody): void {
    const size = 3 * this.count;
    const length = 3 * body.count;
    this.reserve(size, length);
    this.writeColumns(body, length);
    const { columns, starts, compliance: g } = this;
    for (let i = 0; i < size; i++)
      for (let j = 0; j <= i; j++) {
        const [a, b] = [i * length, j * length];
        let sum = 0;
        for (let k = Math.max(starts[i], starts[j]); k < length; k++) sum += columns[a + k] * columns[b + k];
        g[i * size + j] = g[j * size + i] = sum;
      }
    this.invert(size);
  }

  mobility(a: number, b: number): number {
    return this.compliance[3 * this.count * a + b];
  }

  respond(f: Float64Array, y: Float64Array, at: number): void {
    const { compliance, count } = this;
    for (let k = 0, from = 0; k < 3 * count; k++, from += 3 * count) {
      let sum = 0;
      for (let l = 0; l < 3 * count; l++) sum += compliance[from + l] * f[at + l];
      y[at + k] = sum;
    }
  }

  push(component: number, impulse: number, y: Float64Array, at: number): void {
    const { compliance, count } = this;
    const from = 3 * count * component;
    for (let l = 0; l < 3 * count; l++) y[at + l] += impulse * compliance[from + l];
  }

  addEdges(add: (a: number, b: number) => void, first: number): void {
    const end = first + this.vertexCount;
    for (let a = first; a < end; a++) for (let b = first; b < a; b++) add(b, a);
  }

  addStiffness(lu: BlockLu, first: number): void {
    const size = 3 * this.count;
    const { stiffness } = this;
    const { values } = lu;
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

  private writeColumns(body: FemBody, length: number): void {
    const { columns, starts, nodes, count } = this;
    const { place } = body.matrix.pattern;
    columns.fill(0, 0, 3 * count * length);
    for (let n = 0; n < count; n++)
      for (let d = 0; d < 3; d++) {
        const at = (3 * n + d) * length;
        const start = (starts[3 * n + d] = 3 * place[nodes[n]] + d);
        columns[at + start] = 1;
        body.matrix.forward(columns, at, start);
      }
  }

  /** Factors G = R Rᵀ, and computes G⁻¹ column by column. */
  private invert(size: number): void {
    const { compliance: g, columns: r, stiffness } = this;
    // The columns are no longer needed: R takes their place.
    for (let i = 0; i < size; i++)
      for (let j = 0; j <= i; j++) {
        let sum = g[i * size + j];
        for (let k = 0; k < j; k++) sum -= r[i * size + k] * r[j * size + k];
        r[i * size + j] = i > j ? sum / r[j * size + j] : Math.sqrt(Math.max(sum, LEAST_PIVOT * g[i * size + i]));
      }
    // Rows of R⁻¹, transposed, in the lower triangle; then R⁻ᵀ R⁻¹.
    const inverse = stiffness;
    for (let j = 0; j < size; j++)
      for (let i = j; i < size; i++) {
        let sum = i === j ? 1 : 0;
        for (let k = j; k < i; k++) sum -= r[i * size + k] * inverse[j * size + k];
        inverse[j * size + i] = sum / r[i * size + i];
      }
    for (let i = 0; i < size; i++)
      for (let j = 0; j <= i; j++) {
        let sum = 0;
        for (let k = i; k < size; k++) sum += inverse[i * size + k] * inverse[j * size + k];
        r[i * size + j] = sum;
      }
    for (let i = 0; i < size; i++)
      for (let j = 0; j <= i; j++) stiffness[i * size + j] = stiffness[j * size + i] = r[i * size + j];
  }

  private reserve(size: number, length: number): void {
    const most = size * Math.max(size, length);
    if (this.columns.length < most) this.columns = new Float64Array(Math.ceil(1.5 * most));
    if (this.starts.length < size) this.starts = new Int32Array(2 * size);
    if (this.compliance.length >= size * size) return;
    this.compliance = new Float64Array(2 * size * size);
    this.stiffness = new Float64Array(2 * size * size);
  }
}
