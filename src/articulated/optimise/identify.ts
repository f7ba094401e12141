import { invalid, nonFinite, PliantError } from "../../errors";
import { checkLikelyNames, checkNames, optionNames } from "../../option-names";
import { solveCholesky } from "../../math/dense";
import { list, readTrajectory, type MeasuredTrajectory, type Trajectory } from "./measured-trajectory";
import { multiplyInto, type ParametricStep } from "./differentiable-step";
import { Breather, type RunControl, runControlNames } from "../../tasks/run-control";

export interface IdentificationProblem {
  readonly step: ParametricStep;
  readonly trajectories: readonly MeasuredTrajectory[];
  /** first guess; default the current values of the step */
  readonly parameters?: ArrayLike<number>;
  /**
   * bounds of the parameters, one for all or a list; default those of the step, for example 1e-9 and none for masses, lengths, friction
   * and damping; 1e-9 and none for a step that has none
   */
  readonly lower?: number | ArrayLike<number>;
  readonly upper?: number | ArrayLike<number>;
  /** Whether to estimate the initial states, too, as noise in them would bias the parameters. Default false. */
  readonly estimateStart?: boolean;
  /** 1/σ of the measurement of each coordinate, one for all or nv; default 1 */
  readonly weights?: number | ArrayLike<number>;
  /** the same for measured velocities; default 1 */
  readonly velocityWeights?: number | ArrayLike<number>;
}

export interface IdentificationOptions extends RunControl<IdentificationProgress> {
  /** largest number of iterations, default 100 */
  readonly iterations?: number;
  /**
   * the run has converged when an iteration lowers the cost by less than this part of it, and the linearized model promises no more
   * than ten times that; default 1e-10
   */
  readonly tolerance?: number;
}

const problemNames = optionNames<IdentificationProblem>()(
  "step trajectories parameters lower upper estimateStart? weights velocityWeights",
);

const identificationOptionNames = optionNames<IdentificationOptions>()("iterations tolerance", runControlNames);

export interface IdentificationProgress {
  readonly iteration: number;
  /** ½ Σ (weighted residual)² */
  readonly cost: number;
  readonly parameters: Float64Array;
  /** positions of the first trajectory, samples × nv */
  readonly positions: Float64Array;
}

export interface IdentificationResult {
  /**
   * `stalled`: no step lowers the cost, but the linearized model promises that one would: the parameters are not a minimum that the
   * run could verify, as at a contact that opens
   */
  readonly status: "converged" | "stalled" | "iterations" | "canceled";
  readonly iterations: number;
  readonly parameters: Float64Array;
  /**
   * Standard error of each parameter from the residuals that remain, by the linearized model; NaN if the measurements
   * do not depend on it.
   */
  readonly standardErrors: Float64Array;
  /** initial state of each trajectory: q, then q̇ */
  readonly starts: readonly Float64Array[];
  readonly initialCost: number;
  readonly cost: number;
  readonly costs: readonly number[];
  /** positions of the first trajectory, samples × nv */
  readonly positions: Float64Array;
}

/**
 * Finds the parameters with which the simulation reproduces measured trajectories: least squares by Levenberg and
 * Marquardt, with the sensitivities S = ∂x/∂(θ, x₀) propagated through the steps, S' = A S + P. The step keeps the
 * resulting parameters.
 *
 * @throws PliantError for lists of a wrong length, numbers that are not finite, or a first guess whose trajectories are
 * not finite; the step then has its previous parameters
 */
export async function identify(
  problem: IdentificationProblem,
  options: IdentificationOptions = {},
): Promise<IdentificationResult> {
  const before = problem.step.parameters.slice();
  try {
    return await new Identification(problem, options).run();
  } catch (error) {
    problem.step.setParameters(before);
    throw error;
  }
}

/** Part of the first cost below which rounding decides. */
const ROUNDING = 1e-20;

/** Iterations with hardly any gain, one after another, that end a run. */
const MOST_STALE = 5;

