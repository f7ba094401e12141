import { dotProduct } from "../../math/dense";
import type { Ilqr } from "./ilqr";
import type { Run, TrajectoryStatus } from "./run";

/** Number of remembered pairs of steps and gradient changes. */
const MEMORY = 12;
const SUFFICIENT = 1e-4;
const SHORTEST = 2 ** -24;

/**
 * L-BFGS for controls within bounds: the two-loop recursion (Nocedal & Wright, algorithm 7.4) over the controls not
 * held at a bound, with steps projected into the box. Controls are measured in units of their scale. The gradient comes
 * from the adjoint: one sweep of vector-Jacobian products back along the trajectory.
 */
export async function minimiseByLbfgs(
  ilqr: Ilqr,
  options: { lower: Float64Array; upper: Float64Array; scale: Float64Array; iterations: number },
  run: Run,
): Promise<TrajectoryStatus> {
  const { scale } = options;
  const [n, nu] = [ilqr.u.length, scale.length];
  const z = ilqr.u.map((value, i) => value / scale[i % nu]);
  const low = z.map((_, i) => options.lower[i % nu] / scale[i % nu]);
  const high = z.map((_, i) => options.upper[i % nu] / scale[i % nu]);
  let gradient = new Float64Array(n);
  const direction = new Float64Array(n);
  const pairs: { s: Float64Array; y: Float64Array; rho: number }[] = [];
  const readGradient = async (): Promise<void> => {
    await run.gradient(gradient);
    for (let i = 0; i < n; i++) gradient[i] *= scale[i % nu];
  };
  ilqr.feedback.fill(0);
  await readGradient();
  let stale = 0;
  for (let iteration = 0; iteration < options.iterations; iteration++) {
    if (run.breather.canceled) return "canceled";
    const held = z.map((value, i) =>
      (value <= low[i] && gradient[i] > 0) || (value >= high[i] && gradient[i] < 0) ? 1 : 0,
    );
    twoLoop(gradient, held, pairs, direction);
    let slope = dotProduct(gradient, direction, gradient.length);
    if (!(slope < 0)) {
      pairs.length = 0;
      twoLoop(gradient, held, pairs, direction);
      slope = dotProduct(gradient, direction, gradient.length);
      if (!(slope < 0)) {
        const way = await run.escape(scale);
        if (way !== undefined) return way === false ? "converged" : way;
        ilqr.u.forEach((value, i) => (z[i] = value / scale[i % nu]));
        await readGradient();
        continue;
      }
    }
    // The first step has no curvature information: no control moves by more than a tenth of its scale.
    let length = pairs.length > 0 ? 1 : Math.min(1, 0.1 / largest(direction));
    let cost = Number.NaN;
    const before = z.slice();
    for (; length > SHORTEST; length /= 2) {
      for (let i = 0; i < n; i++) {
        z[i] = Math.min(high[i], Math.max(low[i], before[i] + length * direction[i]));
        ilqr.feedforward[i] = z[i] * scale[i % nu] - ilqr.u[i];
      }
      cost = ilqr.forward(1);
      await run.breathe();
      if (cost <= run.cost + SUFFICIENT * length * slope) break;
      cost = Number.NaN;
    }
    if (!Number.isFinite(cost)) {
      z.set(before);
      if (pairs.length > 0) {
        pairs.length = 0;
        continue;
      }
      const way = await run.escape(scale);
      if (way !== undefined) return way === false ? "converged" : way;
      ilqr.u.forEach((value, i) => (z[i] = value / scale[i % nu]));
      await readGradient();
      continue;
    }
    ilqr.accept();
    const status = run.accepted(cost);
    if (status === "goal") return status;
    stale = status === "converged" ? stale + 1 : 0;
    if (stale >= 3) return "converged";
    const old = gradient;
    gradient = new Float64Array(n);
    await readGradient();
    const s = z.map((value, i) => value - before[i]);
    const y = gradient.map((value, i) => value - old[i]);
    const curvature = dotProduct(s, y, s.length);
    if (curvature > 1e-10 * dotProduct(y, y, y.length)) pairs.push({ s, y, rho: 1 / curvature });
    if (pairs.length > MEMORY) pairs.shift();
  }
  return "iterations";
}

/** direction = −H gradient over the free controls, H from the remembered pairs. */
function twoLoop(
  gradient: Float64Array,
  held: Float64Array,
  pairs: readonly { s: Float64Array; y: Float64Array; rho: number }[],
  direction: Float64Array,
): void {
  for (let i = 0; i < direction.length; i++) direction[i] = held[i] === 1 ? 0 : -gradient[i];
  const alphas: number[] = [];
  for (const { s, y, rho } of [...pairs].reverse()) {
    const alpha = rho * dotProduct(s, direction, s.length);
    alphas.push(alpha);
    addScaled(direction, -alpha, y);
  }
  const last = pairs[pairs.length - 1];
  if (last !== undefined) {
    const scale = 1 / (last.rho * dotProduct(last.y, last.y, last.y.length));
    for (let i = 0; i < direction.length; i++) direction[i] *= scale;
  }
  for (const { s, y, rho } of pairs) {
    const beta = rho * dotProduct(y, direction, y.length);
    addScaled(direction, alphas.pop()! - beta, s);
  }
  for (let i = 0; i < direction.length; i++) if (held[i] === 1) direction[i] = 0;
}

function largest(a: Float64Array): number {
  return a.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
}

function addScaled(out: Float64Array, factor: number, b: Float64Array): void {
  for (let i = 0; i < out.length; i++) out[i] += factor * b[i];
}
