/**
 * Steps of cloth of GPBD in f32, four elements of a color at a time (AssemblyScript, WebAssembly SIMD). The formulas are those of the
 * f64 reference: src/solvers/gpbd/elements/local-solve.ts, bending-solve.ts and cpu-solver.ts. Nothing is fused or relaxed, so the bits are
 * the same on every machine. src/solvers/gpbd/simd/cloth-memory.ts describes the memory:
 *
 *   record of particle p, 32 bytes at 32 p: x⁻ less the origin, and W = Δt²/m; displacement u since x⁻, and how many elements of
 *   bending share the particle. A record without mass follows the last particle: places that are left over refer to it.
 *
 * Displacements are kept apart from x⁻, as in the shaders: what is small beside the positions stays exact.
 */

const RECORD: usize = 32;

function add(a: v128, b: v128): v128 {
  return f32x4.add(a, b);
}

function sub(a: v128, b: v128): v128 {
  return f32x4.sub(a, b);
}

function mul(a: v128, b: v128): v128 {
  return f32x4.mul(a, b);
}

// Transposing four vectors a, b, c, d: first pairs of them, then the rows of the pairs.

function low(a: v128, b: v128): v128 {
  return v128.shuffle<i32>(a, b, 0, 4, 1, 5);
}

function high(a: v128, b: v128): v128 {
  return v128.shuffle<i32>(a, b, 2, 6, 3, 7);
}

function first(p: v128, q: v128): v128 {
  return v128.shuffle<i32>(p, q, 0, 1, 4, 5);
}

function second(p: v128, q: v128): v128 {
  return v128.shuffle<i32>(p, q, 2, 3, 6, 7);
}

/** x, y, z of `a` and the last number of `b`. */
function withLast(a: v128, b: v128): v128 {
  return v128.shuffle<i32>(a, b, 0, 1, 2, 7);
}

function dot(ax: v128, ay: v128, az: v128, bx: v128, by: v128, bz: v128): v128 {
  return add(add(mul(ax, bx), mul(ay, by)), mul(az, bz));
}

/** Adds a vector to a record's displacement, or to another list of the same form. */
function addTo(at: usize, v: v128): void {
  v128.store(at, add(v128.load(at), v));
}

/** Adds displacements of four particles. */
function scatter(i: usize, to: usize, x: v128, y: v128, z: v128): void {
  const none = f32x4.splat(0);
  const p = low(x, y);
  const q = low(z, none);
  const r = high(x, y);
  const s = high(z, none);
  addTo(<usize>load<u32>(i) + to, first(p, q));
  addTo(<usize>load<u32>(i, 4) + to, second(p, q));
  addTo(<usize>load<u32>(i, 8) + to, first(r, s));
  addTo(<usize>load<u32>(i, 12) + to, second(r, s));
}

/**
 * x̃ = x⁻ + h v + W f (3).
 *
 * @param x f64 positions, three a particle; `v` velocities and `a` accelerations, four each; `m` inverse masses, 0 where pinned
 * @param reach h / (1 + h c), with the damping c
 */
export function predict(
  end: usize,
  x: usize,
  v: usize,
  a: usize,
  m: usize,
  ox: f64,
  oy: f64,
  oz: f64,
  h: f32,
  reach: f32,
): void {
  const origin = f64x2.replace_lane(f64x2.splat(ox), 1, oy);
  const time = f32x4.splat(h);
  const way = f32x4.splat(reach);
  for (let p: usize = 0; p !== end; p += RECORD) {
    const flat = f32x4.demote_f64x2_zero(f64x2.sub(v128.load(x), origin));
    const inverse = load<f32>(m);
    const place = f32x4.replace_lane(flat, 2, <f32>(load<f64>(x, 16) - oz));
    v128.store(p, f32x4.replace_lane(place, 3, h * reach * inverse));
    const moving = f32x4.gt(f32x4.splat(inverse), f32x4.splat(0));
    const u = v128.and(mul(way, add(v128.load(v), mul(time, v128.load(a)))), moving);
    v128.store(p, withLast(u, v128.load(p, 16)), 16);
    x += 24;
    v += 16;
    a += 16;
    m += 4;
  }
}

/**
 * v = u/h and x = x⁻ + u (2), if all of them are finite.
 *
 * @returns 0 if not
 */
