/**
 * Whether a frame can be trusted. Contacts are linear in a step: where bodies travel further than that holds, or sheets are tangled,
 * contacts contradict each other and energy comes of nothing. Such a frame is taken again in shorter steps; what the shortest still gain is
 * taken from them.
 */
import { obstacleSpeed } from "../../collision/obstacles/obstacle-motion";
import type { FrameInput } from "../deformable";
import { grainOf } from "../spacing";
import type { GroupBody } from "./body/group-body";
import { elasticEnergy } from "./body/energy";
import { rigidMotion } from "./rigid-motion";

/** Part of the energy that there is by which a frame may gain. */
const GAIN = 0.02;
/** Bodies may always move as slowly as this [m/s], times the grain. */
const PARTING_SPEED = 0.1;
/** How closely the part of a frame that is kept is found, as halvings. */
const HALVINGS = 12;

/** Bodies that touch one another where a frame begins, and what their energy in it may come from. */
export class EnergyAccount {
  /** kinetic energy that there is, and that obstacles may give [J] */
  private readonly kinetic: readonly number[];

  /** @param starts positions and velocities with which the frame begins */
  constructor(
    private readonly bodies: readonly GroupBody[],
    private readonly starts: readonly (readonly [Float64Array, Float64Array])[],
    private readonly frame: FrameInput,
  ) {
    const led = obstacleSpeed(frame.colliders, frame.dt);
    this.kinetic = bodies.map((body) => kineticEnergy(body) + givenBy(led, body, frame.dt));
  }

  /** Whether some of the bodies, by their places, have no more together than they had, and got. */
  isKept(places: readonly number[]): boolean {
    if (places.some((k) => this.bodies[k].frozenAt !== 0)) return false;
    const most = this.most(places);
    if (this.sum(places, kineticEnergy) <= most) return true;
    // Elastic energy takes a while to evaluate, and matters only now.
    const before = this.sum(places, ({ model }, k) => elasticEnergy(model, this.starts[k][0]));
    return this.energy(places) <= most + (1 + GAIN) * before;
  }

  /**
   * Takes back so much of what a frame did to some bodies that they keep to their account. Nothing is left of it where all of them move on
   * as one rigid body would, with the momentum that they had.
   *
   * @returns part of the frame that is left, in [0, 1]
   */
  hold(places: readonly number[]): number {
    const { bodies, starts, frame } = this;
    const rigid = this.rigidVelocities(places);
    const made = places.map((k) => bodies[k].state.positions.slice());
    const velocities = places.map((k) => bodies[k].state.velocities.slice());
    const put = (share: number): void =>
      places.forEach((k, n) => {
        const { state, pinSolver } = bodies[k];
        for (let i = 0; i < made[n].length; i++) {
          const s = pinSolver.exact[Math.floor(i / 3)] === 1 ? 1 : share;
          const x = starts[k][0][i] + frame.dt * rigid[n][i];
          state.positions[i] = s === 0 ? x : x + s * (made[n][i] - x);
          state.velocities[i] = s === 0 ? rigid[n][i] : rigid[n][i] + s * (velocities[n][i] - rigid[n][i]);
        }
      });
    let [low, high] = [0, 1];
    for (let n = 0; n < HALVINGS; n++) {
      const middle = (low + high) / 2;
      put(middle);
      if (this.isKept(places)) low = middle;
      else high = middle;
    }
    put(low);
    return low;
  }

  /** What they may have of kinetic energy, without elastic energy that they give up [J]. */
  private most(places: readonly number[]): number {
    const { bodies, starts, frame } = this;
    // Gravity gives as much in a step before contacts take it, and bodies that begin in one another have to part.
    const slow = Math.max(
      Math.hypot(...frame.gravity) * frame.dt,
      PARTING_SPEED * grainOf(Math.hypot(...frame.gravity)),
    );
    let [sum, least] = [0, 0];
    for (const k of places) {
      sum += (1 + GAIN) * this.kinetic[k] + workOn(bodies[k], starts[k][0], frame);
      least += massOf(bodies[k]) * slow * slow;
    }
    return Math.max(sum, least);
  }

  private energy(places: readonly number[]): number {
    return this.sum(places, (body) => kineticEnergy(body) + elasticEnergy(body.model, body.state.positions));
  }

  private sum(places: readonly number[], of: (body: GroupBody, k: number) => number): number {
    return places.reduce((sum, k) => sum + of(this.bodies[k], k), 0);
  }

  /** Velocities with which bodies would go on as one, by the momentum with which the frame begins [m/s]. */
  private rigidVelocities(places: readonly number[]): Float64Array[] {
    const { bodies, starts, frame } = this;
    const { middle, mean, spin: w } = rigidMotion(places.map((k) => [bodies[k].model.masses, ...starts[k]]));
    return places.map((k) => {
      const [x] = starts[k];
      const out = new Float64Array(x.length);
      for (let i = 0; i < x.length; i += 3) {
        const [a, b, c] = [x[i] - middle[0], x[i + 1] - middle[1], x[i + 2] - middle[2]];
        out[i] = mean[0] + w[1] * c - w[2] * b;
        out[i + 1] = mean[1] + w[2] * a - w[0] * c;
        out[i + 2] = mean[2] + w[0] * b - w[1] * a;
        for (let e = 0; e < 3; e++) out[i + e] += frame.dt * bodies[k].options.gravityFactor * frame.gravity[e];
      }
      return out;
    });
  }
}

function kineticEnergy({ model: { masses }, state: { velocities } }: GroupBody): number {
  let sum = 0;
  for (let i = 0; i < velocities.length; i++) sum += 0.5 * masses[Math.floor(i / 3)] * velocities[i] ** 2;
  return sum;
}

/** What obstacles, pins and wind may give a body that they throw back, at most [J]. */
function givenBy(led: number, body: GroupBody, dt: number): number {
  const wind = body.options.airDensity > 0 ? Math.hypot(...body.options.wind) : 0;
  const speed = Math.max(led, wind, body.pinWay / dt);
  return speed > 0 ? 2 * massOf(body) * speed * speed : 0;
}

function massOf({ model: { masses } }: GroupBody): number {
  return masses.reduce((sum, m) => sum + m, 0);
}

/** Work of gravity, and of the forces of bodies that are solved elsewhere [J]. */
function workOn(body: GroupBody, start: Float64Array, { gravity }: FrameInput): number {
  const { model, state, outer, options } = body;
  let sum = 0;
  for (let i = 0; i < start.length; i++) {
    const force = options.gravityFactor * gravity[i % 3] * model.masses[Math.floor(i / 3)] + outer[i];
    sum += force * (state.positions[i] - start[i]);
  }
  return sum;
}
