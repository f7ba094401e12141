import { PliantError } from "../../errors";
import { checkLikelyNames, checkNames, optionNames } from "../../option-names";
import { TermCost, type CostTerm, type TrajectoryCost } from "./cost/cost";
import { HeldControlStep, type DifferentiableStep } from "./differentiable-step";
import { Ilqr } from "./ilqr";
import { Leaps } from "./leaps";
import { LimitCost } from "./limit-cost";
import { minimiseByLbfgs } from "./lbfgs";
import { list } from "./measured-trajectory";
import { Run, type TrajectoryProgress, type TrajectoryStatus } from "./run";
import { type RunControl, runControlNames } from "../../tasks/run-control";

/**
 * A feedback law, such as a trained policy: writes the controls for a state to `out`, nu numbers.
 *
 * @param position nv numbers [rad or m]; the velocities are beside it
 * @param time since the start of the trajectory [s]
 */
export type TrajectoryPolicy = (
  position: Float64Array,
  velocity: Float64Array,
  time: number,
  out: Float64Array,
) => void;

export interface TrajectoryProblem {
  readonly step: DifferentiableStep;
  /** initial state: nv numbers each */
  readonly position: ArrayLike<number>;
  readonly velocity: ArrayLike<number>;
  /** number of time steps of the trajectory */
  readonly steps: number;
  /** cost to minimize: terms, or a custom function */
  readonly cost: readonly CostTerm[] | TrajectoryCost;
  /**
   * Number of time steps for which controls are held, a divisor of `steps`. The cost is evaluated at the ends of these
   * intervals. Default 1.
   */
  readonly hold?: number;
  /** bounds of the controls [N·m or N], one for all or nu; default none */
  readonly lower?: number | ArrayLike<number>;
  readonly upper?: number | ArrayLike<number>;
  /**
   * first guess, (steps / hold) × nu; default 0. "gravity" stands for those that hold the initial position against its weight and springs,
   * which only steps of `SimulationStep` know. A policy decides at each interval from the state that its
   * decisions so far have led to.
   */
  readonly controls?: ArrayLike<number> | "gravity" | TrajectoryPolicy;
}

export interface TrajectoryOptions extends RunControl<TrajectoryProgress> {
  /**
   * "ilqr" (default) linearizes the steps and solves for a policy; "lbfgs" descends along the gradient with the
   * curvature of the last steps.
   */
  readonly method?: "ilqr" | "lbfgs";
  /**
   * Whether contacts count as open or closed as the cost suggests when the true derivatives lead no further, with a
   * search along the resulting gradient (paper 4, 4.4): a ball that rests on the floor learns to leave it. Default
   * true.
   */
  readonly escapeSaddles?: boolean;
  /**
   * Whether the limits of joints, if steps have them, are costs at first, and act afterward. A joint that is pressed against its limit has no
   * derivative by its torque, so that a motion that begins there stays there. Default true.
   */
  readonly limitsAsCosts?: boolean;
  /**
   * Beginnings of the trajectory that are optimized one after another, each longer than the last one: with 5, a fifth of it
   * first, then two fifths. New steps have the first guess, moved as far as the end of those before was. So the controls that
   * come late are found in motions that go well until then, and not in a fall among contacts, which has no useful
   * derivatives. The cost must have terms on the way. Default 1.
   */
  readonly horizons?: number;
  /**
   * Part by which contacts give way in derivatives at first, in all `horizons`: an impulse then moves a contact as if the
   * diagonal of A were larger by this part. A thing on a table does not move when it is pulled by less than its weight, so
   * exact derivatives say that no pull lifts it; with 0.1, hands find sooner how to lift things. Steps are exact always, and
   * derivatives at the end. Default 0.
   */
  readonly softness?: number;
  /**
   * Initial regularization of "ilqr", as a part of the first cost for a control moved by its scale; it adapts later.
   * Larger values make smaller first steps. With contact, the result depends on it: try other values if a motion gets
   * stuck. Default 0.01.
   */
  readonly regularization?: number;
  /** largest number of iterations, default 200 */
  readonly iterations?: number;
  /** the run stops when an iteration lowers the cost by less than this part of it, default 1e-7 */
  readonly tolerance?: number;
  /**
   * The run stops when the cost is at most this. With `horizons` and `softness` a run that converges without it begins again once, with half as
   * many beginnings more.
   */
  readonly goal?: number;
}

