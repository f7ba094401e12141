import type { Fabric } from "../fabric";

/**
 * Locking of woven sheets. Yarns of a weave are wavy. A pull first takes their waves away, then it stretches the yarns themselves, which are
 * many times as stiff; shear turns them until they lie side by side. So beyond a strain L the tangent stiffness grows with what is beyond:
 *
 *     ψ = Σ k_i/6 ⟨|s_i| − L_i⟩³ on s = (E_uu, E_uv, E_vv), where E_uu and E_vv count in tension only        [J/m²]
 *
 * It is convex with a continuous second derivative, and zero up to L. Parameters, from `LOCK_AT` on: L_uu, L_uv, L_vv, and k_uu, k_uv, k_vv
 * in N/m.
 */
export const LOCK_AT = 5;

/**
 * Rate of the tangent stiffness beyond the lock, as a multiple of that at rest. Strips of cotton, silk and denim break at strains of a fifth to a
 * quarter, under about ten times the force that their first percent of stretch leads to expect (denim: 15 to 20 kN/m).
 */
const LOCK_RATE = 300;
/** Where a strain never locks: `Infinity` is no number for shaders. */
const NEVER = 1e30;

/**
 * Parameters of a fabric.
 *
 * @param warp tensile stiffness along the warp [N/m]
 */
export function lockMaterial(fabric: Readonly<Fabric>, warp: number, weft: number): number[] {
  const { lockWarp = 0.2, lockWeft = 0.2, lockShear = 0.6, shear } = fabric;
  const strains = [lockWarp + 0.5 * lockWarp * lockWarp, 0.5 * lockShear, lockWeft + 0.5 * lockWeft * lockWeft];
  const rates = [warp, 4 * shear, weft].map((stiffness, i) => (strains[i] < NEVER ? LOCK_RATE * stiffness : 0));
  return [...strains.map((strain) => Math.min(NEVER, strain)), ...rates];
}

/** Parameters of a membrane that does not lock. */
export function withoutLock(material: Float64Array): Float64Array {
  return material.map((value, i) => (i < LOCK_AT ? value : i < LOCK_AT + 3 ? NEVER : 0));
}

/** ⟨|s_i| − L_i⟩ */
function beyond(s: ArrayLike<number>, m: ArrayLike<number>, i: number): number {
  return Math.max(0, (i === 1 ? Math.abs(s[1]) : s[i]) - m[LOCK_AT + i]);
}

export function lockValue(s: ArrayLike<number>, m: ArrayLike<number>): number {
  let value = 0;
  for (let i = 0; i < 3; i++) value += (m[LOCK_AT + 3 + i] / 6) * beyond(s, m, i) ** 3;
  return value;
}

/** @param out three numbers, to which it is added */
export function addLockGradient(s: ArrayLike<number>, m: ArrayLike<number>, out: Float64Array): void {
  for (let i = 0; i < 3; i++) {
    const stress = 0.5 * m[LOCK_AT + 3 + i] * beyond(s, m, i) ** 2;
    out[i] += s[i] < 0 ? -stress : stress;
  }
}

/**
 * Replaces the tangent of locks in a Hessian by the secant to the end of the step. Newton's step in a stiff element would take away but half of what
 * is beyond the lock, since the tangent falls along the way: and that is less than the sheet takes away that does not lock. With a compliance g,
 * stiffness K and imbalance r of all but the lock, the strain falls by d = g (r − K d + k/2 ⟨e − d⟩²) from e beyond it.
 *
 * @param measure of the element
 * @param gram 3 × 3, G: its diagonal are the compliances
 * @param alone how far each strain would go if it were alone and its stress did not change: G times the imbalance
 * @param hessian 3 × 3, per measure
 */
export function lockSecant(
  s: ArrayLike<number>,
  m: ArrayLike<number>,
  measure: number,
  gram: ArrayLike<number>,
  alone: ArrayLike<number>,
  hessian: Float64Array,
): void {
  for (let i = 0; i < 3; i++) {
    const e = beyond(s, m, i);
    if (!(e > 0)) continue;
    const rate = m[LOCK_AT + 3 + i];
    const g = measure * gram[4 * i];
    const b = 1 + g * (hessian[4 * i] - rate * e);
    const fall = (s[i] < 0 ? -alone[i] : alone[i]) - 0.5 * g * rate * e * e;
    const c = b * e - fall;
    const left = c > 0 ? (2 * c) / (b + Math.sqrt(b * b + 2 * g * rate * c)) : 0;
    hessian[4 * i] += c > 0 ? 0.5 * rate * (left - e) : rate * e * ((0.5 * e * b) / fall - 1);
  }
}

/** @param out 3 × 3, to which it is added */
export function addLockHessian(s: ArrayLike<number>, m: ArrayLike<number>, out: Float64Array): void {
  for (let i = 0; i < 3; i++) out[4 * i] += m[LOCK_AT + 3 + i] * beyond(s, m, i);
}
