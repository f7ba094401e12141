/**
 * Fill-reducing order by minimum degree (Tinney & Walker 1967), for graphs of up to a few thousand vertices: the vertex
 * with the fewest neighbors is eliminated next, and its neighbors become neighbors of each other. Neighborhoods are
 * rows of bits, so an elimination combines a few words by OR. The lower number wins ties: the order depends on the
 * graph alone.
 */
export class MinimumDegree {
  /** number of vertices */
  size = 0;
  /** order[k] is the vertex eliminated at step k */
  order = new Int32Array(0);
  /** step at which each vertex is eliminated */
  place = new Int32Array(0);
  /** column k of the factor has rows[offsets[k]] … rows[offsets[k + 1] − 1] below its diagonal: places, ascending */
  offsets = new Int32Array(1);
  rows = new Int32Array(0);
  private bits = new Int32Array(0);
  private words = 0;
  private degree = new Int32Array(0);

  /**
   * @param edges two vertices each; duplicates are allowed, and loops are ignored
   * @param edgeCount number of edges
   */
  compute(size: number, edges: ArrayLike<number>, edgeCount: number): void {
    this.reserve(size);
    const { bits, words, degree, order, place, offsets } = this;
    bits.fill(0, 0, size * words);
    for (let e = 0; e < 2 * edgeCount; e += 2) {
      const a = edges[e];
      const b = edges[e + 1];
      if (a === b) continue;
      bits[a * words + (b >> 5)] |= 1 << (b & 31);
      bits[b * words + (a >> 5)] |= 1 << (a & 31);
    }
    for (let v = 0; v < size; v++) {
      degree[v] = this.count(v);
      place[v] = -1;
    }
    offsets[0] = 0;
    for (let k = 0; k < size; k++) {
      let best = -1;
      for (let v = 0; v < size; v++) if (place[v] < 0 && (best < 0 || degree[v] < degree[best])) best = v;
      order[k] = best;
      place[best] = k;
      this.eliminate(best, k);
    }
    this.sortRows();
  }

  private eliminate(v: number, k: number): void {
    const { bits, words, offsets, degree } = this;
    let end = offsets[k];
    if (this.rows.length < end + degree[v]) {
      const larger = new Int32Array(2 * (end + degree[v]) + 64);
      larger.set(this.rows.subarray(0, end));
      this.rows = larger;
    }
    const { rows } = this;
    const own = v * words;
    for (let w = 0; w < words; w++)
      for (let left = bits[own + w]; left !== 0; left &= left - 1) rows[end++] = 32 * w + 31 - Math.clz32(left & -left);
    offsets[k + 1] = end;
    for (let i = offsets[k]; i < end; i++) {
      const u = rows[i];
      const at = u * words;
      for (let w = 0; w < words; w++) bits[at + w] |= bits[own + w];
      bits[at + (v >> 5)] &= ~(1 << (v & 31));
      bits[at + (u >> 5)] &= ~(1 << (u & 31));
      degree[u] = this.count(u);
    }
  }

  /** Replaces rows by places, ascending: columns are distributed in the order of their rows. */
  private sortRows(): void {
    const { rows, offsets, place, size } = this;
    for (let k = 0; k < size; k++)
      for (let i = offsets[k]; i < offsets[k + 1]; i++) {
        const row = place[rows[i]];
        let at = i - 1;
        for (; at >= offsets[k] && rows[at] > row; at--) rows[at + 1] = rows[at];
        rows[at + 1] = row;
      }
  }

  private count(v: number): number {
    const { bits, words } = this;
    let sum = 0;
    for (let w = v * words; w < v * words + words; w++) {
      let x = bits[w];
      if (x === 0) continue;
      x -= (x >>> 1) & 0x55555555;
      x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
      sum += Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
    }
    return sum;
  }

  private reserve(size: number): void {
    this.size = size;
    this.words = (size + 31) >> 5;
    if (this.bits.length < size * this.words) this.bits = new Int32Array(size * this.words);
    if (this.order.length >= size) return;
    this.order = new Int32Array(2 * size);
    this.place = new Int32Array(2 * size);
    this.degree = new Int32Array(2 * size);
    this.offsets = new Int32Array(2 * size + 1);
  }
}
