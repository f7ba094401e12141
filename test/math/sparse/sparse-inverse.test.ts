import { describe, expect, it } from "vitest";
import { PliantError } from "../../../src/errors";
import { expectRefused } from "../../refusal";
import { boxTetrahedra } from "../../../src/geometry/tetrahedra/tet-mesh";
import { columnCounts } from "../../../src/math/sparse/block-tree";
import { eliminationTree, permute } from "../../../src/math/sparse/elimination-tree";
import { nestedDissection } from "../../../src/math/sparse/nested-dissection";
import { inversionSteps, SparseInverse } from "../../../src/math/sparse/sparse-inverse";
import { subtractProductHere } from "../../../src/math/sparse/product-kernel";
import { WasmProduct } from "../../../src/math/sparse/wasm-product";
import { assembleSymmetric, multiplySymmetric, type SymmetricMatrix } from "../../../src/math/sparse/symmetric-matrix";
import { smallestCover } from "../../../src/math/sparse/vertex-cover";

/** Numbers in (0, 1) that are the same in every run. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state + 0.5) / 2 ** 32;
  };
}

/** Springs between random pairs, and a diagonal that makes the sum definite. */
function randomMatrix(size: number, pairs: number, seed: number): SymmetricMatrix {
  const next = random(seed);
  const indices: number[] = [];
  const values: number[] = [];
  for (let e = 0; e < pairs; e++) {
    const i = Math.floor(size * next());
    const j = (i + 1 + Math.floor((size - 1) * next())) % size;
    const k = 0.1 + next();
    indices.push(i, j);
    values.push(k, -k, -k, k);
  }
  const diagonal = Array.from({ length: size }, () => 0.01 + next());
  return assembleSymmetric(size, diagonal, [{ arity: 2, indices, values }]);
}

/** Graph of a box of tetrahedra with springs along the edges. */
function boxMatrix(cells: [number, number, number]): { a: SymmetricMatrix; positions: Float64Array } {
  const { positions, tetrahedra } = boxTetrahedra({ size: cells, cells });
  const values = new Float64Array(4 * tetrahedra.length);
  for (let e = 0; e < values.length; e += 16)
    for (let i = 0; i < 4; i++) for (let j = 0; j < 4; j++) values[e + 4 * i + j] = i === j ? 3 : -1;
  const size = positions.length / 3;
  const diagonal = new Float64Array(size).fill(0.1);
  return { a: assembleSymmetric(size, diagonal, [{ arity: 4, indices: tetrahedra, values }]), positions };
}

/** S as a dense matrix in the order of elimination. */
function dense(inverse: SparseInverse): Float64Array[] {
  return Array.from({ length: inverse.size }, (_, j) => {
    const out = new Float64Array(inverse.size);
    const packed = inverse.column(inverse.order[j]);
    let at = 0;
    for (let row = j; row >= 0;) {
      const block = inverse.tree.blockOf[row];
      while (row < inverse.tree.starts[block + 1]) out[row++] = packed[at++]!;
      row = inverse.tree.parentOf[block]!;
    }
    return out;
  });
}

describe("assembleSymmetric", () => {
  it("adds elements to the diagonal", () => {
    const a = assembleSymmetric(
      3,
      [1, 2, 3],
      [{ arity: 2, indices: [0, 2, 2, 0], values: [1, -1, -1, 1, 4, -4, -4, 4] }],
    );
    expect([...a.offsets]).toEqual([0, 2, 3, 5]);
    expect([...a.columns]).toEqual([0, 2, 1, 0, 2]);
    expect([...a.values]).toEqual([6, -5, 2, -5, 8]);
    const y = new Float64Array(3);
    multiplySymmetric(a, Float64Array.from([1, 1, 2]), y);
    expect([...y]).toEqual([-4, 2, 11]);
  });
});

describe("smallestCover", () => {
  it("covers every edge with as few vertices as a matching has edges", () => {
    // a star and a path: two vertices do
    const edges = new Map([
      [0, [10, 11, 12]],
      [1, [12]],
      [2, [12]],
    ]);
    const cover = smallestCover([0, 1, 2], (i) => edges.get(i)!);
    expect(cover.sort()).toEqual([0, 12]);
  });
});

