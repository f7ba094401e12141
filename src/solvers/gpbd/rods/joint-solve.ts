/**
 * The update of a joint of a rod: `solveElement` with one step of Newton for ψ = ½ ‖s‖² and `rodStrain`, with the same bits. The general one works
 * for any density and number of strains, and that takes most of its time here: ∂²ψ/∂s² is the unit matrix, and four of the fifteen coordinates do
 * not move. Glossary as there.
 */
import { solveCholesky } from "../../../math/dense";
import type { ElementScratch } from "../elements/local-solve";
import { rodStrain, strainOfTurn } from "../strains/rod";

/** Strains, coordinates, and those that move: nine of the particles and two turns. */
const K = 3;
const N = 15;
const MOVING = Uint8Array.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12);
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
const energyGradient = new Float64Array(K);
const step = new Float64Array(K);
const lambda = new Float64Array(K);
const moved = new Float64Array(N);

/**
 * @param rest rest data of the joint and frames of its edges, see strains/rod.ts
 * @param viscosity damping time over the time step
 * @param element see `solveElement`
 */
export function solveJoint(rest: Float64Array, viscosity: number, element: ElementScratch): void {
  const { x, w, tracked, displacement } = element;
  displacement.fill(0, 0, N);
  rodStrain.jacobian(x, rest, 0, jacobian);
  strainOfTurn(rest, 0, s);
  for (let i = 0; i < K; i++) {
    b[i] = 0;
    for (let m = 0; m < MOVING.length; m++) {
      const c = MOVING[m];
      const slope = jacobian[N * i + c];
      weighted[N * i + c] = w[(c / 3) | 0] * slope;
      b[i] += slope * tracked[c];
    }
  }
  const trace = setGram();
  if (!(trace > 0)) return;
  if (viscosity > 0) rodStrain.strain(element.start, rest, 0, sStart);
  const objective = potential(viscosity);
  const stiffness = viscosity > 0 ? 1 + viscosity : 1;
  for (let i = 0; i < K; i++) energyGradient[i] = viscosity > 0 ? s[i] + viscosity * (s[i] - sStart[i]) : s[i];
  for (let i = 0; i < K; i++) {
    gradient[i] = b[i];
    for (let j = 0; j < K; j++) gradient[i] += gram[K * i + j] * energyGradient[j];
  }
  setDirection(stiffness, trace);
  const slope = gradient[0] * step[0] + gradient[1] * step[1] + gradient[2] * step[2];
  if (!(slope < 0)) return;
  for (let halving = 0, t = 1; halving < HALVINGS; halving++, t *= 0.5) {
    for (let i = 0; i < K; i++) lambda[i] = t * step[i];
    move(x, displacement);
    rodStrain.strain(moved, rest, 0, s);
    const value = inertia() + potential(viscosity);
    if (value <= objective + 1e-4 * t * slope + 1e-14 * Math.abs(objective)) return;
  }
  displacement.fill(0, 0, N);
}

/** G = S W Sᵀ; returns its trace. */
function setGram(): number {
  for (let i = 0; i < K; i++)
    for (let j = 0; j < K; j++) {
      let sum = 0;
      for (let m = 0; m < MOVING.length; m++) sum += weighted[N * i + MOVING[m]] * jacobian[N * j + MOVING[m]];
      gram[K * i + j] = sum;
    }
  return gram[0] + gram[4] + gram[8];
}

/** ψ with the damping potential at the strain `s`. */
function potential(viscosity: number): number {
  let value = 0.5 * (s[0] * s[0] + s[1] * s[1] + s[2] * s[2]);
  for (let i = 0; viscosity > 0 && i < K; i++) value += 0.5 * viscosity * (s[i] - sStart[i]) * (s[i] - sStart[i]);
  return value;
}

/** bᵀΔλ + ½ ΔλᵀGΔλ */
function inertia(): number {
  let value = 0;
  for (let i = 0; i < K; i++) {
    value += b[i] * lambda[i];
    for (let j = 0; j < K; j++) value += 0.5 * lambda[i] * gram[K * i + j] * lambda[j];
  }
  return value;
}

/** step = −(G + G H Gᵀ)⁻¹ ∇φ with H = `stiffness` times the unit matrix. */
function setDirection(stiffness: number, trace: number): void {
  for (let i = 0; i < K * K; i++) half[i] = gram[i] * stiffness;
  let scale = 0;
  for (let i = 0; i < K; i++)
    for (let j = 0; j < K; j++) {
      let sum = 0;
      for (let p = 0; p < K; p++) sum += half[K * i + p] * gram[K * j + p];
      factor[K * i + j] = sum + gram[K * i + j];
      if (i === j) scale += Math.abs(factor[K * i + j]);
    }
  for (let i = 0; i < K; i++) {
    // Pinned vertices leave directions that move nothing.
    factor[(K + 1) * i] += 1e-12 * (scale + trace);
    step[i] = -gradient[i];
  }
  // Rounding alone can spoil a matrix that is positive: go downhill.
  if (!solveCholesky(factor, step, K)) for (let i = 0; i < K; i++) step[i] = -gradient[i] / trace;
}

function move(x: Float64Array, displacement: Float64Array): void {
  for (let c = 0; c < N; c++) moved[c] = x[c];
  for (let m = 0; m < MOVING.length; m++) {
    const c = MOVING[m];
    displacement[c] = weighted[c] * lambda[0] + weighted[N + c] * lambda[1] + weighted[2 * N + c] * lambda[2];
    moved[c] += displacement[c];
  }
}
