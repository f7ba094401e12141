import { add, mul, sub } from "./rod/lanes";

/**
 * Sweeps over the contacts of an island in small steps, two contacts at a time (AssemblyScript, WebAssembly SIMD). The same
 * operations in the same order as `ScalarSweeps` in src/solvers/newton/island/scalar-sweeps.ts, which explains them, so the same
 * bits: f64 only, nothing fused, nothing relaxed.
 *
 * Places are bytes in the memory; src/solvers/newton/contact/contact-blocks.ts describes their contents:
 *
 *   c   block of two contacts that share no moving body: number i of both at c + 16 i
 *   a0  body A of the first contact, b1 body B of the second one, and so on: u, 1/m, I⁻¹ at a0, d and u⁻ at a0 + delta
 */

const BLOCK: usize = 416;
const BODY: usize = 128;

/** One body's contribution to K of each contact, to be found in the block; r from place `arm` on. */
function addMobility(c: usize, at0: usize, at1: usize, arm: usize): void {
  const rx = v128.load(arm);
  const ry = v128.load(arm, 16);
  const rz = v128.load(arm, 32);
  const ixx = v128.load_lane<f64>(at1, v128.load_splat<f64>(at0, 56), 1, 56);
  const ixy = v128.load_lane<f64>(at1, v128.load_splat<f64>(at0, 64), 1, 64);
  const ixz = v128.load_lane<f64>(at1, v128.load_splat<f64>(at0, 72), 1, 72);
  const iyy = v128.load_lane<f64>(at1, v128.load_splat<f64>(at0, 80), 1, 80);
  const iyz = v128.load_lane<f64>(at1, v128.load_splat<f64>(at0, 88), 1, 88);
  const izz = v128.load_lane<f64>(at1, v128.load_splat<f64>(at0, 96), 1, 96);
  // I⁻¹ (r × n), from the first direction on
  let nx = rx;
  let ny = ry;
  let nz = rz;
  for (let d: usize = 0; d < 3; d++) {
    const t = c + 48 * d;
    const dx = v128.load(t);
    const dy = v128.load(t, 16);
    const dz = v128.load(t, 32);
    const x = sub(mul(ry, dz), mul(rz, dy));
    const y = sub(mul(rz, dx), mul(rx, dz));
    const z = sub(mul(rx, dy), mul(ry, dx));
    const ox = add(add(mul(ixx, x), mul(ixy, y)), mul(ixz, z));
    const oy = add(add(mul(ixy, x), mul(iyy, y)), mul(iyz, z));
    const oz = add(add(mul(ixz, x), mul(iyz, y)), mul(izz, z));
    // Kₙₙ is kept where 1/Kₙₙ will be, K₁₁ and K₂₂ where 1/max(K₁₁, K₂₂) and [Cₙ/h]⁺ will be.
    const own = d ? c + 192 + 96 * d : c + 240;
    v128.store(own, add(v128.load(own), add(add(mul(x, ox), mul(y, oy)), mul(z, oz))));
    if (d) {
      const cross = c + 240 + 16 * d;
      v128.store(cross, add(v128.load(cross), add(add(mul(nx, x), mul(ny, y)), mul(nz, z))));
    } else {
      nx = ox;
      ny = oy;
      nz = oz;
    }
  }
}

/** Mobilities of contacts, and their gaps at the start. */
export function prepare(first: usize, end: usize): void {
  const one = f64x2.splat(1);
  for (let c = first; c !== end; c += BLOCK) {
    const a0 = <usize>load<u32>(c, 400);
    const a1 = <usize>load<u32>(c, 404);
    const b0 = <usize>load<u32>(c, 408);
    const b1 = <usize>load<u32>(c, 412);
    const mass = add(
      v128.load_lane<f64>(a1, v128.load_splat<f64>(a0, 48), 1, 48),
      v128.load_lane<f64>(b1, v128.load_splat<f64>(b0, 48), 1, 48),
    );
    // In fewer bytes than a constant.
    const zero = v128.xor(mass, mass);
    v128.store(c, mass, 240);
    v128.store(c, zero, 256);
    v128.store(c, zero, 272);
    v128.store(c, mass, 288);
    v128.store(c, mass, 384);
    addMobility(c, a0, a1, c + 144);
    addMobility(c, b0, b1, c + 192);
    v128.store(c, f64x2.div(one, v128.load(c, 240)), 240);
    v128.store(c, f64x2.div(one, f64x2.max(v128.load(c, 288), v128.load(c, 384))), 288);
    v128.store(c, f64x2.pmax(zero, v128.load(c, 304)), 384);
  }
}

