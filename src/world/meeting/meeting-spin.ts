/**
 * Angular momentum of bodies of GPBD and guests that meet. A guest goes on for its whole step with the velocities after a blow, and so the
 * frame changes the angular momentum by h Σ m Δv × v, as a step of each solver does by itself. `settle` gives back the missing rest
 * after the frame, about the common center, where gravity turns nothing. If anything else pushes one of the bodies, it shows in the momentum.
 */
import { giveBack, type Particles, ROUNDING, sumMotion } from "../../solvers/gpbd/guard/spin";
import type { Ghost } from "../../solvers/gpbd/surfaces/ghost";
import type { CpuGroupedSolver } from "../../solvers/gpbd/surfaces/surface-group";
import type { Guest } from "../../solvers/guest";
import type { FrameInput } from "../../solvers/deformable";
import { norm } from "../../math/vectors";

/** Momentum, and angular momentum about the common center. */
interface Motion {
  readonly momentum: Float64Array;
  readonly angular: Float64Array;
  readonly center: Float64Array;
  readonly scale: number;
  readonly mass: number;
}

export class MeetingSpin {
  private readonly before: Motion;

  private constructor(
    private readonly bodies: readonly Particles[],
    private readonly guards: readonly CpuGroupedSolver["guard"][],
    before: readonly Particles[],
  ) {
    this.before = motionOf(before);
  }

  /**
   * As bodies of GPBD begin a frame that guests have done their steps of.
   *
   * @returns undefined if one is no body of particles
   */
  static of(guests: ReadonlyMap<Ghost, Guest>, members: readonly CpuGroupedSolver[]): MeetingSpin | undefined {
    const [bodies, before]: [Particles[], Particles[]] = [[], []];
    for (const member of members) {
      const guest = guests.get(member as unknown as Ghost);
      const { masses } = (guest ?? member).model;
      const { state } = guest ?? member;
      if (!masses || !state.velocities) return undefined;
      bodies.push({ masses, x: state.positions, v: state.velocities });
      before.push(guest ? { masses, x: guest.start, v: guest.startVelocities } : bodies.at(-1)!);
    }
    return new MeetingSpin(
      bodies,
      members.map(({ guard }) => (guard?.isKnown ? guard : undefined)),
      before,
    );
  }

  /** After the frame. */
  settle({ gravity, dt }: FrameInput): void {
    const { bodies, before } = this;
    const after = motionOf(bodies);
    const missing = new Float64Array(3);
    for (let c = 0; c < 3; c++) {
      const pushed = after.momentum[c] - before.momentum[c] - after.mass * gravity[c] * dt;
      if (!(Math.abs(pushed) <= ROUNDING * (before.scale + after.scale))) return;
      missing[c] = before.angular[c] - after.angular[c];
    }
    const had = this.guards.map((guard) => guard && guard.owned().kinetic);
    giveBack(bodies, missing);
    this.putBack(after, norm(gravity) * dt * dt, dt);
    // One body got by that as much as others lost.
    this.guards.forEach((guard, k) => {
      if (guard) guard.budget += guard.owned().kinetic - had[k]!;
    });
  }

  /**
   * Puts the common center on its way: blows move bodies for their whole step, too. The way that gravity takes it depends on the substeps.
   *
   * @param fall by gravity in the frame [m]
   */
  private putBack({ momentum, center, mass }: Motion, fall: number, dt: number): void {
    const { bodies, before } = this;
    const off = center.map((value, c) => value - before.center[c] - (dt * momentum[c]) / mass);
    const way = norm(off);
    if (!(way > fall)) return;
    for (const { x } of bodies) for (let i = 0; i < x.length; i++) x[i] -= (1 - fall / way) * off[i % 3];
  }
}

function motionOf(bodies: readonly Particles[]): Motion {
  const [momentum, angular, center] = [new Float64Array(3), new Float64Array(3), new Float64Array(3)];
  const scale = sumMotion(bodies, momentum, angular);
  let mass = 0;
  for (const { masses, x } of bodies)
    for (let p = 0; p < masses.length; p++) {
      mass += masses[p]!;
      for (let c = 0; c < 3; c++) center[c] += masses[p] * x[3 * p + c];
    }
  for (let c = 0; c < 3; c++) center[c] /= mass;
  for (let c = 0; c < 3; c++) {
    const [i, j] = [(c + 1) % 3, (c + 2) % 3];
    angular[c] -= center[i] * momentum[j] - center[j] * momentum[i];
  }
  return { momentum, angular, center, scale, mass };
}
