import { add, dot, first, high, low, mul, scatter, second, sub } from "./vectors";

/** Bytes of what `factor` finds for a block. */
const FACTORS: usize = 112;

/**
 * Before `bending`, whenever W changes: L D Lᵀ of 1 + (1 + ν) G for each block, and the root of what `limitFrame` allows over the mean of w.
 *
 * @param viscosity ν, damping time over the time step
 * @param reach by how much W grows: substeps from one solve to the next
 */
export function factor(from: usize, end: usize, places: usize, viscosity: f32, reach: f32, isCurved: i32): void {
  const one = f32x4.splat(1);
  const none = f32x4.splat(0);
  const more = f32x4.splat(1 + viscosity);
  const wide = f32x4.splat(reach);
  for (let i = from; i !== end;) {
    let g00 = none;
    let g01 = none;
    let g02 = none;
    let g11 = none;
    let g12 = none;
    let g22 = none;
    let corners = none;
    const last = i + 192;
    for (const next = i + 64 * places; i !== next; i += 64) {
      const p0 = <usize>load<u32>(i);
      const p1 = <usize>load<u32>(i, 4);
      const p2 = <usize>load<u32>(i, 8);
      const p3 = <usize>load<u32>(i, 12);
      const w = f32x4(load<f32>(p0, 12), load<f32>(p1, 12), load<f32>(p2, 12), load<f32>(p3, 12));
      const shared = f32x4(load<f32>(p0, 28), load<f32>(p1, 28), load<f32>(p2, 28), load<f32>(p3, 28));
      const split = mul(shared, mul(w, wide));
      const k0 = v128.load(i, 16);
      const k1 = v128.load(i, 32);
      const k2 = v128.load(i, 48);
      const w0 = mul(split, k0);
      const w1 = mul(split, k1);
      g00 = add(g00, mul(w0, k0));
      g01 = add(g01, mul(w0, k1));
      g02 = add(g02, mul(w0, k2));
      g11 = add(g11, mul(w1, k1));
      g12 = add(g12, mul(w1, k2));
      g22 = add(g22, mul(mul(split, k2), k2));
      if (i < last) corners = add(corners, split);
    }
    if (isCurved) i += 144;
    const d0 = f32x4.div(one, add(one, mul(more, g00)));
    const m01 = mul(more, g01);
    const m02 = mul(more, g02);
    const f1 = mul(m01, d0);
    const f2 = mul(m02, d0);
    const d1 = f32x4.div(one, sub(add(one, mul(more, g11)), mul(f1, m01)));
    const left = sub(mul(more, g12), mul(f2, m01));
    const f3 = mul(left, d1);
    const d2 = f32x4.div(one, sub(sub(add(one, mul(more, g22)), mul(f2, m02)), mul(f3, left)));
    // Nothing pushes if all is pinned.
    const moves = f32x4.gt(add(add(g00, g11), g22), none);
    v128.store(i, v128.and(d0, moves));
    v128.store(i, v128.and(d1, moves), 16);
    v128.store(i, v128.and(d2, moves), 32);
    v128.store(i, f1, 48);
    v128.store(i, f2, 64);
    v128.store(i, f3, 80);
    const most = add(add(add(g00, g11), g22), f32x4.div(one, more));
    v128.store(i, f32x4.sqrt(f32x4.div(mul(f32x4.splat(0.75), most), corners)), 96);
    i += FACTORS;
  }
}

/** Bytes that `sumUp` writes, at most: for 12 places. */
const SUMS: usize = 672;

/**
 * Σ K x of a block, 9 vectors, then x of the places but the first one, beside which all of them are.
 *
 * @param field where x is beside the record of a particle
 */
function sumUp(i: usize, places: usize, field: usize, out: usize): void {
  const none = f32x4.splat(0);
  const o0 = v128.load(<usize>load<u32>(i) + field);
  const o1 = v128.load(<usize>load<u32>(i, 4) + field);
  const o2 = v128.load(<usize>load<u32>(i, 8) + field);
  const o3 = v128.load(<usize>load<u32>(i, 12) + field);
  let s00 = none;
  let s01 = none;
  let s02 = none;
  let s10 = none;
  let s11 = none;
  let s12 = none;
  let s20 = none;
  let s21 = none;
  let s22 = none;
  let to = out;
  for (const end = i + 64 * places; (i += 64) !== end; to += 48) {
    const x0 = sub(v128.load(<usize>load<u32>(i) + field), o0);
    const x1 = sub(v128.load(<usize>load<u32>(i, 4) + field), o1);
    const x2 = sub(v128.load(<usize>load<u32>(i, 8) + field), o2);
    const x3 = sub(v128.load(<usize>load<u32>(i, 12) + field), o3);
    const p = low(x0, x1);
    const q = low(x2, x3);
    const x = first(p, q);
    const y = second(p, q);
    const z = first(high(x0, x1), high(x2, x3));
    v128.store(to, x, 144);
    v128.store(to, y, 160);
    v128.store(to, z, 176);
    let k = v128.load(i, 16);
    s00 = add(s00, mul(k, x));
    s01 = add(s01, mul(k, y));
    s02 = add(s02, mul(k, z));
    k = v128.load(i, 32);
    s10 = add(s10, mul(k, x));
    s11 = add(s11, mul(k, y));
    s12 = add(s12, mul(k, z));
    k = v128.load(i, 48);
    s20 = add(s20, mul(k, x));
    s21 = add(s21, mul(k, y));
    s22 = add(s22, mul(k, z));
  }
  v128.store(out, s00);
  v128.store(out, s01, 16);
  v128.store(out, s02, 32);
  v128.store(out, s10, 48);
  v128.store(out, s11, 64);
  v128.store(out, s12, 80);
  v128.store(out, s20, 96);
  v128.store(out, s21, 112);
  v128.store(out, s22, 128);
}