/** One sweep from block `first` on, `stride` bytes at a time, up to block `end`. */
export function sweep(first: usize, end: usize, stride: usize): void {
  for (let c = first; c !== end; c += stride) {
    const a0 = <usize>load<u32>(c, 400);
    const a1 = <usize>load<u32>(c, 404);
    const b0 = <usize>load<u32>(c, 408);
    const b1 = <usize>load<u32>(c, 412);
    const avx = v128.load_lane<f64>(a1, v128.load_splat<f64>(a0), 1);
    const avy = v128.load_lane<f64>(a1, v128.load_splat<f64>(a0, 8), 1, 8);
    const avz = v128.load_lane<f64>(a1, v128.load_splat<f64>(a0, 16), 1, 16);
    const awx = v128.load_lane<f64>(a1, v128.load_splat<f64>(a0, 24), 1, 24);
    const awy = v128.load_lane<f64>(a1, v128.load_splat<f64>(a0, 32), 1, 32);
    const awz = v128.load_lane<f64>(a1, v128.load_splat<f64>(a0, 40), 1, 40);
    const bvx = v128.load_lane<f64>(b1, v128.load_splat<f64>(b0), 1);
    const bvy = v128.load_lane<f64>(b1, v128.load_splat<f64>(b0, 8), 1, 8);
    const bvz = v128.load_lane<f64>(b1, v128.load_splat<f64>(b0, 16), 1, 16);
    const bwx = v128.load_lane<f64>(b1, v128.load_splat<f64>(b0, 24), 1, 24);
    const bwy = v128.load_lane<f64>(b1, v128.load_splat<f64>(b0, 32), 1, 32);
    const bwz = v128.load_lane<f64>(b1, v128.load_splat<f64>(b0, 40), 1, 40);
    const rax = v128.load(c, 144);
    const ray = v128.load(c, 160);
    const raz = v128.load(c, 176);
    const rbx = v128.load(c, 192);
    const rby = v128.load(c, 208);
    const rbz = v128.load(c, 224);
    const x = sub(add(sub(bvx, avx), sub(mul(bwy, rbz), mul(bwz, rby))), sub(mul(awy, raz), mul(awz, ray)));
    const y = sub(add(sub(bvy, avy), sub(mul(bwz, rbx), mul(bwx, rbz))), sub(mul(awz, rax), mul(awx, raz)));
    const z = sub(add(sub(bvz, avz), sub(mul(bwx, rby), mul(bwy, rbx))), sub(mul(awx, ray), mul(awy, rax)));
    const nx = v128.load(c);
    const ny = v128.load(c, 16);
    const nz = v128.load(c, 32);
    const p0 = v128.load(c, 336);
    const p1 = v128.load(c, 352);
    const p2 = v128.load(c, 368);
    const speed = add(add(add(v128.load(c, 384), mul(nx, x)), mul(ny, y)), mul(nz, z));
    const free = sub(p0, mul(speed, v128.load(c, 240)));
    const normal = f64x2.pmax(f64x2.splat(0), free);
    const limit = mul(v128.load(c, 320), normal);
    const change = sub(normal, p0);
    const m = v128.load(c, 288);
    const sx = v128.load(c, 48);
    const sy = v128.load(c, 64);
    const sz = v128.load(c, 80);
    const tx = v128.load(c, 96);
    const ty = v128.load(c, 112);
    const tz = v128.load(c, 128);
    const s = add(add(add(mul(sx, x), mul(sy, y)), mul(sz, z)), mul(v128.load(c, 256), change));
    const t = add(add(add(mul(tx, x), mul(ty, y)), mul(tz, z)), mul(v128.load(c, 272), change));
    let q1 = sub(p1, mul(s, m));
    let q2 = sub(p2, mul(t, m));
    const squared = add(mul(q1, q1), mul(q2, q2));
    const isOutside = f64x2.gt(squared, mul(limit, limit));
    if (v128.any_true(isOutside)) {
      const scale = f64x2.div(limit, f64x2.sqrt(squared));
      q1 = v128.bitselect(mul(q1, scale), q1, isOutside);
      q2 = v128.bitselect(mul(q2, scale), q2, isOutside);
    }
    v128.store(c, normal, 336);
    v128.store(c, q1, 352);
    v128.store(c, q2, 368);
    const c1 = sub(q1, p1);
    const c2 = sub(q2, p2);
    const fx = add(add(mul(change, nx), mul(c1, sx)), mul(c2, tx));
    const fy = add(add(mul(change, ny), mul(c1, sy)), mul(c2, ty));
    const fz = add(add(mul(change, nz), mul(c1, sz)), mul(c2, tz));

    let mass = v128.load_lane<f64>(a1, v128.load_splat<f64>(a0, 48), 1, 48);
    let ixx = v128.load_lane<f64>(a1, v128.load_splat<f64>(a0, 56), 1, 56);
    let ixy = v128.load_lane<f64>(a1, v128.load_splat<f64>(a0, 64), 1, 64);
    let ixz = v128.load_lane<f64>(a1, v128.load_splat<f64>(a0, 72), 1, 72);
    let iyy = v128.load_lane<f64>(a1, v128.load_splat<f64>(a0, 80), 1, 80);
    let iyz = v128.load_lane<f64>(a1, v128.load_splat<f64>(a0, 88), 1, 88);
    let izz = v128.load_lane<f64>(a1, v128.load_splat<f64>(a0, 96), 1, 96);
    let mx = sub(mul(ray, fz), mul(raz, fy));
    let my = sub(mul(raz, fx), mul(rax, fz));
    let mz = sub(mul(rax, fy), mul(ray, fx));
    let vx = sub(avx, mul(mass, fx));
    let vy = sub(avy, mul(mass, fy));
    let vz = sub(avz, mul(mass, fz));
    let wx = sub(awx, add(add(mul(ixx, mx), mul(ixy, my)), mul(ixz, mz)));
    let wy = sub(awy, add(add(mul(ixy, mx), mul(iyy, my)), mul(iyz, mz)));
    let wz = sub(awz, add(add(mul(ixz, mx), mul(iyz, my)), mul(izz, mz)));
    v128.store_lane<f64>(a0, vx, 0);
    v128.store_lane<f64>(a1, vx, 1);
    v128.store_lane<f64>(a0, vy, 0, 8);
    v128.store_lane<f64>(a1, vy, 1, 8);
    v128.store_lane<f64>(a0, vz, 0, 16);
    v128.store_lane<f64>(a1, vz, 1, 16);
    v128.store_lane<f64>(a0, wx, 0, 24);
    v128.store_lane<f64>(a1, wx, 1, 24);
    v128.store_lane<f64>(a0, wy, 0, 32);
    v128.store_lane<f64>(a1, wy, 1, 32);
    v128.store_lane<f64>(a0, wz, 0, 40);
    v128.store_lane<f64>(a1, wz, 1, 40);

    mass = v128.load_lane<f64>(b1, v128.load_splat<f64>(b0, 48), 1, 48);
    ixx = v128.load_lane<f64>(b1, v128.load_splat<f64>(b0, 56), 1, 56);
    ixy = v128.load_lane<f64>(b1, v128.load_splat<f64>(b0, 64), 1, 64);
    ixz = v128.load_lane<f64>(b1, v128.load_splat<f64>(b0, 72), 1, 72);
    iyy = v128.load_lane<f64>(b1, v128.load_splat<f64>(b0, 80), 1, 80);
    iyz = v128.load_lane<f64>(b1, v128.load_splat<f64>(b0, 88), 1, 88);
    izz = v128.load_lane<f64>(b1, v128.load_splat<f64>(b0, 96), 1, 96);
    mx = sub(mul(rby, fz), mul(rbz, fy));
    my = sub(mul(rbz, fx), mul(rbx, fz));
    mz = sub(mul(rbx, fy), mul(rby, fx));
    vx = add(bvx, mul(mass, fx));
    vy = add(bvy, mul(mass, fy));
    vz = add(bvz, mul(mass, fz));
    wx = add(bwx, add(add(mul(ixx, mx), mul(ixy, my)), mul(ixz, mz)));
    wy = add(bwy, add(add(mul(ixy, mx), mul(iyy, my)), mul(iyz, mz)));
    wz = add(bwz, add(add(mul(ixz, mx), mul(iyz, my)), mul(izz, mz)));
    v128.store_lane<f64>(b0, vx, 0);
    v128.store_lane<f64>(b1, vx, 1);
    v128.store_lane<f64>(b0, vy, 0, 8);
    v128.store_lane<f64>(b1, vy, 1, 8);
    v128.store_lane<f64>(b0, vz, 0, 16);
    v128.store_lane<f64>(b1, vz, 1, 16);
    v128.store_lane<f64>(b0, wx, 0, 24);
    v128.store_lane<f64>(b1, wx, 1, 24);
    v128.store_lane<f64>(b0, wy, 0, 32);
    v128.store_lane<f64>(b1, wy, 1, 32);
    v128.store_lane<f64>(b0, wz, 0, 40);
    v128.store_lane<f64>(b1, wz, 1, 40);
  }
}

