import { add, both, div, dot, mul, sub } from "./lanes";
import { angle, cosine, LARGEST, sine } from "./angles";

// Strains of two joints, and their derivatives by the turns of the edges. Lists have 16 bytes an entry.

/** Places of coordinates: three particles, φ₀, φ₁. */
const PHI: usize = 144;
/** Bytes of a row of the Jacobian, which has eleven coordinates. */
export const ROW: usize = 176;

function minus(a: v128): v128 {
  return f64x2.neg(a);
}

/** The frame q⁻ of edge `e` carried to the edge and turned by φ, see `carryFrame`; with its rows. @returns lanes for which that is too far */
function carry(x: usize, e: usize, rest: usize, frame: usize, rows: usize, turns: bool): v128 {
  const start = rest + 112 + 64 * e;
  const from = x + 48 * e;
  const ex = sub(v128.load(from, 48), v128.load(from));
  const ey = sub(v128.load(from, 64), v128.load(from, 16));
  const ez = sub(v128.load(from, 80), v128.load(from, 32));
  const length = f64x2.max(f64x2.sqrt(dot(ex, ey, ez, ex, ey, ez)), both(1e-300));
  const tx = div(ex, length);
  const ty = div(ey, length);
  const tz = div(ez, length);
  const qx = v128.load(start);
  const qy = v128.load(start, 16);
  const qz = v128.load(start, 32);
  const qw = v128.load(start, 48);
  const one = both(1);
  const two = both(2);
  // t⁻
  const bx = mul(two, add(mul(qx, qz), mul(qw, qy)));
  const by = mul(two, sub(mul(qy, qz), mul(qw, qx)));
  const bz = sub(one, mul(two, add(mul(qx, qx), mul(qy, qy))));
  const px = sub(mul(by, tz), mul(bz, ty));
  const py = sub(mul(bz, tx), mul(bx, tz));
  const pz = sub(mul(bx, ty), mul(by, tx));
  const pw = add(one, dot(bx, by, bz, tx, ty, tz));
  let far = f64x2.lt(pw, both(1e-9));
  let ax = qx;
  let ay = qy;
  let az = qz;
  let aw = qw;
  if (turns) {
    const half = mul(both(0.5), v128.load(x + 16 * e, PHI));
    far = v128.or(far, f64x2.gt(f64x2.abs(half), both(LARGEST)));
    const s = sine(half);
    const c = cosine(half);
    ax = add(mul(c, qx), mul(s, qy));
    ay = sub(mul(c, qy), mul(s, qx));
    az = add(mul(c, qz), mul(s, qw));
    aw = sub(mul(c, qw), mul(s, qz));
  }
  let fx = add(add(mul(pw, ax), mul(px, aw)), sub(mul(py, az), mul(pz, ay)));
  let fy = add(add(mul(pw, ay), mul(py, aw)), sub(mul(pz, ax), mul(px, az)));
  let fz = add(add(mul(pw, az), mul(pz, aw)), sub(mul(px, ay), mul(py, ax)));
  let fw = sub(mul(pw, aw), dot(px, py, pz, ax, ay, az));
  const scale = div(one, f64x2.sqrt(add(dot(fx, fy, fz, fx, fy, fz), mul(fw, fw))));
  fx = mul(fx, scale);
  fy = mul(fy, scale);
  fz = mul(fz, scale);
  fw = mul(fw, scale);
  if (e === 1) {
    // q₁ R(e₃, −τ̄), whose rows are wanted as well
    const s = minus(v128.load(rest, 32));
    const c = v128.load(rest, 48);
    ax = fx;
    ay = fy;
    az = fz;
    aw = fw;
    fx = add(mul(c, ax), mul(s, ay));
    fy = sub(mul(c, ay), mul(s, ax));
    fz = add(mul(c, az), mul(s, aw));
    fw = sub(mul(c, aw), mul(s, az));
  }
  v128.store(frame, fx);
  v128.store(frame, fy, 16);
  v128.store(frame, fz, 32);
  v128.store(frame, fw, 48);
  if (rows === 0) return far;
  const a = div(two, length);
  const inverse = mul(both(0.5), a);
  v128.store(rows, sub(inverse, mul(a, add(mul(fy, fy), mul(fz, fz)))));
  v128.store(rows, mul(a, add(mul(fx, fy), mul(fw, fz))), 16);
  v128.store(rows, mul(a, sub(mul(fx, fz), mul(fw, fy))), 32);
  v128.store(rows, mul(a, sub(mul(fx, fy), mul(fw, fz))), 48);
  v128.store(rows, sub(inverse, mul(a, add(mul(fx, fx), mul(fz, fz)))), 64);
  v128.store(rows, mul(a, add(mul(fy, fz), mul(fw, fx))), 80);
  const h = div(inverse, f64x2.max(both(1e-9), pw));
  v128.store(rows, mul(h, px), 96);
  v128.store(rows, mul(h, py), 112);
  v128.store(rows, mul(h, pz), 128);
  return far;
}

