/**
 * Held vertices, exactly: of all bilateral constraints these are the most common, and they change seldom. Their block of A⁻¹
 * is factored when they change; what is left for the other constraints is
 *
 *     A_p⁻¹ = A⁻¹ − A⁻¹ Eᵀ (E A⁻¹ Eᵀ)⁻¹ E A⁻¹        E picks the held vertices
 */
import type { BodySystem } from "./body-system";

export class PinSolver {
  /** held vertices, ascending */
  vertices = new Int32Array(0);
  /** Cholesky factor of E A⁻¹ Eᵀ, row-major */
  private factor = new Float64Array(0);
  /** what holds them, of the last `apply`, three each [kg m] */
  forces = new Float64Array(0);
  private system: BodySystem | undefined;

  /** Brings the factor up to date; does nothing where the same vertices are held in the same system. */
  update(system: BodySystem, pinned: Uint8Array): void {
    if (system === this.system && this.isSame(pinned)) return;
    this.system = system;
    const vertices: number[] = [];
    pinned.forEach((value, i) => value !== 0 && vertices.push(i));
    this.vertices = Int32Array.from(vertices);
    const n = vertices.length;
    this.forces = new Float64Array(3 * n);
    const l = new Float64Array(n * n);
    for (let i = 0; i < n; i++)
      for (let j = 0; j <= i; j++) {
        let sum = system.inverseEntry(vertices[i]!, vertices[j]!);
        for (let k = 0; k < j; k++) sum -= l[i * n + k]! * l[j * n + k]!;
        // positive, since A is
        l[i * n + j] = i === j ? Math.sqrt(sum) : sum / l[j * n + j]!;
      }
    this.factor = l;
  }

  /** L⁻¹, row-major in the order of `vertices` [kg^½] */
  inverseFactor(): Float64Array {
    const { factor: l } = this;
    const n = this.vertices.length;
    const m = new Float64Array(n * n);
    for (let i = 0; i < n; i++) {
      m[i * n + i] = 1;
      for (let k = 0; k < i; k++) for (let c = 0; c <= k; c++) m[i * n + c]! -= l[i * n + k]! * m[k * n + c]!;
      for (let c = 0; c <= i; c++) m[i * n + c]! /= l[i * n + i]!;
    }
    return m;
  }

  /** (E A⁻¹ Eᵀ)⁻¹ = L⁻ᵀ L⁻¹ of `inverseFactor`, row-major in the order of `vertices` [kg] */
  inverse(m: Float64Array): Float64Array {
    const n = this.vertices.length;
    const out = new Float64Array(n * n);
    for (let i = 0; i < n; i++)
      for (let r = 0; r <= i; r++) for (let c = 0; c <= i; c++) out[r * n + c]! += m[i * n + r]! * m[i * n + c]!;
    return out;
  }

  /**
   * Adds the forces to y = S b that bring the held vertices to their places.
   *
   * @param ways n × 3 [m]: where they go from where they are; of all vertices of the body
   */
  apply(y: Float64Array, ways: Float64Array): void {
    const { vertices, forces: gap, system } = this;
    if (!system || vertices.length === 0) return;
    vertices.forEach((vertex, i) => {
      system.read(vertex, y, gap, 3 * i);
      for (let c = 0; c < 3; c++) gap[3 * i + c] = ways[3 * vertex + c]! - gap[3 * i + c]!;
    });
    this.substitute(gap, 3, true);
    vertices.forEach((vertex, i) => system.add(vertex, gap[3 * i]!, gap[3 * i + 1]!, gap[3 * i + 2]!, y));
  }

  /** L⁻¹ E A⁻¹ eᵥ: what two such columns have in common is to be taken off an entry of A⁻¹. */
  column(vertex: number): Float64Array {
    const { system } = this;
    const out = Float64Array.from(this.vertices, (held) => system!.inverseEntry(held, vertex));
    this.substitute(out, 1, false);
    return out;
  }

  /** x ← L⁻¹ x, and then L⁻ᵀ x where `isBoth`, for `columns` vectors, row-major. */
  private substitute(x: Float64Array, columns: number, isBoth: boolean): void {
    const { factor: l } = this;
    const n = this.vertices.length;
    for (let c = 0; c < columns; c++) {
      for (let i = 0; i < n; i++) {
        let sum = x[columns * i + c]!;
        for (let k = 0; k < i; k++) sum -= l[i * n + k]! * x[columns * k + c]!;
        x[columns * i + c] = sum / l[i * n + i]!;
      }
      for (let i = n - 1; i >= 0 && isBoth; i--) {
        let sum = x[columns * i + c]!;
        for (let k = i + 1; k < n; k++) sum -= l[k * n + i]! * x[columns * k + c]!;
        x[columns * i + c] = sum / l[i * n + i]!;
      }
    }
  }

  private isSame(pinned: Uint8Array): boolean {
    let count = 0;
    for (let i = 0; i < pinned.length; i++) {
      if (pinned[i] === 0) continue;
      if (this.vertices[count] !== i) return false;
      count++;
    }
    return count === this.vertices.length;
  }
}