const problemNames = optionNames<TrajectoryProblem>()("step position velocity steps cost hold lower upper controls");

const trajectoryOptionNames = optionNames<TrajectoryOptions>()(
  "method escapeSaddles? limitsAsCosts? horizons softness regularization iterations tolerance goal",
  runControlNames,
);

export interface TrajectoryResult {
  readonly status: TrajectoryStatus;
  readonly iterations: number;
  readonly initialCost: number;
  readonly cost: number;
  /**
   * Cost of the first guess, then cost after each iteration, with that of limits while they are costs. It may rise for a while where contacts
   * make a kink; the result is the best.
   */
  readonly costs: readonly number[];
  /** (steps / hold) × nu */
  readonly controls: Float64Array;
  /** (steps / hold + 1) × nv */
  readonly positions: Float64Array;
  readonly velocities: Float64Array;
}

/**
 * Finds controls that make the cost of a trajectory small.
 *
 * @throws PliantError `invalid-argument`, `non-finite` or `index-out-of-range` for an invalid problem (lists of a wrong
 * length, reversed bounds, a first guess that does not stay finite)
 */
export async function optimizeTrajectory(
  problem: TrajectoryProblem,
  options: TrajectoryOptions = {},
): Promise<TrajectoryResult> {
  checkLikelyNames("optimizeTrajectory", problem, problemNames);
  checkNames("optimizeTrajectory", options, trajectoryOptionNames);
  const { ilqr, step, lower, upper, scale, limitCost } = prepare(problem);
  const iterations = options.iterations ?? 200;
  if (!(Number.isInteger(iterations) && iterations >= 0))
    throw new PliantError("invalid-argument", "optimizeTrajectory.iterations", iterations, "must be an integer from 0");
  const regularization = options.regularization ?? 0.01;
  if (!(regularization > 0 && regularization <= MU_HIGHEST))
    throw new PliantError("invalid-argument", "optimizeTrajectory.regularization", regularization, "must be positive");
  const horizons = options.horizons ?? 1;
  if (!(Number.isInteger(horizons) && horizons >= 1 && horizons <= ilqr.steps))
    throw new PliantError(
      "invalid-argument",
      "optimizeTrajectory.horizons",
      horizons,
      `must be an integer from 1 to ${ilqr.steps}`,
    );
  const softness = options.softness ?? 0;
  if (!(softness >= 0 && Number.isFinite(softness)))
    throw new PliantError("invalid-argument", "optimizeTrajectory.softness", softness, "must be from 0");
  if (softness > 0 && step.softness === undefined)
    throw new PliantError("unsupported", "optimizeTrajectory.softness", softness, "must be of steps of a simulation");
  const initialCost = ilqr.rollOut();
  if (!Number.isFinite(initialCost))
    throw new PliantError("non-finite", "optimizeTrajectory", initialCost, "the first guess must have a finite cost");
  const run = new Run(ilqr, step.nv, initialCost, options);
  let mayLeap = false;
  const minimise = (most: number): Promise<TrajectoryStatus> =>
    options.method === "lbfgs"
      ? minimiseByLbfgs(ilqr, { lower, upper, scale, iterations: most }, run)
      : minimiseByIlqr(ilqr, { scale, iterations: most, regularization, mayLeap }, run);
  const isOpen = limitCost?.isNeeded === true && options.limitsAsCosts !== false;
  let found: TrajectoryStatus | undefined;
  if (softness > 0) step.softness = softness;
  try {
    const first = ilqr.u.slice();
    if (horizons > 1) await grow(ilqr, horizons, iterations, run, minimise);
    mayLeap = softness === 0;
    if (isOpen) found = await minimiseWithOpenLimits(ilqr, step, limitCost, iterations, run, minimise);
    else if (softness > 0) found = await minimise(iterations - run.iterations);
    // A beginning that ended badly, with a thing that slips or spins, spoils the longer ones: the way that misses the goal begins again in shorter parts.
    const parts = Math.min(Math.ceil(FINER * horizons), ilqr.steps);
    if (found === "converged" && !mayLeap && options.goal !== undefined && parts > horizons && horizons > 1) {
      const before = { u: ilqr.u.slice(), cost: run.cost };
      ilqr.u.set(first);
      await grow(ilqr, parts, iterations, run, minimise);
      found = await minimise(iterations - run.iterations);
      if (!(run.cost <= before.cost)) {
        ilqr.u.set(before.u);
        run.measure(ilqr.rollOut());
      }
    }
  } finally {
    if (softness > 0) step.softness = 0;
  }
  mayLeap = true;
  const isDone = found === "goal" || found === "canceled";
  const status = isDone ? found! : await minimise(Math.max(0, iterations - run.iterations));
  const { positions, velocities } = run.states();
  return {
    status,
    iterations: run.iterations,
    initialCost,
    cost: run.cost,
    costs: run.costs,
    controls: ilqr.u.slice(),
    positions,
    velocities,
  };
}

