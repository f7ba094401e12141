import { collapseThreshold } from "../../src/materials/neo-hookean-membrane";
import type { RandomGeometry } from "../collision/random";

/** Green strain (E_uu, E_uv, E_vv) of random principal stretches from 0.5 to 1.6 in random directions. */
export function randomStrain(random: RandomGeometry): Float64Array {
  return greenStrainOf(random.between(0.5, 1.6), random.between(0.5, 1.6), random.between(0, Math.PI));
}

/**
 * As above with an area ratio on either side of the threshold below which the logarithm is continued, except very close
 * to it: the third derivative jumps there, and differences across it would see that.
 */
export function nearCollapse(random: RandomGeometry): Float64Array {
  const stretch = random.between(0.6, 1.4);
  const areaRatio = Math.sqrt(
    collapseThreshold * (random.between(0, 1) < 0.5 ? random.between(0.01, 0.98) : random.between(1.02, 2)),
  );
  return greenStrainOf(stretch, areaRatio / stretch, random.between(0, Math.PI));
}

/** ½ (C − I) for C with eigenvalues a², b², the first along `angle`. */
export function greenStrainOf(a: number, b: number, angle: number): Float64Array {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const [p, q] = [0.5 * (a * a - 1), 0.5 * (b * b - 1)];
  return Float64Array.of(p * c * c + q * s * s, (p - q) * c * s, p * s * s + q * c * c);
}

/** Four positive coefficients [N/m] that make either density convex at rest. */
export function randomMaterial(random: RandomGeometry): Float64Array {
  return Float64Array.of(
    random.between(300, 3000),
    random.between(0, 250),
    random.between(300, 3000),
    random.between(50, 900),
  );
}
