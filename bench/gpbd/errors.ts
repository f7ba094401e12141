/**
 * Distance of a time step from backward Euler after each iteration: a clamped bar, as the reference sweeps it, is compared with the minimum
 * that Newton finds in f64 (finite-elements.ts).
 */
import { ColliderSet } from "../../src/collision/obstacles/collider-set";
import { boxTetrahedra, solidModel } from "../../src/index";
import type { GpbdModel } from "../../src/solvers/gpbd/model";
import { CpuGpbdSolver, type IterationProbe } from "../../src/solvers/gpbd/cpu/cpu-solver";
import { solidSolve } from "../../src/solvers/gpbd/elements/solids/solid-solve";
import { defaultOptions, type GpbdOptions } from "../../src/solvers/gpbd/options";
import type { Chart, Curve } from "../plot";
import { Anderson } from "./anderson";
import { FiniteElements } from "./finite-elements";

export interface StepCase {
  readonly name: string;
  /** [Pa] */
  readonly youngsModulus: number;
  readonly poissonRatio: number;
  /** [s] */
  readonly dt: number;
  /** speed of the free end, downward; every vertex has a random tenth of it in addition [m/s] */
  readonly speed: number;
}

export const stepCases: readonly StepCase[] = [
  { name: "cantilever, Δt = 1/960 s", youngsModulus: 1e6, poissonRatio: 0.3, dt: 1 / 960, speed: 0 },
  { name: "swinging, ν = 0.3, Δt = 0.01 s", youngsModulus: 1e5, poissonRatio: 0.3, dt: 0.01, speed: 1.8 },
  { name: "swinging, ν = 0.4995, Δt = 0.001 s", youngsModulus: 1e5, poissonRatio: 0.4995, dt: 0.001, speed: 1.8 },
];

const LENGTH = 0.6;
const THICKNESS = 0.1;
const GRAVITY = [0, -9.81, 0] as const;
const MODEL = "stable-neo-hookean";

/** A time step whose result is known. */
export class ExactStep {
  readonly model: GpbdModel;
  private readonly exact: Float64Array;
  private readonly velocities: Float64Array;
  private readonly pinned: Uint8Array;
  /** ‖x̃ − x‖ in the norm of mass */
  private readonly first: number;

  /** @param cells across; two, for a bar twelve times as long as wide */
  constructor(
    readonly of: StepCase,
    cells = 2,
  ) {
    const { youngsModulus, poissonRatio, dt, speed } = of;
    const size = [LENGTH, THICKNESS, THICKNESS] as const;
    const mesh = boxTetrahedra({ size: [...size], cells: [6 * cells, cells, cells], center: [LENGTH / 2, 0, 0] });
    const material = { youngsModulus, poissonRatio, density: 1000, model: MODEL } as const;
    this.model = solidModel({ ...mesh, elements: "linear", material, name: of.name });
    const { masses, positions, particleCount: n } = this.model;
    const fixed = new Uint8Array(3 * n);
    this.pinned = new Uint8Array(n);
    this.velocities = new Float64Array(3 * n);
    const forces = new Float64Array(3 * n);
    let seed = 7;
    for (let i = 0; i < 3 * n; i++) {
      const p = (i / 3) | 0;
      seed = (1103515245 * seed + 12345) % 2 ** 31;
      forces[i] = masses[p] * GRAVITY[i % 3];
      fixed[i] = positions[3 * p] < 1e-9 ? 1 : 0;
      if (fixed[i]) this.pinned[p] = 1;
      else {
        const random = 0.1 * speed * (seed / 2 ** 30 - 1);
        this.velocities[i] = random - (i % 3 === 1 ? (speed * positions[3 * p]) / LENGTH : 0);
      }
    }
    const target = positions.map((x, i) => x + dt * this.velocities[i]);
    this.exact = positions.slice();
    new FiniteElements({ mesh, material, forces, fixed }).solve(this.exact, { masses, dt, target }, 1e-12);
    this.first = this.distance(target.map((x, i) => x + (fixed[i] ? 0 : dt * dt * GRAVITY[i % 3])));
  }

