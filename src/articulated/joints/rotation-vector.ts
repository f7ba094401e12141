/**
 * Rotations by a rotation vector φ (exponential coordinates): R = exp(φ×), and the motion caused by changes of φ.
 *
 * Glossary:
 *   s      |φ|²                                  w, z   φ̇ and φ̈
 *   A(s)   (1 − cos |φ|) / s                     B(s)   (1 − sin |φ| / |φ|) / s
 *   Q      φφᵀ − s·1 = (φ×)²                     J      left Jacobian: ω = J φ̇, in the axes that R maps to
 *
 * R = 1 + C φ× + A Q with C = sin |φ| / |φ|, and J = 1 + A φ× + B Q. J is singular at |φ| = 2π; `reparametrise` avoids
 * that.
 */

import { cos, sin } from "../../math/deterministic";

/** A, A′, A″, B, B′, B″ (derivatives by s) and C, written by `rotationCoefficients`. */
export const coefficients = new Float64Array(7);

/** Below this s the closed forms lose digits to cancellation. */
const seriesLimit = 1;

/** Fills `coefficients` for φ with |φ|² = s. */
export function rotationCoefficients(s: number): void {
  if (s < seriesLimit) {
    // A = Σ (−s)ⁿ / (2n + 2)!, B = Σ (−s)ⁿ / (2n + 3)!, C = Σ (−s)ⁿ / (2n + 1)!, by Horner with both derivatives
    let A = 0;
    let A1 = 0;
    let A2 = 0;
    let B = 0;
    let B1 = 0;
    let B2 = 0;
    let C = 0;
    for (let n = seriesLength - 1; n >= 0; n--) {
      A2 = A2 * s + 2 * A1;
      A1 = A1 * s + A;
      A = A * s + seriesA[n];
      B2 = B2 * s + 2 * B1;
      B1 = B1 * s + B;
      B = B * s + seriesB[n];
      C = C * s + seriesC[n];
    }
    setCoefficients(A, A1, A2, B, B1, B2, C);
    return;
  }
  const angle = Math.sqrt(s);
  const cosine = cos(angle);
  const C = sin(angle) / angle;
  const C1 = (cosine - C) / (2 * s);
  const C2 = (-C / 2 - 3 * C1) / (2 * s);
  const A = (1 - cosine) / s;
  const A1 = (C / 2 - A) / s;
  const B = (1 - C) / s;
  const B1 = (-C1 - B) / s;
  setCoefficients(A, A1, (C1 / 2 - 2 * A1) / s, B, B1, (-C2 - 2 * B1) / s, C);
}

function setCoefficients(A: number, A1: number, A2: number, B: number, B1: number, B2: number, C: number): void {
  coefficients[0] = A;
  coefficients[1] = A1;
  coefficients[2] = A2;
  coefficients[3] = B;
  coefficients[4] = B1;
  coefficients[5] = B2;
  coefficients[6] = C;
}

const seriesLength = 12;
const seriesA = new Float64Array(seriesLength);
const seriesB = new Float64Array(seriesLength);
const seriesC = new Float64Array(seriesLength);
for (let n = 0, factorial = 1, sign = 1; n < seriesLength; n++, sign = -sign) {
  seriesC[n] = sign / factorial;
  factorial *= 2 * n + 2;
  seriesA[n] = sign / factorial;
  factorial *= 2 * n + 3;
  seriesB[n] = sign / factorial;
}

/** rotation (9 numbers, row-major) = exp(φ×). Needs `rotationCoefficients` of |φ|². */
export function rotationOf(x: number, y: number, z: number, rotation: Float64Array): void {
  writePolynomial(coefficients[6], coefficients[0], x, y, z, rotation);
}

/** jacobian (9 numbers, row-major) = J(φ). Needs `rotationCoefficients` of |φ|². */
export function leftJacobian(x: number, y: number, z: number, jacobian: Float64Array): void {
  writePolynomial(coefficients[0], coefficients[3], x, y, z, jacobian);
}

/** out = 1 + c φ× + a Q */
function writePolynomial(c: number, a: number, x: number, y: number, z: number, out: Float64Array): void {
  out[0] = 1 - a * (y * y + z * z);
  out[1] = a * x * y - c * z;
  out[2] = a * x * z + c * y;
  out[3] = a * x * y + c * z;
  out[4] = 1 - a * (x * x + z * z);
  out[5] = a * y * z - c * x;
  out[6] = a * x * z - c * y;
  out[7] = a * y * z + c * x;
  out[8] = 1 - a * (x * x + y * y);
}

