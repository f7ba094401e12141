import type { RandomGeometry } from "../collision/random";

/** Orthogonal matrix, row-major, of a random rotation. */
export function randomRotation(random: RandomGeometry): number[] {
  const [x, y, z, w] = random.rotation();
  return [
    1 - 2 * (y * y + z * z),
    2 * (x * y - z * w),
    2 * (x * z + y * w),
    2 * (x * y + z * w),
    1 - 2 * (x * x + z * z),
    2 * (y * z - x * w),
    2 * (x * z - y * w),
    2 * (y * z + x * w),
    1 - 2 * (x * x + y * y),
  ];
}

/** Deformation gradient, row-major, with these principal stretches in random directions. */
export function randomGradient(random: RandomGeometry, stretches: readonly number[]): number[] {
  const [u, v] = [randomRotation(random), randomRotation(random)];
  return Array.from({ length: 9 }, (_, i) =>
    stretches.reduce((sum, stretch, k) => sum + u[3 * Math.floor(i / 3) + k] * stretch * v[3 * (i % 3) + k], 0),
  );
}

/** Six entries of ½ (FᵀF − I). */
export function greenStrainOfGradient(f: ArrayLike<number>): Float64Array {
  const product = (i: number, j: number): number => f[i] * f[j] + f[3 + i] * f[3 + j] + f[6 + i] * f[6 + j];
  return Float64Array.of(
    0.5 * (product(0, 0) - 1),
    0.5 * (product(1, 1) - 1),
    0.5 * (product(2, 2) - 1),
    0.5 * product(0, 1),
    0.5 * product(1, 2),
    0.5 * product(2, 0),
  );
}

/** Principal stretches between `low` and `high`, in random directions. */
export function randomSolidStrain(random: RandomGeometry, low = 0.5, high = 1.6): Float64Array {
  const stretches = [random.between(low, high), random.between(low, high), random.between(low, high)];
  return greenStrainOfGradient(randomGradient(random, stretches));
}

/** Four positive parameters [Pa]: the first is the softest, so that it may be the shear modulus. */
export function randomSolid(random: RandomGeometry): number[] {
  return [random.between(2e3, 5e4), random.between(2e3, 5e5), random.between(2e3, 5e5), 0];
}
