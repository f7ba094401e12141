/**
 * Linear tetrahedra solved to the end, in f64: the reference for the fast methods. Newton with line search on
 *
 *     Φ(x) = Σ mₚ/2Δt² ‖xₚ − x̃ₚ‖² + Σ V ψ(F) − Σ fₚ · xₚ
 *
 * (the minimum of backward Euler, equation (1) of paper 1; without the first sum: of statics), its linear systems by conjugate
 * gradients with the blocks of the diagonal. ψ is (20) or (21) in F itself, so nothing is shared with the solvers.
 *
 * Glossary: F deformation gradient, C its cofactors (∂J/∂F), P = ∂ψ/∂F, gₐ material gradients of the hat functions [1/m].
 */
import { tetMasses, type TetMesh } from "../../src/geometry/tetrahedra/tet-mesh";
import { lameParameters, type SolidMaterial } from "../../src/materials/solid-material";

export interface ElasticProblem {
  readonly mesh: TetMesh;
  readonly material: Readonly<SolidMaterial>;
  /** forces on the vertices, n × 3 [N] */
  readonly forces: Float64Array;
  /** 1 for each fixed coordinate, n × 3 */
  readonly fixed: Uint8Array;
}

/** The inertia of backward Euler, which draws the vertices to x̃. */
export interface Inertia {
  /** n [kg] */
  readonly masses: ArrayLike<number>;
  /** [s] */
  readonly dt: number;
  /** x̃ = x⁻ + Δt v⁻ without the forces, n × 3 [m] */
  readonly target: Float64Array;
}

export class FiniteElements {
  private readonly count: number;
  /** gₐ, 12 per element */
  private readonly gradients: Float64Array;
  private readonly volumes: Float64Array;
  /** F and, for the product with the stiffness, C, of each element */
  private readonly f: Float64Array;
  private readonly cofactors: Float64Array;
  /** ∂ψ/∂J and ∂²ψ/∂J² of each element */
  private readonly pressure: Float64Array;
  private readonly curvature: Float64Array;
  private readonly mu: number;
  private readonly lambda: number;
  private readonly isLogarithmic: boolean;

  constructor(readonly problem: ElasticProblem) {
    const { mesh, material } = problem;
    const { positions, tetrahedra } = mesh;
    this.count = tetrahedra.length / 4;
    this.gradients = new Float64Array(12 * this.count);
    this.volumes = new Float64Array(this.count);
    this.f = new Float64Array(9 * this.count);
    this.cofactors = new Float64Array(9 * this.count);
    this.pressure = new Float64Array(this.count);
    this.curvature = new Float64Array(this.count);
    const { mu, lambda } = lameParameters(material.youngsModulus, material.poissonRatio);
    this.isLogarithmic = material.model === "neo-hookean";
    this.mu = mu;
    this.lambda = this.isLogarithmic ? lambda : lambda + mu;
    const edges = new Float64Array(9);
    const reciprocal = new Float64Array(9);
    for (let t = 0; t < this.count; t++) {
      const origin = 3 * tetrahedra[4 * t];
      for (let k = 0; k < 3; k++)
        for (let c = 0; c < 3; c++)
          edges[3 * c + k] = positions[3 * tetrahedra[4 * t + k + 1] + c] - positions[origin + c];
      cofactorsOf(edges, 0, reciprocal, 0);
      const determinant = edges[0] * reciprocal[0] + edges[1] * reciprocal[1] + edges[2] * reciprocal[2];
      this.volumes[t] = determinant / 6;
      for (let k = 0; k < 3; k++)
        for (let c = 0; c < 3; c++) {
          const g = reciprocal[3 * c + k] / determinant;
          this.gradients[12 * t + 3 * (k + 1) + c] = g;
          this.gradients[12 * t + c] -= g;
        }
    }
  }

  /**
   * Finds the minimum from a start, which is moved to it.
   *
   * @param tolerance largest remaining force, as a part of the largest at the start
   * @returns number of Newton iterations
   */
  solve(x: Float64Array, inertia?: Inertia, tolerance = 1e-9): number {
    const { fixed } = this.problem;
    const n = x.length;
    const residual = new Float64Array(n);
    const step = new Float64Array(n);
    const trial = new Float64Array(n);
    let first = 0;
    for (let iteration = 0; iteration < 60; iteration++) {
      const energy = this.linearise(x, inertia);
      this.force(x, residual, inertia);
      let largest = 0;
      for (let i = 0; i < n; i++) largest = Math.max(largest, Math.abs(fixed[i] ? 0 : residual[i]));
      first = Math.max(first, largest);
      if (!(largest > tolerance * first)) return iteration;
      for (let i = 0; i < n; i++) if (fixed[i]) residual[i] = 0;
      this.conjugateGradients(residual, step, inertia);
      let slope = 0;
      for (let i = 0; i < n; i++) slope -= residual[i] * step[i];
      for (let t = 1; ; t /= 2) {
        for (let i = 0; i < n; i++) trial[i] = x[i] + t * step[i];
        const value = this.linearise(trial, inertia);
        if (value <= energy + 1e-4 * t * slope + 1e-12 * Math.abs(energy)) break;
        if (t < 1e-6) return iteration;
      }
      x.set(trial);
    }
    return 60;
  }

