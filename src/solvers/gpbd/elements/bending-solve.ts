/**
 * The update of an element of bending, equation (19) of paper 1 for three vectors s_i = Σ_a K_ia x_a. They are linear in x, so one step of
 * Newton is exact. It is the same in x, y and z, so that there is one matrix of three rows, G = K W Kᵀ:
 *
 *     (1 + (1 + ν) G) Δλ = −(G⁻¹ b + s − p + ν Δs),   Δd_a = w_a Σ_i K_ia Δλ_i,   b = K d,   ν = τ/Δt
 *
 * with the damping time τ, and what s was at rest turned with the triangle, p: none where that was flat.
 *
 * The energy ½ |s − p|² does not know how the element lies, and damping must not either: Δs is the change of s in this time step without what
 * the turn of the triangle makes of it. So impulses on the twelve vertices have a torque T = Σ s_i × Δλ_i, unless all is along s. The corners of the
 * triangle take that up as a rigid plate would:
 *
 *     Δd_c += w_c F_c,   F_c = ((T × n)·g_c) n,   and ± (T·n) v/l at both ends of the first side.
 *
 * This is −∂(T·ω)/∂x_c with the turn ω of the triangle, and for ½ |s − p|² exactly what its gradient has besides K, since p turns by ω.
 *
 * Glossary: n normal, g_c gradients of the hat functions of the corners in its plane [1/m], l length of the first side, v across it.
 */
import type { ElementScratch } from "./local-solve";
import { turnCurvature, WEIGHTS } from "../strains/curvature-vectors";
import { createFrame, crossInto, findFrame, reactionTo, turnOf } from "../strains/triangle-frame";

const ARITY = 12;
/** Stiffness of what turns, over that of the rest of the element, at most. */
const TURNING = 0.25;

/** Entries 00, 01, 02, 11, 12, 22. */
const gram = new Float64Array(6);
const diagonal = [0, 3, 5];
const matrix = new Float64Array(6);
/** three vectors each */
const s = new Float64Array(9);
const restCurvature = new Float64Array(9);
const change = new Float64Array(9);
const b = new Float64Array(9);
const lambda = new Float64Array(9);
const moved = new Float64Array(9);
const reaction = new Float64Array(9);
const frame = createFrame();
const turn = new Float64Array(3);
const torque = new Float64Array(3);
const p = new Float64Array(3);

/**
 * @param isCurved whether rest data has curvature at rest
 * @param viscosity ν
 */
export function solveBending(
  isCurved: boolean,
  rest: Float64Array,
  at: number,
  viscosity: number,
  { x, start, tracked, w, displacement }: ElementScratch,
): void {
  displacement.fill(0);
  gram.fill(0);
  s.fill(0);
  change.fill(0);
  b.fill(0);
  let isTracked = false;
  for (let a = 0; a < ARITY; a++) {
    const from = at + WEIGHTS + 3 * a;
    const k0 = rest[from];
    const k1 = rest[from + 1];
    const k2 = rest[from + 2];
    if (k0 === 0 && k1 === 0 && k2 === 0) continue;
    const w0 = w[a] * k0;
    const w1 = w[a] * k1;
    gram[0] += w0 * k0;
    gram[1] += w0 * k1;
    gram[2] += w0 * k2;
    gram[3] += w1 * k1;
    gram[4] += w1 * k2;
    gram[5] += w[a] * k2 * k2;
    for (let c = 0; c < 3; c++) {
      const place = x[3 * a + c];
      add(s, c, k0, k1, k2, place - x[c]);
      add(change, c, k0, k1, k2, place - start[3 * a + c]);
      const d = tracked[3 * a + c];
      if (d === 0) continue;
      isTracked = true;
      add(b, c, k0, k1, k2, d);
    }
  }
  const trace = gram[0] + gram[3] + gram[5];
  if (!(trace > 0)) return;
  const hasFrame = (isCurved || viscosity > 0 || isTracked) && findFrame(x, frame);
  for (let i = 0; i < 9; i++) lambda[i] = -s[i];
  if (hasFrame) limitFrame(w, TURNING * (trace + 1 / (1 + viscosity)));
  if (isCurved && hasFrame) {
    turnCurvature(rest, at, frame.axes, restCurvature);
    for (let i = 0; i < 9; i++) lambda[i] += restCurvature[i];
  }
  if (viscosity > 0) {
    for (let i = 0; i < 9; i++) moved[i] = x[i] - start[i];
    if (hasFrame) turnOf(frame, moved, turn);
    else turn.fill(0);
    for (let i = 0; i < 9; i += 3) {
      crossInto(turn, 0, s, i, p, 0);
      for (let c = 0; c < 3; c++) lambda[i + c] -= viscosity * (change[i + c] - p[c]);
    }
  }
  if (isTracked) {
    for (let i = 0; i < 6; i++) matrix[i] = gram[i]!;
    // rows that pins or free sides leave dependent
    for (const i of diagonal) matrix[i] += 1e-12 * gram[i] + Number.MIN_VALUE;
    solve(b);
    for (let i = 0; i < 9; i++) lambda[i] -= b[i];
  }
  for (let i = 0; i < 6; i++) matrix[i] = (1 + viscosity) * gram[i];
  for (const i of diagonal) matrix[i] += 1;
  solve(lambda);
  for (let a = 0; a < ARITY; a++) {
    if (w[a] === 0) continue;
    const from = at + WEIGHTS + 3 * a;
    for (let c = 0; c < 3; c++)
      displacement[3 * a + c] =
        w[a] * (rest[from] * lambda[c] + rest[from + 1] * lambda[3 + c] + rest[from + 2] * lambda[6 + c]);
  }
  if (hasFrame) takeUpTorque(w, displacement);
}

