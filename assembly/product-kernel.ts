/**
 * Products of dense matrices, the innermost loop of sparse factors and inverses (AssemblyScript, WebAssembly SIMD). They are the same sums
 * in the same order as the loops of src/math/sparse/product-kernel.ts, so the same bits: f64 only, nothing fused.
 *
 * Places are bytes in the memory, matrices row-major.
 */

/**
 * C −= A B, four by four results at a time: they stay in registers.
 *
 * @param c m × n, rows contiguous: changed
 * @param a m × k, rows `lda` bytes apart
 * @param b k × n, rows `ldb` bytes apart
 * @param m multiple of 4
 */
export function subtract(c: usize, a: usize, lda: usize, b: usize, ldb: usize, m: i32, n: i32, k: i32): void {
  const row = (<usize>n) << 3;
  const fours = (<usize>(n & ~3)) << 3;
  for (let i = 0; i < m; i += 4) {
    for (let j: usize = 0; j < fours; j += 32) {
      let s00 = f64x2.splat(0);
      let s01 = f64x2.splat(0);
      let s10 = f64x2.splat(0);
      let s11 = f64x2.splat(0);
      let s20 = f64x2.splat(0);
      let s21 = f64x2.splat(0);
      let s30 = f64x2.splat(0);
      let s31 = f64x2.splat(0);
      let a0 = a;
      let a1 = a0 + lda;
      let a2 = a1 + lda;
      let a3 = a2 + lda;
      let q = b + j;
      for (let l = 0; l < k; l++) {
        const b0 = v128.load(q);
        const b1 = v128.load(q, 16);
        let x = v128.load_splat<f64>(a0);
        s00 = f64x2.add(s00, f64x2.mul(x, b0));
        s01 = f64x2.add(s01, f64x2.mul(x, b1));
        x = v128.load_splat<f64>(a1);
        s10 = f64x2.add(s10, f64x2.mul(x, b0));
        s11 = f64x2.add(s11, f64x2.mul(x, b1));
        x = v128.load_splat<f64>(a2);
        s20 = f64x2.add(s20, f64x2.mul(x, b0));
        s21 = f64x2.add(s21, f64x2.mul(x, b1));
        x = v128.load_splat<f64>(a3);
        s30 = f64x2.add(s30, f64x2.mul(x, b0));
        s31 = f64x2.add(s31, f64x2.mul(x, b1));
        a0 += 8;
        a1 += 8;
        a2 += 8;
        a3 += 8;
        q += ldb;
      }
      takeOff(c + j, s00, s01);
      takeOff(c + j + row, s10, s11);
      takeOff(c + j + 2 * row, s20, s21);
      takeOff(c + j + 3 * row, s30, s31);
    }
    for (let j = fours; j < row; j += 8) {
      let s0: f64 = 0;
      let s1: f64 = 0;
      let s2: f64 = 0;
      let s3: f64 = 0;
      let at = a;
      let q = b + j;
      for (let l = 0; l < k; l++) {
        const x = load<f64>(q);
        s0 += load<f64>(at) * x;
        s1 += load<f64>(at + lda) * x;
        s2 += load<f64>(at + 2 * lda) * x;
        s3 += load<f64>(at + 3 * lda) * x;
        at += 8;
        q += ldb;
      }
      let to = c + j;
      store<f64>(to, load<f64>(to) - s0);
      to += row;
      store<f64>(to, load<f64>(to) - s1);
      to += row;
      store<f64>(to, load<f64>(to) - s2);
      to += row;
      store<f64>(to, load<f64>(to) - s3);
    }
    c += 4 * row;
    a += 4 * lda;
  }
}

function takeOff(c: usize, s0: v128, s1: v128): void {
  v128.store(c, f64x2.sub(v128.load(c), s0));
  v128.store(c, f64x2.sub(v128.load(c, 16), s1), 16);
}
