import { add, dot, first, high, low, mul, scatter, second, sub, withLast } from "./vectors";

/**
 * Blocks of four triangles with what is around them: for each place four particles, and K of the three vectors; then, where `isCurved`,
 * the vectors at rest in axes of the triangle. See `solveBending`, with nothing tracked.
 *
 * @param places vertices of an element
 * @param to where displacements go: 16 for those of the records, or the distance to a list for all elements at once
 * @param viscosity damping time over the time step
 * @param reach by how much W grows: substeps from one solve to the next
 */
export function bending(
  from: usize,
  end: usize,
  places: usize,
  to: usize,
  scratch: usize,
  viscosity: f32,
  reach: f32,
  share: f32,
  isCurved: i32,
): void {
  const none = f32x4.splat(0);
  const one = f32x4.splat(1);
  const nu = f32x4.splat(viscosity);
  const more = f32x4.splat(1 + viscosity);
  const wide = f32x4.splat(reach);
  const stride = 64 * places + (isCurved ? 144 : 0);
  for (let i = from; i !== end; i += stride) {
    const o0 = <usize>load<u32>(i);
    const o1 = <usize>load<u32>(i, 4);
    const o2 = <usize>load<u32>(i, 8);
    const o3 = <usize>load<u32>(i, 12);
    let s00 = none;
    let s01 = none;
    let s02 = none;
    let s10 = none;
    let s11 = none;
    let s12 = none;
    let s20 = none;
    let s21 = none;
    let s22 = none;
    let c00 = none;
    let c01 = none;
    let c02 = none;
    let c10 = none;
    let c11 = none;
    let c12 = none;
    let c20 = none;
    let c21 = none;
    let c22 = none;
    let g00 = none;
    let g01 = none;
    let g02 = none;
    let g11 = none;
    let g12 = none;
    let g22 = none;
    // sides of the triangle, and displacements of its corners beside the first one
    let ex = none;
    let ey = none;
    let ez = none;
    let fx = none;
    let fy = none;
    let fz = none;
    let bx = none;
    let by = none;
    let bz = none;
    let cx = none;
    let cy = none;
    let cz = none;
    for (let place: usize = 0; place < places; place++) {
      const at = i + 64 * place;
      const p0 = <usize>load<u32>(at);
      const p1 = <usize>load<u32>(at, 4);
      const p2 = <usize>load<u32>(at, 8);
      const p3 = <usize>load<u32>(at, 12);
      const u0 = withLast(sub(v128.load(p0, 16), v128.load(o0, 16)), v128.load(p0, 16));
      const u1 = withLast(sub(v128.load(p1, 16), v128.load(o1, 16)), v128.load(p1, 16));
      const u2 = withLast(sub(v128.load(p2, 16), v128.load(o2, 16)), v128.load(p2, 16));
      const u3 = withLast(sub(v128.load(p3, 16), v128.load(o3, 16)), v128.load(p3, 16));
      const x0 = withLast(add(sub(v128.load(p0), v128.load(o0)), u0), v128.load(p0));
      const x1 = withLast(add(sub(v128.load(p1), v128.load(o1)), u1), v128.load(p1));
      const x2 = withLast(add(sub(v128.load(p2), v128.load(o2)), u2), v128.load(p2));
      const x3 = withLast(add(sub(v128.load(p3), v128.load(o3)), u3), v128.load(p3));
      let p = low(x0, x1);
      let q = low(x2, x3);
      const x = first(p, q);
      const y = second(p, q);
      p = high(x0, x1);
      q = high(x2, x3);
      const z = first(p, q);
      const w = second(p, q);
      p = low(u0, u1);
      q = low(u2, u3);
      const ux = first(p, q);
      const uy = second(p, q);
      p = high(u0, u1);
      q = high(u2, u3);
      const uz = first(p, q);
      const split = mul(second(p, q), mul(w, wide));
      v128.store(scratch + 16 * place, w);
      const k0 = v128.load(at, 16);
      const k1 = v128.load(at, 32);
      const k2 = v128.load(at, 48);
      s00 = add(s00, mul(k0, x));
      s01 = add(s01, mul(k0, y));
      s02 = add(s02, mul(k0, z));
      s10 = add(s10, mul(k1, x));
      s11 = add(s11, mul(k1, y));
      s12 = add(s12, mul(k1, z));
      s20 = add(s20, mul(k2, x));
      s21 = add(s21, mul(k2, y));
      s22 = add(s22, mul(k2, z));
      c00 = add(c00, mul(k0, ux));
      c01 = add(c01, mul(k0, uy));
      c02 = add(c02, mul(k0, uz));
      c10 = add(c10, mul(k1, ux));
      c11 = add(c11, mul(k1, uy));
      c12 = add(c12, mul(k1, uz));
      c20 = add(c20, mul(k2, ux));
      c21 = add(c21, mul(k2, uy));
      c22 = add(c22, mul(k2, uz));
      const w0 = mul(split, k0);
      const w1 = mul(split, k1);
      g00 = add(g00, mul(w0, k0));
      g01 = add(g01, mul(w0, k1));
      g02 = add(g02, mul(w0, k2));
      g11 = add(g11, mul(w1, k1));
      g12 = add(g12, mul(w1, k2));
      g22 = add(g22, mul(mul(split, k2), k2));
      if (place === 1) {
        ex = x;
        ey = y;
        ez = z;
        bx = ux;
        by = uy;
        bz = uz;
      } else if (place === 2) {
        fx = x;
        fy = y;
        fz = z;
        cx = ux;
        cy = uy;
        cz = uz;
      }
    }
    const moves = f32x4.gt(add(add(g00, g11), g22), none);
    // frame of the triangle, see `findFrame`
    let nx = sub(mul(ey, fz), mul(ez, fy));
    let ny = sub(mul(ez, fx), mul(ex, fz));
    let nz = sub(mul(ex, fy), mul(ey, fx));
    const length = f32x4.sqrt(dot(ex, ey, ez, ex, ey, ez));
    const doubleArea = f32x4.sqrt(dot(nx, ny, nz, nx, ny, nz));
    const hasFrame = v128.and(f32x4.gt(length, none), f32x4.gt(doubleArea, none));
    const perLength = v128.and(f32x4.div(one, length), hasFrame);
    const perArea = v128.and(f32x4.div(one, doubleArea), hasFrame);
    nx = mul(nx, perArea);
    ny = mul(ny, perArea);
    nz = mul(nz, perArea);
    const ax = mul(ex, perLength);
    const ay = mul(ey, perLength);
    const az = mul(ez, perLength);
    const vx = sub(mul(ny, az), mul(nz, ay));
    const vy = sub(mul(nz, ax), mul(nx, az));
    const vz = sub(mul(nx, ay), mul(ny, ax));
    const acrossX = mul(vx, perLength);
    const acrossY = mul(vy, perLength);
    const acrossZ = mul(vz, perLength);
    // gradients of the second corner, n × (x₀ − x₂), and of the third, n × (x₁ − x₀); that of the first is minus their sum
    const hx = mul(perArea, sub(mul(nz, fy), mul(ny, fz)));
    const hy = mul(perArea, sub(mul(nx, fz), mul(nz, fx)));
    const hz = mul(perArea, sub(mul(ny, fx), mul(nx, fy)));
    const tx = mul(perArea, sub(mul(ny, ez), mul(nz, ey)));
    const ty = mul(perArea, sub(mul(nz, ex), mul(nx, ez)));
    const tz = mul(perArea, sub(mul(nx, ey), mul(ny, ex)));
    // turn ω of the axes in this time step
    const riseB = dot(nx, ny, nz, bx, by, bz);
    const riseC = dot(nx, ny, nz, cx, cy, cz);
    const leanX = f32x4.neg(add(mul(hx, riseB), mul(tx, riseC)));
    const leanY = f32x4.neg(add(mul(hy, riseB), mul(ty, riseC)));
    const leanZ = f32x4.neg(add(mul(hz, riseB), mul(tz, riseC)));
    const spin = dot(acrossX, acrossY, acrossZ, bx, by, bz);
    const turnX = add(sub(mul(ny, leanZ), mul(nz, leanY)), mul(spin, nx));
    const turnY = add(sub(mul(nz, leanX), mul(nx, leanZ)), mul(spin, ny));
    const turnZ = add(sub(mul(nx, leanY), mul(ny, leanX)), mul(spin, nz));
    // right-hand sides −s − ν (Δs − ω × s)
    let l00 = f32x4.neg(add(s00, mul(nu, sub(c00, sub(mul(turnY, s02), mul(turnZ, s01))))));
    let l01 = f32x4.neg(add(s01, mul(nu, sub(c01, sub(mul(turnZ, s00), mul(turnX, s02))))));
    let l02 = f32x4.neg(add(s02, mul(nu, sub(c02, sub(mul(turnX, s01), mul(turnY, s00))))));
    let l10 = f32x4.neg(add(s10, mul(nu, sub(c10, sub(mul(turnY, s12), mul(turnZ, s11))))));
    let l11 = f32x4.neg(add(s11, mul(nu, sub(c11, sub(mul(turnZ, s10), mul(turnX, s12))))));
    let l12 = f32x4.neg(add(s12, mul(nu, sub(c12, sub(mul(turnX, s11), mul(turnY, s10))))));
    let l20 = f32x4.neg(add(s20, mul(nu, sub(c20, sub(mul(turnY, s22), mul(turnZ, s21))))));
    let l21 = f32x4.neg(add(s21, mul(nu, sub(c21, sub(mul(turnZ, s20), mul(turnX, s22))))));
    let l22 = f32x4.neg(add(s22, mul(nu, sub(c22, sub(mul(turnX, s21), mul(turnY, s20))))));
    if (isCurved) {
      const at = i + 64 * places;
      const r00 = v128.load(at);
      const r01 = v128.load(at, 16);
      const r02 = v128.load(at, 32);
      l00 = add(l00, dot(r00, r01, r02, ax, vx, nx));
      l01 = add(l01, dot(r00, r01, r02, ay, vy, ny));
      l02 = add(l02, dot(r00, r01, r02, az, vz, nz));
      const r10 = v128.load(at, 48);
      const r11 = v128.load(at, 64);
      const r12 = v128.load(at, 80);
      l10 = add(l10, dot(r10, r11, r12, ax, vx, nx));
      l11 = add(l11, dot(r10, r11, r12, ay, vy, ny));
      l12 = add(l12, dot(r10, r11, r12, az, vz, nz));
      const r20 = v128.load(at, 96);
      const r21 = v128.load(at, 112);
      const r22 = v128.load(at, 128);
      l20 = add(l20, dot(r20, r21, r22, ax, vx, nx));
      l21 = add(l21, dot(r20, r21, r22, ay, vy, ny));
      l22 = add(l22, dot(r20, r21, r22, az, vz, nz));
    }
    // L D Lᵀ of 1 + (1 + ν) G
    const d0 = f32x4.div(one, add(one, mul(more, g00)));
    const m01 = mul(more, g01);
    const m02 = mul(more, g02);
    const f1 = mul(m01, d0);
    const f2 = mul(m02, d0);
    const d1 = f32x4.div(one, sub(add(one, mul(more, g11)), mul(f1, m01)));
    const left = sub(mul(more, g12), mul(f2, m01));
    const f3 = mul(left, d1);
    const d2 = f32x4.div(one, sub(sub(add(one, mul(more, g22)), mul(f2, m02)), mul(f3, left)));
    l10 = sub(l10, mul(f1, l00));
    l11 = sub(l11, mul(f1, l01));
    l12 = sub(l12, mul(f1, l02));
    l20 = mul(d2, sub(sub(l20, mul(f2, l00)), mul(f3, l10)));
    l21 = mul(d2, sub(sub(l21, mul(f2, l01)), mul(f3, l11)));
    l22 = mul(d2, sub(sub(l22, mul(f2, l02)), mul(f3, l12)));
    l10 = sub(mul(l10, d1), mul(f3, l20));
    l11 = sub(mul(l11, d1), mul(f3, l21));
    l12 = sub(mul(l12, d1), mul(f3, l22));
    const scale = v128.and(f32x4.splat(share * reach), moves);
    l00 = mul(scale, sub(sub(mul(l00, d0), mul(f1, l10)), mul(f2, l20)));
    l01 = mul(scale, sub(sub(mul(l01, d0), mul(f1, l11)), mul(f2, l21)));
    l02 = mul(scale, sub(sub(mul(l02, d0), mul(f1, l12)), mul(f2, l22)));
    l10 = mul(scale, l10);
    l11 = mul(scale, l11);
    l12 = mul(scale, l12);
    l20 = mul(scale, l20);
    l21 = mul(scale, l21);
    l22 = mul(scale, l22);
    // the torque of these impulses, which the corners take up: see `takeUpTorque`
    const qx = add(
      add(sub(mul(s01, l02), mul(s02, l01)), sub(mul(s11, l12), mul(s12, l11))),
      sub(mul(s21, l22), mul(s22, l21)),
    );
    const qy = add(
      add(sub(mul(s02, l00), mul(s00, l02)), sub(mul(s12, l10), mul(s10, l12))),
      sub(mul(s22, l20), mul(s20, l22)),
    );
    const qz = add(
      add(sub(mul(s00, l01), mul(s01, l00)), sub(mul(s10, l11), mul(s11, l10))),
      sub(mul(s20, l21), mul(s21, l20)),
    );
    const upX = sub(mul(qy, nz), mul(qz, ny));
    const upY = sub(mul(qz, nx), mul(qx, nz));
    const upZ = sub(mul(qx, ny), mul(qy, nx));
    const sideways = dot(qx, qy, qz, nx, ny, nz);
    const liftB = dot(upX, upY, upZ, hx, hy, hz);
    const liftC = dot(upX, upY, upZ, tx, ty, tz);
    const sideX = mul(sideways, acrossX);
    const sideY = mul(sideways, acrossY);
    const sideZ = mul(sideways, acrossZ);
    for (let place: usize = 0; place < places; place++) {
      const at = i + 64 * place;
      const k0 = v128.load(at, 16);
      const k1 = v128.load(at, 32);
      const k2 = v128.load(at, 48);
      let x = add(add(mul(k0, l00), mul(k1, l10)), mul(k2, l20));
      let y = add(add(mul(k0, l01), mul(k1, l11)), mul(k2, l21));
      let z = add(add(mul(k0, l02), mul(k1, l12)), mul(k2, l22));
      if (place < 3) {
        const lift = place === 0 ? f32x4.neg(add(liftB, liftC)) : place === 1 ? liftB : liftC;
        const sign = f32x4.splat(place === 0 ? 1 : place === 1 ? -1 : 0);
        x = add(x, add(mul(lift, nx), mul(sign, sideX)));
        y = add(y, add(mul(lift, ny), mul(sign, sideY)));
        z = add(z, add(mul(lift, nz), mul(sign, sideZ)));
      }
      const w = v128.load(scratch + 16 * place);
      scatter(at, to, mul(w, x), mul(w, y), mul(w, z));
    }
  }
}
