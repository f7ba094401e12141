/**
 * Deformation of one element in its principal axes.
 *
 * d        dimension of the element: 3 tetrahedron, 2 triangle, 1 segment
 * F        deformation gradient, 3 × d, row-major
 * U Σ Vᵀ   its singular values: Σ the principal stretches s, U a rotation of space, V one of the material
 *
 * The least stretch of an inverted tetrahedron is negative. Only + − × ÷ √ are used, so results are the same
 * everywhere.
 */
import { determinant } from "../../../math/determinant";

const MAX_SWEEPS = 12;
/** Below this part of the largest stretch, F does not determine the axis of U. */
const THIN = 1e-9;

/** Principal axes of a deformation. */
export class PrincipalFrame {
  /** 3 × 3, row-major: columns are the axes in space */
  readonly u = new Float64Array(9);
  /** d × d, row-major: columns are the axes in the material */
  readonly v = new Float64Array(9);
  /** principal stretches, the largest first */
  readonly s = new Float64Array(3);
  private readonly c = new Float64Array(9);

  /** Decomposes F. */
  decompose(f: Float64Array, d: number): void {
    const { c, v, s } = this;
    for (let i = 0; i < d; i++)
      for (let j = 0; j < d; j++) {
        let sum = 0;
        for (let k = 0; k < 3; k++) sum += f[k * d + i] * f[k * d + j];
        c[i * d + j] = sum;
      }
    symmetricAxes(c, v, d);
    this.sort(d);
    if (d === 3 && determinant(v) < 0) for (let i = 0; i < 3; i++) v[3 * i + 2] = -v[3 * i + 2];
    this.spaceAxes(f, d);
    for (let i = 0; i < d; i++) s[i] = this.stretch(f, d, i);
  }

  /** Sorts columns of V by the squared stretches on the diagonal of c, the largest first. */
  private sort(d: number): void {
    const { c, v } = this;
    for (let i = 0; i < d; i++)
      for (let j = i + 1; j < d; j++) {
        if (c[j * d + j] <= c[i * d + i]) continue;
        const square = c[i * d + i];
        c[i * d + i] = c[j * d + j];
        c[j * d + j] = square;
        for (let k = 0; k < d; k++) {
          const value = v[k * d + i];
          v[k * d + i] = v[k * d + j];
          v[k * d + j] = value;
        }
      }
  }

  /** Computes the columns of U that F determines; the others are perpendicular to them. */
  private spaceAxes(f: Float64Array, d: number): void {
    const { u } = this;
    this.image(f, d, 0, first);
    const length = Math.sqrt(first[0] * first[0] + first[1] * first[1] + first[2] * first[2]);
    if (length > 0) for (let k = 0; k < 3; k++) first[k] /= length;
    else first.set([1, 0, 0]);
    let isFound = false;
    if (d > 1) {
      this.image(f, d, 1, second);
      const along = first[0] * second[0] + first[1] * second[1] + first[2] * second[2];
      for (let k = 0; k < 3; k++) second[k] -= along * first[k];
      const rest = Math.sqrt(second[0] * second[0] + second[1] * second[1] + second[2] * second[2]);
      isFound = rest > THIN * length;
      if (isFound) for (let k = 0; k < 3; k++) second[k] /= rest;
    }
    if (!isFound) perpendicular(first, second);
    for (let k = 0; k < 3; k++) {
      u[3 * k] = first[k];
      u[3 * k + 1] = second[k];
    }
    u[2] = first[1] * second[2] - first[2] * second[1];
    u[5] = first[2] * second[0] - first[0] * second[2];
    u[8] = first[0] * second[1] - first[1] * second[0];
  }

  /** F vᵢ */
  private image(f: Float64Array, d: number, i: number, out: Float64Array): void {
    for (let k = 0; k < 3; k++) {
      let sum = 0;
      for (let j = 0; j < d; j++) sum += f[k * d + j] * this.v[j * d + i];
      out[k] = sum;
    }
  }

  private stretch(f: Float64Array, d: number, i: number): number {
    this.image(f, d, i, third);
    return this.u[i] * third[0] + this.u[3 + i] * third[1] + this.u[6 + i] * third[2];
  }
}

const first = new Float64Array(3);
const second = new Float64Array(3);
const third = new Float64Array(3);

/** Some unit vector perpendicular to a unit vector. */
function perpendicular(a: Float64Array, out: Float64Array): void {
  const x = Math.abs(a[0]);
  const y = Math.abs(a[1]);
  const z = Math.abs(a[2]);
  if (x <= y && x <= z) out.set([0, -a[2], a[1]]);
  else if (y <= z) out.set([a[2], 0, -a[0]]);
  else out.set([-a[1], a[0], 0]);
  const scale = 1 / Math.sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2]);
  for (let k = 0; k < 3; k++) out[k] *= scale;
}

/**
 * Eigenvectors of a symmetric matrix by Jacobi's rotations.
 *
 * @param c d × d, row-major: becomes diagonal, its eigenvalues
 * @param v receives the eigenvectors as columns, a rotation
 */
export function symmetricAxes(c: Float64Array, v: Float64Array, d: number): void {
  for (let i = 0; i < d; i++) for (let j = 0; j < d; j++) v[i * d + j] = i === j ? 1 : 0;
  for (let sweep = 0; sweep < MAX_SWEEPS; sweep++) {
    let off = 0;
    let all = 0;
    for (let i = 0; i < d; i++)
      for (let j = 0; j < d; j++) {
        const square = c[i * d + j] * c[i * d + j];
        all += square;
        if (i !== j) off += square;
      }
    if (off <= 1e-31 * all) return;
    for (let p = 0; p < d; p++) for (let q = p + 1; q < d; q++) rotate(c, v, d, p, q);
  }
}

/** One rotation in the plane of axes p and q that makes c_pq zero. */
function rotate(c: Float64Array, v: Float64Array, d: number, p: number, q: number): void {
  const apq = c[p * d + q];
  if (apq === 0) return;
  const theta = (c[q * d + q] - c[p * d + p]) / (2 * apq);
  const t = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const cosine = 1 / Math.sqrt(t * t + 1);
  const sine = t * cosine;
  for (let k = 0; k < d; k++) {
    const x = c[k * d + p];
    const y = c[k * d + q];
    c[k * d + p] = cosine * x - sine * y;
    c[k * d + q] = sine * x + cosine * y;
  }
  for (let k = 0; k < d; k++) {
    const x = c[p * d + k];
    const y = c[q * d + k];
    c[p * d + k] = cosine * x - sine * y;
    c[q * d + k] = sine * x + cosine * y;
    const a = v[k * d + p];
    const b = v[k * d + q];
    v[k * d + p] = cosine * a - sine * b;
    v[k * d + q] = sine * a + cosine * b;
  }
}
