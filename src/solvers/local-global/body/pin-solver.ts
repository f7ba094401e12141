/**
 * Held vertices, exactly: of all bilateral constraints these are the most common, and they change seldom. Their block of A⁻¹
 * is factored when they change; what is left for the other constraints is
 *
 *     A_p⁻¹ = A⁻¹ − A⁻¹ Eᵀ (E A⁻¹ Eᵀ + C)⁻¹ E A⁻¹        E picks the held vertices
 *
 * C = e/h² is what they give, with the compliance e [m/N]: a vertex is held at its target less e λ, where λ = z/h² holds it. 0 for
 * one that is held exactly.
 */
import type { PinTable } from "../../deformable";
import type { BodySystem } from "./body-system";

export class PinSolver {
  /** held vertices, ascending */
  vertices = new Int32Array(0);
  /** C of each [1/kg], and whether any gives at all */
  give = new Float64Array(0);
  isSoft = false;
  /** 1 for each vertex of the body that is held exactly */
  exact: Uint8Array = new Uint8Array(0);
  /** Cholesky factor of E A⁻¹ Eᵀ + C, row-major */
  private factor = new Float64Array(0);
  /** what holds them, of the last `apply`, three each [kg m] */
  forces = new Float64Array(0);
  private system: BodySystem | undefined;

  /**
   * Brings the factor up to date; does nothing where the same vertices are held alike in the same system.
   *
   * @param h time step [s]
   */
  update(system: BodySystem, { pinned, compliances }: PinTable, h: number): void {
    if (system === this.system && this.isSame(pinned, compliances, h)) return;
    this.system = system;
    const vertices: number[] = [];
    pinned.forEach((value, i) => value !== 0 && vertices.push(i));
    this.vertices = Int32Array.from(vertices);
    const n = vertices.length;
    this.forces = new Float64Array(3 * n);
    this.give = Float64Array.from(vertices, (vertex) => (compliances?.[vertex] ?? 0) / (h * h));
    this.isSoft = this.give.some((value) => value > 0);
    this.exact = compliances ? pinned.map((value, i) => (compliances[i] === 0 ? value : 0)) : pinned;
    const l = new Float64Array(n * n);
    for (let i = 0; i < n; i++)
      for (let j = 0; j <= i; j++) {
        let sum = system.inverseEntry(vertices[i], vertices[j]) + (i === j ? this.give[i] : 0);
        for (let k = 0; k < j; k++) sum -= l[i * n + k] * l[j * n + k];
        // positive, since A is
        l[i * n + j] = i === j ? Math.sqrt(sum) : sum / l[j * n + j];
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
      for (let k = 0; k < i; k++) for (let c = 0; c <= k; c++) m[i * n + c] -= l[i * n + k] * m[k * n + c];
      for (let c = 0; c <= i; c++) m[i * n + c] /= l[i * n + i];
    }
    return m;
  }

  /** (E A⁻¹ Eᵀ + C)⁻¹ = L⁻ᵀ L⁻¹ of `inverseFactor`, row-major in the order of `vertices` [kg] */
  inverse(m: Float64Array): Float64Array {
    const n = this.vertices.length;
    const out = new Float64Array(n * n);
    for (let i = 0; i < n; i++)
      for (let r = 0; r <= i; r++) for (let c = 0; c <= i; c++) out[r * n + c] += m[i * n + r] * m[i * n + c];
    return out;
  }

  /**
   * Adds the forces to y = S b that bring the held vertices to their places.
   *
   * @param ways n × 3 [m]: where they go from where they are; of all vertices of the body
   * @param isAgain whether y has `forces` already
   */
  apply(y: Float64Array, ways: Float64Array, isAgain = false): void {
    const { vertices, forces: gap, give, system } = this;
    if (!system || vertices.length === 0) return;
    vertices.forEach((vertex, i) => {
      const given = isAgain ? give[i] : 0;
      for (let c = 0; c < 3; c++) before[c] = given * gap[3 * i + c];
      system.read(vertex, y, gap, 3 * i);
      for (let c = 0; c < 3; c++) gap[3 * i + c] = ways[3 * vertex + c] - gap[3 * i + c] - before[c];
    });
    this.substitute(gap, 3, true);
    vertices.forEach((vertex, i) => system.add(vertex, gap[3 * i], gap[3 * i + 1], gap[3 * i + 2], y));
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
        let sum = x[columns * i + c];
        for (let k = 0; k < i; k++) sum -= l[i * n + k] * x[columns * k + c];
        x[columns * i + c] = sum / l[i * n + i];
      }
      for (let i = n - 1; i >= 0 && isBoth; i--) {
        let sum = x[columns * i + c];
        for (let k = i + 1; k < n; k++) sum -= l[k * n + i] * x[columns * k + c];
        x[columns * i + c] = sum / l[i * n + i];
      }
    }
  }

  private isSame(pinned: Uint8Array, compliances: Float64Array | undefined, h: number): boolean {
    let count = 0;
    for (let i = 0; i < pinned.length; i++) {
      if (pinned[i] === 0) continue;
      if (this.vertices[count] !== i || this.give[count] !== (compliances?.[i] ?? 0) / (h * h)) return false;
      count++;
    }
    return count === this.vertices.length;
  }
}

const before = new Float64Array(3);
