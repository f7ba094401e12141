/**
 * Symmetric positive matrices of particles, 3 × 3 blocks, as Cholesky factors within their envelope: each row is stored
 * from its first non-zero column. Particles are in the order of reverse Cuthill and McKee, which keeps rows short for
 * long or small bodies, or in the mesh's own order if that gives shorter rows, as on a grid. Fill of a compact body of
 * n particles grows as n^(5/3).
 *
 *     A = L Lᵀ
 */

/** The order and the envelope of a body's matrix, which change only with its elements. */
export class EnvelopePattern {
  /** place of each particle in the order of elimination */
  readonly place: Int32Array;
  /** first column of each scalar row */
  readonly first: Int32Array;
  /** start of each scalar row in the storage minus its first column; finally the length of the storage */
  readonly base: Int32Array;
  readonly size: number;
  readonly length: number;
  /** two particles that are coupled with each other, each pair once */
  readonly pairs: Int32Array;

  /** @param groups particles that are coupled with each other, `arity` each */
  constructor(particleCount: number, groups: readonly { indices: Uint32Array; arity: number }[]) {
    const neighbours: Set<number>[] = Array.from({ length: particleCount }, () => new Set<number>());
    for (const { indices, arity } of groups)
      for (let e = 0; e < indices.length; e += arity)
        for (let a = 0; a < arity; a++)
          for (let b = 0; b < arity; b++) if (a !== b) neighbours[indices[e + a]].add(indices[e + b]);
    const given = Int32Array.from({ length: particleCount }, (_, p) => p);
    const found = cuthillMcKee(neighbours);
    this.place = work(neighbours, given) < work(neighbours, found) ? given : found;
    this.size = 3 * particleCount;
    this.first = new Int32Array(this.size);
    this.base = new Int32Array(this.size);
    const lowest = lowestColumns(neighbours, this.place);
    let length = 0;
    for (let row = 0; row < this.size; row++) {
      this.first[row] = 3 * lowest[Math.floor(row / 3)];
      this.base[row] = length - this.first[row];
      length += row - this.first[row] + 1;
    }
    this.length = length;
    this.pairs = Int32Array.from(neighbours.flatMap((list, p) => [...list].flatMap((q) => (q < p ? [p, q] : []))));
  }
}

/** A matrix, replaced in place by its factors. */
export class EnvelopeMatrix {
  readonly values = new Float64Array(this.pattern.length);

  constructor(readonly pattern: EnvelopePattern) {}

  clear(): void {
    this.values.fill(0);
  }

  /** Adds scale × block to the block of particles p and q. Each pair is added once: its transpose is implied. */
  addBlock(p: number, q: number, block: Float64Array, scale: number): void {
    const { values } = this;
    const { place, base } = this.pattern;
    let row = 3 * place[p];
    let column = 3 * place[q];
    if (row === column)
      for (let k = 0; k < 3; k++)
        for (let l = 0; l <= k; l++) values[base[row + k] + column + l] += scale * block[3 * k + l];
    else if (row > column)
      for (let k = 0; k < 3; k++)
        for (let l = 0; l < 3; l++) values[base[row + k] + column + l] += scale * block[3 * k + l];
    else {
      [row, column] = [column, row];
      for (let k = 0; k < 3; k++)
        for (let l = 0; l < 3; l++) values[base[row + k] + column + l] += scale * block[3 * l + k];
    }
  }

  /** Writes the block of particles p and q to numbers from `at` on whose rows and columns lie so far apart. */
  readBlock(p: number, q: number, out: Float64Array, at: number, row: number, column: number): void {
    const { values } = this;
    const { place, base } = this.pattern;
    for (let k = 0; k < 3; k++)
      for (let l = 0; l < 3; l++) {
        const [i, j] = [3 * place[p] + k, 3 * place[q] + l];
        out[at + row * k + column * l] = values[i > j ? base[i] + j : base[j] + i]!;
      }
  }

  addDiagonal(p: number, axis: number, value: number): void {
    const row = 3 * this.pattern.place[p] + axis;
    this.values[this.pattern.base[row] + row] += value;
  }

  /** Adds the stiffness of a spring of zero length between two particles. */
  addSpring(p: number, q: number, stiffness: number): void {
    const { values } = this;
    const { place, base } = this.pattern;
    const row = 3 * Math.max(place[p], place[q]);
    const column = 3 * Math.min(place[p], place[q]);
    for (let k = 0; k < 3; k++) {
      values[base[row + k] + row + k] += stiffness;
      values[base[column + k] + column + k] += stiffness;
      values[base[row + k] + column + k] -= stiffness;
    }
  }

  /** Fixes a particle: its rows and columns become those of the identity. */
  fix(p: number): void {
    const { values } = this;
    const { place, base, first, size } = this.pattern;
    const from = 3 * place[p];
    for (let row = from; row < size; row++)
      for (let k = Math.max(from, first[row]); k < from + 3 && k <= row; k++) values[base[row] + k] = 0;
    for (let row = from; row < from + 3; row++) {
      for (let k = first[row]; k < row; k++) values[base[row] + k] = 0;
      values[base[row] + row] = 1;
    }
  }

