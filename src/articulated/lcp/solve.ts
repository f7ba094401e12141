import { Dantzig } from "./dantzig";
import { Lemke } from "./lemke";
import { projectedGaussSeidel } from "./pgs";
import { RowClass, naturalResidual, velocities, type BoxedLcp } from "./problem";
import { Stabiliser } from "./stabilise";

/** Which stage of the chain gave the answer. */
export type LcpMethod = "none" | "guess" | "repaired" | "dantzig" | "lemke" | "projected-gauss-seidel" | "softened";

/** Rounding allowed in the check of a solution, relative to the largest force and velocity. */
const TOLERANCE = 1e-10;
/** A solution found without a fit of classes is taken where its residual is below this part of the velocities. */
const ACCEPTED = 1e-9;

/** How often the chain was asked, and what answered. */
export interface LcpStatistics {
  /** Problems with at least one row. */
  solved: number;
  /** … that came with classes of the step before, and for how many of those these were right. */
  guessed: number;
  hits: number;
  /** Problems that a few changes of a wrong guess solved, and so on down the chain. */
  repaired: number;
  dantzig: number;
  lemke: number;
  projectedGaussSeidel: number;
  softened: number;
}

/**
 * Solves boxed LCPs by the chain of paper 4 (A.1): last step's classes, perhaps with a few
 * changed, else pivoting (Dantzig, and Lemke
 * where bounds that move with the normal forces lead Dantzig astray), else projected Gauss-Seidel, else
 * Dantzig on the softened problem. Each answer goes through the stabilisation, so it is exact and depends on the problem
 * alone and not on the way it was found, wherever classes exist that fit.
 */
export class LcpSolver {
  readonly stabiliser = new Stabiliser();
  readonly statistics: LcpStatistics = {
    solved: 0,
    guessed: 0,
    hits: 0,
    repaired: 0,
    dantzig: 0,
    lemke: 0,
    projectedGaussSeidel: 0,
    softened: 0,
  };
  private readonly dantzig = new Dantzig();
  private readonly lemke = new Lemke();
  private loads = new Float64Array(0);
  private before = new Int8Array(0);
  private kept = new Int8Array(0);

  /** @param softening [m/s per N s] of the last stage (constraint force mixing) */
  constructor(private readonly softening = 1e-4) {}

  /**
   * @param lcp the problem; receives `f`, `w` and `classes`
   * @param guessed whether `lcp.classes` holds a guess
   */
  solve(lcp: BoxedLcp, guessed: boolean): LcpMethod {
    const { stabiliser, statistics } = this;
    if (lcp.n === 0) return "none";
    this.reserve(lcp.n);
    statistics.solved++;
    if (guessed) {
      statistics.guessed++;
      stabiliser.solve(lcp);
      if (stabiliser.fits(lcp, TOLERANCE)) {
        statistics.hits++;
        return this.finish(lcp, "guess");
      }
      if (stabiliser.repair(lcp, TOLERANCE, 3)) {
        statistics.repaired++;
        return this.finish(lcp, "repaired");
      }
    }
    if (this.pivot(lcp)) {
      statistics.dantzig++;
      return this.finish(lcp, "dantzig");
    }
    if (this.pivotSurely(lcp)) {
      statistics.lemke++;
      return this.finish(lcp, "lemke");
    }
    projectedGaussSeidel(lcp, 100 + 10 * lcp.n);
    if (this.polish(lcp)) {
      statistics.projectedGaussSeidel++;
      return this.finish(lcp, "projected-gauss-seidel");
    }
    statistics.softened++;
    this.soften(lcp);
    return this.finish(lcp, "softened");
  }

  /** Dantzig, again and again while the bounds of friction follow the normal impulses. */
  private pivot(lcp: BoxedLcp): boolean {
    const { n, f } = lcp;
    for (let round = 0; round < 8; round++) {
      if (!this.dantzig.solve(lcp, round === 0 ? undefined : this.loads)) return false;
      for (let i = 0; i < n; i++) this.loads[i] = round < 3 ? f[i] : 0.5 * (f[i] + this.loads[i]);
      if (this.stabiliser.repair(lcp, TOLERANCE, 6)) return true;
    }
    return false;
  }

  /**
   * Stabilises a solution by its classes. Where the shortest solution of the classes breaks a bound that another one keeps,
   * the one at hand stays.
   */
  private polish(lcp: BoxedLcp): boolean {
    const { n, f, classes } = lcp;
    for (let i = 0; i < n; i++) {
      this.loads[i] = f[i];
      this.kept[i] = classes[i];
    }
    if (this.stabiliser.repair(lcp, TOLERANCE, 12)) return true;
    this.restore(lcp);
    let scale = 0;
    for (let i = 0; i < n; i++) scale = Math.max(scale, Math.abs(lcp.b[i]));
    return naturalResidual(lcp, f, lcp.w) <= ACCEPTED * Math.min(1, scale);
  }