/** u of bodies, or d where `part` is not 0, += M⁻¹ (f, r × f) of the lanes in `mask`; r from place `arm` on. */
function push(at0: usize, at1: usize, part: usize, arm: usize, fx: v128, fy: v128, fz: v128, mask: v128): void {
  const rx = v128.load(arm);
  const ry = v128.load(arm, 16);
  const rz = v128.load(arm, 32);
  const mx = sub(mul(ry, fz), mul(rz, fy));
  const my = sub(mul(rz, fx), mul(rx, fz));
  const mz = sub(mul(rx, fy), mul(ry, fx));
  const mass = v128.load_lane<f64>(at1, v128.load_splat<f64>(at0, 48), 1, 48);
  const ixx = v128.load_lane<f64>(at1, v128.load_splat<f64>(at0, 56), 1, 56);
  const ixy = v128.load_lane<f64>(at1, v128.load_splat<f64>(at0, 64), 1, 64);
  const ixz = v128.load_lane<f64>(at1, v128.load_splat<f64>(at0, 72), 1, 72);
  const iyy = v128.load_lane<f64>(at1, v128.load_splat<f64>(at0, 80), 1, 80);
  const iyz = v128.load_lane<f64>(at1, v128.load_splat<f64>(at0, 88), 1, 88);
  const izz = v128.load_lane<f64>(at1, v128.load_splat<f64>(at0, 96), 1, 96);
  const to0 = at0 + part;
  const to1 = at1 + part;
  let vx = v128.load_lane<f64>(to1, v128.load_splat<f64>(to0), 1);
  let vy = v128.load_lane<f64>(to1, v128.load_splat<f64>(to0, 8), 1, 8);
  let vz = v128.load_lane<f64>(to1, v128.load_splat<f64>(to0, 16), 1, 16);
  let wx = v128.load_lane<f64>(to1, v128.load_splat<f64>(to0, 24), 1, 24);
  let wy = v128.load_lane<f64>(to1, v128.load_splat<f64>(to0, 32), 1, 32);
  let wz = v128.load_lane<f64>(to1, v128.load_splat<f64>(to0, 40), 1, 40);
  vx = v128.bitselect(add(vx, mul(mass, fx)), vx, mask);
  vy = v128.bitselect(add(vy, mul(mass, fy)), vy, mask);
  vz = v128.bitselect(add(vz, mul(mass, fz)), vz, mask);
  wx = v128.bitselect(add(wx, add(add(mul(ixx, mx), mul(ixy, my)), mul(ixz, mz))), wx, mask);
  wy = v128.bitselect(add(wy, add(add(mul(ixy, mx), mul(iyy, my)), mul(iyz, mz))), wy, mask);
  wz = v128.bitselect(add(wz, add(add(mul(ixz, mx), mul(iyz, my)), mul(izz, mz))), wz, mask);
  v128.store_lane<f64>(to0, vx, 0);
  v128.store_lane<f64>(to1, vx, 1);
  v128.store_lane<f64>(to0, vy, 0, 8);
  v128.store_lane<f64>(to1, vy, 1, 8);
  v128.store_lane<f64>(to0, vz, 0, 16);
  v128.store_lane<f64>(to1, vz, 1, 16);
  v128.store_lane<f64>(to0, wx, 0, 24);
  v128.store_lane<f64>(to1, wx, 1, 24);
  v128.store_lane<f64>(to0, wy, 0, 32);
  v128.store_lane<f64>(to1, wy, 1, 32);
  v128.store_lane<f64>(to0, wz, 0, 40);
  v128.store_lane<f64>(to1, wz, 1, 40);
}

