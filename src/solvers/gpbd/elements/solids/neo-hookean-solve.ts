/**
 * The update of a neo-Hookean tetrahedron: equation (19) of paper 1 in closed form, for (20) and (21).
 *
 * Write the six coordinates Δλ as a symmetric matrix Λ (its off-diagonal entries are halves). Then W Sᵀ Δλ moves vertex a by
 * wₐ F Λ gₐ, which makes F' = F (I + ΛM), so that
 *
 *     ‖F'‖² = ‖F‖² + 2 tr(C Λ M) + tr(Λ C Λ M²)         J' = J (1 + δ),  1 + δ = det(I + ΛM)
 *     φ(Λ) − φ(0) = (B + 2Vµ sym(EM)) : Λ + ½ tr(Λ C Λ N) + V [µ tr(ΛM) + f(J') − f(J)]
 *
 * Everything but the last term is quadratic, with one 6 × 6 matrix for all Newton iterations; both derivatives of ln J' come
 * from the symmetric K = (M⁻¹ + Λ)⁻¹:  d ln J' = K : dΛ,  d² ln J' = −tr(K dΛ K dΛ). Nothing is left out, so this is
 * Newton's method itself, and no term is a difference of numbers that are large near rest.
 *
 * From a cold start (`isCold`) W/2 is in M in place of W, and vertices are moved by W F Λ gₐ all the same. The step is shortened where it
 * would go further than to the least of the element's energy along it: its share of 1 is (A + B)/2B, with its inertia A and stiffness B ≥ A.
 *
 * Glossary:
 *   gₐ   material gradients of the hat functions [1/m]      w    Δt²/m, per vertex [s²/kg]
 *   M    Σ wₐ gₐ gₐᵀ                                         N    M + Vµ M²
 *   C    FᵀF = I + 2E                                       B    sym(Fᵀ Σ dₐ gₐᵀ), dₐ the tracked displacement
 *   f    −µ ln J + λ/2 ln² J (20), or −µ (J − 1) + λ/2 (J − 1)² (21)        V    rest volume [m³]
 */
import { solveCholesky } from "../../../../math/dense";
import { determinant } from "../../../../math/determinant";
import { columnOf, determinantExcess, placeOf, rowOf, volumeExcess } from "../../../../materials/green-strain";
import { QUADRATIC_NODES } from "../../../../geometry/tetrahedra/quadrature";
import { deformationGradient, shapeGradients } from "../../strains/green-tet";
import type { Barrier } from "../elements";
import type { ElementScratch } from "../local-solve";
import { log1p } from "../../../../math/exponentials";

const f = new Float64Array(9);
const g = new Float64Array(3 * QUADRATIC_NODES);
/** symmetric matrices: six entries (xx, yy, zz, xy, yz, zx) */
const e = new Float64Array(6);
const c = new Float64Array(6);
const m = new Float64Array(6);
const n = new Float64Array(6);
const k = new Float64Array(6);
const base = new Float64Array(6);
const quadratic = new Float64Array(36);
const gradient = new Float64Array(6);
/** at Λ = 0 */
const firstGradient = new Float64Array(6);
const hessian = new Float64Array(36);
const factor = new Float64Array(36);
const step = new Float64Array(6);
const lambda = new Float64Array(6);
const trial = new Float64Array(6);
const gram = new Float64Array(36);
/** ΛM, and (I + ΛM)⁻¹ times 1 + δ */
const y = new Float64Array(9);
const adjugate = new Float64Array(9);

/**
 * @param material µ, λ [Pa]; the damping time is at 4 [s]
 * @param dt time step Δt [s]
 */