/** r with r_w ≥ 0, at `turn`. */
function relate(a: usize, turn: usize): void {
  const x = minus(v128.load(a));
  const y = minus(v128.load(a, 16));
  const z = minus(v128.load(a, 32));
  const w = v128.load(a, 48);
  const bx = v128.load(a, 64);
  const by = v128.load(a, 80);
  const bz = v128.load(a, 96);
  const bw = v128.load(a, 112);
  const real = sub(mul(w, bw), dot(x, y, z, bx, by, bz));
  const flip = v128.and(f64x2.lt(real, both(0)), both(-0.0));
  v128.store(turn, v128.xor(flip, sub(add(add(mul(w, bx), mul(x, bw)), mul(y, bz)), mul(z, by))));
  v128.store(turn, v128.xor(flip, sub(add(add(mul(w, by), mul(y, bw)), mul(z, bx)), mul(x, bz))), 16);
  v128.store(turn, v128.xor(flip, sub(add(add(mul(w, bz), mul(z, bw)), mul(x, by)), mul(y, bx))), 32);
  v128.store(turn, v128.xor(flip, real), 48);
}

/**
 * @param x eleven coordinates
 * @param rest seven numbers, then the frames at the start of the step
 * @param work eight entries; the turn r is left after them, in four
 * @param rows eighteen entries, or 0 where they are not needed
 * @param turns whether φ is other than 0
 * @param s three strains
 * @returns lanes that have to be left to the reference
 */
export function strains(x: usize, rest: usize, work: usize, rows: usize, turns: bool, s: usize): v128 {
  let far = carry(x, 0, rest, work, rows, turns);
  far = v128.or(far, carry(x, 1, rest, work + 64, rows === 0 ? 0 : rows + 144, turns));
  const turn = work + 128;
  relate(work, turn);
  const rz = v128.load(turn, 32);
  const rw = v128.load(turn, 48);
  const c = f64x2.max(both(1e-6), f64x2.sqrt(add(mul(rz, rz), mul(rw, rw))));
  const two = div(both(2), c);
  v128.store(s, mul(v128.load(rest, 64), sub(mul(two, v128.load(turn)), v128.load(rest))));
  v128.store(s, mul(v128.load(rest, 80), sub(mul(two, v128.load(turn, 16)), v128.load(rest, 16))), 16);
  v128.store(s, mul(mul(v128.load(rest, 96), both(2)), angle(rz, rw)), 32);
  return far;
}

/** A row of the Jacobian from ∂f/∂r, see `writeRow` in strains/rod.ts. */
function row(to: usize, turn: usize, rows: usize, fx: v128, fy: v128, fz: v128, fw: v128, k: v128): void {
  const vx = v128.load(turn);
  const vy = v128.load(turn, 16);
  const vz = v128.load(turn, 32);
  const w = v128.load(turn, 48);
  const half = mul(both(0.5), k);
  const px = mul(half, sub(mul(w, fx), mul(fw, vx)));
  const py = mul(half, sub(mul(w, fy), mul(fw, vy)));
  const pz = mul(half, sub(mul(w, fz), mul(fw, vz)));
  const qx = mul(half, sub(mul(fy, vz), mul(fz, vy)));
  const qy = mul(half, sub(mul(fz, vx), mul(fx, vz)));
  const qz = mul(half, sub(mul(fx, vy), mul(fy, vx)));
  const ax = sub(qx, px);
  const ay = sub(qy, py);
  const az = sub(qz, pz);
  const bx = add(qx, px);
  const by = add(qy, py);
  const bz = add(qz, pz);
  for (let c: usize = 0; c < 48; c += 16) {
    const i = rows + c;
    const g = sub(sub(mul(ay, v128.load(i)), mul(ax, v128.load(i, 48))), mul(az, v128.load(i, 96)));
    const h = sub(sub(mul(by, v128.load(i, 144)), mul(bx, v128.load(i, 192))), mul(bz, v128.load(i, 240)));
    v128.store(to + c, minus(g));
    v128.store(to + c, sub(g, h), 48);
    v128.store(to + c, h, 96);
  }
  v128.store(to, az, 144);
  v128.store(to, bz, 160);
}

/** The Jacobian at the coordinates of the last call of `strains`: three rows. */
export function derive(jacobian: usize, rest: usize, work: usize, rows: usize): void {
  const turn = work + 128;
  const rx = v128.load(turn);
  const ry = v128.load(turn, 16);
  const rz = v128.load(turn, 32);
  const rw = v128.load(turn, 48);
  const none = both(0);
  const c = f64x2.max(both(1e-6), f64x2.sqrt(add(mul(rz, rz), mul(rw, rw))));
  const first = div(both(2), c);
  const square = div(first, c);
  const cube = minus(div(square, c));
  row(jacobian, turn, rows, first, none, mul(cube, mul(rx, rz)), mul(cube, mul(rx, rw)), v128.load(rest, 64));
  row(jacobian + ROW, turn, rows, none, first, mul(cube, mul(ry, rz)), mul(cube, mul(ry, rw)), v128.load(rest, 80));
  row(jacobian + 2 * ROW, turn, rows, none, none, mul(square, rw), minus(mul(square, rz)), v128.load(rest, 96));
}