describe("nestedDissection", () => {
  it("numbers every unknown once, with and without places", () => {
    for (const size of [1, 2, 57, 300]) {
      const a = randomMatrix(size, size < 2 ? 0 : 2 * size, size);
      for (const coordinates of [undefined, Float64Array.from({ length: 3 * size }, random(5))]) {
        const order = nestedDissection(a, coordinates);
        expect([...order].sort((x, y) => x - y)).toEqual(Array.from({ length: size }, (_, i) => i));
      }
    }
  });

  it("makes far less fill than the order of a grid", () => {
    const { a, positions } = boxMatrix([12, 12, 12]);
    const fill = (order: Int32Array): number => {
      const p = permute(a, order);
      return columnCounts(p, eliminationTree(p)).reduce((sum, count) => sum + count, 0);
    };
    const grid = fill(Int32Array.from({ length: a.size }, (_, i) => i));
    expect(fill(nestedDissection(a, positions))).toBeLessThan(0.55 * grid);
    expect(fill(nestedDissection(a))).toBeLessThan(0.7 * grid);
  });
});

describe("SparseInverse", () => {
  it("solves as the matrix multiplies", () => {
    for (const [size, pairs] of [
      [1, 0],
      [7, 9],
      [40, 30],
      [123, 500],
      [400, 700],
    ] as const) {
      const a = randomMatrix(size, pairs, size + pairs);
      const inverse = SparseInverse.of(a);
      const x = Float64Array.from({ length: 3 * size }, random(3));
      const b = new Float64Array(3 * size);
      multiplySymmetric(a, x, b, 3);
      inverse.solve(b, b, new Float64Array(3 * size));
      b.forEach((value, i) => expect(Math.abs(value - x[i])).toBeLessThan(1e-9));
    }
  });

  it("S S-transposed-inverse: S A Sᵀ = 1", () => {
    const { a, positions } = boxMatrix([5, 4, 3]);
    const inverse = SparseInverse.of(a, { coordinates: positions });
    const s = dense(inverse);
    const p = permute(a, inverse.order);
    // columns of S are rows of Sᵀ: (S A Sᵀ)ᵢⱼ = Σ Sᵢₖ (A Sᵀ)ₖⱼ
    for (const j of [0, 17, a.size - 1]) {
      const column = Float64Array.from(s, (c) => c[j]);
      const y = new Float64Array(a.size);
      multiplySymmetric(p, column, y);
      for (let i = 0; i < a.size; i++) {
        let sum = 0;
        for (let k = 0; k < a.size; k++) sum += s[k][i] * y[k];
        expect(Math.abs(sum - (i === j ? 1 : 0))).toBeLessThan(1e-10);
      }
    }
  });

  it("has entries exactly at the ancestors in the elimination tree (Theorem 1)", () => {
    const { a, positions } = boxMatrix([6, 5, 4]);
    const inverse = SparseInverse.of(a, { coordinates: positions, relax: 0 });
    const parent = eliminationTree(permute(a, inverse.order));
    const { statistics } = inverse;
    let pairs = 0;
    dense(inverse).forEach((column, j) => {
      const ancestors = new Set<number>();
      for (let i = j; i >= 0; i = parent[i]!) ancestors.add(i);
      pairs += ancestors.size;
      column.forEach((value, i) => expect(value !== 0).toBe(ancestors.has(i)));
    });
    expect(statistics.structuralEntries).toBe(pairs);
    // only the triangles above the diagonals of the blocks are stored in vain
    expect(statistics.inverseEntries).toBeLessThan(1.2 * pairs);
  });

  it("gives entries of the inverse as products of columns aligned at their ends", () => {
    const { a, positions } = boxMatrix([6, 3, 3]);
    const inverse = SparseInverse.of(a, { coordinates: positions });
    for (const [i, j] of [
      [3, 3],
      [0, 100],
      [20, 21],
    ] as const) {
      const b = new Float64Array(3 * a.size);
      b[3 * i] = 1;
      inverse.solve(b, b, new Float64Array(3 * a.size));
      const [p, q] = [inverse.column(i), inverse.column(j)];
      const shared = inverse.sharedLength(i, j);
      let sum = 0;
      for (let k = 1; k <= shared; k++) sum += p[p.length - k] * q[q.length - k];
      expect(sum).toBeCloseTo(b[3 * j], 12);
    }
  });

  it("keeps parts of a body apart", () => {
    const single = randomMatrix(30, 60, 8);
    const a = assembleSymmetric(60, new Float64Array(60), [
      { arity: 30, indices: Array.from({ length: 60 }, (_, i) => i), values: twice(single) },
    ]);
    const inverse = SparseInverse.of(a);
    expect(inverse.sharedLength(3, 45)).toBe(0);
    expect(inverse.sharedLength(3, 4)).toBeGreaterThan(0);
  });

  it("refuses a matrix that is not positive definite, and one that is too large", () => {
    const a = assembleSymmetric(2, [0, 0], [{ arity: 2, indices: [0, 1], values: [1, -1, -1, 1] }]);
    expect(() => SparseInverse.of(a, { name: 'body "x"' })).toThrow(PliantError);
    const sound = randomMatrix(30, 9, 1);
    const needed = 8 * SparseInverse.of(sound).statistics.inverseEntries;
    expect(SparseInverse.of(sound, { mostBytes: needed }).size).toBe(30);
    expectRefused(
      () => SparseInverse.of(sound, { name: 'body "x"', mostBytes: needed - 1 }),
      "device-limit",
      new RegExp(`body "x".*${needed - 1} bytes.*got ${needed}`),
    );
  });

  it("goes in steps that say how far it is", () => {
    const a = randomMatrix(9, 9, 1);
    const shares: number[] = [];
    const steps = inversionSteps(a);
    let step = steps.next();
    for (; !step.done; step = steps.next()) shares.push(step.value);
    expect(shares.length).toBeGreaterThan(4);
    expect(shares).toEqual([...shares].sort((s, t) => s - t));
    expect([shares[0], shares[shares.length - 1]]).toEqual([0, 1]);
    expect(step.value.values).toEqual(SparseInverse.of(a).values);
  });
});