export function solveNeoHookeanTet(
  barrier: Barrier,
  rest: Float64Array,
  at: number,
  material: Float64Array,
  dt: number,
  newtonIterations: number,
  element: ElementScratch,
): void {
  const { x, w, tracked, displacement, arity, isCold } = element;
  const part = isCold ? 0.5 : 1;
  const volume = rest[at + 3 * arity - 3];
  const mu = material[0];
  const bulk = material[1];
  const isLogarithmic = barrier === "logarithmic";
  displacement.fill(0);
  deformationGradient(x, rest, at, f, arity);
  const jacobian = determinant(f);
  if (!(jacobian > 0)) return;
  shapeGradients(rest, at, arity, g);
  for (let i = 0; i < 6; i++) {
    const [p, q] = [rowOf[i], columnOf[i]];
    c[i] = f[p] * f[q] + f[3 + p] * f[3 + q] + f[6 + p] * f[6 + q];
    e[i] = 0.5 * (i < 3 ? c[i] - 1 : c[i]);
    m[i] = 0;
    for (let a = 0; a < arity; a++) m[i] += part * w[a] * g[3 * a + p] * g[3 * a + q];
  }
  if (!(m[0] + m[1] + m[2] > 0)) return;
  setBase(tracked, arity, volume * mu);
  for (let i = 0; i < 6; i++) n[i] = m[i] + volume * mu * product(m, m, rowOf[i], columnOf[i]);
  kronecker(c, n, 1, quadratic, true);
  if (material[4] > 0) addDamping(rest, at, element, (volume * material[4]) / dt, mu, isLogarithmic ? bulk : bulk - mu);
  // Two or more pinned vertices leave M singular, with directions of Λ that move nothing; they must not stop the factor.
  let trace = 0;
  for (let i = 0; i < 6; i++) trace += quadratic[7 * i];
  for (let i = 0; i < 6; i++) quadratic[7 * i] += 1e-11 * trace;

  const excess = determinantExcess(e);
  const j = Math.abs(excess) < 0.5 ? volumeExcess(excess) : jacobian - 1;
  const log = log1p(j);
  lambda.fill(0);
  k.set(m);
  y.fill(0);
  let delta = 0;
  let objective = 0;
  for (let iteration = 0; iteration < newtonIterations; iteration++) {
    const jNow = j + (1 + j) * delta;
    const logNow = log + log1p(delta);
    // J f'(J) + µ, and d/d ln J of J f'(J)
    const pressure = isLogarithmic ? bulk * logNow : jNow * (bulk * (1 + jNow) - mu);
    const curvature = isLogarithmic ? bulk : (bulk * (1 + 2 * jNow) - mu) * (1 + jNow);
    for (let i = 0; i < 6; i++) {
      let sum = base[i] + volume * (pressure * k[i] + mu * shrinkage(i));
      for (let l = 0; l < 6; l++) sum += quadratic[6 * i + l] * lambda[l];
      gradient[i] = sum;
      for (let l = 0; l < 6; l++) hessian[6 * i + l] = quadratic[6 * i + l] + volume * curvature * k[i] * k[l];
    }
    if (iteration === 0) firstGradient.set(gradient);
    kronecker(k, k, volume * (mu - pressure), hessian, false);
    newtonDirection(volume * (mu - pressure), volume * curvature);
    let slope = 0;
    for (let i = 0; i < 6; i++) slope += gradient[i] * step[i];
    if (!(slope < -1e-24 * volume * mu)) break;

    // Backtracking on the sufficient decrease (Armijo) condition; what turns the element inside out is no decrease.
    let t = 1;
    let accepted = false;
    for (let halving = 0; halving < 12 && !accepted; halving++, t *= 0.5) {
      for (let i = 0; i < 6; i++) trial[i] = lambda[i] + t * step[i];
      const value = change(isLogarithmic, volume, mu, bulk, j, log, isCold);
      accepted = value <= objective + 1e-4 * t * slope + 1e-14 * Math.abs(objective);
      if (accepted) objective = value;
    }
    if (!accepted) break;
    lambda.set(trial);
    delta = deltaOfTrial;
    if (iteration + 1 < newtonIterations) updateK(1 + delta);
  }

  // Δdₐ = wₐ F Λ gₐ (18)
  let inertia = 0;
  for (let a = 0; a < arity; a++)
    for (let r = 0; r < 3; r++) {
      let sum = 0;
      for (let p = 0; p < 3; p++) {
        let along = 0;
        for (let q = 0; q < 3; q++) along += entry(lambda, p, q) * (p === q ? 1 : 0.5) * g[3 * a + q];
        sum += f[3 * r + p] * along;
      }
      displacement[3 * a + r] = w[a] * sum;
      inertia += part * w[a] * sum * sum;
    }
  if (!isCold) return;
  let elastic = -inertia;
  for (let i = 0; i < 6; i++) elastic -= firstGradient[i] * lambda[i];
  const share = elastic > inertia ? (elastic + inertia) / (2 * elastic) : 1;
  for (let i = 0; i < 3 * arity; i++) displacement[i] *= share;
}