export function finish(end: usize, x: usize, v: usize, h: f32): i32 {
  let sum = f32x4.splat(0);
  for (let p: usize = 0; p !== end; p += RECORD) sum = add(sum, mul(v128.load(p, 16), f32x4.splat(0)));
  if (v128.any_true(f32x4.ne(sum, f32x4.splat(0)))) return 0;
  const time = f32x4.splat(h);
  for (let p: usize = 0; p !== end; p += RECORD) {
    const u = v128.load(p, 16);
    v128.store(x, f64x2.add(v128.load(x), f64x2.promote_low_f32x4(u)));
    store<f64>(x, load<f64>(x, 16) + <f64>load<f32>(p, 24), 16);
    v128.store(v, f32x4.div(u, time));
    x += 24;
    v += 16;
  }
  return 1;
}

/** Adds what a sweep over all elements at once has found, and clears it for the next one. */
export function gatherAll(end: usize, to: usize): void {
  for (let p: usize = 16; p < end; p += RECORD) {
    addTo(p, v128.load(p + to));
    v128.store(p + to, f32x4.splat(0));
  }
}

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

const HALVINGS = 8;

/**
 * Blocks of four triangles: three lists of four places, Dm⁻¹ row by row, area. See `solveElement`, for Green strain with the energy of
 * Saint Venant and Kirchhoff, one step of Newton, and nothing tracked: the step −(G + G K G)⁻¹ G q, with the Hessian K and the gradient q of
 * energy and damping, is −(I + K G)⁻¹ q. The energy of a trial is found as a difference, so that rounding hides no descent.
 *
 * @param viscosity damping time over the time step
 */