/** rate (9 numbers) = dJ/dt while φ moves with velocity w, both read at offset `at`. Needs `rotationCoefficients`. */
export function leftJacobianRate(phi: Float64Array, w: Float64Array, at: number, rate: Float64Array): void {
  const x = phi[at];
  const y = phi[at + 1];
  const z = phi[at + 2];
  const u = w[at];
  const v = w[at + 1];
  const t = w[at + 2];
  const s1 = 2 * (x * u + y * v + z * t);
  const A = coefficients[0];
  const a1 = coefficients[1] * s1;
  const B = coefficients[3];
  const b1 = coefficients[4] * s1;
  // A′ṡ φ× + A w×  +  B′ṡ Q + B Q̇
  const kx = a1 * x + A * u;
  const ky = a1 * y + A * v;
  const kz = a1 * z + A * t;
  const xy = b1 * x * y + B * (x * v + u * y);
  const xz = b1 * x * z + B * (x * t + u * z);
  const yz = b1 * y * z + B * (y * t + v * z);
  rate[0] = -b1 * (y * y + z * z) - 2 * B * (y * v + z * t);
  rate[1] = xy - kz;
  rate[2] = xz + ky;
  rate[3] = xy + kz;
  rate[4] = -b1 * (x * x + z * z) - 2 * B * (x * u + z * t);
  rate[5] = yz - kx;
  rate[6] = xz - ky;
  rate[7] = yz + kx;
  rate[8] = -b1 * (x * x + y * y) - 2 * B * (x * u + y * v);
}

/**
 * acceleration (9 numbers) = d²J/dt² while φ moves with velocity w and acceleration z, all read at offset `at`; without z
 * the acceleration is zero. Needs `rotationCoefficients`.
 */
export function leftJacobianAcceleration(
  phi: Float64Array,
  w: Float64Array,
  acceleration: Float64Array | undefined,
  at: number,
  out: Float64Array,
): void {
  const x = phi[at];
  const y = phi[at + 1];
  const z = phi[at + 2];
  const u = w[at];
  const v = w[at + 1];
  const t = w[at + 2];
  const d = acceleration === undefined ? 0 : acceleration[at];
  const e = acceleration === undefined ? 0 : acceleration[at + 1];
  const f = acceleration === undefined ? 0 : acceleration[at + 2];
  const s1 = 2 * (x * u + y * v + z * t);
  const s2 = 2 * (u * u + v * v + t * t + x * d + y * e + z * f);
  const A = coefficients[0];
  const a1 = coefficients[1] * s1;
  const a2 = coefficients[2] * s1 * s1 + coefficients[1] * s2;
  const B = coefficients[3];
  const b1 = coefficients[4] * s1;
  const b2 = coefficients[5] * s1 * s1 + coefficients[4] * s2;
  // (A″ṡ² + A′s̈) φ× + 2A′ṡ w× + A z×  +  (B″ṡ² + B′s̈) Q + 2B′ṡ Q̇ + B Q̈
  const kx = a2 * x + 2 * a1 * u + A * d;
  const ky = a2 * y + 2 * a1 * v + A * e;
  const kz = a2 * z + 2 * a1 * t + A * f;
  const xx = b2 * x * x + 4 * b1 * x * u + 2 * B * (u * u + x * d);
  const yy = b2 * y * y + 4 * b1 * y * v + 2 * B * (v * v + y * e);
  const zz = b2 * z * z + 4 * b1 * z * t + 2 * B * (t * t + z * f);
  const xy = b2 * x * y + 2 * b1 * (x * v + u * y) + B * (x * e + d * y + 2 * u * v);
  const xz = b2 * x * z + 2 * b1 * (x * t + u * z) + B * (x * f + d * z + 2 * u * t);
  const yz = b2 * y * z + 2 * b1 * (y * t + v * z) + B * (y * f + e * z + 2 * v * t);
  out[0] = -yy - zz;
  out[1] = xy - kz;
  out[2] = xz + ky;
  out[3] = xy + kz;
  out[4] = -xx - zz;
  out[5] = yz - kx;
  out[6] = xz - ky;
  out[7] = yz + kx;
  out[8] = -xx - yy;
}

const unitRate = new Float64Array(3);
const localPhi = new Float64Array(3);
const rate = new Float64Array(9);

/**
 * out[3k + j] = n · ∂(J e_k)/∂φ_j: the effect of changing columns of J on a moment n (three numbers, in the axes of the
 * joint frame).
 */
export function momentTimesJacobianDerivative(phi: Float64Array, at: number, n: Float64Array, out: Float64Array): void {
  for (let i = 0; i < 3; i++) localPhi[i] = phi[at + i];
  rotationCoefficients(localPhi[0] ** 2 + localPhi[1] ** 2 + localPhi[2] ** 2);
  for (let j = 0; j < 3; j++) {
    unitRate.fill(0);
    unitRate[j] = 1;
    leftJacobianRate(localPhi, unitRate, 0, rate);
    for (let k = 0; k < 3; k++) out[3 * k + j] = n[0] * rate[k] + n[1] * rate[3 + k] + n[2] * rate[6 + k];
  }
}