/** base = B + 2Vµ sym(EM) */
function setBase(tracked: Float64Array, arity: number, stiffness: number): void {
  for (let i = 0; i < 6; i++) {
    const [p, q] = [rowOf[i], columnOf[i]];
    let sum = 0;
    for (let a = 0; a < arity; a++)
      for (let r = 0; r < 3; r++)
        sum += 0.5 * tracked[3 * a + r] * (f[3 * r + p] * g[3 * a + q] + f[3 * r + q] * g[3 * a + p]);
    base[i] = sum + stiffness * (product(e, m, p, q) + product(e, m, q, p));
  }
}

/**
 * Kelvin-Voigt damping, Vτ/2Δt (s − s⁻)ᵀ H (s − s⁻) with the Hessian H at rest, linear in Δλ: s moves by G Δλ, G = S W Sᵀ.
 *
 * @param viscosity Vτ/Δt
 */
function addDamping(
  rest: Float64Array,
  at: number,
  element: ElementScratch,
  viscosity: number,
  mu: number,
  lame: number,
): void {
  deformationGradient(element.start, rest, at, y, element.arity);
  for (let i = 0; i < 6; i++) {
    const [p, q] = [rowOf[i], columnOf[i]];
    trial[i] = e[i] - 0.5 * (y[p] * y[q] + y[3 + p] * y[3 + q] + y[6 + p] * y[6 + q] - (i < 3 ? 1 : 0));
  }
  kronecker(c, m, 1, gram, true);
  // H v for v the change of strain, then for the columns of G: 2µ and 4µ on the diagonal, λ between the normal strains.
  const times = (v: Float64Array, from: number, i: number): number =>
    i < 3 ? 2 * mu * v[from + i] + lame * (v[from] + v[from + 1] + v[from + 2]) : 4 * mu * v[from + i];
  for (let row = 0; row < 6; row++)
    for (let i = 0; i < 6; i++) {
      const h = viscosity * times(gram, 6 * row, i);
      base[row] += h * trial[i];
      for (let column = 0; column < 6; column++) quadratic[6 * row + column] += h * gram[6 * i + column];
    }
}

let deltaOfTrial = 0;

/** φ(Λ) − φ(0) at `trial`; infinite where J' ≤ 0, also that of twice the way from a cold start. Leaves ΛM in `y` and δ in `deltaOfTrial`. */
function change(
  isLogarithmic: boolean,
  volume: number,
  mu: number,
  bulk: number,
  j: number,
  log: number,
  isCold: boolean,
): number {
  for (let p = 0; p < 3; p++)
    for (let q = 0; q < 3; q++) {
      let sum = 0;
      for (let r = 0; r < 3; r++) sum += entry(trial, p, r) * (p === r ? 1 : 0.5) * entry(m, r, q);
      y[3 * p + q] = sum;
    }
  const first = y[0] + y[4] + y[8];
  const minors = y[0] * y[4] - y[1] * y[3] + (y[4] * y[8] - y[5] * y[7]) + (y[8] * y[0] - y[6] * y[2]);
  const cubic = determinant(y);
  const higher = minors + cubic;
  const delta = (deltaOfTrial = first + higher);
  if (!(delta > -1) || (isCold && !(2 * first + 4 * minors + 8 * cubic > -1))) return Infinity;
  let value = 0;
  for (let i = 0; i < 6; i++) {
    value += base[i] * trial[i];
    for (let l = 0; l < 6; l++) value += 0.5 * trial[i] * quadratic[6 * i + l] * trial[l];
  }
  if (isLogarithmic) {
    const gain = log1p(delta);
    return value + volume * (mu * (first - gain) + 0.5 * bulk * gain * (2 * log + gain));
  }
  const gain = (1 + j) * delta;
  return value + volume * (-mu * (higher + j * delta) + 0.5 * bulk * gain * (2 * j + gain));
}