/** λ of Levenberg and Marquardt: first, factor up and down, highest. */
const LAMBDA = { first: 1e-3, up: 8, down: 1 / 6, highest: 1e12 };

class Identification {
  private readonly trajectories: readonly Trajectory[];
  private readonly nx: number;
  private readonly parameterCount: number = this.problem.step.parameterNames.length;
  /** number of unknowns z: parameters, then the initial states if they are estimated */
  private readonly nz: number;
  private readonly lower: Float64Array;
  private readonly upper: Float64Array;
  private readonly weights: Float64Array;
  private readonly fixedStarts: Float64Array;
  private readonly normal: Float64Array;
  private readonly right: Float64Array;
  private readonly breather: Breather;
  private shown = new Float64Array(0);
  private residualCount = 0;

  constructor(
    private readonly problem: IdentificationProblem,
    private readonly options: IdentificationOptions,
  ) {
    checkLikelyNames("identify", problem, problemNames);
    checkNames("identify", options, identificationOptionNames);
    const { step, trajectories } = problem;
    if (trajectories.length === 0) throw invalid("identify.trajectories", 0, "must hold at least one");
    const { nv } = step;
    this.nx = 2 * nv;
    if (this.parameterCount === 0) throw invalid("identify.step", 0, "must have at least one parameter");
    this.trajectories = trajectories.map((trajectory, i) =>
      readTrajectory(trajectory, `identify.trajectories[${i}]`, nv, step.nu),
    );
    this.nz = this.parameterCount + (problem.estimateStart === true ? this.nx * trajectories.length : 0);
    this.lower = list(problem.lower ?? step.parameterBounds?.lower ?? 1e-9, this.parameterCount, "identify.lower");
    this.upper = list(
      problem.upper ?? step.parameterBounds?.upper ?? Number.MAX_VALUE,
      this.parameterCount,
      "identify.upper",
    );
    this.weights = new Float64Array(this.nx);
    this.weights.set(list(problem.weights ?? 1, nv, "identify.weights"));
    this.weights.set(list(problem.velocityWeights ?? 1, nv, "identify.velocityWeights"), nv);
    this.fixedStarts = new Float64Array(this.nx * trajectories.length);
    trajectories.forEach(({ position, velocity }, i) => {
      this.fixedStarts.set(list(position, nv, `identify.trajectories[${i}].position`), i * this.nx);
      this.fixedStarts.set(list(velocity, nv, `identify.trajectories[${i}].velocity`), i * this.nx + nv);
    });
    this.normal = new Float64Array(this.nz * this.nz);
    this.right = new Float64Array(this.nz);
    this.breather = new Breather(options.signal);
  }

  async run(): Promise<IdentificationResult> {
    const { step, parameters: guess } = this.problem;
    const { iterations: most = 100, tolerance = 1e-10 } = this.options;
    let z = new Float64Array(this.nz);
    z.set(list(guess ?? step.parameters, this.parameterCount, "identify.parameters"));
    this.clamp(z);
    if (this.nz > this.parameterCount) z.set(this.fixedStarts, this.parameterCount);
    let cost = await this.linearise(z);
    if (!Number.isFinite(cost)) throw nonFinite("identify", cost, "the first guess must have finite trajectories");
    const costs = [cost];
    this.report(costs, z);
    let lambda = LAMBDA.first;
    let stale = 0;
    let status: IdentificationResult["status"] = "iterations";
    for (let iteration = 0; iteration < most && status === "iterations"; iteration++)
      for (;;) {
        if (this.breather.canceled) {
          status = "canceled";
          break;
        }
        const next = this.propose(z, lambda);
        const trial = next === undefined ? Number.NaN : await this.sweep(next, false);
        if (next !== undefined && trial < cost) {
          const isSmall = cost - trial <= tolerance * cost;
          z = next;
          lambda = Math.max(1e-12, lambda * LAMBDA.down);
          cost = await this.linearise(z);
          // A short step gains little wherever it is.
          stale = isSmall ? stale + 1 : 0;
          if (isSmall && this.isMinimum(z, cost, costs[0], tolerance)) status = "converged";
          else if (stale === MOST_STALE) status = "stalled";
          costs.push(cost);
          this.report(costs, z);
          break;
        }
        lambda *= LAMBDA.up;
        if (lambda > LAMBDA.highest) {
          status = this.isMinimum(z, cost, costs[0], tolerance) ? "converged" : "stalled";
          break;
        }
      }
    // The last trial may have been a bad one: restore the best parameters.
    const standardErrors = this.standardErrors(await this.linearise(z));
    return {
      status,
      iterations: costs.length - 1,
      parameters: z.slice(0, this.parameterCount),
      standardErrors,
      starts: this.trajectories.map((_, i) => this.start(z, i).slice()),
      initialCost: costs[0],
      cost,
      costs,
      positions: this.shown.slice(),
    };
  }

