/**
 * The answer of a body of the Newton solver to impulses in a frame of h, beyond its linear part: what its own step would do with them. Its state
 * u₀ after its step is that of a step from x₀ − h u₀, with the forces that it had. With more impulses j an iteration of Newton is
 *
 *     g(u) = M (u − u₀) + h ∇U(x₀ + h (u − u₀)) + h D u,   A Δu = g(u₀) + j − g(u),   along which ½ ‖u − u₀‖²_M + U + … − u·(g(u₀) + j) falls
 *
 * so impulses give no more energy than an implicit step lets them have, however far they turn or stretch the body. Those of its own contacts
 * stay what they were. Particles that others hold go their way.
 */
import type { FemBody } from "../../../solvers/newton/deformable/fem-body";

/** Halvings of a step; after them there is none. */
const HALVINGS = 12;

export class CurvedAnswer {
  /** u₀, g(u₀) and x₀ */
  private readonly velocities = this.body.velocities.slice();
  private readonly positions = this.body.positions.slice();
  private readonly own: Float64Array;
  private readonly step: Float64Array;
  /** u − u₀ where the body is linearized */
  private readonly at: Float64Array;

  /** @param h of the frame [s] */
  constructor(
    private readonly body: FemBody,
    private readonly h: number,
  ) {
    const { length } = this.velocities;
    [this.step, this.at] = [new Float64Array(length), new Float64Array(length)];
    this.own = this.held(() => {
      body.balance(h);
      return body.imbalance.slice();
    });
  }

  /**
   * Goes from the last place towards another one, as far as the potential falls.
   *
   * @param j impulses beside those of its own step, particleCount × 3 [N s]
   * @param ways change of velocity by them, as far as it is known: becomes what was taken [m/s]
   * @param rest is filled with the change of velocity that is left without impulses, if A is that of the new place [m/s]
   * @param near part of the way that may be left: then A stays what it was
   * @returns whether there is a rest
   */
  bend(j: Float64Array, ways: Float64Array, rest: Float64Array, near: number): boolean {
    const { body, h, at, step, own, velocities } = this;
    const { push, velocity, fixed } = body;
    return this.held(() => {
      for (let i = 0; i < push.length; i++) {
        push[i] = fixed[Math.floor(i / 3)] === 1 ? 0 : own[i] + j[i];
        step[i] = ways[i] - at[i];
        velocity[i] = velocities[i] + at[i];
      }
      const before = body.potential(h);
      let part = 1;
      for (let n = 0; n <= HALVINGS; n++, part /= 2) {
        if (n === HALVINGS) part = 0;
        for (let i = 0; i < push.length; i++) velocity[i] = velocities[i] + at[i] + part * step[i];
        body.moved();
        if (body.potential(h) <= before + 1e-12 * Math.abs(before)) break;
      }
      for (let i = 0; i < push.length; i++) ways[i] = at[i] += part * step[i];
      body.balance(h);
      const { imbalance } = body;
      for (let i = 0; i < push.length; i++) imbalance[i] = fixed[Math.floor(i / 3)] === 1 ? 0 : imbalance[i] - push[i];
      body.solve(imbalance, step);
      if (part === 1 && sizeOf(body, step) <= near * sizeOf(body, at)) return false;
      body.factor(h, "elements");
      // of the push, what is not j
      for (let i = 0; i < push.length; i++) if (fixed[Math.floor(i / 3)] === 0) imbalance[i] += j[i]!;
      body.solve(imbalance, step);
      for (let i = 0; i < push.length; i++) rest[i] = at[i] - step[i];
      return true;
    });
  }

  /** Does something with the body as at the end of a step of h, and gives its state back. */
  private held<T>(work: () => T): T {
    const { body, positions, velocities, h } = this;
    const { start, free, velocity } = body;
    const kept = [start, free, velocity].map((of) => of.slice());
    for (let i = 0; i < start.length; i++) start[i] = positions[i] - h * velocities[i];
    free.set(velocities);
    velocity.set(velocities);
    body.moved();
    const result = work();
    [start, free, velocity].forEach((of, k) => of.set(kept[k]));
    body.positions.set(positions);
    body.moved();
    return result;
  }
}

/** Root mean square by mass. */
function sizeOf({ model: { masses } }: FemBody, u: Float64Array): number {
  let [sum, mass] = [0, 0];
  for (let p = 0; p < masses.length; p++) {
    mass += masses[p]!;
    for (let i = 3 * p; i < 3 * p + 3; i++) sum += masses[p] * u[i] * u[i];
  }
  return Math.sqrt(sum / mass);
}
