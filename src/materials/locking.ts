import type { Fabric } from "./fabric";

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

/** @param out 3 × 3, to which it is added */
export function addLockHessian(s: ArrayLike<number>, m: ArrayLike<number>, out: Float64Array): void {
  for (let i = 0; i < 3; i++) out[4 * i] += m[LOCK_AT + 3 + i] * beyond(s, m, i);
}