  /** The remaining force on each coordinate [N]; the ground takes up that of a fixed one. */
  force(x: Float64Array, out: Float64Array, inertia?: Inertia): void {
    const { mesh, forces } = this.problem;
    this.linearise(x, inertia);
    out.set(forces);
    for (let t = 0; t < this.count; t++)
      for (let a = 0; a < 4; a++) {
        const p = 3 * mesh.tetrahedra[4 * t + a];
        for (let c = 0; c < 3; c++) {
          let sum = 0;
          for (let j = 0; j < 3; j++) {
            const at = 9 * t + 3 * c + j;
            const stress = this.mu * this.f[at] + this.pressure[t] * this.cofactors[at];
            sum += stress * this.gradients[12 * t + 3 * a + j];
          }
          out[p + c] -= this.volumes[t] * sum;
        }
      }
    if (inertia)
      for (let i = 0; i < x.length; i++)
        out[i] -= (inertia.masses[(i / 3) | 0] / inertia.dt ** 2) * (x[i] - inertia.target[i]);
  }

  /** Φ at x; infinite if (20) has no value. Leaves F, C and the derivatives by J. */
  private linearise(x: Float64Array, inertia?: Inertia): number {
    const { mesh, forces } = this.problem;
    const { f, cofactors, gradients, mu, lambda } = this;
    let energy = 0;
    for (let t = 0; t < this.count; t++) {
      const at = 9 * t;
      for (let c = 0; c < 3; c++)
        for (let j = 0; j < 3; j++) {
          let sum = 0;
          for (let a = 0; a < 4; a++) sum += x[3 * mesh.tetrahedra[4 * t + a] + c] * gradients[12 * t + 3 * a + j];
          f[at + 3 * c + j] = sum;
        }
      cofactorsOf(f, at, cofactors, at);
      const jacobian = f[at] * cofactors[at] + f[at + 1] * cofactors[at + 1] + f[at + 2] * cofactors[at + 2];
      let squares = -3;
      for (let i = at; i < at + 9; i++) squares += f[i] * f[i];
      let ofVolume: number;
      if (this.isLogarithmic) {
        if (!(jacobian > 0)) return Infinity;
        const log = Math.log(jacobian);
        ofVolume = -mu * log + 0.5 * lambda * log * log;
        this.pressure[t] = (lambda * log - mu) / jacobian;
        this.curvature[t] = (lambda - lambda * log + mu) / (jacobian * jacobian);
      } else {
        ofVolume = -mu * (jacobian - 1) + 0.5 * lambda * (jacobian - 1) ** 2;
        this.pressure[t] = lambda * (jacobian - 1) - mu;
        this.curvature[t] = lambda;
      }
      energy += this.volumes[t] * (0.5 * mu * squares + ofVolume);
    }
    for (let i = 0; i < x.length; i++) {
      energy -= forces[i] * (x[i] - mesh.positions[i]);
      if (inertia) energy += (0.5 * inertia.masses[(i / 3) | 0] * (x[i] - inertia.target[i]) ** 2) / inertia.dt ** 2;
    }
    return energy;
  }

  /** out = K v, the second derivative of Φ at the last linearization; dP = µ dF + ψ'' C (C : dF) + ψ' dC. */
  private multiply(v: Float64Array, out: Float64Array, inertia: Inertia | undefined): void {
    const { mesh, fixed } = this.problem;
    const { f, cofactors, gradients } = this;
    const df = new Float64Array(9);
    for (let i = 0; i < v.length; i++) out[i] = inertia ? (inertia.masses[(i / 3) | 0] / inertia.dt ** 2) * v[i] : 0;
    for (let t = 0; t < this.count; t++) {
      let change = 0;
      for (let c = 0; c < 3; c++)
        for (let j = 0; j < 3; j++) {
          let sum = 0;
          for (let a = 0; a < 4; a++) sum += v[3 * mesh.tetrahedra[4 * t + a] + c] * gradients[12 * t + 3 * a + j];
          df[3 * c + j] = sum;
          change += sum * cofactors[9 * t + 3 * c + j];
        }
      for (let c = 0; c < 3; c++)
        for (let j = 0; j < 3; j++) {
          const [p, q, r, s] = [(c + 1) % 3, (c + 2) % 3, (j + 1) % 3, (j + 2) % 3];
          const at = 9 * t;
          const turned =
            df[3 * p + r] * f[at + 3 * q + s] +
            f[at + 3 * p + r] * df[3 * q + s] -
            df[3 * p + s] * f[at + 3 * q + r] -
            f[at + 3 * p + s] * df[3 * q + r];
          const stress =
            this.mu * df[3 * c + j] +
            this.curvature[t] * change * cofactors[at + 3 * c + j] +
            this.pressure[t] * turned;
          for (let a = 0; a < 4; a++)
            out[3 * mesh.tetrahedra[4 * t + a] + c] += this.volumes[t] * stress * gradients[12 * t + 3 * a + j];
        }
    }
    for (let i = 0; i < v.length; i++) if (fixed[i]) out[i] = 0;
  }

