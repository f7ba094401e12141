/**
 * The local step of tetrahedra that are flat, inside out, or pressed harder than wᵢ. ADMM takes p from the singular values of Gᵢq + uᵢ,
 * and under such a stress that matrix is inside out though the element is not: the negative one goes to its smallest axis, which is another one
 * than what is pressed, and pulls that apart. So axes are those of Gᵢq = U diag(σ) Vᵀ here, along which uₖ is the dual.
 *
 * pressed   det (Gᵢq + uᵢ) ≤ 0:  s = argmin w/2 ‖s − (σ + u)‖² + ψ(s), u ← σ + u − s, as without
 * flat      σ₃ < ℓ = FLAT_STRETCH, then to the end of the step: ℓ ≤ σₖ by a multiplier zₖ = −uₖ, and forces of the envelope,
 *
 *     z ← max(0, z + κ (ℓ − σ)),   p − uᵢ = U diag(max(ℓ, s) + z) Vᵀ,   κ = 1 + I/(h² wᵢ)
 *
 * with s as above, u = 0. A is at least half of the sum of (h² wᵢ + I) GᵢᵀGᵢ (`elementInertias`), and multipliers that grow by less than twice
 * what A answers converge. It is zero when an element gets flat, and gone at the end of the step: what is left of it
 * when the element is let go would throw the body: with multipliers that went on from step to step three of a hundred crushed bodies gained
 * energy, with 20 iterations four, up to 50 times.
 *
 * Twin of flat-step.wgsl.
 */
import * as constants from "../../../generated/constants";
import { determinant } from "../../../math/determinant";
import { singularValues } from "../../../math/eigen/svd3";
import { proximalStretches } from "./proximal";
import type { HyperelasticMaterial } from "../model";

const { FLAT_STRETCH } = constants;

const u = new Float64Array(9);
const sigma = new Float64Array(3);
const v = new Float64Array(9);
const s = new Float64Array(3);
const along = new Float64Array(3);
const goal = new Float64Array(3);

/** @param f Gᵢq */
export function isFlat(f: Float64Array): boolean {
  let squares = 0;
  for (let i = 0; i < 9; i++) squares += f[i] * f[i];
  // σ₁σ₂ ≤ ½ ‖F‖², so this says that σ₃ is large enough without looking for it.
  if (2 * determinant(f) >= FLAT_STRETCH * squares && squares > 0) return false;
  singularValues(f, 0, 3, u, sigma, v);
  return sigma[2] < FLAT_STRETCH;
}

/** @param f Gᵢq + uᵢ */
export function isPressed(f: Float64Array): boolean {
  return !(determinant(f) > 0);
}

/**
 * @param f Gᵢq
 * @param rate κ, of what is flat
 * @param dual uᵢ from place `at` on: changed
 * @param p receives pᵢ − uᵢ
 */
export function projectFlat(
  material: HyperelasticMaterial,
  f: Float64Array,
  rate: number,
  hasBeenFlat: boolean,
  dual: Float64Array,
  at: number,
  p: Float64Array,
): void {
  singularValues(f, 0, 3, u, sigma, v);
  for (let k = 0; k < 3; k++) {
    along[k] = 0;
    for (let i = 0; i < 3; i++)
      for (let j = 0; j < 3; j++) along[k] += u[3 * i + k] * dual[at + 3 * i + j] * v[3 * j + k];
    s[k] = hasBeenFlat ? sigma[k] : sigma[k] + along[k];
  }
  proximalStretches(material, s, 3);
  for (let k = 0; k < 3; k++) {
    if (hasBeenFlat) {
      along[k] = -Math.max(0, rate * (FLAT_STRETCH - sigma[k]) - along[k]);
      s[k] = Math.max(FLAT_STRETCH, s[k]);
    } else along[k] += sigma[k] - s[k];
    goal[k] = s[k] - along[k];
  }
  for (let i = 0; i < 3; i++)
    for (let j = 0; j < 3; j++) {
      let [a, b] = [0, 0];
      for (let k = 0; k < 3; k++) {
        a += u[3 * i + k] * goal[k] * v[3 * j + k];
        b += u[3 * i + k] * along[k] * v[3 * j + k];
      }
      p[3 * i + j] = a;
      dual[at + 3 * i + j] = b;
    }
}