  private start(z: Float64Array, trajectory: number): Float64Array {
    const [from, base] = this.nz > this.parameterCount ? [z, this.parameterCount] : [this.fixedStarts, 0];
    return from.subarray(base + trajectory * this.nx, base + (trajectory + 1) * this.nx);
  }

  private clamp(z: Float64Array): void {
    for (let i = 0; i < this.parameterCount; i++) z[i] = Math.min(this.upper[i], Math.max(this.lower[i], z[i]));
  }

  /** z − (N + λ diag N)⁻¹ g; undefined if that cannot be solved. */
  private propose(z: Float64Array, lambda: number): Float64Array<ArrayBuffer> | undefined {
    const { nz } = this;
    const matrix = this.normal.slice();
    const delta = this.right.slice();
    for (let i = 0; i < nz; i++) {
      // An unknown on which nothing depends does not change.
      const diagonal = matrix[i * (nz + 1)];
      matrix[i * (nz + 1)] += diagonal > 0 ? lambda * diagonal : 1;
    }
    if (!solveCholesky(matrix, delta, nz)) return undefined;
    const next = z.map((value, i) => value - delta[i]);
    this.clamp(next);
    return next;
  }

  /**
   * Whether the linearized model promises hardly any gain, ½ gᵀ N⁻¹ g, over unknowns that no bound holds.
   *
   * @param first cost of the first guess
   */
  private isMinimum(z: Float64Array, cost: number, first: number, tolerance: number): boolean {
    const { nz, parameterCount } = this;
    const matrix = this.normal.slice();
    const slope = this.right.slice();
    for (let i = 0; i < nz; i++) {
      const held =
        i < parameterCount && ((z[i] <= this.lower[i] && slope[i] > 0) || (z[i] >= this.upper[i] && slope[i] < 0));
      if (!held) continue;
      slope[i] = 0;
      for (let j = 0; j < nz; j++) matrix[i * nz + j] = matrix[j * nz + i] = 0;
    }
    for (let i = 0; i < nz; i++) {
      const diagonal = matrix[i * (nz + 1)];
      matrix[i * (nz + 1)] += diagonal > 0 ? 1e-12 * diagonal : 1;
    }
    const delta = slope.slice();
    if (!solveCholesky(matrix, delta, nz)) return false;
    const gain = delta.reduce((sum, value, i) => sum + 0.5 * value * slope[i], 0);
    return gain <= Math.max(10 * tolerance * cost, ROUNDING * first);
  }

  /** Computes the cost, with the normal equations N = Σ Jᵀ J and g = Σ Jᵀ r. */
  private async linearise(z: Float64Array): Promise<number> {
    return this.sweep(z, true);
  }

  private async sweep(z: Float64Array, derivatives: boolean): Promise<number> {
    try {
      this.problem.step.setParameters(z.slice(0, this.parameterCount));
    } catch (error) {
      if (error instanceof PliantError && !derivatives) return Number.NaN;
      throw error;
    }
    if (derivatives) {
      this.normal.fill(0);
      this.right.fill(0);
      this.residualCount = 0;
    }
    let cost = 0;
    for (let t = 0; t < this.trajectories.length; t++) {
      cost += await this.sweepOne(z, t, derivatives);
      if (!Number.isFinite(cost)) return Number.NaN;
    }
    return cost;
  }

