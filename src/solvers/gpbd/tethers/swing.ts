/**
 * Damping of the swing of pinned cloth under rigid bodies. Stress of Kelvin and Voigt is K (s + τ ṡ) with the strain s and a time τ of
 * milliseconds. An element alone cannot have it: with one sweep a substep, what damps an element for longer than the substep takes its
 * stiffness. As one number for the whole sheet it can: ṡ is replaced by its projection on the strain,
 *
 *     ṡ ≈ ρ s,   ρ = ⟨s, K ṡ⟩ / ⟨s, K s⟩,   stress (1 + τ ρ) K s,
 *
 * and all elements of a substep are 1 + τ ρ times as stiff. The power of that, −τ ρ² ⟨s, K s⟩, is never positive, and by the inequality of
 * Cauchy and Schwarz no more than the whole damping takes. At rest nothing changes, and forces of elements keep both momenta.
 */
import { MOST_STIFFENING } from "../../../generated/constants";
import type { Fabric } from "../../../materials/fabric";
import type { EnergyTerm, GpbdModel } from "../model";

/** Places and velocities of particles, wherever they are kept. */
export interface MovingParticles {
  /** three numbers a particle [m] */
  readonly positions: Float64Array;
  /** `stride` numbers a particle, three of them its velocity [m/s] */
  readonly velocities: Float64Array | Float32Array;
  /** default 3 */
  readonly stride?: number;
  /** where the first ones are, default 0 */
  readonly firstPosition?: number;
  readonly firstVelocity?: number;
}

/** The term of a sheet that resists stretch and shear in its triangles. */
export function membraneOf({ terms }: GpbdModel): EnergyTerm | undefined {
  return terms.find(({ kind, energy }) => !energy && kind.endsWith("membrane"));
}

/** C_uu, C_uv, C_vv and G of a fabric [N/m]. */
export function membraneStiffness({ stretchWarp, stretchWeft, shear, poissonRatio }: Readonly<Fabric>) {
  const cross = poissonRatio * Math.sqrt(stretchWarp * stretchWeft);
  return [stretchWarp, cross, stretchWeft, shear * (1 - poissonRatio * poissonRatio)] as const;
}

/** Factor of the stiffnesses of a sheet. @param time τ [s] */
export function stiffening(
  { indices, rest, elementCount }: EnergyTerm,
  fabric: Readonly<Fabric>,
  time: number,
  { positions: x, velocities: v, stride = 3, firstPosition: firstX = 0, firstVelocity: firstV = 0 }: MovingParticles,
): number {
  const [warp, cross, weft, own] = membraneStiffness(fabric);
  let energy = 0;
  let power = 0;
  for (let e = 0, at = 0; e < 3 * elementCount; e += 3, at += 5) {
    const a = indices[e];
    const b = indices[e + 1];
    const c = indices[e + 2];
    let uu = 0;
    let uv = 0;
    let vv = 0;
    let ruu = 0;
    let ruv = 0;
    let rvv = 0;
    for (let k = 0; k < 3; k++) {
      const origin = x[firstX + 3 * a + k];
      const p = x[firstX + 3 * b + k] - origin;
      const q = x[firstX + 3 * c + k] - origin;
      const start = v[firstV + stride * a + k];
      const dp = v[firstV + stride * b + k] - start;
      const dq = v[firstV + stride * c + k] - start;
      // columns of F and of its rate
      const fu = p * rest[at] + q * rest[at + 2];
      const fv = p * rest[at + 1] + q * rest[at + 3];
      const ru = dp * rest[at] + dq * rest[at + 2];
      const rv = dp * rest[at + 1] + dq * rest[at + 3];
      uu += fu * fu;
      uv += fu * fv;
      vv += fv * fv;
      ruu += fu * ru;
      ruv += 0.5 * (fu * rv + fv * ru);
      rvv += fv * rv;
    }
    const su = 0.5 * (uu - 1);
    const sv = 0.5 * (vv - 1);
    const tu = warp * su + cross * sv;
    const tv = cross * su + weft * sv;
    const ts = 2 * own * uv;
    energy += rest[at + 4] * (tu * su + tv * sv + 0.5 * ts * uv);
    power += rest[at + 4] * (tu * ruu + tv * rvv + ts * ruv);
  }
  const share = energy > 0 ? (time * power) / energy : 0;
  return 1 + Math.max(-MOST_STIFFENING, Math.min(MOST_STIFFENING, share));
}
