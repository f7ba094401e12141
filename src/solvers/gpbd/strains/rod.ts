/**
 * Bending and twist at a joint of two edges of a rod, k = 3.
 *
 *     s = (√k₁ (κ₁ − κ̄₁), √k₂ (κ₂ − κ̄₂), √k₃ (τ − τ̄)),  κ₁ = 2 r_x/c,  κ₂ = 2 r_y/c,  τ − τ̄ = 2 atan2(r_z, r_w)
 *
 * with the turn r = q̄₀ q₁ R(e₃, −τ̄) from the frame of the first edge to that of the second, and c = √(r_z² + r_w²). For edges
 * that enclose an angle β, |κ| = 2 tan β/2 as in Bergou et al. 2008: no energy of finite size folds an edge back on the last. κ is
 * seen in the axes half-way between the two frames. The stiffnesses k are those of the rod [N m²] over the length of the joint,
 * so the energy is ½ ‖s‖².
 *
 * Glossary:
 *   q, q⁻  frame of an edge, at x and at the start of the step      t, t⁻  its third axes, along the edge
 *   φ      turn about the edge since then                          d₁, d₂  its first and second axes
 *   ω      turn of a frame, in its own axes: with the edge e,
 *          ω = (−d₂·δe/|e|, d₁·δe/|e|, δφ − h·δe),  h = (t⁻ × t)/(|e| (1 + t⁻·t))
 *
 * "Vertices": the particles before, at and after the joint, then (φ₀, 0, 0) and (φ₁, 0, 0). Rest data: those of `RodSet`, then q₀⁻
 * and q₁⁻.
 */
import { axisOf, carryFrame, relativeTurn, REST } from "../rods/rod-set";
import type { StrainMeasure } from "./strain";
import { atan2 } from "../../../math/deterministic";

/** Numbers that an element needs: rest data and two frames. */
export const ROD_ELEMENT = REST + 8;
/** c is at least this: beyond it the edges lie on each other. */
const LEAST_COSINE = 1e-6;

const frames = new Float64Array(8);
/** direction of an edge, and φ/2 */
const t = new Float64Array(4);
const before = new Float64Array(3);
const turn = new Float64Array(4);
/** of the two edges [m] */
const lengths = new Float64Array(2);
/** for each edge d₁/|e|, d₂/|e|, h */
const rows = new Float64Array(18);
/** ∂f/∂(r_x, r_y, r_z, r_w) of a strain, and √k: V8 would allocate numbers for a function that it doesn't inline */
const slopes = new Float64Array(5);

export const rodStrain: StrainMeasure = {
  arity: 5,
  dimension: 3,
  strain(x, rest, at, s) {
    setTurn(x, rest, at, false);
    strainOfTurn(rest, at, s);
  },
  jacobian(x, rest, at, jacobian) {
    setTurn(x, rest, at, true);
    const rx = turn[0];
    const ry = turn[1];
    const rz = turn[2];
    const rw = turn[3];
    const c = Math.max(LEAST_COSINE, Math.sqrt(rz * rz + rw * rw));
    const c3 = c * c * c;
    setSlopes(2 / c, 0, (-2 * rx * rz) / c3, (-2 * rx * rw) / c3, rest[at + 4]);
    writeRow(jacobian, 0);
    setSlopes(0, 2 / c, (-2 * ry * rz) / c3, (-2 * ry * rw) / c3, rest[at + 5]);
    writeRow(jacobian, 15);
    setSlopes(0, 0, (2 * rw) / (c * c), (-2 * rz) / (c * c), rest[at + 6]);
    writeRow(jacobian, 30);
  },
};

/** The strain at the positions of the last call of `rodStrain`. */
export function strainOfTurn(rest: Float64Array, at: number, s: Float64Array): void {
  const rx = turn[0];
  const ry = turn[1];
  const rz = turn[2];
  const rw = turn[3];
  const c = Math.max(LEAST_COSINE, Math.sqrt(rz * rz + rw * rw));
  s[0] = rest[at + 4] * ((2 * rx) / c - rest[at]);
  s[1] = rest[at + 5] * ((2 * ry) / c - rest[at + 1]);
  s[2] = rest[at + 6] * 2 * atan2(rz, rw);
}

