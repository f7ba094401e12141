import { type SubtractProduct, WasmProduct } from "./wasm-product";

/**
 * The innermost loop of factor and inverse. Blocks of four by four results stay in registers. Large products run in
 * WebAssembly, two numbers per instruction.
 */
export const subtractProduct: SubtractProduct = (c, c0, ldc, a, a0, lda, b, b0, ldb, m, n, k) => {
  if (k === 0) return;
  if (m >= LEAST_ROWS && n >= LEAST_COLUMNS) {
    if (!wasAsked) {
      wasAsked = true;
      wasm = WasmProduct.create();
    }
    if (wasm) {
      wasm.subtract(c, c0, ldc, a, a0, lda, b, b0, ldb, m, n, k);
      return;
    }
  }
  subtractProductHere(c, c0, ldc, a, a0, lda, b, b0, ldb, m, n, k);
};

/** Below these sizes, copies to WebAssembly memory take longer than WebAssembly saves. */
const LEAST_ROWS = 16;
const LEAST_COLUMNS = 4;

let wasm: WasmProduct | undefined;
let wasAsked = false;

/** `subtractProduct` without WebAssembly, with the same bits. */
export const subtractProductHere: SubtractProduct = (c, c0, ldc, a, a0, lda, b, b0, ldb, m, n, k) => {
  const m4 = m & ~3;
  const n4 = n & ~3;
  for (let i = 0; i < m4; i += 4) {
    const p0 = a0 + i * lda;
    const p1 = p0 + lda;
    const p2 = p1 + lda;
    const p3 = p2 + lda;
    for (let j = 0; j < n4; j += 4) {
      const q0 = b0 + j * ldb;
      const q1 = q0 + ldb;
      const q2 = q1 + ldb;
      const q3 = q2 + ldb;
      let [s00, s01, s02, s03, s10, s11, s12, s13] = [0, 0, 0, 0, 0, 0, 0, 0];
      let [s20, s21, s22, s23, s30, s31, s32, s33] = [0, 0, 0, 0, 0, 0, 0, 0];
      for (let l = 0; l < k; l++) {
        const x0 = b[q0 + l];
        const x1 = b[q1 + l];
        const x2 = b[q2 + l];
        const x3 = b[q3 + l];
        let y = a[p0 + l];
        s00 += y * x0;
        s01 += y * x1;
        s02 += y * x2;
        s03 += y * x3;
        y = a[p1 + l];
        s10 += y * x0;
        s11 += y * x1;
        s12 += y * x2;
        s13 += y * x3;
        y = a[p2 + l];
        s20 += y * x0;
        s21 += y * x1;
        s22 += y * x2;
        s23 += y * x3;
        y = a[p3 + l];
        s30 += y * x0;
        s31 += y * x1;
        s32 += y * x2;
        s33 += y * x3;
      }
      let at = c0 + i * ldc + j;
      c[at] -= s00;
      c[at + 1] -= s01;
      c[at + 2] -= s02;
      c[at + 3] -= s03;
      at += ldc;
      c[at] -= s10;
      c[at + 1] -= s11;
      c[at + 2] -= s12;
      c[at + 3] -= s13;
      at += ldc;
      c[at] -= s20;
      c[at + 1] -= s21;
      c[at + 2] -= s22;
      c[at + 3] -= s23;
      at += ldc;
      c[at] -= s30;
      c[at + 1] -= s31;
      c[at + 2] -= s32;
      c[at + 3] -= s33;
    }
    for (let j = n4; j < n; j++) {
      const q = b0 + j * ldb;
      let [s0, s1, s2, s3] = [0, 0, 0, 0];
      for (let l = 0; l < k; l++) {
        const x = b[q + l];
        s0 += a[p0 + l] * x;
        s1 += a[p1 + l] * x;
        s2 += a[p2 + l] * x;
        s3 += a[p3 + l] * x;
      }
      const at = c0 + i * ldc + j;
      c[at] -= s0;
      c[at + ldc] -= s1;
      c[at + 2 * ldc] -= s2;
      c[at + 3 * ldc] -= s3;
    }
  }
  for (let i = m4; i < m; i++)
    for (let j = 0; j < n; j++) {
      const p = a0 + i * lda;
      const q = b0 + j * ldb;
      let sum = 0;
      for (let l = 0; l < k; l++) sum += a[p + l] * b[q + l];
      c[c0 + i * ldc + j] -= sum;
    }
};