export function membrane(
  from: usize,
  end: usize,
  cuu: f32,
  cuv: f32,
  cvv: f32,
  shear: f32,
  viscosity: f32,
  share: f32,
): void {
  const none = f32x4.splat(0);
  const half = f32x4.splat(0.5);
  const nu = f32x4.splat(viscosity);
  const stiff = f32x4.splat(1 + viscosity);
  for (let i = from; i !== end; i += 128) {
    const a0 = <usize>load<u32>(i);
    const a1 = <usize>load<u32>(i, 4);
    const a2 = <usize>load<u32>(i, 8);
    const a3 = <usize>load<u32>(i, 12);
    const b0 = <usize>load<u32>(i, 16);
    const b1 = <usize>load<u32>(i, 20);
    const b2 = <usize>load<u32>(i, 24);
    const b3 = <usize>load<u32>(i, 28);
    const c0 = <usize>load<u32>(i, 32);
    const c1 = <usize>load<u32>(i, 36);
    const c2 = <usize>load<u32>(i, 40);
    const c3 = <usize>load<u32>(i, 44);
    // sides at the start, and what they have changed by; W of the second and third corner in the last places
    let s0 = v128.load(a0);
    let s1 = v128.load(a1);
    let s2 = v128.load(a2);
    let s3 = v128.load(a3);
    const wa = second(high(s0, s1), high(s2, s3));
    let t0 = v128.load(b0);
    let t1 = v128.load(b1);
    let t2 = v128.load(b2);
    let t3 = v128.load(b3);
    t0 = withLast(sub(t0, s0), t0);
    t1 = withLast(sub(t1, s1), t1);
    t2 = withLast(sub(t2, s2), t2);
    t3 = withLast(sub(t3, s3), t3);
    let p = low(t0, t1);
    let q = low(t2, t3);
    const ex = first(p, q);
    const ey = second(p, q);
    p = high(t0, t1);
    q = high(t2, t3);
    const ez = first(p, q);
    const wb = second(p, q);
    t0 = v128.load(c0);
    t1 = v128.load(c1);
    t2 = v128.load(c2);
    t3 = v128.load(c3);
    t0 = withLast(sub(t0, s0), t0);
    t1 = withLast(sub(t1, s1), t1);
    t2 = withLast(sub(t2, s2), t2);
    t3 = withLast(sub(t3, s3), t3);
    p = low(t0, t1);
    q = low(t2, t3);
    const fx = first(p, q);
    const fy = second(p, q);
    p = high(t0, t1);
    q = high(t2, t3);
    const fz = first(p, q);
    const wc = second(p, q);
    s0 = v128.load(a0, 16);
    s1 = v128.load(a1, 16);
    s2 = v128.load(a2, 16);
    s3 = v128.load(a3, 16);
    t0 = sub(v128.load(b0, 16), s0);
    t1 = sub(v128.load(b1, 16), s1);
    t2 = sub(v128.load(b2, 16), s2);
    t3 = sub(v128.load(b3, 16), s3);
    p = low(t0, t1);
    q = low(t2, t3);
    const dx = first(p, q);
    const dy = second(p, q);
    const dz = first(high(t0, t1), high(t2, t3));
    t0 = sub(v128.load(c0, 16), s0);
    t1 = sub(v128.load(c1, 16), s1);
    t2 = sub(v128.load(c2, 16), s2);
    t3 = sub(v128.load(c3, 16), s3);
    p = low(t0, t1);
    q = low(t2, t3);
    const gx = first(p, q);
    const gy = second(p, q);
    const gz = first(high(t0, t1), high(t2, t3));

    // F at the start, and its change
    const i0 = v128.load(i, 48);
    const i1 = v128.load(i, 64);
    const i2 = v128.load(i, 80);
    const i3 = v128.load(i, 96);
    const ux = add(mul(ex, i0), mul(fx, i2));
    const uy = add(mul(ey, i0), mul(fy, i2));
    const uz = add(mul(ez, i0), mul(fz, i2));
    const vx = add(mul(ex, i1), mul(fx, i3));
    const vy = add(mul(ey, i1), mul(fy, i3));
    const vz = add(mul(ez, i1), mul(fz, i3));
    const dux = add(mul(dx, i0), mul(gx, i2));
    const duy = add(mul(dy, i0), mul(gy, i2));
    const duz = add(mul(dz, i0), mul(gz, i2));
    const dvx = add(mul(dx, i1), mul(gx, i3));
    const dvy = add(mul(dy, i1), mul(gy, i3));
    const dvz = add(mul(dz, i1), mul(gz, i3));
    const fux = add(ux, dux);
    const fuy = add(uy, duy);
    const fuz = add(uz, duz);
    const fvx = add(vx, dvx);
    const fvy = add(vy, dvy);
    const fvz = add(vz, dvz);
    // material gradients of the first corner; those of the others are rows of Dm⁻¹
    const gu = f32x4.neg(add(i0, i2));
    const gv = f32x4.neg(add(i1, i3));
    const wgu = mul(wa, gu);
    const wiu = mul(wb, i0);
    const wju = mul(wc, i2);
    const mx = add(add(mul(wgu, gu), mul(wiu, i0)), mul(wju, i2));
    const my = add(add(mul(wgu, gv), mul(wiu, i1)), mul(wju, i3));
    const mz = add(add(mul(mul(wa, gv), gv), mul(mul(wb, i1), i1)), mul(mul(wc, i3), i3));
    const uu = dot(fux, fuy, fuz, fux, fuy, fuz);
    const uv = dot(fux, fuy, fuz, fvx, fvy, fvz);
    const vv = dot(fvx, fvy, fvz, fvx, fvy, fvz);
    // G
    const g00 = mul(mx, uu);
    const g01 = mul(half, add(mul(mx, uv), mul(my, uu)));
    const g02 = mul(my, uv);
    const g11 = mul(f32x4.splat(0.25), add(add(mul(mx, vv), mul(add(my, my), uv)), mul(mz, uu)));
    const g12 = mul(half, add(mul(my, vv), mul(mz, uv)));
    const g22 = mul(mz, vv);
    const moves = f32x4.gt(add(add(g00, g11), g22), none);
    // s and its change: from the displacements alone
    const one = f32x4.splat(1);
    const e0 = add(
      mul(half, sub(uu, one)),
      mul(nu, add(dot(ux, uy, uz, dux, duy, duz), mul(half, dot(dux, duy, duz, dux, duy, duz)))),
    );
    const e1 = mul(
      half,
      add(
        uv,
        mul(
          nu,
          add(add(dot(ux, uy, uz, dvx, dvy, dvz), dot(vx, vy, vz, dux, duy, duz)), dot(dux, duy, duz, dvx, dvy, dvz)),
        ),
      ),
    );
    const e2 = add(
      mul(half, sub(vv, one)),
      mul(nu, add(dot(vx, vy, vz, dvx, dvy, dvz), mul(half, dot(dvx, dvy, dvz, dvx, dvy, dvz)))),
    );
    const area = v128.load(i, 112);
    const h00 = mul(area, f32x4.splat(cuu));
    const h02 = mul(area, f32x4.splat(cuv));
    const h22 = mul(area, f32x4.splat(cvv));
    const h11 = mul(area, f32x4.splat(4 * shear));
    const q0 = add(mul(h00, e0), mul(h02, e2));
    const q1 = mul(h11, e1);
    const q2 = add(mul(h02, e0), mul(h22, e2));
    // I + K G
    const k00 = mul(stiff, h00);
    const k02 = mul(stiff, h02);
    const k11 = mul(stiff, h11);
    const k22 = mul(stiff, h22);
    const r00 = add(one, add(mul(k00, g00), mul(k02, g02)));
    const r01 = add(mul(k00, g01), mul(k02, g12));
    const r02 = add(mul(k00, g02), mul(k02, g22));
    const r10 = mul(k11, g01);
    const r11 = add(one, mul(k11, g11));
    const r12 = mul(k11, g12);
    const r20 = add(mul(k02, g00), mul(k22, g02));
    const r21 = add(mul(k02, g01), mul(k22, g12));
    const r22 = add(one, add(mul(k02, g02), mul(k22, g22)));
    // its rows eliminated in turn: all pivots are at least one in exact numbers
    const d0 = f32x4.div(one, r00);
    const l1 = mul(r10, d0);
    const l2 = mul(r20, d0);
    const n11 = sub(r11, mul(l1, r01));
    const n12 = sub(r12, mul(l1, r02));
    const n21 = sub(r21, mul(l2, r01));
    const n22 = sub(r22, mul(l2, r02));
    const y1 = sub(q1, mul(l1, q0));
    const d1 = f32x4.div(one, n11);
    const l3 = mul(n21, d1);
    const y2 = sub(sub(q2, mul(l2, q0)), mul(l3, y1));
    const z2 = f32x4.div(y2, sub(n22, mul(l3, n12)));
    const z1 = mul(sub(y1, mul(n12, z2)), d1);
    let l0 = f32x4.neg(mul(sub(sub(q0, mul(r01, z1)), mul(r02, z2)), d0));
    let lambda1 = f32x4.neg(z1);
    let lambda2 = f32x4.neg(z2);
    // slope of the objective (G q)·Δλ
    const slope = add(
      add(
        mul(l0, add(add(mul(g00, q0), mul(g01, q1)), mul(g02, q2))),
        mul(lambda1, add(add(mul(g01, q0), mul(g11, q1)), mul(g12, q2))),
      ),
      mul(lambda2, add(add(mul(g02, q0), mul(g12, q1)), mul(g22, q2))),
    );
    let open = v128.and(moves, f32x4.lt(slope, none));
    let qux = none;
    let quy = none;
    let quz = none;
    let qvx = none;
    let qvy = none;
    let qvz = none;
    let step = f32x4.splat(1);
    for (let halving = 0; halving < HALVINGS && v128.any_true(open); halving++) {
      const shearing = mul(half, lambda1);
      const x0 = add(mul(l0, fux), mul(shearing, fvx));
      const x1 = add(mul(l0, fuy), mul(shearing, fvy));
      const x2 = add(mul(l0, fuz), mul(shearing, fvz));
      const w0 = add(mul(shearing, fux), mul(lambda2, fvx));
      const w1 = add(mul(shearing, fuy), mul(lambda2, fvy));
      const w2 = add(mul(shearing, fuz), mul(lambda2, fvz));
      const mu0 = add(mul(mx, x0), mul(my, w0));
      const mu1 = add(mul(mx, x1), mul(my, w1));
      const mu2 = add(mul(mx, x2), mul(my, w2));
      const mv0 = add(mul(my, x0), mul(mz, w0));
      const mv1 = add(mul(my, x1), mul(mz, w1));
      const mv2 = add(mul(my, x2), mul(mz, w2));
      // change of the strain
      const ds0 = add(dot(fux, fuy, fuz, mu0, mu1, mu2), mul(half, dot(mu0, mu1, mu2, mu0, mu1, mu2)));
      const ds1 = mul(
        half,
        add(
          add(dot(fux, fuy, fuz, mv0, mv1, mv2), dot(fvx, fvy, fvz, mu0, mu1, mu2)),
          dot(mu0, mu1, mu2, mv0, mv1, mv2),
        ),
      );
      const ds2 = add(dot(fvx, fvy, fvz, mv0, mv1, mv2), mul(half, dot(mv0, mv1, mv2, mv0, mv1, mv2)));
      const linear = add(add(mul(q0, ds0), mul(q1, ds1)), mul(q2, ds2));
      const inertia = add(dot(x0, x1, x2, mu0, mu1, mu2), dot(w0, w1, w2, mv0, mv1, mv2));
      const elastic = add(
        add(mul(k00, mul(ds0, ds0)), mul(k22, mul(ds2, ds2))),
        add(mul(k11, mul(ds1, ds1)), mul(add(k02, k02), mul(ds0, ds2))),
      );
      const change = add(linear, mul(half, add(inertia, elastic)));
      const accepted = v128.and(open, f32x4.le(change, mul(mul(f32x4.splat(1e-4), step), slope)));
      qux = v128.bitselect(x0, qux, accepted);
      quy = v128.bitselect(x1, quy, accepted);
      quz = v128.bitselect(x2, quz, accepted);
      qvx = v128.bitselect(w0, qvx, accepted);
      qvy = v128.bitselect(w1, qvy, accepted);
      qvz = v128.bitselect(w2, qvz, accepted);
      open = v128.andnot(open, accepted);
      l0 = mul(l0, half);
      lambda1 = mul(lambda1, half);
      lambda2 = mul(lambda2, half);
      step = mul(step, half);
    }
    const part = f32x4.splat(share);
    const ra = mul(part, wa);
    const rb = mul(part, wb);
    const rc = mul(part, wc);
    scatter(
      i,
      16,
      mul(ra, add(mul(gu, qux), mul(gv, qvx))),
      mul(ra, add(mul(gu, quy), mul(gv, qvy))),
      mul(ra, add(mul(gu, quz), mul(gv, qvz))),
    );
    scatter(
      i + 16,
      16,
      mul(rb, add(mul(i0, qux), mul(i1, qvx))),
      mul(rb, add(mul(i0, quy), mul(i1, qvy))),
      mul(rb, add(mul(i0, quz), mul(i1, qvz))),
    );
    scatter(
      i + 32,
      16,
      mul(rc, add(mul(i2, qux), mul(i3, qvx))),
      mul(rc, add(mul(i2, quy), mul(i3, qvy))),
      mul(rc, add(mul(i2, quz), mul(i3, qvz))),
    );
  }
}

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