  /** Back to the forces of `loads` and the classes of `kept`. */
  private restore(lcp: BoxedLcp): void {
    for (let i = 0; i < lcp.n; i++) {
      lcp.f[i] = this.loads[i];
      lcp.classes[i] = this.kept[i];
    }
    this.stabiliser.factorize(lcp);
  }

  private reserve(n: number): void {
    if (n <= this.loads.length) return;
    this.loads = new Float64Array(n);
    this.before = new Int8Array(n);
    this.kept = new Int8Array(n);
  }

  /** Lemke, first on the problem itself, then on neighbours of it. */
  private pivotSurely(lcp: BoxedLcp): boolean {
    for (let round = 0; round < 4; round++) {
      if (this.lemke.solve(lcp, round === 0 ? 0 : 10 ** (round - 11)) && this.polish(lcp)) return true;
    }
    return false;
  }

  /**
   * Constraints that contradict each other (links wedged where penetration is to be removed) give way a little: with
   * softening on the diagonal of A there is a solution always. It stays in `lcp.a`, where the derivatives find it.
   */
  private soften(lcp: BoxedLcp): void {
    for (let i = 0; i < lcp.n; i++) lcp.a[i * lcp.n + i] += this.softening;
    if (this.pivot(lcp) || this.pivotSurely(lcp)) return;
    projectedGaussSeidel(lcp, 100 + 10 * lcp.n);
    this.polish(lcp);
    naturalResidual(lcp, lcp.f, lcp.w);
  }

  /**
   * Makes the answer independent of the way it was found: rows that carry nothing and do not move join the clamping ones,
   * so that equal contacts share their load evenly. Those that then still carry nothing are tied.
   */
  private finish(lcp: BoxedLcp, method: LcpMethod): LcpMethod {
    const { n, f } = lcp;
    // A guess that fits is kept as it is: loads then change continuously from step to step.
    if (method !== "guess" && this.admitIdle(lcp)) {
      for (let i = 0; i < n; i++) {
        this.loads[i] = f[i];
        this.kept[i] = this.before[i];
      }
      if (!this.stabiliser.repair(lcp, TOLERANCE, 4)) {
        this.restore(lcp);
        velocities(lcp, f, lcp.w);
      }
    }
    if (this.nameTied(lcp)) this.stabiliser.factorize(lcp);
    return method;
  }

  /** Names the tied rows, and those of their friction. Returns whether clamping rows are among them. */
  private nameTied(lcp: BoxedLcp): boolean {
    const { n, a, b, f, w, lo, classes, findex } = lcp;
    let force = 0;
    let speed = 0;
    for (let i = 0; i < n; i++) {
      force = Math.max(force, Math.abs(f[i]));
      speed = Math.max(speed, Math.abs(b[i]));
    }
    let lost = false;
    for (let i = 0; i < n; i++) {
      if (findex[i] >= 0) continue;
      const idle = f[i] - lo[i] <= 1e-12 * force;
      if (classes[i] === RowClass.Clamping && idle) lost = true;
      else if (classes[i] !== RowClass.Separating || Math.abs(w[i]) > TOLERANCE * speed || !(a[i * n + i] > 0))
        continue;
      classes[i] = RowClass.Tied;
    }
    for (let i = 0; i < n; i++) {
      if (findex[i] >= 0 && classes[findex[i]] === RowClass.Tied) classes[i] = RowClass.Tied;
    }
    return lost;
  }

  /** Calls rows clamping that are idle at zero velocity, keeping the old classes in `before`. Returns whether there were any. */
  private admitIdle(lcp: BoxedLcp): boolean {
    const { n, a, w, classes, findex } = lcp;
    let scale = 0;
    for (let i = 0; i < n; i++) {
      this.before[i] = classes[i];
      scale = Math.max(scale, Math.abs(lcp.b[i]));
    }
    let any = false;
    for (let i = 0; i < n; i++) {
      const idle = classes[i] === RowClass.Separating || classes[i] === RowClass.Tied;
      if (findex[i] >= 0 || !idle || Math.abs(w[i]) > TOLERANCE * scale || !(a[i * n + i] > 0)) continue;
      if (lcp.lo[i] === lcp.hi[i]) continue;
      classes[i] = RowClass.Clamping;
      any = true;
    }
    for (let i = 0; i < n && any; i++) {
      const k = findex[i];
      if (k < 0 || this.before[k] === classes[k]) continue;
      const still = Math.abs(w[i]) <= TOLERANCE * scale;
      classes[i] = still ? RowClass.Clamping : w[i] < 0 ? RowClass.Upper : RowClass.Lower;
    }
    return any;
  }
}
