import { Dantzig } from "./dantzig";
import { Lemke } from "./lemke";
import { projectedGaussSeidel } from "./pgs";
import { RowClass, naturalResidual, velocities, type BoxedLcp } from "./problem";
import { Stabiliser } from "./stabilise";
import { pow } from "../../math/powers";

/** The stage of the chain that gave the answer. */
export type LcpMethod = "none" | "guess" | "repaired" | "dantzig" | "lemke" | "projected-gauss-seidel" | "softened";

/** Rounding allowed in the check of a solution, relative to the largest force and velocity. */
const TOLERANCE = 1e-10;
/** A solution whose classes do not fit is accepted if its residual is below this part of the velocities. */
const ACCEPTED = 1e-9;

/** Number of calls of the chain, and of answers by each stage. */
export interface LcpStatistics {
  /** Number of problems with at least one row. */
  solved: number;
  /** Number of problems with classes of the previous step; the next field counts those that they were right for. */
  guessed: number;
  hits: number;
  /** Number of problems solved by a few changes of a wrong guess; the next fields count later stages of the chain. */
  repaired: number;
  dantzig: number;
  lemke: number;
  projectedGaussSeidel: number;
  softened: number;
}

/**
 * Solves boxed LCPs by the chain of paper 4 (A.1): last step's classes, perhaps with a few changes; otherwise pivoting
 * (Dantzig, or Lemke if Dantzig fails on bounds that move with the normal forces); otherwise projected Gauss-Seidel;
 * otherwise Dantzig on the softened problem. Each answer is stabilized. So, if fitting classes exist, it is exact and
 * depends only on the problem, not on the method.
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

  /** Repeats Dantzig while the bounds of friction follow the normal impulses. */
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
   * Stabilizes a solution by its classes. If the shortest solution of the classes violates a bound that another
   * solution satisfies, the current one stays.
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

  /** Restores the forces of `loads` and the classes of `kept`. */
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

  /** Applies Lemke, first to the problem itself, then to neighboring problems. */
  private pivotSurely(lcp: BoxedLcp): boolean {
    for (let round = 0; round < 4; round++)
      if (this.lemke.solve(lcp, round === 0 ? 0 : pow(10, round - 11)) && this.polish(lcp)) return true;
    return false;
  }

  /**
   * Contradictory constraints (of wedged links whose penetration should be removed) yield a little: with softening on
   * the diagonal of A there is always a solution. The softening stays in `lcp.a`, so that the derivatives include it.
   */
  private soften(lcp: BoxedLcp): void {
    for (let i = 0; i < lcp.n; i++) lcp.a[i * lcp.n + i] += this.softening;
    if (this.pivot(lcp) || this.pivotSurely(lcp)) return;
    projectedGaussSeidel(lcp, 100 + 10 * lcp.n);
    this.polish(lcp);
    naturalResidual(lcp, lcp.f, lcp.w);
  }

  /**
   * Makes the answer independent of the method: rows that carry no force and do not move join the clamping ones, so
   * that equal contacts share their load evenly. Rows that still carry no force are tied.
   */
  private finish(lcp: BoxedLcp, method: LcpMethod): LcpMethod {
    const { n, f } = lcp;
    // A fitting guess is kept as it is, so that loads change continuously from step to step.
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

  /** Marks the tied rows, and those of their friction. Returns whether clamping rows are among them. */
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
    for (let i = 0; i < n; i++) if (findex[i] >= 0 && classes[findex[i]] === RowClass.Tied) classes[i] = RowClass.Tied;
    return lost;
  }

  /** Marks idle rows at zero velocity as clamping, old classes in `before`. Returns whether there were any. */
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
