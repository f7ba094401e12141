/**
 * Stretch of the triangles at each vertex of a sheet: a cheap bound for all of them, and the tensor itself for one triangle.
 *
 * Glossary: Dm⁻¹ inverse of the edges of a triangle at rest, in its plane; F = Ds Dm⁻¹ deformation gradient with the columns u and v;
 * σ² eigenvalues of FᵀF, with unit directions d in space; A area at rest [m²].
 */

import { lengthOf } from "../../../math/vectors";
import { atan2, cos, sin } from "../../../math/deterministic";

/** Numbers of a triangle at rest: the four of Dm⁻¹, row-major [1/m], and A. */
export const REST = 5;

/**
 * Bounds on the largest eigenvalue of Σ A Σ max(0, σ − 1) d dᵀ / Σ A over the triangles at a vertex. It is at most
 * Σ A max(0, σ₁ − 1) / Σ A, for which no directions are needed.
 */
export class StretchBounds {
  private readonly sums = new Float64Array(this.particleCount);
  private readonly areas = new Float64Array(this.particleCount);
  private readonly candidates = new Uint32Array(this.particleCount);
  /** bounds of the candidates */
  private readonly values = new Float64Array(this.particleCount);
  private readonly chosen = new Uint32Array(this.particleCount);
  /** candidate whose turn it is */
  private turn = 0;

  /**
   * @param faces of the sheet, which may change
   * @param rest REST numbers a triangle
   * @param particleCount most that there may be
   */
  constructor(
    private readonly faces: Uint32Array,
    private readonly rest: Float64Array,
    private readonly particleCount: number,
  ) {}

  /**
   * Particles with a bound above `least`. If there are more than `most`, half of these are the most stretched, and the others come
   * in turn.
   *
   * @param x particleCount × 3 [m]
   * @param held 1 for particles to leave out
   * @param used particles that there are
   */
  above(x: ArrayLike<number>, least: number, held: ArrayLike<number>, used: number, most: number): Uint32Array {
    this.sum(x, used);
    const { sums, areas, candidates, values } = this;
    let count = 0;
    for (let p = 0; p < used; p++) {
      // not where anything is not finite
      if (held[p] === 1 || !(sums[p] > least * areas[p])) continue;
      values[count] = sums[p] / areas[p];
      candidates[count++] = p;
    }
    if (count <= most) return candidates.subarray(0, count);
    // The others come in turn: vertices that cannot come apart must not keep them waiting for ever.
    const largest = most >> 1;
    const limit = values.slice(0, count).sort()[count - largest];
    const { chosen } = this;
    let kept = 0;
    for (let i = 0; i < count && kept < largest; i++) if (values[i] >= limit) chosen[kept++] = candidates[i]!;
    const first = this.turn % count;
    let i = first;
    for (; kept < most && i < first + count; i++)
      if (!(values[i % count] >= limit)) chosen[kept++] = candidates[i % count]!;
    this.turn = i % count;
    return chosen.subarray(0, kept);
  }

  /** Σ A max(0, σ₁ − 1) and Σ A at each particle. */
  private sum(x: ArrayLike<number>, used: number): void {
    const { faces, rest, sums, areas } = this;
    sums.fill(0, 0, used);
    areas.fill(0, 0, used);
    for (let f = 0, r = 0; f < faces.length; f += 3, r += REST) {
      deform(x, faces, f, rest, r);
      const area = rest[r + 4];
      const half = 0.5 * (uu - vv);
      const squared = 0.5 * (uu + vv) + Math.sqrt(half * half + uv * uv);
      const stretch = squared > 1 ? area * (Math.sqrt(squared) - 1) : 0;
      for (let i = f; i < f + 3; i++) {
        sums[faces[i]] += stretch;
        areas[faces[i]] += area;
      }
    }
  }
}

// u, v and their products: out of `deform`
let [u0, u1, u2, v0, v1, v2] = [0, 0, 0, 0, 0, 0];
let [uu, uv, vv] = [0, 0, 0];

function deform(x: ArrayLike<number>, faces: Uint32Array, f: number, rest: Float64Array, r: number): void {
  const a = 3 * faces[f];
  const b = 3 * faces[f + 1];
  const c = 3 * faces[f + 2];
  const m0 = rest[r];
  const m1 = rest[r + 1];
  const m3 = rest[r + 3];
  const b0 = x[b] - x[a];
  const b1 = x[b + 1] - x[a + 1];
  const b2 = x[b + 2] - x[a + 2];
  u0 = m0 * b0;
  u1 = m0 * b1;
  u2 = m0 * b2;
  v0 = m1 * b0 + m3 * (x[c] - x[a]);
  v1 = m1 * b1 + m3 * (x[c + 1] - x[a + 1]);
  v2 = m1 * b2 + m3 * (x[c + 2] - x[a + 2]);
  uu = u0 * u0 + u1 * u1 + u2 * u2;
  uv = u0 * v0 + u1 * v1 + u2 * v2;
  vv = v0 * v0 + v1 * v1 + v2 * v2;
}

/** Adds A Σ max(0, σ − 1) d dᵀ over both stretches of a triangle. @param out xx, yy, zz, xy, yz, zx: changed */
export function addFaceTensor(
  x: ArrayLike<number>,
  faces: Uint32Array,
  rest: Float64Array,
  face: number,
  out: Float64Array,
): void {
  deform(x, faces, 3 * face, rest, REST * face);
  const area = rest[REST * face + 4];
  // FᵀF has the eigenvalues mean ± radius, at an angle and across it.
  const mean = 0.5 * (uu + vv);
  const radius = lengthOf(0.5 * (uu - vv), uv);
  const angle = 0.5 * atan2(2 * uv, uu - vv);
  const c = cos(angle);
  const s = sin(angle);
  addStretch(out, area, mean + radius, c * u0 + s * v0, c * u1 + s * v1, c * u2 + s * v2);
  addStretch(out, area, mean - radius, c * v0 - s * u0, c * v1 - s * u1, c * v2 - s * u2);
}

/** Adds A (σ − 1) d dᵀ for a stretch with σ² = squared and σ d = (x, y, z), where it is one. */
function addStretch(out: Float64Array, area: number, squared: number, x: number, y: number, z: number): void {
  if (!(squared > 1)) return;
  const scale = (area * (Math.sqrt(squared) - 1)) / squared;
  out[0] += scale * x * x;
  out[1] += scale * y * y;
  out[2] += scale * z * z;
  out[3] += scale * x * y;
  out[4] += scale * y * z;
  out[5] += scale * z * x;
}