/**
 * G knows nothing of the turn. The corners of a sliver would move without bound by it: so its part is at most a quarter as stiff as
 * the rest of the element, Σ |s_i|² Σ w_c |g_c|² ≤ ¼ (tr G + 1/(1 + ν)), with the mean of w_c.
 */
function limitFrame(w: Float64Array, most: number): void {
  const { hats, across } = frame;
  let [bent, steep] = [0, 0];
  for (let i = 0; i < 9; i++) {
    bent += s[i] * s[i];
    steep += hats[i] * hats[i];
  }
  const stiffness = ((w[0] + w[1] + w[2]) / 3) * bent * steep;
  if (!(stiffness > most)) return;
  const part = Math.sqrt(most / stiffness);
  for (let i = 0; i < 9; i++) hats[i] *= part;
  for (let i = 0; i < 3; i++) across[i] *= part;
}

function takeUpTorque(w: Float64Array, displacement: Float64Array): void {
  torque.fill(0);
  for (let i = 0; i < 9; i += 3) {
    crossInto(s, i, lambda, i, p, 0);
    for (let c = 0; c < 3; c++) torque[c] += p[c];
  }
  reactionTo(torque, frame, reaction);
  for (let i = 0; i < 9; i++) displacement[i] += w[(i / 3) | 0] * reaction[i];
}

function add(vectors: Float64Array, c: number, k0: number, k1: number, k2: number, value: number): void {
  vectors[c] += k0 * value;
  vectors[3 + c] += k1 * value;
  vectors[6 + c] += k2 * value;
}

/** Solves for three vectors in place, by L D Lᵀ of `matrix`. */
function solve(vectors: Float64Array): void {
  const d0 = matrix[0];
  const l10 = matrix[1] / d0;
  const l20 = matrix[2] / d0;
  const d1 = matrix[3] - l10 * matrix[1];
  const left = matrix[4] - l20 * matrix[1];
  const l21 = left / d1;
  const d2 = matrix[5] - l20 * matrix[2] - l21 * left;
  for (let c = 0; c < 3; c++) {
    const y1 = vectors[3 + c] - l10 * vectors[c];
    const z2 = (vectors[6 + c] - l20 * vectors[c] - l21 * y1) / d2;
    const z1 = y1 / d1 - l21 * z2;
    vectors[c] = vectors[c] / d0 - l10 * z1 - l20 * z2;
    vectors[3 + c] = z1;
    vectors[6 + c] = z2;
  }
}
