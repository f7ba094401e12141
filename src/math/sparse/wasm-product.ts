import { type ProductKernel, productKernelModule } from "../../generated/product-kernel";
import { instantiateWasm, roomIn } from "../wasm";

/**
 * C −= A Bᵀ for row-major matrices that are parts of larger ones.
 *
 * @param c result, m × n from place `c0` on, rows `ldc` apart: changed
 * @param a m × k from `a0` on, rows `lda` apart
 * @param b n × k from `b0` on, rows `ldb` apart
 */
export type SubtractProduct = (
  c: Float64Array,
  c0: number,
  ldc: number,
  a: Float64Array,
  a0: number,
  lda: number,
  b: Float64Array,
  b0: number,
  ldb: number,
  m: number,
  n: number,
  k: number,
) => void;

/** Number of rows of A handled at a time, so that they, B and the result fit the cache. */
const CHUNK = 256;

/**
 * Computes C −= A Bᵀ as `subtractProduct`, in a memory of its own: copies cost little compared with products of this
 * size.
 */
export class WasmProduct {
  private numbers = new Float64Array(0);

  private constructor(private readonly code: ProductKernel) {}

  /** @returns undefined if `instantiateWasm` returns undefined */
  static create(): WasmProduct | undefined {
    const code = instantiateWasm<ProductKernel>(productKernelModule);
    return code && new WasmProduct(code);
  }

  readonly subtract: SubtractProduct = (c, c0, ldc, a, a0, lda, b, b0, ldb, m, n, k) => {
    const wide = (n + 3) & ~3;
    const rows = Math.min(m, CHUNK);
    const tall = (rows + 3) & ~3;
    // gaps between rows are copied along, unless they are longer than the rows
    const apart = lda <= 2 * k ? lda : k;
    const bAt = tall * apart;
    const cAt = bAt + k * wide;
    this.reserve(8 * (cAt + tall * wide));
    const { numbers, code } = this;
    for (let j = 0; j < n; j++) {
      const row = b0 + j * ldb;
      for (let l = 0, to = bAt + j; l < k; l++, to += wide) numbers[to] = b[row + l]!;
    }
    for (let from = 0; from < m; from += rows) {
      const count = Math.min(rows, m - from);
      const first = a0 + from * lda;
      if (apart === lda) numbers.set(a.subarray(first, first + (count - 1) * lda + k));
      else copyRows(a, first, lda, numbers, 0, k, count, k);
      const to = c0 + from * ldc;
      if (ldc === n) numbers.set(c.subarray(to, to + count * n), cAt);
      else copyRows(c, to, ldc, numbers, cAt, n, count, n);
      // numbers beyond the last row produce results that are never read
      code.subtract(8 * cAt, 0, 8 * apart, 8 * bAt, 8 * wide, (count + 3) & ~3, n, k);
      if (ldc === n) c.set(numbers.subarray(cAt, cAt + count * n), to);
      else copyRows(numbers, cAt, n, c, to, ldc, count, n);
    }
  };

  private reserve(bytes: number): void {
    const buffer = roomIn(this.code.memory, bytes);
    if (this.numbers.buffer !== buffer) this.numbers = new Float64Array(buffer);
  }
}

/** Copies `rows` rows, which are `lda` and `ldb` apart. */
function copyRows(
  a: Float64Array,
  a0: number,
  lda: number,
  b: Float64Array,
  b0: number,
  ldb: number,
  rows: number,
  columns: number,
): void {
  for (let i = 0; i < rows; i++) for (let j = 0; j < columns; j++) b[b0 + i * ldb + j] = a[a0 + i * lda + j]!;
}
