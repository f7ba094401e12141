import { add, dot, first, high, low, mul, scatter, second, sub } from "./vectors";

/** Blocks of four springs: two lists of four places, length L, compliance α. See `solveCompliantElement`. */
export function springs(from: usize, end: usize, share: f32): void {
  for (let i = from; i !== end; i += 64) {
    const a0 = <usize>load<u32>(i);
    const a1 = <usize>load<u32>(i, 4);
    const a2 = <usize>load<u32>(i, 8);
    const a3 = <usize>load<u32>(i, 12);
    const b0 = <usize>load<u32>(i, 16);
    const b1 = <usize>load<u32>(i, 20);
    const b2 = <usize>load<u32>(i, 24);
    const b3 = <usize>load<u32>(i, 28);
    const e0 = add(sub(v128.load(b0), v128.load(a0)), sub(v128.load(b0, 16), v128.load(a0, 16)));
    const e1 = add(sub(v128.load(b1), v128.load(a1)), sub(v128.load(b1, 16), v128.load(a1, 16)));
    const e2 = add(sub(v128.load(b2), v128.load(a2)), sub(v128.load(b2, 16), v128.load(a2, 16)));
    const e3 = add(sub(v128.load(b3), v128.load(a3)), sub(v128.load(b3, 16), v128.load(a3, 16)));
    const p = low(e0, e1);
    const q = low(e2, e3);
    const x = first(p, q);
    const y = second(p, q);
    const z = first(high(e0, e1), high(e2, e3));
    const wa = v128.load32_lane(
      a3,
      v128.load32_lane(a2, v128.load32_lane(a1, v128.load32_splat(a0, 12), 1, 12), 2, 12),
      3,
      12,
    );
    const wb = v128.load32_lane(
      b3,
      v128.load32_lane(b2, v128.load32_lane(b1, v128.load32_splat(b0, 12), 1, 12), 2, 12),
      3,
      12,
    );
    const length = f32x4.sqrt(dot(x, y, z, x, y, z));
    const none = f32x4.splat(0);
    const hasLength = f32x4.gt(length, none);
    const scale = f32x4.div(f32x4.splat(1), length);
    const g = add(wa, wb);
    const part = f32x4.div(mul(f32x4.splat(share), sub(v128.load(i, 32), length)), add(g, v128.load(i, 48)));
    // A collapsed segment is pushed apart along x.
    const sx = v128.bitselect(mul(x, scale), f32x4.splat(1), hasLength);
    const sy = v128.and(mul(y, scale), hasLength);
    const sz = v128.and(mul(z, scale), hasLength);
    const impulse = v128.and(part, f32x4.gt(g, none));
    const lambdaA = f32x4.neg(mul(wa, impulse));
    const lambdaB = mul(wb, impulse);
    scatter(i, 16, mul(lambdaA, sx), mul(lambdaA, sy), mul(lambdaA, sz));
    scatter(i + 16, 16, mul(lambdaB, sx), mul(lambdaB, sy), mul(lambdaB, sz));
  }
}