// Obstacles, 128 bytes each: see src/solvers/gpbd/simd/obstacle-block.ts. All points are beside the origin of the body.

function number(o: usize, at: usize): v128 {
  return v128.load32_splat(o + 4 * at);
}

/** φ and ∇φ of four points, to `out`. */
function distance(o: usize, x: v128, y: v128, z: v128, out: usize): void {
  const none = f32x4.splat(0);
  const one = f32x4.splat(1);
  if (load<u32>(o, 116) === 0) {
    // Points of the axis that are nearest: all one for a sphere.
    const ax = number(o, 0);
    const ay = number(o, 1);
    const az = number(o, 2);
    let dx = sub(x, number(o, 9));
    let dy = sub(y, number(o, 10));
    let dz = sub(z, number(o, 11));
    const half = number(o, 12);
    const along = f32x4.pmin(f32x4.pmax(dot(ax, ay, az, dx, dy, dz), f32x4.neg(half)), half);
    dx = sub(dx, mul(ax, along));
    dy = sub(dy, mul(ay, along));
    dz = sub(dz, mul(az, along));
    const length = f32x4.sqrt(dot(dx, dy, dz, dx, dy, dz));
    v128.store(out, sub(length, number(o, 13)));
    const scale = f32x4.div(one, length);
    v128.store(out, mul(dx, scale), 16);
    v128.store(out, mul(dy, scale), 32);
    v128.store(out, mul(dz, scale), 48);
    return;
  }
  // A point is so far beyond the two sides across each axis. Places of the sides themselves keep these small numbers exact.
  const sx = dot(number(o, 0), number(o, 1), number(o, 2), x, y, z);
  const sy = dot(number(o, 3), number(o, 4), number(o, 5), x, y, z);
  const sz = dot(number(o, 6), number(o, 7), number(o, 8), x, y, z);
  const px = sub(sx, number(o, 9));
  const py = sub(sy, number(o, 10));
  const pz = sub(sz, number(o, 11));
  const mx = sub(number(o, 12), sx);
  const my = sub(number(o, 13), sy);
  const mz = sub(number(o, 14), sz);
  const qx = f32x4.pmax(px, mx);
  const qy = f32x4.pmax(py, my);
  const qz = f32x4.pmax(pz, mz);
  const most = f32x4.pmax(f32x4.pmax(qx, qy), qz);
  const inside = f32x4.le(most, none);
  const isX = f32x4.eq(qx, most);
  const isY = v128.andnot(f32x4.eq(qy, most), isX);
  const isZ = v128.not(v128.or(isX, isY));
  let dx = f32x4.pmax(qx, none);
  let dy = f32x4.pmax(qy, none);
  let dz = f32x4.pmax(qz, none);
  const length = f32x4.sqrt(dot(dx, dy, dz, dx, dy, dz));
  const scale = f32x4.div(one, length);
  const minus = f32x4.splat(-1);
  dx = mul(v128.bitselect(v128.and(one, isX), mul(dx, scale), inside), v128.bitselect(one, minus, f32x4.gt(px, mx)));
  dy = mul(v128.bitselect(v128.and(one, isY), mul(dy, scale), inside), v128.bitselect(one, minus, f32x4.gt(py, my)));
  dz = mul(v128.bitselect(v128.and(one, isZ), mul(dz, scale), inside), v128.bitselect(one, minus, f32x4.gt(pz, mz)));
  v128.store(out, v128.bitselect(most, length, inside));
  v128.store(out, dot(number(o, 0), number(o, 3), number(o, 6), dx, dy, dz), 16);
  v128.store(out, dot(number(o, 1), number(o, 4), number(o, 7), dx, dy, dz), 32);
  v128.store(out, dot(number(o, 2), number(o, 5), number(o, 8), dx, dy, dz), 48);
}