/** u += M⁻¹ Jᵀ p */
export function start(first: usize, end: usize): void {
  for (let c = first; c !== end; c += BLOCK) {
    const p0 = v128.load(c, 336);
    const p1 = v128.load(c, 352);
    const p2 = v128.load(c, 368);
    const fx = add(add(mul(p0, v128.load(c)), mul(p1, v128.load(c, 48))), mul(p2, v128.load(c, 96)));
    const fy = add(add(mul(p0, v128.load(c, 16)), mul(p1, v128.load(c, 64))), mul(p2, v128.load(c, 112)));
    const fz = add(add(mul(p0, v128.load(c, 32)), mul(p1, v128.load(c, 80))), mul(p2, v128.load(c, 128)));
    const a0 = <usize>load<u32>(c, 400);
    const a1 = <usize>load<u32>(c, 404);
    // All bits, in fewer bytes than a constant.
    const all = i64x2.eq(p0, p0);
    push(a0, a1, 0, c + 144, f64x2.neg(fx), f64x2.neg(fy), f64x2.neg(fz), all);
    push(<usize>load<u32>(c, 408), <usize>load<u32>(c, 412), 0, c + 192, fx, fy, fz, all);
  }
}

/** Gaps of the contacts at the present places of bodies; moves the bodies to take back a part of each overlap. */
export function separate(first: usize, end: usize, delta: usize, share: f64, allowed: f64, most: f64): void {
  for (let c = first; c !== end; c += BLOCK) {
    const a0 = <usize>load<u32>(c, 400);
    const a1 = <usize>load<u32>(c, 404);
    const b0 = <usize>load<u32>(c, 408);
    const b1 = <usize>load<u32>(c, 412);
    const avx = v128.load_lane<f64>(a1 + delta, v128.load_splat<f64>(a0 + delta), 1);
    const avy = v128.load_lane<f64>(a1 + delta, v128.load_splat<f64>(a0 + delta, 8), 1, 8);
    const avz = v128.load_lane<f64>(a1 + delta, v128.load_splat<f64>(a0 + delta, 16), 1, 16);
    const awx = v128.load_lane<f64>(a1 + delta, v128.load_splat<f64>(a0 + delta, 24), 1, 24);
    const awy = v128.load_lane<f64>(a1 + delta, v128.load_splat<f64>(a0 + delta, 32), 1, 32);
    const awz = v128.load_lane<f64>(a1 + delta, v128.load_splat<f64>(a0 + delta, 40), 1, 40);
    const bvx = v128.load_lane<f64>(b1 + delta, v128.load_splat<f64>(b0 + delta), 1);
    const bvy = v128.load_lane<f64>(b1 + delta, v128.load_splat<f64>(b0 + delta, 8), 1, 8);
    const bvz = v128.load_lane<f64>(b1 + delta, v128.load_splat<f64>(b0 + delta, 16), 1, 16);
    const bwx = v128.load_lane<f64>(b1 + delta, v128.load_splat<f64>(b0 + delta, 24), 1, 24);
    const bwy = v128.load_lane<f64>(b1 + delta, v128.load_splat<f64>(b0 + delta, 32), 1, 32);
    const bwz = v128.load_lane<f64>(b1 + delta, v128.load_splat<f64>(b0 + delta, 40), 1, 40);
    const rax = v128.load(c, 144);
    const ray = v128.load(c, 160);
    const raz = v128.load(c, 176);
    const rbx = v128.load(c, 192);
    const rby = v128.load(c, 208);
    const rbz = v128.load(c, 224);
    const x = sub(add(sub(bvx, avx), sub(mul(bwy, rbz), mul(bwz, rby))), sub(mul(awy, raz), mul(awz, ray)));
    const y = sub(add(sub(bvy, avy), sub(mul(bwz, rbx), mul(bwx, rbz))), sub(mul(awz, rax), mul(awx, raz)));
    const z = sub(add(sub(bvz, avz), sub(mul(bwx, rby), mul(bwy, rbx))), sub(mul(awx, ray), mul(awy, rax)));
    const nx = v128.load(c);
    const ny = v128.load(c, 16);
    const nz = v128.load(c, 32);
    const gap = add(add(add(v128.load(c, 304), mul(nx, x)), mul(ny, y)), mul(nz, z));
    v128.store(c, f64x2.pmax(f64x2.splat(0), gap), 384);
    const isDeep = f64x2.lt(gap, f64x2.splat(-allowed));
    if (!v128.any_true(isDeep)) continue;
    const way = mul(f64x2.splat(-share), add(gap, f64x2.splat(allowed)));
    const size = mul(f64x2.pmin(f64x2.splat(most), way), v128.load(c, 240));
    const fx = mul(size, nx);
    const fy = mul(size, ny);
    const fz = mul(size, nz);
    push(a0, a1, delta, c + 144, f64x2.neg(fx), f64x2.neg(fy), f64x2.neg(fz), isDeep);
    push(b0, b1, delta, c + 192, fx, fy, fz, isDeep);
  }
}

/** Begins another small step: u += u − u⁻, and u⁻ becomes the previous u. */
export function goOn(first: usize, end: usize, delta: usize): void {
  for (let k = first; k !== end; k += BODY)
    for (let i: usize = k; i < k + 48; i += 16) {
      const u = v128.load(i);
      v128.store(i, add(u, sub(u, v128.load(i + delta, 48))));
      v128.store(i + delta, u, 48);
    }
}

/** d += u */
export function advance(first: usize, end: usize, delta: usize): void {
  for (let k = first; k !== end; k += BODY)
    for (let i: usize = k; i < k + 48; i += 16) v128.store(i + delta, add(v128.load(i + delta), v128.load(i)));
}
