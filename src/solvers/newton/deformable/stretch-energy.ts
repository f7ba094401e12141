/**
 * Energy densities of isotropic materials in the principal stretches (9.2.2), with the derivatives that the compliance form needs.
 *
 * s      principal stretches, d of them
 * Ψ      energy density [J/m³]
 * ψᵢ     ∂Ψ/∂sᵢ: principal stresses (of Biot) [Pa]
 * H      ∂²Ψ/∂s²
 * f_ij   (ψᵢ − ψⱼ)/(sᵢ − sⱼ), in its closed form: the stiffness against a shear between two principal axes
 * µ, λ   constants of Lamé [Pa]
 *
 * Corotational (85): Ψ = µ Σ (sᵢ − 1)² + λ/2 (Σ (sᵢ − 1))², linear in the strain S − 1 of the right stretch S. Stable
 * neo-Hookean (107): Ψ = C₁ (I_C − 3) + D₁ (J − α)² with C₁ = µ/2, D₁ = (λ + µ)/2 and α = 1 + µ/(λ + µ), so that at
 * rest it has no stress and the linear material's H. (The paper prints J − 1 instead of J − α in the stress, and α
 * instead of 2 J − α in k₀; the derivatives here are those of (107), and the tests compare them with differences of
 * it.)
 *
 * For a tetrahedron whose stretches fall below ℓ = `FLAT_STRETCH`, both have the additional energy k/2 Σ max(0, ℓ −
 * sᵢ)², see flat-stretch.wgsl.
 */
import * as constants from "../../../generated/constants";

const { FLAT_STRETCH } = constants;

export type StretchEnergy = "corotational" | "stable-neo-hookean";

/** Values at one point, written by `evaluateEnergy`. */
export class EnergyPoint {
  energy = 0;
  readonly stress = new Float64Array(3);
  /** 3 × 3, row-major */
  readonly hessian = new Float64Array(9);
  /** f of the pairs (1, 2), (0, 2), (0, 1): by the axis that is left out */
  readonly shear = new Float64Array(3);
}

/**
 * @param pressure activation [Pa]: a constant principal stress −p in all directions of the element, which swells it
 * @param inertia part of k by the element's mass [Pa]; 0 switches that energy off
 */
export function evaluateEnergy(
  kind: StretchEnergy,
  mu: number,
  lambda: number,
  pressure: number,
  s: Float64Array,
  d: number,
  out: EnergyPoint,
  inertia = 0,
): void {
  if (kind === "corotational") corotational(mu, lambda, s, d, out);
  else stableNeoHookean(mu, lambda, s, out);
  if (inertia > 0 && s[2] < FLAT_STRETCH) out.energy += holdFlat(inertia + 2 * mu + lambda, s, out);
  if (pressure === 0) return;
  for (let i = 0; i < d; i++) {
    out.energy -= pressure * (s[i] - 1);
    out.stress[i] -= pressure;
  }
}

function corotational(mu: number, lambda: number, s: Float64Array, d: number, out: EnergyPoint): void {
  let trace = 0;
  let squares = 0;
  for (let i = 0; i < d; i++) {
    const strain = s[i] - 1;
    trace += strain;
    squares += strain * strain;
  }
  out.energy = mu * squares + 0.5 * lambda * trace * trace;
  const { stress, hessian } = out;
  for (let i = 0; i < 3; i++) {
    stress[i] = i < d ? 2 * mu * (s[i] - 1) + lambda * trace : 0;
    for (let j = 0; j < 3; j++) hessian[3 * i + j] = i >= d || j >= d ? 0 : i === j ? lambda + 2 * mu : lambda;
    out.shear[i] = 2 * mu;
  }
}

function stableNeoHookean(mu: number, lambda: number, s: Float64Array, out: EnergyPoint): void {
  const [a, b, c] = [s[0], s[1], s[2]];
  const stiffness = lambda + mu;
  const alpha = 1 + mu / stiffness;
  const volume = a * b * c - alpha;
  out.energy = 0.5 * mu * (a * a + b * b + c * c - 3) + 0.5 * stiffness * volume * volume - restEnergy(mu, stiffness);
  const { stress, hessian, shear } = out;
  // ∂J/∂sᵢ
  const [ja, jb, jc] = [b * c, a * c, a * b];
  const p = stiffness * volume;
  stress[0] = mu * a + p * ja;
  stress[1] = mu * b + p * jb;
  stress[2] = mu * c + p * jc;
  hessian[0] = mu + stiffness * ja * ja;
  hessian[4] = mu + stiffness * jb * jb;
  hessian[8] = mu + stiffness * jc * jc;
  hessian[1] = hessian[3] = stiffness * ja * jb + p * c;
  hessian[2] = hessian[6] = stiffness * ja * jc + p * b;
  hessian[5] = hessian[7] = stiffness * jb * jc + p * a;
  shear[0] = mu - p * a;
  shear[1] = mu - p * b;
  shear[2] = mu - p * c;
}

/** Energy at rest, which is subtracted. */
const restEnergy = (mu: number, stiffness: number): number => (0.5 * mu * mu) / stiffness;

/** Depth below ℓ. */
const depthOf = (s: number): number => Math.max(0, FLAT_STRETCH - s);

/** @param k [Pa] */
function holdFlat(k: number, s: Float64Array, { stress, hessian, shear }: EnergyPoint): number {
  let energy = 0;
  for (let i = 0; i < 3; i++) {
    const depth = depthOf(s[i]);
    energy += 0.5 * k * depth * depth;
    stress[i] -= k * depth;
    if (depth > 0) hessian[4 * i] += k;
    const [a, b] = [s[(i + 1) % 3], s[(i + 2) % 3]];
    if (a !== b) shear[i] += (k * (depthOf(b) - depthOf(a))) / (a - b);
    else if (a < FLAT_STRETCH) shear[i] += k;
  }
  return energy;
}