/** Motion of the obstacle's surface in this substep, at a point of it at the end: one coordinate. */
function motion(o: usize, row: usize, x: v128, y: v128, z: v128): v128 {
  return add(
    dot(number(o, 15 + 3 * row), number(o, 16 + 3 * row), number(o, 17 + 3 * row), x, y, z),
    number(o, 24 + row),
  );
}

const TOUCHING: f32 = 1.05;
/** as in src/collision/contact/sweep.ts */
const SAME_WAY: f32 = 0.99;
/** of particles that several obstacles may touch, or whose contact is for the reference */
const OTHERS: u8 = 255;
const FIND = 0;
const OWNED = 1;

/**
 * Contact of all particles with one obstacle, as `resolveParticleContact`. `flags` has a byte for each particle: the number of the only
 * obstacle that may touch it, or OTHERS.
 *
 * @param mode FIND which particles it may touch, or resolve contact of those that are OWNED by it, or of ALL
 * @param out 64 bytes to work with
 * @returns whether there are particles for the reference
 */
export function touch(end: usize, o: usize, owner: u32, mode: i32, flags: usize, out: usize): i32 {
  const none = f32x4.splat(0);
  const thickness = number(o, 27);
  const reach = mul(thickness, f32x4.splat(TOUCHING));
  const moves = load<u32>(o, 120);
  let hard: i32 = 0;
  for (let p: usize = 0; p < end; p += 4 * RECORD) {
    if (mode === OWNED && load<u32>(flags) === 0) {
      flags += 4;
      continue;
    }
    const s0 = v128.load(p);
    const s1 = v128.load(p, 32);
    const s2 = v128.load(p, 64);
    const s3 = v128.load(p, 96);
    const u0 = v128.load(p, 16);
    const u1 = v128.load(p, 48);
    const u2 = v128.load(p, 80);
    const u3 = v128.load(p, 112);
    let a = low(u0, u1);
    let b = low(u2, u3);
    const ux = first(a, b);
    const uy = second(a, b);
    const uz = first(high(u0, u1), high(u2, u3));
    a = low(s0, s1);
    b = low(s2, s3);
    const x = add(first(a, b), ux);
    const y = add(second(a, b), uy);
    a = high(s0, s1);
    b = high(s2, s3);
    const z = add(first(a, b), uz);
    const w = second(a, b);
    distance(o, x, y, z, out);
    const phi = v128.load(out);
    // motion beside the obstacle
    let rx = ux;
    let ry = uy;
    let rz = uz;
    if (moves) {
      rx = sub(ux, motion(o, 0, x, y, z));
      ry = sub(uy, motion(o, 1, x, y, z));
      rz = sub(uz, motion(o, 2, x, y, z));
    }
    const length = f32x4.sqrt(dot(rx, ry, rz, rx, ry, rz));
    let near = v128.and(f32x4.le(phi, add(length, reach)), f32x4.gt(w, none));
    if (mode === FIND) {
      const bits = v128.bitmask<i32>(near);
      for (let lane: usize = 0; bits >> (<i32>lane) !== 0; lane++) {
        if (!((bits >> (<i32>lane)) & 1)) continue;
        if (load<u8>(flags + lane) !== 0 || owner === OTHERS) {
          store<u8>(flags + lane, OTHERS);
          hard = 1;
        } else store<u8>(flags + lane, <u8>owner);
      }
      flags += 4;
      continue;
    }
    if (mode === OWNED) {
      const owners = i32x4(load<u8>(flags), load<u8>(flags, 1), load<u8>(flags, 2), load<u8>(flags, 3));
      near = v128.and(near, i32x4.eq(owners, i32x4.splat(owner)));
    }
    const nx = v128.load(out, 16);
    const ny = v128.load(out, 32);
    const nz = v128.load(out, 48);
    // mostly the way cannot have met the surface
    const doubtful = v128.andnot(near, f32x4.gt(phi, length));
    if (v128.any_true(doubtful)) {
      distance(o, sub(x, rx), sub(y, ry), sub(z, rz), out);
      const before = v128.load(out);
      const agreement = dot(nx, ny, nz, v128.load(out, 16), v128.load(out, 32), v128.load(out, 48));
      const isOutside = f32x4.gt(before, none);
      const missed = v128.and(f32x4.gt(phi, none), f32x4.gt(add(before, phi), length));
      const isPlain = v128.and(isOutside, v128.or(missed, f32x4.gt(agreement, f32x4.splat(SAME_WAY))));
      const left = v128.bitmask<i32>(v128.andnot(doubtful, isPlain));
      for (let lane: usize = 0; left >> (<i32>lane) !== 0; lane++)
        if ((left >> (<i32>lane)) & 1) {
          store<u8>(flags + lane, OTHERS);
          hard = 1;
        }
      near = v128.andnot(near, v128.andnot(doubtful, isPlain));
    }
    flags += 4;
    near = v128.and(near, f32x4.le(phi, reach));
    if (!v128.any_true(near)) continue;
    const push = v128.and(f32x4.pmax(sub(thickness, phi), none), near);
    let tx = add(ux, mul(push, nx));
    let ty = add(uy, mul(push, ny));
    let tz = add(uz, mul(push, nz));
    const limit = mul(number(o, 28), push);
    // sliding over the surface, from the point of it that is below
    let gx = tx;
    let gy = ty;
    let gz = tz;
    if (moves) {
      const bx = sub(x, mul(phi, nx));
      const by = sub(y, mul(phi, ny));
      const bz = sub(z, mul(phi, nz));
      gx = sub(gx, motion(o, 0, bx, by, bz));
      gy = sub(gy, motion(o, 1, bx, by, bz));
      gz = sub(gz, motion(o, 2, bx, by, bz));
    }
    const gn = dot(gx, gy, gz, nx, ny, nz);
    gx = sub(gx, mul(gn, nx));
    gy = sub(gy, mul(gn, ny));
    gz = sub(gz, mul(gn, nz));
    const sliding = f32x4.sqrt(dot(gx, gy, gz, gx, gy, gz));
    const isMore = f32x4.gt(sliding, limit);
    const part = v128.bitselect(f32x4.div(limit, sliding), f32x4.splat(1), isMore);
    tx = v128.bitselect(sub(tx, mul(part, gx)), ux, near);
    ty = v128.bitselect(sub(ty, mul(part, gy)), uy, near);
    tz = v128.bitselect(sub(tz, mul(part, gz)), uz, near);
    const valence = second(high(u0, u1), high(u2, u3));
    a = low(tx, ty);
    b = low(tz, valence);
    v128.store(p, first(a, b), 16);
    v128.store(p, second(a, b), 48);
    a = high(tx, ty);
    b = high(tz, valence);
    v128.store(p, first(a, b), 80);
    v128.store(p, second(a, b), 112);
  }
  return hard;
}

