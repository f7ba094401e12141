import { add, dot, first, high, low, mul, scatter, second, sub, withLast } from "./vectors";

const HALVINGS = 8;

/**
 * Blocks of four triangles: three lists of four places, Dm⁻¹ row by row, area. See `solveElement`, for Green strain with the energy of
 * Saint Venant and Kirchhoff, one step of Newton, and nothing tracked: the step −(G + G K G)⁻¹ G q, with the Hessian K and the gradient q of
 * energy and damping, is Δλ = −(I + K G)⁻¹ q. The energy of a trial is found as a difference, so that rounding hides no descent.
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
    l0 = v128.and(l0, open);
    lambda1 = v128.and(lambda1, open);
    lambda2 = v128.and(lambda2, open);
    const shearing = mul(half, lambda1);
    const qux = add(mul(l0, fux), mul(shearing, fvx));
    const quy = add(mul(l0, fuy), mul(shearing, fvy));
    const quz = add(mul(l0, fuz), mul(shearing, fvz));
    const qvx = add(mul(shearing, fux), mul(lambda2, fvx));
    const qvy = add(mul(shearing, fuy), mul(lambda2, fvy));
    const qvz = add(mul(shearing, fuz), mul(lambda2, fvz));
    // A part t of the step changes the objective by t (1 − t/2) slope + ((1 − t) q − t Δλ)·t² r + ½ t⁴ r·K r, where t² r is what the strain changes
    // by beside G Δλ. A bound of r shows that nearly all may take the whole step.
    let part = f32x4.splat(share);
    const size = add(add(mul(l0, l0), mul(shearing, lambda1)), mul(lambda2, lambda2));
    const spread = add(mx, mz);
    const most = mul(half, mul(mul(spread, spread), mul(size, add(uu, vv))));
    const rise = mul(most, add(f32x4.sqrt(size), mul(mul(f32x4.splat(0.625), add(add(k00, k11), k22)), most)));
    if (v128.any_true(v128.andnot(open, f32x4.le(rise, mul(f32x4.splat(-0.49), slope))))) {
      const mu0 = add(mul(mx, qux), mul(my, qvx));
      const mu1 = add(mul(mx, quy), mul(my, qvy));
      const mu2 = add(mul(mx, quz), mul(my, qvz));
      const mv0 = add(mul(my, qux), mul(mz, qvx));
      const mv1 = add(mul(my, quy), mul(mz, qvy));
      const mv2 = add(mul(my, quz), mul(mz, qvz));
      const v0 = mul(half, dot(mu0, mu1, mu2, mu0, mu1, mu2));
      const v1 = mul(half, dot(mu0, mu1, mu2, mv0, mv1, mv2));
      const v2 = mul(half, dot(mv0, mv1, mv2, mv0, mv1, mv2));
      const given = dot(q0, q1, q2, v0, v1, v2);
      const taken = dot(l0, lambda1, lambda2, v0, v1, v2);
      const elastic = mul(
        half,
        add(dot(k00, k11, k22, mul(v0, v0), mul(v1, v1), mul(v2, v2)), mul(add(k02, k02), mul(v0, v2))),
      );
      part = none;
      for (let halving = 0, t: f32 = 1; halving < HALVINGS; halving++, t *= 0.5) {
        const linear = sub(mul(f32x4.splat(1 - t), given), mul(f32x4.splat(t), taken));
        const higher = mul(f32x4.splat(t * t), add(linear, mul(f32x4.splat(t * t), elastic)));
        const change = add(mul(f32x4.splat(t - 0.5 * t * t), slope), higher);
        const accepted = v128.and(open, f32x4.le(change, mul(f32x4.splat(1e-4 * t), slope)));
        part = v128.bitselect(f32x4.splat(t * share), part, accepted);
        open = v128.andnot(open, accepted);
      }
    }
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