/**
 * Blocks of four triangles with what is around them: for each place four particles, and K of the three vectors; then, where `isCurved`,
 * the vectors at rest in axes of the triangle; then what `factor` found. See `solveBending`, with nothing tracked. All elements start from
 * the places that `placeAll` took, and add impulses over h² to a list, for `gatherAll`.
 *
 * @param places vertices of an element
 * @param sums distance from records to places, and impulses, of the same particles
 * @param scratch 2 × `SUMS` bytes to work with
 */
export function bending(
  from: usize,
  end: usize,
  places: usize,
  sums: usize,
  scratch: usize,
  viscosity: f32,
  scaling: f32,
  isCurved: i32,
): void {
  const none = f32x4.splat(0);
  const one = f32x4.splat(1);
  const nu = f32x4.splat(viscosity);
  const scale = f32x4.splat(scaling);
  const stride = 64 * places + (isCurved ? 144 : 0) + FACTORS;
  const moved = scratch + SUMS;
  for (let i = from; i !== end; i += stride) {
    sumUp(i, places, sums, scratch);
    sumUp(i, places, 16, moved);
    const s00 = v128.load(scratch);
    const s01 = v128.load(scratch, 16);
    const s02 = v128.load(scratch, 32);
    const s10 = v128.load(scratch, 48);
    const s11 = v128.load(scratch, 64);
    const s12 = v128.load(scratch, 80);
    const s20 = v128.load(scratch, 96);
    const s21 = v128.load(scratch, 112);
    const s22 = v128.load(scratch, 128);
    const c00 = v128.load(moved);
    const c01 = v128.load(moved, 16);
    const c02 = v128.load(moved, 32);
    const c10 = v128.load(moved, 48);
    const c11 = v128.load(moved, 64);
    const c12 = v128.load(moved, 80);
    const c20 = v128.load(moved, 96);
    const c21 = v128.load(moved, 112);
    const c22 = v128.load(moved, 128);
    // sides of the triangle, and displacements of its corners beside the first one
    const ex = v128.load(scratch, 144);
    const ey = v128.load(scratch, 160);
    const ez = v128.load(scratch, 176);
    const fx = v128.load(scratch, 192);
    const fy = v128.load(scratch, 208);
    const fz = v128.load(scratch, 224);
    const bx = v128.load(moved, 144);
    const by = v128.load(moved, 160);
    const bz = v128.load(moved, 176);
    const cx = v128.load(moved, 192);
    const cy = v128.load(moved, 208);
    const cz = v128.load(moved, 224);
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
    let acrossX = mul(vx, perLength);
    let acrossY = mul(vy, perLength);
    let acrossZ = mul(vz, perLength);
    // gradients of the second corner, n × (x₀ − x₂), and of the third, n × (x₁ − x₀); that of the first is minus their sum
    let hx = mul(perArea, sub(mul(nz, fy), mul(ny, fz)));
    let hy = mul(perArea, sub(mul(nx, fz), mul(nz, fx)));
    let hz = mul(perArea, sub(mul(ny, fx), mul(nx, fy)));
    let tx = mul(perArea, sub(mul(ny, ez), mul(nz, ey)));
    let ty = mul(perArea, sub(mul(nz, ex), mul(nx, ez)));
    let tz = mul(perArea, sub(mul(nx, ey), mul(ny, ex)));
    // see `limitFrame`
    const factors = i + stride - FACTORS;
    const most = v128.load(factors, 96);
    const bent = add(
      add(dot(s00, s01, s02, s00, s01, s02), dot(s10, s11, s12, s10, s11, s12)),
      dot(s20, s21, s22, s20, s21, s22),
    );
    const around = sub(add(dot(ex, ey, ez, ex, ey, ez), dot(fx, fy, fz, fx, fy, fz)), dot(ex, ey, ez, fx, fy, fz));
    // as roots: squares of slivers may have no f32
    const stiffness = mul(mul(f32x4.sqrt(bent), f32x4.sqrt(add(around, around))), perArea);
    const isMuch = f32x4.gt(stiffness, most);
    if (v128.any_true(isMuch)) {
      const part = v128.bitselect(f32x4.div(most, stiffness), one, isMuch);
      acrossX = mul(acrossX, part);
      acrossY = mul(acrossY, part);
      acrossZ = mul(acrossZ, part);
      hx = mul(hx, part);
      hy = mul(hy, part);
      hz = mul(hz, part);
      tx = mul(tx, part);
      ty = mul(ty, part);
      tz = mul(tz, part);
    }
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
    const d0 = v128.load(factors);
    const d1 = v128.load(factors, 16);
    const d2 = v128.load(factors, 32);
    const f1 = v128.load(factors, 48);
    const f2 = v128.load(factors, 64);
    const f3 = v128.load(factors, 80);
    l10 = sub(l10, mul(f1, l00));
    l11 = sub(l11, mul(f1, l01));
    l12 = sub(l12, mul(f1, l02));
    l20 = mul(d2, sub(sub(l20, mul(f2, l00)), mul(f3, l10)));
    l21 = mul(d2, sub(sub(l21, mul(f2, l01)), mul(f3, l11)));
    l22 = mul(d2, sub(sub(l22, mul(f2, l02)), mul(f3, l12)));
    l10 = sub(mul(l10, d1), mul(f3, l20));
    l11 = sub(mul(l11, d1), mul(f3, l21));
    l12 = sub(mul(l12, d1), mul(f3, l22));
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
      scatter(at, sums + 16, x, y, z);
    }
  }
}