/** As `touch` to find particles for the reference: those whose way meets a box. */
export function touchBox(end: usize, flags: usize, x0: f32, y0: f32, z0: f32, x1: f32, y1: f32, z1: f32): i32 {
  const from = f32x4(x0, y0, z0, -Infinity);
  const to = f32x4(x1, y1, z1, Infinity);
  let hard: i32 = 0;
  for (let p: usize = 0; p !== end; p += RECORD) {
    const start = v128.load(p);
    const now = add(start, v128.load(p, 16));
    const meets = v128.and(f32x4.le(f32x4.pmin(start, now), to), f32x4.ge(f32x4.pmax(start, now), from));
    if (v128.bitmask<i32>(meets) === 15) {
      store<u8>(flags, OTHERS);
      hard = 1;
    }
    flags++;
  }
  return hard;
}

/**
 * Marks faces of which a point inside may touch an obstacle, by the tests that `resolveFaceContact` begins with.
 *
 * @param from blocks of four faces: three lists of four places
 * @param flags a byte for each face
 * @param out 64 bytes to work with
 * @returns whether there are any
 */
export function touchFaces(from: usize, end: usize, o: usize, keep: f32, flags: usize, out: usize): i32 {
  const thickness = f32x4.splat(keep);
  const third = f32x4.splat(1.0 / 3.0);
  let any: i32 = 0;
  for (let i = from; i !== end; i += 48) {
    let cx = f32x4.splat(0);
    let cy = cx;
    let cz = cx;
    let moved = cx;
    for (let corner: usize = 0; corner < 3; corner++) {
      const at = i + 16 * corner;
      const p0 = <usize>load<u32>(at);
      const p1 = <usize>load<u32>(at, 4);
      const p2 = <usize>load<u32>(at, 8);
      const p3 = <usize>load<u32>(at, 12);
      const u0 = v128.load(p0, 16);
      const u1 = v128.load(p1, 16);
      const u2 = v128.load(p2, 16);
      const u3 = v128.load(p3, 16);
      let a = low(u0, u1);
      let b = low(u2, u3);
      let ux = first(a, b);
      let uy = second(a, b);
      let uz = first(high(u0, u1), high(u2, u3));
      const s0 = v128.load(p0);
      const s1 = v128.load(p1);
      const s2 = v128.load(p2);
      const s3 = v128.load(p3);
      a = low(s0, s1);
      b = low(s2, s3);
      const x = add(first(a, b), ux);
      const y = add(second(a, b), uy);
      const z = add(first(high(s0, s1), high(s2, s3)), uz);
      v128.store(out + 48 * corner, x, 64);
      v128.store(out + 48 * corner, y, 80);
      v128.store(out + 48 * corner, z, 96);
      ux = sub(ux, motion(o, 0, x, y, z));
      uy = sub(uy, motion(o, 1, x, y, z));
      uz = sub(uz, motion(o, 2, x, y, z));
      moved = f32x4.pmax(moved, dot(ux, uy, uz, ux, uy, uz));
      cx = add(cx, x);
      cy = add(cy, y);
      cz = add(cz, z);
    }
    cx = mul(cx, third);
    cy = mul(cy, third);
    cz = mul(cz, third);
    moved = f32x4.sqrt(moved);
    distance(o, cx, cy, cz, out);
    const phi = v128.load(out);
    const nx = v128.load(out, 16);
    const ny = v128.load(out, 32);
    const nz = v128.load(out, 48);
    let radius = f32x4.splat(0);
    let rise = f32x4.splat(Infinity);
    for (let corner: usize = 0; corner < 3; corner++) {
      const x = sub(v128.load(out + 48 * corner, 64), cx);
      const y = sub(v128.load(out + 48 * corner, 80), cy);
      const z = sub(v128.load(out + 48 * corner, 96), cz);
      radius = f32x4.pmax(radius, dot(x, y, z, x, y, z));
      rise = f32x4.pmin(rise, dot(x, y, z, nx, ny, nz));
    }
    // The radius at the start is no more than that now and twice the way.
    const far = add(add(f32x4.sqrt(radius), thickness), mul(f32x4.splat(3), moved));
    const isClear = v128.or(f32x4.gt(phi, far), f32x4.gt(add(phi, rise), f32x4.pmax(thickness, moved)));
    const bits = v128.bitmask<i32>(v128.not(isClear));
    for (let lane: usize = 0; bits >> (<i32>lane) !== 0; lane++)
      if ((bits >> (<i32>lane)) & 1) {
        store<u8>(flags + lane, OTHERS);
        any = 1;
      }
    flags += 4;
  }
  return any;
}