/** Regularization: factor between tries; then the lowest and highest values, as parts of |J₀|. */
const MU_FACTOR = 2;
const MU_LOWEST = 1e-9;
const MU_HIGHEST = 1e8;
/** Part of the expected decrease that a step must achieve. */
const SUFFICIENT = 1e-4;
const SHORTEST = 2 ** -8;
async function minimiseByIlqr(
  ilqr: Ilqr,
  {
    scale,
    iterations,
    regularization,
    mayLeap,
  }: { scale: Float64Array; iterations: number; regularization: number; mayLeap: boolean },
  run: Run,
): Promise<TrajectoryStatus> {
  const unit = Math.max(Math.abs(run.cost), 1e-12);
  const leaps = new Leaps(ilqr, run, regularization * unit);
  const status = await descend();
  leaps.settle();
  return status;

  async function descend(): Promise<TrajectoryStatus> {
    let mu = regularization;
    let stale = 0;
    for (const last = run.iterations + iterations; run.iterations < last;) {
      if (run.breather.canceled) return "canceled";
      await run.linearise();
      const found = await searchStep(ilqr, mu, unit, run);
      if (run.breather.canceled) return "canceled";
      if (found !== undefined) {
        mu = found.mu;
        const status = run.accepted(found.cost);
        if (status === "goal") return status;
        // Consecutive small gains end the run; a single one may be due to a bad linearization.
        stale = status === "converged" ? stale + 1 : 0;
        if (stale < 3) continue;
      }
      if (!mayLeap) return "converged";
      const way = await run.escape(scale);
      if (way === "canceled" || way === "goal") return way;
      if (way === false && !(await leaps.take())) return "converged";
      mu = regularization;
      stale = 0;
    }
    return "iterations";
  }
}

/**
 * Finds and accepts a step of the policy that lowers the cost as the model predicts, with as little regularization as
 * needed.
 */
async function searchStep(
  ilqr: Ilqr,
  start: number,
  unit: number,
  run: Run,
): Promise<{ mu: number; cost: number } | undefined> {
  for (let mu = start; mu <= MU_HIGHEST && !run.breather.canceled; mu *= MU_FACTOR) {
    if (!ilqr.backward(mu * unit)) continue;
    if (ilqr.steepest <= 1e-12 * unit) return undefined;
    for (let alpha = 1; alpha >= SHORTEST; alpha /= 2) {
      const cost = ilqr.forward(alpha);
      await run.breathe();
      const expected = -(alpha * ilqr.expected[0] + alpha * alpha * ilqr.expected[1]);
      if (!(run.cost - cost > SUFFICIENT * Math.max(0, expected))) continue;
      ilqr.accept();
      // The better the model was, the longer the next step may be.
      const ratio = (run.cost - cost) / expected;
      if (alpha === 1 && ratio > 0.5) return { mu: Math.max(MU_LOWEST, mu / MU_FACTOR), cost };
      return { mu: alpha < 0.25 || ratio < 0.1 ? mu * MU_FACTOR : mu, cost };
    }
  }
  return undefined;
}

