/**
 * Energy of bending of an orthotropic sheet, per area
 *
 *     ψ = ½ B_u |κ u|² + ½ B_v |κ v|² = ½ (B_u κ_uu² + B_v κ_vv² + (B_u + B_v) κ_uv²)
 *
 * with the curvature tensor κ, and the stiffnesses B_u, B_v along warp u and weft v. If it is rolled to a cylinder that
 * bends along the unit vector n, at any angle to the warp, the sheet has the stiffness B_u n_u² + B_v n_v². Bending
 * along one axis does not bend it along the other, so B_u is also the stiffness of a narrow strip along the warp.
 */
import { dot } from "../math/vectors";
import type { TriangleCurvature } from "../geometry/surface/sheet-curvature";
import { cos, sin } from "../math/deterministic";

/**
 * Strains s of a triangle with the energy ½ |s|²: three derivatives by each of its angles [√(N m)].
 *
 * Sides without a neighbor take the slope of least energy: this removes from s its projection on the strains by these
 * slopes.
 *
 * @param warpAngle angle from the first side of the triangle to the warp [rad]
 */
export function bendingStrain(
  { area, weights, free }: TriangleCurvature,
  bendingWarp: number,
  bendingWeft: number,
  warpAngle: number,
): Float64Array {
  const [cosine, sine] = [cos(warpAngle), sin(warpAngle)];
  const scale = [bendingWarp, bendingWeft, bendingWarp + bendingWeft].map((stiffness) => Math.sqrt(area * stiffness));
  /** √(A B) κ in material axes */
  const strainOf = (xx: number, yy: number, xy: number): number[] => [
    scale[0] * (cosine * cosine * xx + sine * sine * yy + 2 * cosine * sine * xy),
    scale[1] * (sine * sine * xx + cosine * cosine * yy - 2 * cosine * sine * xy),
    scale[2] * (cosine * sine * (yy - xx) + (cosine * cosine - sine * sine) * xy),
  ];
  const without = (s: number[], direction: readonly number[]): number[] => {
    const part = dot(s, direction);
    return s.map((value, i) => value - part * direction[i]);
  };
  /** orthonormal basis of the strains by slopes at free sides */
  const taken: number[][] = [];
  for (let i = 0; i < free.length; i += 2) {
    const [x, y] = [free[i], free[i + 1]];
    const whole = strainOf(x * x, y * y, x * y);
    const rest = taken.reduce(without, whole);
    const length = Math.sqrt(dot(rest, rest));
    if (length > 1e-6 * Math.sqrt(dot(whole, whole))) taken.push(rest.map((value) => value / length));
  }
  const strains = new Float64Array(weights.length);
  for (let i = 0; i < weights.length; i += 3)
    strains.set(taken.reduce(without, strainOf(weights[i], weights[i + 1], weights[i + 2])), i);
  return strains;
}