  private async sweepOne(z: Float64Array, t: number, derivatives: boolean): Promise<number> {
    const { nx, nz, parameterCount } = this;
    const { step } = this.problem;
    const { nv, nu } = step;
    const { steps, every, controls, measured } = this.trajectories[t];
    const x = this.start(z, t).slice();
    const [q, qd] = [x.subarray(0, nv), x.subarray(nv)];
    const out = {
      a: new Float64Array(nx * nx),
      b: new Float64Array(nx * nu),
      p: new Float64Array(nx * parameterCount),
    };
    let sensitivity = new Float64Array(nx * nz);
    let moved = new Float64Array(nx * nz);
    if (nz > parameterCount) for (let i = 0; i < nx; i++) sensitivity[i * nz + parameterCount + t * nx + i] = 1;
    const shown = t === 0 && derivatives ? new Float64Array(measured.length / 2) : undefined;
    let cost = 0;
    for (let k = 0; k < steps; k++) {
      const u = controls.subarray(k * nu, (k + 1) * nu);
      if (derivatives) {
        step.stepWithSensitivity(q, qd, u, q, qd, out);
        multiplyInto(out.a, sensitivity, moved, nx, nx, nz);
        for (let i = 0; i < nx; i++)
          for (let j = 0; j < parameterCount; j++) moved[i * nz + j] += out.p[i * parameterCount + j];
        [sensitivity, moved] = [moved, sensitivity];
      } else step.step(q, qd, u, q, qd);
      if ((k + 1) % every === 0) {
        const sample = (k + 1) / every - 1;
        shown?.set(q, sample * nv);
        cost += this.compare(
          x,
          measured.subarray(sample * nx, (sample + 1) * nx),
          derivatives ? sensitivity : undefined,
        );
        if (!Number.isFinite(cost)) return Number.NaN;
      }
      await this.breather.breathe();
    }
    if (shown !== undefined) this.shown = shown;
    return cost;
  }

  /** ½ Σ r² of one sample, r = w (x − measured); with a sensitivity, adds its part of the normal equations, too. */
  private compare(x: Float64Array, measured: Float64Array, sensitivity: Float64Array | undefined): number {
    const { nz, normal, right, weights } = this;
    let sum = 0;
    for (let i = 0; i < x.length; i++) {
      if (Number.isNaN(measured[i])) continue;
      const w = weights[i];
      const r = w * (x[i] - measured[i]);
      sum += 0.5 * r * r;
      if (sensitivity === undefined) continue;
      this.residualCount++;
      const row = i * nz;
      for (let a = 0; a < nz; a++) {
        const slope = w * sensitivity[row + a];
        if (slope === 0) continue;
        right[a] += slope * r;
        for (let b = 0; b < nz; b++) normal[a * nz + b] += slope * w * sensitivity[row + b];
      }
    }
    return sum;
  }

  /** √ of the diagonal of σ² N⁻¹, σ² = 2 J / (residuals − unknowns). */
  private standardErrors(cost: number): Float64Array {
    const { nz } = this;
    const variance = (2 * cost) / Math.max(1, this.residualCount - nz);
    return Float64Array.from({ length: this.parameterCount }, (_, i) => {
      const column = new Float64Array(nz);
      column[i] = 1;
      const matrix = this.normal.slice();
      return solveCholesky(matrix, column, nz) ? Math.sqrt(variance * column[i]) : Number.NaN;
    });
  }

  private report(costs: readonly number[], z: Float64Array): void {
    this.options.onProgress?.({
      iteration: costs.length - 1,
      cost: costs[costs.length - 1],
      parameters: z.slice(0, this.parameterCount),
      positions: this.shown.slice(),
    });
  }
}