  /**
   * Errors after each iteration, as parts of that of x̃.
   *
   * @param depth of Anderson acceleration, 0 for none
   */
  errors(options: Partial<GpbdOptions> & { readonly iterations: number }, depth = 0): number[] {
    const errors: number[] = [];
    const anderson = depth > 0 ? new Anderson(depth) : undefined;
    const probe: IterationProbe = (swept, substep, iteration) => {
      errors.push(this.distance(swept.state.positions) / this.first);
      anderson?.mix(swept, substep, iteration);
    };
    const solver = new CpuGpbdSolver(this.model, probe, undefined, undefined, solidSolve);
    solver.writeState({ positions: this.model.positions.slice(), velocities: this.velocities });
    const frame = { dt: this.of.dt, frame: 1, gravity: GRAVITY, colliders: new ColliderSet() };
    const pins = { pinned: this.pinned, targets: this.model.positions.slice(), changed: true };
    const common = { ...defaultOptions, substeps: 1, newtonIterations: 5, airDensity: 0, faceContacts: false };
    solver.step(frame, { ...common, ...options }, pins);
    return errors;
  }

  private distance(x: ArrayLike<number>): number {
    const { masses } = this.model;
    let sum = 0;
    for (let i = 0; i < x.length; i++) sum += masses[(i / 3) | 0] * (x[i] - this.exact[i]) ** 2;
    return Math.sqrt(sum);
  }
}

/** Ways to sweep. The accelerated one (Chebyshev) is run anew for every number of iterations, because its weights depend on that number. */
const ways: readonly {
  readonly name: string;
  readonly options: Partial<GpbdOptions>;
  readonly isMadeFor?: true;
  /** depth of Anderson acceleration */
  readonly depth?: number;
}[] = [
  { name: "Jacobi", options: { method: "jacobi" } },
  { name: "Jacobi, ω = 1.5", options: { method: "jacobi", relaxation: 1.5 } },
  { name: "Jacobi, ω = 1.9", options: { method: "jacobi", relaxation: 1.9 } },
  { name: "Jacobi, accelerated", options: { method: "jacobi", accelerate: true }, isMadeFor: true },
  { name: "Jacobi, Anderson 5", options: { method: "jacobi" }, depth: 5 },
  { name: "Gauss-Seidel", options: { method: "gauss-seidel" } },
  { name: "Gauss-Seidel, Anderson 5", options: { method: "gauss-seidel" }, depth: 5 },
  { name: "Gauss-Seidel, ω = 1.2", options: { method: "gauss-seidel", relaxation: 1.2 } },
  { name: "Gauss-Seidel, ω = 1.5", options: { method: "gauss-seidel", relaxation: 1.5 } },
];

const ITERATIONS = [1, 2, 3, 4, 5, 7, 10, 14, 20, 30, 40];

export interface ErrorRow {
  readonly scene: string;
  readonly settings: string;
  readonly iterations: number;
  /** missing part of the displacement by forces */
  readonly error: number;
  /** ratio of the error of plain Jacobi after as many iterations to it */
  readonly gain: number;
}

/**
 * @param most largest number of iterations
 * @param cells of the bar, across
 */
export function errorCurves(
  cases = stepCases,
  most = 40,
  cells = 2,
): { readonly rows: ErrorRow[]; readonly charts: Chart[] } {
  const rows: ErrorRow[] = [];
  const at = ITERATIONS.filter((n) => n <= most);
  const charts = cases.map((of): Chart => {
    const step = new ExactStep(of, cells);
    let plain: number[] = [];
    const curves = ways.map(({ name, options, isMadeFor, depth }): Curve => {
      let values: number[];
      if (isMadeFor) values = at.map((iterations) => step.errors({ ...options, iterations }).at(-1));
      else {
        const all = step.errors({ ...options, iterations: at.at(-1) }, depth);
        values = at.map((n) => all[n - 1]);
      }
      if (plain.length === 0) plain = values;
      values.forEach((error, k) =>
        rows.push({ scene: of.name, settings: name, iterations: at[k], error, gain: plain[k] / error }),
      );
      return { name, values, at, dashed: options.relaxation !== undefined };
    });
    return { title: of.name, xLabel: "iterations", yLabel: "error, part of that of x̃", scale: "log", curves };
  });
  return { rows, charts };
}