/** Entry i of M − K = K Λ M, where `y` is ΛM. */
function shrinkage(i: number): number {
  const [p, q] = [rowOf[i], columnOf[i]];
  return entry(k, p, 0) * y[q] + entry(k, p, 1) * y[3 + q] + entry(k, p, 2) * y[6 + q];
}

/** K = M (I + ΛM)⁻¹ */
function updateK(scale: number): void {
  const a = factor;
  for (let i = 0; i < 9; i++) a[i] = y[i] + (i % 4 === 0 ? 1 : 0);
  for (let i = 0; i < 3; i++)
    for (let l = 0; l < 3; l++) {
      const [p, q, r, s] = [(l + 1) % 3, (l + 2) % 3, (i + 1) % 3, (i + 2) % 3];
      adjugate[3 * i + l] = (a[3 * p + r] * a[3 * q + s] - a[3 * p + s] * a[3 * q + r]) / scale;
    }
  for (let i = 0; i < 6; i++) {
    const [p, q] = [rowOf[i], columnOf[i]];
    k[i] = 0;
    for (let r = 0; r < 3; r++) k[i] += entry(m, p, r) * adjugate[3 * r + q];
  }
}

/**
 * step = −H⁻¹ ∇φ for H = Q + a K ⊗ K + c k kᵀ. An indefinite H does without the parts of a and c that are negative: what is left
 * is convex, and its step no longer than what inertia allows. Shifted by the bound of its lowest eigenvalue (section 4.2) instead, H is
 * nearly singular: such steps draw elements out at constant volume, and where few iterations leave it at that, the mean of
 * Jacobi feeds it to their neighbours until nothing is finite.
 */
function newtonDirection(a: number, c: number): void {
  for (let i = 0; i < 6; i++) step[i] = -gradient[i];
  factor.set(hessian);
  if (solveCholesky(factor, step, 6)) return;
  const convex = Math.max(0, c);
  for (let i = 0; i < 6; i++) {
    for (let l = 0; l < 6; l++) hessian[6 * i + l] = quadratic[6 * i + l] + convex * k[i] * k[l];
    step[i] = -gradient[i];
  }
  kronecker(k, k, Math.max(0, a), hessian, false);
  factor.set(hessian);
  if (solveCholesky(factor, step, 6)) return;
  // Rounding alone can bring us here: go downhill.
  for (let i = 0; i < 6; i++) step[i] = -gradient[i] / quadratic[7 * i];
}

/** For each entry of the lower triangle of a 6 × 6 matrix: its row and column (r, c), and places of (i p), (i q), (j p), (j q), r = (i j), c = (p q). */
const pairs = Uint8Array.from(
  rowOf.flatMap((i, r) =>
    rowOf.slice(0, r + 1).flatMap((p, c) => {
      const [j, q] = [columnOf[r], columnOf[c]];
      return [r, c, placeOf[3 * i + p], placeOf[3 * i + q], placeOf[3 * j + p], placeOf[3 * j + q]];
    }),
  ),
);

/** out = (or +=) scale × the matrix of the quadratic form tr(Λ A Λ B) of two symmetric matrices, in the coordinates Δλ */
function kronecker(a: Float64Array, b: Float64Array, scale: number, out: Float64Array, fresh: boolean): void {
  for (let n = 0; n < pairs.length; n += 6) {
    const ip = pairs[n + 2];
    const iq = pairs[n + 3];
    const jp = pairs[n + 4];
    const jq = pairs[n + 5];
    const sum = a[ip] * b[jq] + a[iq] * b[jp] + a[jp] * b[iq] + a[jq] * b[ip];
    const upper = 6 * pairs[n + 1] + pairs[n];
    const lower = 6 * pairs[n] + pairs[n + 1];
    const before = fresh ? 0 : out[lower];
    out[lower] = out[upper] = before + 0.25 * scale * sum;
  }
}

function entry(a: Float64Array, i: number, j: number): number {
  return a[placeOf[3 * i + j]];
}

/** Entry (p, q) of A B. */
function product(a: Float64Array, b: Float64Array, p: number, q: number): number {
  return entry(a, p, 0) * entry(b, 0, q) + entry(a, p, 1) * entry(b, 1, q) + entry(a, p, 2) * entry(b, 2, q);
}
