import { describe, expect, it } from "vitest";
import { BlockFactor } from "../../../src/math/sparse/block-factor";
import { MinimumDegree } from "../../../src/math/sparse/minimum-degree";
import { random } from "../../../samples/rigid";

/** Edges of a grid of vertices, each with its right and its lower neighbor. */
function grid(columns: number, rows: number): Int32Array {
  const edges: number[] = [];
  for (let y = 0; y < rows; y++)
    for (let x = 0; x < columns; x++) {
      const v = y * columns + x;
      if (x + 1 < columns) edges.push(v, v + 1);
      if (y + 1 < rows) edges.push(v, v + columns);
    }
  return Int32Array.from(edges);
}

/** A positive definite matrix with blocks at the edges, dense and assembled into the factor. */
function assemble(factor: BlockFactor, size: number, edges: Int32Array, seed: number): Float64Array[] {
  const next = random(seed);
  const n = 6 * size;
  const dense = Array.from({ length: n }, () => new Float64Array(n));
  factor.setGraph(size, edges, edges.length / 2);
  factor.clear();
  for (let e = 0; e < edges.length; e += 2) {
    const row = Array.from({ length: 12 }, () => next() - 0.5);
    const at = (k: number): number => 6 * edges[e + (k < 6 ? 0 : 1)] + (k % 6);
    for (let i = 0; i < 12; i++) for (let j = 0; j < 12; j++) dense[at(i)][at(j)] += 100 * row[i] * row[j];
  }
  for (let i = 0; i < n; i++) dense[i][i] += 0.1 + next();
  const write = (block: number, rows: number, columns: number): void => {
    for (let i = 0; i < 6; i++)
      for (let j = 0; j < 6; j++) factor.values[block + 6 * i + j] = dense[6 * rows + i][6 * columns + j];
  };
  for (let v = 0; v < size; v++) write(factor.diagonal(v), v, v);
  for (let e = 0; e < edges.length; e += 2) {
    const [a, b] = [edges[e], edges[e + 1]];
    if (factor.isLater(a, b)) write(factor.between(a, b), a, b);
    else write(factor.between(a, b), b, a);
  }
  return dense;
}

function residual(dense: Float64Array[], x: Float64Array, b: Float64Array): number {
  return Math.max(...dense.map((row, i) => Math.abs(row.reduce((sum, value, j) => sum + value * x[j], 0) - b[i])));
}

describe("minimum degree", () => {
  it("eliminates every vertex once, and knows the rows that fill in", () => {
    const edges = grid(9, 7);
    const pattern = new MinimumDegree();
    pattern.compute(63, edges, edges.length / 2);
    expect([...pattern.order.subarray(0, 63)].sort((a, b) => a - b)).toEqual(Array.from({ length: 63 }, (_, i) => i));
    // By the definition: later neighbors, and those inherited from eliminated columns.
    const rows = Array.from({ length: 63 }, () => new Set<number>());
    for (let e = 0; e < edges.length; e += 2) {
      const [a, b] = [pattern.place[edges[e]], pattern.place[edges[e + 1]]];
      rows[Math.min(a, b)].add(Math.max(a, b));
    }
    for (let k = 0; k < 63; k++) {
      const own = [...rows[k]].sort((a, b) => a - b);
      expect([...pattern.rows.subarray(pattern.offsets[k], pattern.offsets[k + 1])]).toEqual(own);
      for (const i of own) for (const j of own) if (j > i) rows[i].add(j);
    }
  });

  it("leaves no fill on a chain, and little on a grid", () => {
    const pattern = new MinimumDegree();
    const chain = grid(100, 1);
    pattern.compute(100, chain, chain.length / 2);
    expect(pattern.offsets[100]).toBe(99);
    const edges = grid(30, 30);
    pattern.compute(900, edges, edges.length / 2);
    // Row by row it would be 30 per vertex.
    expect(pattern.offsets[900]).toBeLessThan(900 * 11);
  });
});

describe("blocks of a Cholesky factor", () => {
  it.each([
    [1, 1],
    [12, 1],
    [7, 6],
  ])("solve the matrix of a grid of %d × %d", (columns, rows) => {
    const size = columns * rows;
    const factor = new BlockFactor();
    const edges = grid(columns, rows);
    for (const seed of [1, 2]) {
      const dense = assemble(factor, size, edges, seed);
      expect(factor.factor()).toBe(true);
      const b = Float64Array.from({ length: 6 * size }, (_, i) => Math.cos(i));
      const x = new Float64Array(6 * size);
      factor.solve(b, x);
      expect(residual(dense, x, b)).toBeLessThan(1e-10);
    }
  });

  it("take on another graph, and say when a matrix is not positive definite", () => {
    const factor = new BlockFactor();
    assemble(factor, 12, grid(4, 3), 3);
    const other = grid(2, 6);
    const dense = assemble(factor, 12, other, 4);
    expect(factor.factor()).toBe(true);
    const b = new Float64Array(72).fill(1);
    const x = new Float64Array(72);
    factor.solve(b, x);
    expect(residual(dense, x, b)).toBeLessThan(1e-10);
    factor.clear();
    expect(factor.factor()).toBe(false);
  });
});
