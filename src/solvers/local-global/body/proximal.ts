/**
 * The local problem of one hyperelastic element (5): p = argmin w/2 ‖p − F‖² + ψ(p). With F = U Σ Vᵀ and ψ isotropic it is
 * p = U diag(s) Vᵀ with s = argmin w/2 ‖s − σ‖² + ψ(s), two or three unknowns.
 */
import { principalDerivatives, principalValue } from "../../../materials/principal-density";
import type { PrincipalModel } from "../../../materials/solid-material";
import type { HyperelasticMaterial } from "../model";

const NEWTON = 30;
const s = new Float64Array(3);
const trial = new Float64Array(3);
const g = new Float64Array(3);
const h = new Float64Array(9);
const step = new Float64Array(3);

/**
 * Minimizes by Newton's method with a line search. A Hessian that is not definite is shifted until it is.
 *
 * @param sigma principal stretches of F, n of them: replaced by those of p
 */
export function proximalStretches(material: HyperelasticMaterial, sigma: Float64Array, n: number): void {
  const { model, mu, lambda, weight: w, limits } = material;
  if (model === "arap") {
    // With the indicator of rotations for ζ and w = 2µ the envelope in (5) is the energy itself: projective dynamics.
    sigma.fill(1, 0, n);
  } else if (model === "corotational") quadraticStretches(sigma, n, mu, lambda, w);
  else newtonStretches(model, sigma, n, mu, lambda, w);
  if (limits) for (let i = 0; i < n; i++) sigma[i] = Math.min(Math.max(sigma[i], limits[0]), limits[1]);
}

/** Closed form: the minimum of a quadratic function with equal diagonal and equal couplings. */
function quadraticStretches(sigma: Float64Array, n: number, mu: number, lambda: number, w: number): void {
  let sum = 0;
  for (let i = 0; i < n; i++) sum += sigma[i] - 1;
  const trace = (w * sum) / (w + 2 * mu + n * lambda);
  for (let i = 0; i < n; i++) sigma[i] = 1 + (w * (sigma[i] - 1) - lambda * trace) / (w + 2 * mu);
}

function newtonStretches(
  model: PrincipalModel,
  sigma: Float64Array,
  n: number,
  mu: number,
  lambda: number,
  w: number,
): void {
  // A barrier needs a start where it has a value.
  const least = model === "neo-hookean" ? 0.05 : -Infinity;
  for (let i = 0; i < n; i++) s[i] = Math.max(sigma[i], least);
  let value = objective(model, s, sigma, n, mu, lambda, w);
  for (let iteration = 0; iteration < NEWTON; iteration++) {
    principalDerivatives(model, s, n, mu, lambda, g, h);
    let largest = 0;
    let scale = 0;
    for (let i = 0; i < n; i++) {
      g[i] += w * (s[i] - sigma[i]);
      h[i * n + i] += w;
      largest = Math.max(largest, Math.abs(g[i]));
      scale = Math.max(scale, Math.abs(h[i * n + i]));
    }
    // also leaves what is not finite as it is
    if (!(largest > 1e-12 * scale && largest < Infinity)) break;
    let shift = 0;
    while (!solveDefinite(n, shift)) shift = Math.max(2 * shift, 1e-3 * scale);
    let slope = 0;
    for (let i = 0; i < n; i++) slope -= g[i] * step[i];
    let t = 1;
    let next = value;
    for (; t > 1e-10; t *= 0.5) {
      for (let i = 0; i < n; i++) trial[i] = s[i] - t * step[i];
      // A product of two negative stretches is no way around the barrier.
      if (least > 0 && !(trial[0] > 0 && trial[1] > 0 && (n < 3 || trial[2] > 0))) continue;
      next = objective(model, trial, sigma, n, mu, lambda, w);
      if (next <= value + 1e-4 * t * slope) break;
    }
    if (!(next < value)) break;
    for (let i = 0; i < n; i++) s[i] = trial[i]!;
    value = next;
  }
  for (let i = 0; i < n; i++) sigma[i] = s[i]!;
}

function objective(
  model: PrincipalModel,
  at: Float64Array,
  sigma: Float64Array,
  n: number,
  mu: number,
  lambda: number,
  w: number,
): number {
  let distance = 0;
  for (let i = 0; i < n; i++) distance += (at[i] - sigma[i]) ** 2;
  return 0.5 * w * distance + principalValue(model, at, n, mu, lambda);
}

/** (H + shift) step = g by L D Lᵀ; false where a pivot is not positive. */
function solveDefinite(n: number, shift: number): boolean {
  const a = h[0] + shift;
  if (!(a > 0)) return false;
  if (n === 2) {
    const det = a * (h[3] + shift) - h[1] * h[1];
    if (!(det > 1e-14 * a * a)) return false;
    step[0] = ((h[3] + shift) * g[0] - h[1] * g[1]) / det;
    step[1] = (a * g[1] - h[1] * g[0]) / det;
    return true;
  }
  const l1 = h[3] / a;
  const l2 = h[6] / a;
  const d = h[4] + shift - l1 * h[3];
  if (!(d > 1e-14 * a)) return false;
  const l3 = (h[7] - l2 * h[3]) / d;
  const e = h[8] + shift - l2 * h[6] - l3 * l3 * d;
  if (!(e > 1e-14 * a)) return false;
  const y1 = g[1] - l1 * g[0];
  const y2 = g[2] - l2 * g[0] - l3 * y1;
  step[2] = y2 / e;
  step[1] = y1 / d - l3 * step[2];
  step[0] = g[0] / a - l1 * step[1] - l2 * step[2];
  return true;
}
