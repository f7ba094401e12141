/**
 * The update of a joint of a rod: `solveElement` with one step of Newton for ψ = ½ ‖s‖² and `rodStrain`, with the same bits. The general one works
 * for any density and number of strains, and that takes most of its time here: ∂²ψ/∂s² is the unit matrix, and four of the fifteen coordinates do
 * not move. Sums are written out, and numbers go from function to function in arrays, as V8 would allocate them. Glossary as there.
 */
import { solveCholesky } from "../../../math/dense";
import type { ElementScratch } from "../elements/local-solve";
import { rodStrain, strainOfTurn } from "../strains/rod";

/** Strains and coordinates. */
const K = 3;
const N = 15;
const HALVINGS = 8;

const s = new Float64Array(K);
const sStart = new Float64Array(K);
const jacobian = new Float64Array(K * N);
/** S W */
const weighted = new Float64Array(K * N);
const gram = new Float64Array(K * K);
const half = new Float64Array(K * K);
const factor = new Float64Array(K * K);
const b = new Float64Array(K);
const gradient = new Float64Array(K);
const step = new Float64Array(K);
const lambda = new Float64Array(K);
const moved = new Float64Array(N);

/**
 * @param rest rest data of the joint and frames of its edges, see strains/rod.ts
 * @param viscosity one number: damping time over the time step
 * @param element see `solveElement`
 */
export function solveJoint(rest: Float64Array, viscosity: Float64Array, element: ElementScratch): void {
  const { x, displacement } = element;
  const damping = viscosity[0];
  displacement.fill(0, 0, N);
  rodStrain.jacobian(x, rest, 0, jacobian);
  strainOfTurn(rest, 0, s);
  weigh(element.w, element.tracked);
  setGram();
  const trace = gram[0] + gram[4] + gram[8];
  if (!(trace > 0)) return;
  if (damping > 0) rodStrain.strain(element.start, rest, 0, sStart);
  const stiffness = damping > 0 ? 1 + damping : 1;
  let objective = 0.5 * (s[0] * s[0] + s[1] * s[1] + s[2] * s[2]);
  for (let i = 0; damping > 0 && i < K; i++) objective += 0.5 * damping * (s[i] - sStart[i]) * (s[i] - sStart[i]);
  for (let i = 0; i < K; i++) {
    gradient[i] = b[i];
    for (let j = 0; j < K; j++)
      gradient[i] += gram[K * i + j] * (damping > 0 ? s[j] + damping * (s[j] - sStart[j]) : s[j]);
    for (let j = 0; j < K; j++) half[K * i + j] = gram[K * i + j] * stiffness;
  }
  setDirection();
  const slope = gradient[0] * step[0] + gradient[1] * step[1] + gradient[2] * step[2];
  if (!(slope < 0)) return;
  for (let halving = 0, t = 1; halving < HALVINGS; halving++, t *= 0.5) {
    for (let i = 0; i < K; i++) lambda[i] = t * step[i];
    move(x, displacement);
    rodStrain.strain(moved, rest, 0, s);
    // bᵀΔλ + ½ ΔλᵀGΔλ + Û
    let inertia = 0;
    for (let i = 0; i < K; i++) {
      inertia += b[i] * lambda[i];
      for (let j = 0; j < K; j++) inertia += 0.5 * lambda[i] * gram[K * i + j] * lambda[j];
    }
    let value = 0.5 * (s[0] * s[0] + s[1] * s[1] + s[2] * s[2]);
    for (let i = 0; damping > 0 && i < K; i++) value += 0.5 * damping * (s[i] - sStart[i]) * (s[i] - sStart[i]);
    if (inertia + value <= objective + 1e-4 * t * slope + 1e-14 * Math.abs(objective)) return;
  }
  displacement.fill(0, 0, N);
}

/** S W and b = S d. */
function weigh(w: Float64Array, tracked: Float64Array): void {
  const w0 = w[0];
  const w1 = w[1];
  const w2 = w[2];
  for (let at = 0; at < K * N; at += N) {
    let sum = 0;
    for (let c = 0; c < 3; c++) {
      weighted[at + c] = w0 * jacobian[at + c];
      weighted[at + 3 + c] = w1 * jacobian[at + 3 + c];
      weighted[at + 6 + c] = w2 * jacobian[at + 6 + c];
    }
    weighted[at + 9] = w[3] * jacobian[at + 9];
    weighted[at + 12] = w[4] * jacobian[at + 12];
    for (let c = 0; c < 10; c++) sum += jacobian[at + c] * tracked[c];
    b[(at / N) | 0] = sum + jacobian[at + 12] * tracked[12];
  }
}

/** G = S W Sᵀ */
function setGram(): void {
  for (let i = 0; i < K; i++) {
    const a = N * i;
    const a0 = weighted[a];
    const a1 = weighted[a + 1];
    const a2 = weighted[a + 2];
    const a3 = weighted[a + 3];
    const a4 = weighted[a + 4];
    const a5 = weighted[a + 5];
    const a6 = weighted[a + 6];
    const a7 = weighted[a + 7];
    const a8 = weighted[a + 8];
    const a9 = weighted[a + 9];
    const a12 = weighted[a + 12];
    for (let j = 0; j < K; j++) {
      const c = N * j;
      let sum = a0 * jacobian[c] + a1 * jacobian[c + 1] + a2 * jacobian[c + 2] + a3 * jacobian[c + 3];
      sum = sum + a4 * jacobian[c + 4] + a5 * jacobian[c + 5] + a6 * jacobian[c + 6] + a7 * jacobian[c + 7];
      gram[K * i + j] = sum + a8 * jacobian[c + 8] + a9 * jacobian[c + 9] + a12 * jacobian[c + 12];
    }
  }
}

/** step = −(G + G H Gᵀ)⁻¹ ∇φ, where `half` is G H. */
function setDirection(): void {
  let scale = 0;
  for (let i = 0; i < K; i++)
    for (let j = 0; j < K; j++) {
      const sum = half[K * i] * gram[K * j] + half[K * i + 1] * gram[K * j + 1] + half[K * i + 2] * gram[K * j + 2];
      factor[K * i + j] = sum + gram[K * i + j];
      if (i === j) scale += Math.abs(factor[K * i + j]);
    }
  const trace = gram[0] + gram[4] + gram[8];
  for (let i = 0; i < K; i++) {
    // Pinned vertices leave directions that move nothing.
    factor[(K + 1) * i] += 1e-12 * (scale + trace);
    step[i] = -gradient[i];
  }
  // Rounding alone can spoil a matrix that is positive: go downhill.
  if (!solveCholesky(factor, step, K)) for (let i = 0; i < K; i++) step[i] = -gradient[i] / trace;
}

function move(x: Float64Array, displacement: Float64Array): void {
  const l0 = lambda[0];
  const l1 = lambda[1];
  const l2 = lambda[2];
  for (let c = 0; c < 13; c++) {
    if (c === 10) c = 12;
    displacement[c] = weighted[c] * l0 + weighted[N + c] * l1 + weighted[2 * N + c] * l2;
    moved[c] = x[c] + displacement[c];
  }
}
