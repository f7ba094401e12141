/**
 * Isotropic energy densities as functions of the principal stretches, over which a proximal local step minimizes (paper
 * 2, equation 5). They are the densities of this folder, written for n = 3 (solids, per volume) and n = 2 (membranes in
 * plane stress, per volume).
 *
 * σ  principal stretches;  J = Π σ;  µ, λ  Lamé's parameters (λ of plane stress for membranes)
 */

import { log } from "../math/exponentials";
import type { PrincipalModel } from "./solid-material";

/** ψ(σ) [J/m³]; infinite for stretches without a value. */
export function principalValue(
  model: PrincipalModel,
  s: ArrayLike<number>,
  n: number,
  mu: number,
  lambda: number,
): number {
  let squares = 0;
  let sum = 0;
  let j = 1;
  for (let i = 0; i < n; i++) {
    squares += (s[i] - 1) ** 2;
    sum += s[i] - 1;
    j *= s[i];
  }
  if (model === "arap") return mu * squares;
  if (model === "corotational") return mu * squares + 0.5 * lambda * sum * sum;
  if (model === "stvk") {
    let e2 = 0;
    let trace = 0;
    for (let i = 0; i < n; i++) {
      const e = 0.5 * (s[i] - 1) * (s[i] + 1);
      e2 += e * e;
      trace += e;
    }
    return mu * e2 + 0.5 * lambda * trace * trace;
  }
  // ½ (Σσ² − n) = ½ Σ(σ − 1)² + Σ(σ − 1) keeps its digits near rest
  const half = 0.5 * squares + sum;
  if (model === "stable-neo-hookean") return mu * (half - (j - 1)) + 0.5 * (lambda + mu) * (j - 1) ** 2;
  if (!(j > 0)) return Infinity;
  const logJ = log(j);
  return mu * (half - logJ) + 0.5 * lambda * logJ * logJ;
}

/** Writes ∂ψ/∂σ to `g` (n numbers), and ∂²ψ/∂σ² to `h` (n × n). */
export function principalDerivatives(
  model: PrincipalModel,
  s: ArrayLike<number>,
  n: number,
  mu: number,
  lambda: number,
  g: Float64Array,
  h: Float64Array,
): void {
  if (model === "arap" || model === "corotational") {
    const l = model === "arap" ? 0 : lambda;
    let sum = 0;
    for (let i = 0; i < n; i++) sum += s[i] - 1;
    for (let i = 0; i < n; i++) {
      g[i] = 2 * mu * (s[i] - 1) + l * sum;
      for (let k = 0; k < n; k++) h[i * n + k] = (i === k ? 2 * mu : 0) + l;
    }
    return;
  }
  if (model === "stvk") {
    let trace = 0;
    for (let i = 0; i < n; i++) trace += 0.5 * (s[i] - 1) * (s[i] + 1);
    for (let i = 0; i < n; i++) {
      const e = 0.5 * (s[i] - 1) * (s[i] + 1);
      g[i] = s[i] * (2 * mu * e + lambda * trace);
      for (let k = 0; k < n; k++)
        h[i * n + k] = lambda * s[i] * s[k] + (i === k ? 2 * mu * (e + s[i] * s[i]) + lambda * trace : 0);
    }
    return;
  }
  let j = 1;
  for (let i = 0; i < n; i++) j *= s[i];
  if (model === "neo-hookean") {
    const a = lambda * log(j) - mu;
    for (let i = 0; i < n; i++) {
      g[i] = mu * s[i] + a / s[i];
      for (let k = 0; k < n; k++) h[i * n + k] = i === k ? mu + (lambda - a) / (s[i] * s[i]) : lambda / (s[i] * s[k]);
    }
    return;
  }
  const a = (lambda + mu) * (j - 1) - mu;
  for (let i = 0; i < n; i++) {
    others[i] = 1;
    for (let k = 0; k < n; k++) if (k !== i) others[i] *= s[k];
  }
  for (let i = 0; i < n; i++) {
    g[i] = mu * s[i] + a * others[i];
    for (let k = 0; k < n; k++)
      h[i * n + k] = (lambda + mu) * others[i] * others[k] + (i === k ? mu : n === 3 ? a * s[3 - i - k] : a);
  }
}

/** products of all stretches except one */
const others = new Float64Array(3);