/** Values of two copies of a matrix with 30 unknowns, dense. */
function twice(a: SymmetricMatrix): Float64Array {
  const out = new Float64Array(2 * a.size ** 2);
  for (let i = 0; i < a.size; i++)
    for (let k = a.offsets[i]; k < a.offsets[i + 1]; k++) {
      out[i * a.size + a.columns[k]] = a.values[k]!;
      out[a.size ** 2 + i * a.size + a.columns[k]] = a.values[k]!;
    }
  return out;
}

describe("products of dense matrices in WebAssembly", () => {
  it.each([
    { m: 5, n: 3, k: 7, apart: [0, 0, 0] },
    { m: 300, n: 13, k: 21, apart: [0, 2, 0] },
    { m: 37, n: 8, k: 5, apart: [3, 40, 1] },
    { m: 513, n: 64, k: 1, apart: [0, 0, 64] },
  ])("have the bits of those without: $m × $n × $k", ({ m, n, k, apart }) => {
    const wasm = WasmProduct.create()!;
    const next = random(m + n + k);
    const [ldc, lda, ldb] = [n + apart[0], k + apart[1], k + apart[2]];
    const [c, a, b] = [m * ldc, m * lda, n * ldb].map((length) => Float64Array.from({ length: length + 9 }, next));
    const expected = c.slice();
    subtractProductHere(expected, 5, ldc, a, 3, lda, b, 1, ldb, m, n, k);
    for (let twice = 0; twice < 2; twice++) {
      const out = c.slice();
      wasm.subtract(out, 5, ldc, a, 3, lda, b, 1, ldb, m, n, k);
      expect(out).toEqual(expected);
    }
  });
});