/** Largest number of iterations for a beginning of the trajectory. */
const GROWING = 10;

/** Factor of the number of beginnings in a second try. */
const FINER = 1.5;

/** Optimizes beginnings of the trajectory, from short to long, but not all of it. */
async function grow(
  ilqr: Ilqr,
  horizons: number,
  iterations: number,
  run: Run,
  minimise: (most: number) => Promise<TrajectoryStatus>,
): Promise<void> {
  const { steps } = ilqr;
  const first = ilqr.u.slice();
  const nu = first.length / steps;
  for (let part = 1; part < horizons && !run.breather.canceled; part++) {
    ilqr.steps = Math.ceil((part * steps) / horizons);
    run.measure(ilqr.rollOut());
    await minimise(Math.min(GROWING, Math.floor((iterations - run.iterations) / 2)));
    // New steps begin as those before ended: hands that hold something do not let go.
    const end = (ilqr.steps - 1) * nu;
    for (let i = end + nu; i < first.length; i++) ilqr.u[i] = first[i] + ilqr.u[end + (i % nu)] - first[end + (i % nu)];
  }
  ilqr.steps = steps;
  let cost = ilqr.rollOut();
  if (!Number.isFinite(cost)) {
    ilqr.u.set(first);
    cost = ilqr.rollOut();
  }
  run.measure(cost);
}

/** Weight of limits as costs at first, for all moments together as a part of the first cost; its growth; how often; and what may be beyond. */
const [LIMIT_WEIGHT, LIMIT_GROWTH, LIMIT_ROUNDS, LIMIT_PASSED] = [5, 5, 4, 2 ** -8];
/** Part of half its range by which a coordinate beyond a limit went around the wrong way. */
const ASTRAY = 0.25;

/**
 * Finds controls that keep within limits that do not act, at a cost of passing them that grows as long as they are passed, each time in half
 * of the iterations left. No cost brings back a motion that went around the wrong way and is pressed against limits from outside: it begins again
 * once, held against its weight. At the end limits act again.
 *
 * @returns the status if limits change nothing then, or the run was canceled
 */
async function minimiseWithOpenLimits(
  ilqr: Ilqr,
  step: DifferentiableStep,
  limitCost: LimitCost,
  iterations: number,
  run: Run,
  minimise: (most: number) => Promise<TrajectoryStatus>,
): Promise<TrajectoryStatus | undefined> {
  const { cost: initialCost } = run;
  const found = [ilqr.u.slice()];
  let status: TrajectoryStatus = "iterations";
  try {
    step.limits = false;
    const lightest = (LIMIT_WEIGHT / ilqr.steps) * Math.max(Math.abs(initialCost), Math.abs(ilqr.rollOut()));
    limitCost.weight = lightest;
    for (let round = 0; round < LIMIT_ROUNDS; round++) {
      const most = Math.floor((iterations - run.iterations) / 2);
      const cost = ilqr.rollOut();
      if (most < 1 || !Number.isFinite(cost)) break;
      run.measure(cost);
      status = await minimise(most);
      const beyond = limitCost.worst(ilqr.x, ilqr.nx);
      if (status === "canceled" || beyond <= LIMIT_PASSED) break;
      limitCost.weight *= LIMIT_GROWTH;
      const isLost = beyond > ASTRAY || round === LIMIT_ROUNDS - 1;
      if (!isLost || found.length > 1 || step.holdingControls === undefined) continue;
      found.push(ilqr.u.slice());
      holdStill(ilqr, step);
      limitCost.weight = lightest;
      round = -1;
    }
  } finally {
    step.limits = true;
    limitCost.weight = 0;
  }
  let [best, least] = [found[0], initialCost];
  for (const u of [...found.slice(1), ilqr.u.slice()]) {
    ilqr.u.set(u);
    const cost = ilqr.rollOut();
    if (cost <= least) [best, least] = [u, cost];
  }
  ilqr.u.set(best);
  run.measure(ilqr.rollOut());
  return status === "canceled" ? status : undefined;
}