/** r with r_w ≥ 0, and the rows of ω. */
function setTurn(x: Float64Array, rest: Float64Array, at: number, withRows: boolean): void {
  for (let e = 0; e < 2; e++) {
    const ex = x[3 * e + 3] - x[3 * e];
    const ey = x[3 * e + 4] - x[3 * e + 1];
    const ez = x[3 * e + 5] - x[3 * e + 2];
    const length = Math.sqrt(ex * ex + ey * ey + ez * ez) || 1;
    t[0] = ex / length;
    t[1] = ey / length;
    t[2] = ez / length;
    t[3] = 0.5 * x[9 + 3 * e];
    carryFrame(rest, at + REST + 4 * e, t, frames, 4 * e);
    // The second frame without its twist at rest: κ then is what it is at rest where nothing has changed.
    if (e === 1) untwist(frames, rest, at);
    if (withRows) {
      lengths[e] = length;
      setRows(rest, at + REST + 4 * e, e);
    }
  }
  relativeTurn(frames, 0, frames, 4, turn);
}

/** q₁ R(e₃, −τ̄). */
function untwist(q: Float64Array, rest: Float64Array, at: number): void {
  const s = -rest[at + 2];
  const c = rest[at + 3];
  const x = q[4];
  const y = q[5];
  const z = q[6];
  const w = q[7];
  q[4] = c * x + s * y;
  q[5] = c * y - s * x;
  q[6] = c * z + s * w;
  q[7] = c * w - s * z;
}

/** d₁/|e|, d₂/|e| and h of an edge, whose direction is in `t` and frame in `frames`. */
function setRows(rest: Float64Array, startFrame: number, e: number): void {
  const length = lengths[e];
  const x = frames[4 * e];
  const y = frames[4 * e + 1];
  const z = frames[4 * e + 2];
  const w = frames[4 * e + 3];
  const row = 9 * e;
  rows[row] = (1 - 2 * (y * y + z * z)) / length;
  rows[row + 1] = (2 * (x * y + w * z)) / length;
  rows[row + 2] = (2 * (x * z - w * y)) / length;
  rows[row + 3] = (2 * (x * y - w * z)) / length;
  rows[row + 4] = (1 - 2 * (x * x + z * z)) / length;
  rows[row + 5] = (2 * (y * z + w * x)) / length;
  axisOf(rest, startFrame, before);
  const cosine = before[0] * t[0] + before[1] * t[1] + before[2] * t[2];
  const scale = 1 / (length * Math.max(1e-9, 1 + cosine));
  rows[row + 6] = scale * (before[1] * t[2] - before[2] * t[1]);
  rows[row + 7] = scale * (before[2] * t[0] - before[0] * t[2]);
  rows[row + 8] = scale * (before[0] * t[1] - before[1] * t[0]);
}

function setSlopes(fx: number, fy: number, fz: number, fw: number, scale: number): void {
  slopes[0] = fx;
  slopes[1] = fy;
  slopes[2] = fz;
  slopes[3] = fw;
  slopes[4] = scale;
}

/**
 * The row of the Jacobian at `at`. With δr = ½ (r ω₁ − ω₀ r) it is ∂f/∂ω₁ = P + Q and ∂f/∂ω₀ = Q − P, where P = ½ (r_w f_v − f_w v),
 * Q = ½ f_v × v, v = (r_x, r_y, r_z).
 */
function writeRow(jacobian: Float64Array, at: number): void {
  const vx = turn[0];
  const vy = turn[1];
  const vz = turn[2];
  const w = turn[3];
  const fx = slopes[0];
  const fy = slopes[1];
  const fz = slopes[2];
  const fw = slopes[3];
  const scale = slopes[4];
  const px = 0.5 * (w * fx - fw * vx);
  const py = 0.5 * (w * fy - fw * vy);
  const pz = 0.5 * (w * fz - fw * vz);
  const qx = 0.5 * (fy * vz - fz * vy);
  const qy = 0.5 * (fz * vx - fx * vz);
  const qz = 0.5 * (fx * vy - fy * vx);
  for (let k = 0; k < 3; k++) {
    const g0 = scale * ((qy - py) * rows[k] - (qx - px) * rows[k + 3] - (qz - pz) * rows[k + 6]);
    const g1 = scale * ((qy + py) * rows[9 + k] - (qx + px) * rows[12 + k] - (qz + pz) * rows[15 + k]);
    jacobian[at + k] = -g0;
    jacobian[at + 3 + k] = g0 - g1;
    jacobian[at + 6 + k] = g1;
  }
  jacobian[at + 9] = scale * (qz - pz);
  jacobian[at + 10] = 0;
  jacobian[at + 11] = 0;
  jacobian[at + 12] = scale * (qz + pz);
  jacobian[at + 13] = 0;
  jacobian[at + 14] = 0;
}