  /** The diagonal of K, its positive part. */
  private diagonal(inertia: Inertia | undefined): Float64Array {
    const { mesh } = this.problem;
    const out = new Float64Array(mesh.positions.length);
    if (inertia) for (let i = 0; i < out.length; i++) out[i] = inertia.masses[(i / 3) | 0] / inertia.dt ** 2;
    for (let t = 0; t < this.count; t++)
      for (let a = 0; a < 4; a++)
        for (let c = 0; c < 3; c++) {
          let [squares, volume] = [0, 0];
          for (let j = 0; j < 3; j++) {
            const g = this.gradients[12 * t + 3 * a + j];
            squares += g * g;
            volume += g * this.cofactors[9 * t + 3 * c + j];
          }
          const stiffness = this.mu * squares + Math.max(0, this.curvature[t]) * volume * volume;
          out[3 * mesh.tetrahedra[4 * t + a] + c] += this.volumes[t] * stiffness;
        }
    return out;
  }

  /** K x = b, to a millionth; stops early in a direction of negative curvature. */
  private conjugateGradients(b: Float64Array, x: Float64Array, inertia: Inertia | undefined): void {
    const n = b.length;
    const diagonal = this.diagonal(inertia);
    const r = b.slice();
    const p = new Float64Array(n);
    const kp = new Float64Array(n);
    x.fill(0);
    let rz = 0;
    let start = 0;
    for (let iteration = 0; iteration < 3 * n; iteration++) {
      let next = 0;
      for (let i = 0; i < n; i++) next += (r[i] * r[i]) / diagonal[i];
      if (iteration === 0) start = next;
      if (next <= 1e-12 * start) return;
      const beta = iteration === 0 ? 0 : next / rz;
      rz = next;
      for (let i = 0; i < n; i++) p[i] = r[i] / diagonal[i] + beta * p[i];
      this.multiply(p, kp, inertia);
      let curvature = 0;
      for (let i = 0; i < n; i++) curvature += p[i] * kp[i];
      if (!(curvature > 0)) {
        if (iteration === 0) x.set(p);
        return;
      }
      const alpha = rz / curvature;
      for (let i = 0; i < n; i++) {
        x[i] += alpha * p[i];
        r[i] -= alpha * kp[i];
      }
    }
  }
}

/** Cofactors of a 3 × 3 matrix, both row-major. */
function cofactorsOf(f: Float64Array, at: number, out: Float64Array, to: number): void {
  for (let c = 0; c < 3; c++)
    for (let j = 0; j < 3; j++) {
      const [p, q, r, s] = [at + 3 * ((c + 1) % 3), at + 3 * ((c + 2) % 3), (j + 1) % 3, (j + 2) % 3];
      out[to + 3 * c + j] = f[p + r] * f[q + s] - f[p + s] * f[q + r];
    }
}

/**
 * The rest of a body on frictionless ground at the height of its lowest vertices: the ground pushes and does not pull.
 *
 * @param gravity downward [m/s²]
 * @testOnly
 */
export function restOnGround(mesh: TetMesh, material: Readonly<SolidMaterial>, gravity: number): Float64Array {
  const n = mesh.positions.length;
  const masses = tetMasses(mesh, material.density);
  const forces = new Float64Array(n);
  const fixed = new Uint8Array(n);
  const elements = new FiniteElements({ mesh, material, forces, fixed });
  let ground = Infinity;
  for (let p = 0; p < masses.length; p++) {
    forces[3 * p + 1] = -masses[p] * gravity;
    ground = Math.min(ground, mesh.positions[3 * p + 1]);
  }
  for (let p = 0; p < masses.length; p++) if (mesh.positions[3 * p + 1] < ground + 1e-9) fixed[3 * p + 1] = 1;
  const x = mesh.positions.slice();
  const left = new Float64Array(n);
  for (let round = 0; round < 40; round++) {
    elements.solve(x);
    elements.force(x, left);
    let changed = false;
    for (let i = 1; i < n; i += 3) {
      // The ground takes up the remaining forces.
      const pulls = fixed[i] === 1 && left[i] > 1e-9;
      const sinks = fixed[i] === 0 && x[i] < ground - 1e-12;
      if (pulls) fixed[i] = 0;
      if (sinks) {
        fixed[i] = 1;
        x[i] = ground;
      }
      changed ||= pulls || sinks;
    }
    if (!changed) return x;
  }
  throw new Error("the contact of the body with the ground was not found");
}