/** As `touchFaces`, by the box of the face's way. */
export function touchFaceBoxes(
  from: usize,
  end: usize,
  flags: usize,
  x0: f32,
  y0: f32,
  z0: f32,
  x1: f32,
  y1: f32,
  z1: f32,
): i32 {
  const low = f32x4(x0, y0, z0, -Infinity);
  const high = f32x4(x1, y1, z1, Infinity);
  let any: i32 = 0;
  for (let i = from; i !== end; i += 48)
    for (let lane: usize = 0; lane < 4; lane++) {
      let least = f32x4.splat(Infinity);
      let most = f32x4.splat(-Infinity);
      for (let corner: usize = 0; corner < 3; corner++) {
        const p = <usize>load<u32>(i + 16 * corner + 4 * lane);
        const start = v128.load(p);
        const now = add(start, v128.load(p, 16));
        least = f32x4.pmin(least, f32x4.pmin(start, now));
        most = f32x4.pmax(most, f32x4.pmax(start, now));
      }
      if (v128.bitmask<i32>(v128.and(f32x4.le(least, high), f32x4.ge(most, low))) === 15) {
        store<u8>(flags, OTHERS);
        any = 1;
      }
      flags++;
    }
  return any;
}

/** Lists particles or faces for the reference, and takes their flags off. @returns how many there are */
export function listOthers(count: u32, flags: usize, list: usize): u32 {
  let found: u32 = 0;
  for (let p: u32 = 0; p < count; p++) if (load<u8>(flags + p) === OTHERS) store<u32>(list + 4 * found++, p);
  memory.fill(flags, 0, count);
  return found;
}

/** Box of all ways in this substep: eight numbers to `out`. */
export function boxOfWays(end: usize, out: usize): void {
  let least = f32x4.splat(Infinity);
  let most = f32x4.splat(-Infinity);
  for (let p: usize = 0; p !== end; p += RECORD) {
    const start = v128.load(p);
    const now = add(start, v128.load(p, 16));
    least = f32x4.pmin(least, f32x4.pmin(start, now));
    most = f32x4.pmax(most, f32x4.pmax(start, now));
  }
  v128.store(out, least);
  v128.store(out, most, 16);
}
