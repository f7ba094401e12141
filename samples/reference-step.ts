import { elasticEnergy } from "../src/solvers/local-global/body/energy";
import { GroupBody } from "../src/solvers/local-global/body/group-body";
import type { LocalGlobalModel } from "../src/solvers/local-global/model";
import { defaultLocalGlobalOptions, type LocalGlobalOptions } from "../src/solvers/local-global/options";

/** A step of one ARAP body without contact, for repeated solves from the same start. */
export interface StepProblem {
  readonly model: LocalGlobalModel;
  /** n × 3 [m, m/s] */
  readonly positions: ArrayLike<number>;
  readonly velocities: ArrayLike<number>;
  readonly pinned: Uint8Array;
  readonly targets: Float64Array;
  /** [s] */
  readonly h: number;
}

/**
 * A body at the start of the step, with q at its prediction.
 *
 * @param body of the same model, whose factor is reused; default: a new one
 */
export function startStep(
  problem: StepProblem,
  options: Partial<LocalGlobalOptions> = {},
  body: GroupBody = new GroupBody(problem.model),
): GroupBody {
  body.writeState(problem.positions, problem.velocities);
  const { pinned, targets, h } = problem;
  body.prepare(1, { ...defaultLocalGlobalOptions, ...options }, { pinned, targets, changed: true });
  body.begin(h, [0, 0, 0], 1);
  return body;
}

export function energyOf({ model, h }: StepProblem, body: GroupBody): number {
  return stepEnergy(model, body.state.positions, body.predicted, h);
}

/**
 * (ε(qᵏ) − ε(q*)) / (ε(q⁰) − ε(q*)) of a step (figure 9) that any solver ended at qᵏ. Held vertices are taken at their targets: ε is not at
 * rest in them, so that rounding of f32 there would outweigh the whole error of the step.
 *
 * @param reached qᵏ, n × 3 [m]
 */
export function energyError(problem: StepProblem, reached: ArrayLike<number>, body?: GroupBody): number {
  const start = startStep(problem, {}, body);
  const first = energyOf(problem, start);
  const q = Float64Array.from(reached, (value, i) => (problem.pinned[Math.floor(i / 3)] ? problem.targets[i] : value));
  const left = stepEnergy(problem.model, q, start.predicted, problem.h);
  const least = convergedEnergy(problem, start);
  const won = first - least;
  return won > 0 ? Math.max(0, left - least) / won : 0;
}

/**
 * ε(q*) of (1) by Newton's method in f64: directions by conjugate gradients on products of the Hessian with vectors (differences
 * of the gradient, which the local step of ARAP has exactly), preconditioned with A⁻¹, and a line search.
 */
export function convergedEnergy(problem: StepProblem, start?: GroupBody): number {
  const body = startStep(problem, {}, start);
  for (let k = 0; k < 20; k++) {
    body.localStep(k === 0);
    body.forward();
    body.backward();
  }
  const { pinned } = problem;
  const q = body.state.positions;
  const size = q.length;
  const vector = (): Float64Array => new Float64Array(size);
  const [r, d, p, hp, residual, s, kept] = [vector(), vector(), vector(), vector(), vector(), vector(), vector()];
  /** −h² ∇ε, free vertices only */
  const force = (out: Float64Array): void => {
    body.localStep(false);
    for (let i = 0; i < size; i++) out[i] = pinned[Math.floor(i / 3)] === 1 ? 0 : body.rightHandSide[i];
  };
  const precondition = (x: Float64Array, out: Float64Array): void => {
    body.solveHeld(x, out);
  };
  let energy = energyOf(problem, body);
  for (let newton = 0; newton < 12; newton++) {
    force(r);
    d.fill(0);
    residual.set(r);
    precondition(residual, s);
    p.set(s);
    let rs = dot(residual, s);
    const enough = 1e-8 * rs;
    if (!(rs > 0)) break;
    kept.set(q);
    for (let k = 0; k < 40 && rs > enough; k++) {
      const scale = 1e-6 / Math.max(1e-300, Math.sqrt(dot(p, p)));
      for (let i = 0; i < size; i++) q[i] = kept[i] + scale * p[i];
      force(hp);
      for (let i = 0; i < size; i++) hp[i] = (r[i] - hp[i]) / scale;
      const curvature = dot(p, hp);
      if (!(curvature > 0)) break;
      const alpha = rs / curvature;
      for (let i = 0; i < size; i++) {
        d[i] += alpha * p[i];
        residual[i] -= alpha * hp[i];
      }
      precondition(residual, s);
      const next = dot(residual, s);
      for (let i = 0; i < size; i++) p[i] = s[i] + (next / rs) * p[i];
      rs = next;
    }
    let t = 1;
    let next = Infinity;
    for (; t > 1e-6; t /= 2) {
      for (let i = 0; i < size; i++) q[i] = kept[i] + t * d[i];
      next = energyOf(problem, body);
      if (next <= energy) break;
    }
    if (!(next <= energy)) {
      q.set(kept);
      break;
    }
    const gain = energy - next;
    energy = next;
    if (gain <= 1e-14 * Math.abs(energy)) break;
  }
  return energy;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

/**
 * The function that a step minimises (1): ε(q) = 1/2h² ‖q − q̃‖²_M + Σ ψᵢ(q) [J].
 *
 * @param predicted q̃, n × 3 [m]
 */
export function stepEnergy(
  model: LocalGlobalModel,
  q: ArrayLike<number>,
  predicted: ArrayLike<number>,
  h: number,
): number {
  let inertia = 0;
  for (let i = 0; i < 3 * model.particleCount; i++)
    inertia += model.masses[Math.floor(i / 3)] * (q[i] - predicted[i]) ** 2;
  return inertia / (2 * h * h) + elasticEnergy(model, q);
}