function prepare(problem: TrajectoryProblem): {
  ilqr: Ilqr;
  step: DifferentiableStep;
  lower: Float64Array;
  upper: Float64Array;
  scale: Float64Array;
  limitCost: LimitCost | undefined;
} {
  const name = "optimizeTrajectory";
  const hold = problem.hold ?? 1;
  const { steps: fine } = problem;
  if (!(Number.isInteger(fine) && fine > 0))
    throw new PliantError("invalid-argument", `${name}.steps`, fine, "must be a positive integer");
  if (!(Number.isInteger(hold) && hold > 0 && fine % hold === 0))
    throw new PliantError("invalid-argument", `${name}.hold`, hold, `must be a divisor of the ${fine} steps`);
  const step = hold === 1 ? problem.step : new HeldControlStep(problem.step, hold);
  const { nv, nu } = step;
  const steps = fine / hold;
  if (nu === 0) throw new PliantError("invalid-argument", `${name}.step`, nu, "must have a control");
  const lower = list(problem.lower ?? -Infinity, nu, `${name}.lower`, true);
  const upper = list(problem.upper ?? Infinity, nu, `${name}.upper`, true);
  lower.forEach((value, i) => {
    if (value > upper[i])
      throw new PliantError("invalid-argument", `${name}.lower`, value, `must not exceed ${upper[i]}`);
  });
  const scale = lower.map((value, i) => {
    const half = (upper[i] - value) / 2;
    return Number.isFinite(half) && half > 0 ? half : 1;
  });
  const asked = isTerms(problem.cost)
    ? new TermCost(problem.cost, { nv, nu, timeStep: step.timeStep, steps, hold, model: step.model })
    : problem.cost;
  const limitCost = step.limits === true && step.model !== undefined ? new LimitCost(asked, step.model) : undefined;
  const ilqr = new Ilqr(step, limitCost ?? asked, steps, lower, upper, scale);
  ilqr.x.set(list(problem.position, nv, `${name}.position`));
  ilqr.x.set(list(problem.velocity, nv, `${name}.velocity`), nv);
  if (problem.controls === "gravity") {
    if (step.holdingControls === undefined)
      throw new PliantError(
        "unsupported",
        `${name}.controls`,
        "gravity",
        "must be numbers: the step does not know weights",
      );
    holdStill(ilqr, step);
  } else if (typeof problem.controls === "function") follow(problem.controls, step, ilqr, lower, upper);
  else if (problem.controls !== undefined) ilqr.u.set(list(problem.controls, steps * nu, `${name}.controls`));
  return { ilqr, step, lower, upper, scale, limitCost };
}

/** Fills the controls with those that hold the initial position, if the step knows weights. */
function holdStill({ steps, x, u }: Ilqr, step: DifferentiableStep): void {
  const { nv, nu } = step;
  const holding = new Float64Array(nu);
  step.holdingControls!(x.slice(0, nv), holding);
  for (let k = 0; k < steps; k++) u.set(holding, k * nu);
}

/** Fills the controls with those of a policy, within the bounds. */
function follow(
  policy: TrajectoryPolicy,
  step: DifferentiableStep,
  { steps, x, u }: Ilqr,
  lower: Float64Array,
  upper: Float64Array,
): void {
  const { nv, nu } = step;
  const [q, qd] = [x.slice(0, nv), x.slice(nv, 2 * nv)];
  const control = new Float64Array(nu);
  for (let k = 0; k < steps; k++) {
    // The policy gets copies: the trajectory stays as it is simulated.
    policy(q.slice(), qd.slice(), k * step.timeStep, control);
    for (let j = 0; j < nu; j++) {
      if (Number.isNaN(control[j]))
        throw new PliantError("non-finite", "optimizeTrajectory.controls", control[j], "must be finite");
      control[j] = Math.min(upper[j], Math.max(lower[j], control[j]));
    }
    u.set(control, k * nu);
    step.step(q, qd, control, q, qd);
  }
}

function isTerms(cost: TrajectoryProblem["cost"]): cost is readonly CostTerm[] {
  return Array.isArray(cost);
}