  /**
   * Factors the matrix. Rows and columns are handled by particles, so that nine products share their reads.
   *
   * @returns false if the matrix is not positive
   */
  factor(): boolean {
    const { values } = this;
    const { base, first, size } = this.pattern;
    for (let i = 0; i < size; i += 3) {
      // so that row r of the block begins at ir + first[i]
      const i0 = base[i];
      const i1 = base[i + 1];
      const i2 = base[i + 2];
      for (let j = first[i]; j < i; j += 3) {
        const j0 = base[j];
        const j1 = base[j + 1];
        const j2 = base[j + 2];
        let s00 = values[i0 + j];
        let s01 = values[i0 + j + 1];
        let s02 = values[i0 + j + 2];
        let s10 = values[i1 + j];
        let s11 = values[i1 + j + 1];
        let s12 = values[i1 + j + 2];
        let s20 = values[i2 + j];
        let s21 = values[i2 + j + 1];
        let s22 = values[i2 + j + 2];
        for (let k = Math.max(first[i], first[j]); k < j; k++) {
          const a = values[i0 + k];
          const b = values[i1 + k];
          const c = values[i2 + k];
          const u = values[j0 + k];
          const v = values[j1 + k];
          const w = values[j2 + k];
          s00 -= a * u;
          s01 -= a * v;
          s02 -= a * w;
          s10 -= b * u;
          s11 -= b * v;
          s12 -= b * w;
          s20 -= c * u;
          s21 -= c * v;
          s22 -= c * w;
        }
        // L of the block of j: l10 and so on
        const l00 = values[j0 + j];
        const l10 = values[j1 + j];
        const l11 = values[j1 + j + 1];
        const l20 = values[j2 + j];
        const l21 = values[j2 + j + 1];
        const l22 = values[j2 + j + 2];
        values[i0 + j] = s00 /= l00;
        values[i1 + j] = s10 /= l00;
        values[i2 + j] = s20 /= l00;
        values[i0 + j + 1] = s01 = (s01 - s00 * l10) / l11;
        values[i1 + j + 1] = s11 = (s11 - s10 * l10) / l11;
        values[i2 + j + 1] = s21 = (s21 - s20 * l10) / l11;
        values[i0 + j + 2] = (s02 - s00 * l20 - s01 * l21) / l22;
        values[i1 + j + 2] = (s12 - s10 * l20 - s11 * l21) / l22;
        values[i2 + j + 2] = (s22 - s20 * l20 - s21 * l21) / l22;
      }
      if (!this.factorDiagonal(i)) return false;
    }
    return true;
  }

  /** Factors the diagonal block from row `from` on, after the earlier blocks. */
  private factorDiagonal(from: number): boolean {
    const { values } = this;
    const { base, first } = this.pattern;
    for (let i = from; i < from + 3; i++) {
      let pivot = values[base[i] + i];
      for (let j = from; j < i; j++) {
        let sum = values[base[i] + j];
        for (let k = first[i]; k < j; k++) sum -= values[base[i] + k] * values[base[j] + k];
        values[base[i] + j] = sum / values[base[j] + j];
      }
      for (let k = first[i]; k < i; k++) pivot -= values[base[i] + k] * values[base[i] + k];
      if (!(pivot > 0)) return false;
      values[base[i] + i] = Math.sqrt(pivot);
    }
    return true;
  }

  /**
   * Computes y = L⁻¹ b, in the order of elimination.
   *
   * @param y size numbers from `at` on: b, then the result
   * @param start rows before this one are zero
   */
  forward(y: Float64Array, at: number, start: number): void {
    const { values } = this;
    const { base, first, size } = this.pattern;
    for (let i = start; i < size; i++) {
      const row = base[i];
      let sum = y[at + i];
      for (let k = Math.max(start, first[i]); k < i; k++) sum -= values[row + k] * y[at + k];
      y[at + i] = sum / values[row + i];
    }
  }

  /** Computes x = L⁻ᵀ y in place, in the order of elimination. */
  backward(y: Float64Array): void {
    const { values } = this;
    const { base, first, size } = this.pattern;
    for (let i = size - 1; i >= 0; i--) {
      const row = base[i];
      const value = y[i] / values[row + i];
      y[i] = value;
      if (value === 0) continue;
      for (let k = first[i]; k < i; k++) y[k] -= values[row + k] * value;
    }
  }
}

/** First column of the row of each node, by its place. */
function lowestColumns(neighbours: readonly Set<number>[], place: Int32Array): Int32Array {
  const lowest = Int32Array.from(place, (_, k) => k);
  neighbours.forEach((list, p) => {
    for (const q of list) lowest[place[p]] = Math.min(lowest[place[p]], place[q]);
  });
  return lowest;
}

/** Cost of factors in an order, up to a constant. */
function work(neighbours: readonly Set<number>[], place: Int32Array): number {
  return lowestColumns(neighbours, place).reduce(
    (sum, lowest, row) => sum + (row - lowest + 1) * (row - lowest + 1),
    0,
  );
}

/** Places of a graph's nodes: breadth first from an end, neighbors with fewer neighbors first, in reverse order. */
function cuthillMcKee(neighbours: readonly Set<number>[]): Int32Array {
  const count = neighbours.length;
  const order: number[] = [];
  const seen = new Uint8Array(count);
  const byDegree = (a: number, b: number): number => neighbours[a].size - neighbours[b].size || a - b;
  const sorted = neighbours.map((list) => [...list].sort(byDegree));
  const search = (root: number, mark: Uint8Array, out: number[]): void => {
    const from = out.length;
    mark[root] = 1;
    out.push(root);
    for (let k = from; k < out.length; k++)
      for (const next of sorted[out[k]])
        if (mark[next] === 0) {
          mark[next] = 1;
          out.push(next);
        }
  };
  for (let root = 0; root < count; root++) {
    if (seen[root] === 1) continue;
    // The last node that a search reaches is about as far away as any.
    let end = root;
    for (let k = 0; k < 3; k++) {
      const found: number[] = [];
      search(end, new Uint8Array(count), found);
      end = found[found.length - 1];
    }
    search(end, seen, order);
  }
  const place = new Int32Array(count);
  order.forEach((node, k) => (place[node] = count - 1 - k));
  return place;
}
