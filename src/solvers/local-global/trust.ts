/**
 * Whether a frame can be trusted. Contacts are linear in a step: where bodies travel further than that holds, or sheets are tangled,
 * contacts contradict each other and energy comes of nothing. Such a frame is taken again in shorter steps; what the shortest still gain is
 * taken from them.
 */
import { massOf } from "../mass";
import { ledSpeed } from "../../collision/obstacles/obstacle-motion";
import { type RigidProxy, YIELD } from "../../collision/obstacles/rigid-proxy";
import { ENERGY_GAIN as GAIN, HOLD_HALVINGS as HALVINGS } from "../../generated/constants";
import { topWind } from "../air";
import type { FrameInput } from "../deformable";
import { lengthAt } from "../../math/vectors";
import { grainOf, meanEdge } from "../spacing";
import type { GroupBody } from "./body/group-body";
import { elasticEnergy } from "./body/energy";
import { keepAngularMomentum } from "./body/momentum";
import { addCross, cayleyChange } from "./body/turning";
import type { Cluster } from "./contact/clusters";
import { rigidMotion } from "../rigid-motion";
import { norm } from "../../math/vectors";

/** Part of the energy that there is by which a frame may gain, and halvings that find the part of it that is kept. */
/** A blow takes a vertex so many mean edges at least. */
const BLOW = 0.25;
/** Part of the energy that there is by which contact may press bodies on; one step of a body under load makes 5 %. */
const MADE = 0.25;
/** Bodies may always move as slowly as this [m/s], times the grain. */
const PARTING_SPEED = 0.1;

/** Bodies that touch one another where a frame begins, and what their energy in it may come from. */
export class EnergyAccount {
  /** kinetic energy that there is, and that obstacles without a proxy may give [J] */
  private readonly kinetic: readonly number[];
  /** with which obstacles that yield to nobody, and pins, may take rigid bodies along [m/s] */
  private readonly led: number;
  /** of each proxy, before the frame: what it has yielded, its wrench, and its drive */
  private readonly yielded: readonly Float64Array[];
  private readonly wrenches: readonly Float64Array[];
  private readonly drives: readonly number[] = this.frame.colliders.proxies.map(({ drive }) => drive);
  /** see `mayBeBlow` */
  private readonly blows: (boolean | undefined)[] = [];

  /** @param starts positions and velocities with which the frame begins */
  constructor(
    private readonly bodies: readonly GroupBody[],
    private readonly starts: readonly (readonly [Float64Array, Float64Array])[],
    private readonly frame: FrameInput,
  ) {
    const led = ledSpeed(frame.colliders, frame.dt);
    this.kinetic = bodies.map((body) => kineticEnergy(body) + givenBy(led, body, frame.dt));
    this.led = Math.max(led, ...bodies.map((body) => body.pinWay / frame.dt));
    this.yielded = frame.colliders.proxies.map(({ yielded }) => yielded.slice());
    this.wrenches = frame.colliders.proxies.map(({ wrench }) => wrench.slice());
  }

  /**
   * Whether the bodies of a cluster have no more together than they had, and got, with what they gave rigid bodies.
   *
   * @param share part of the frame that is left to these
   */
  isKept({ bodies: places, proxies, meetsObstacle }: Cluster, share = 1): boolean {
    if (places.some((k) => this.bodies[k].frozenAt !== 0)) return false;
    const given = [...proxies].reduce((sum, k) => sum + this.givenTo(k, share), 0);

    const most = this.most(places, proxies) - Math.max(-this.frame.colliders.supply, given);
    const kinetic = this.sum(places, kineticEnergy);
    // Elastic energy takes a while to evaluate, and matters where the frame had too much of the other, or may have made some.
    const isBlow = !meetsObstacle && places.some((k) => this.mayBeBlow(k));
    if (proxies.size === 0 && kinetic <= most && !isBlow) return true;
    const before = this.sum(places, ({ model }, k) => elasticEnergy(model, this.starts[k][0]));
    // An element that is inside out has energy without bound, which it must not get back.
    if (isBlow && kinetic <= most) return !(before < Infinity) || this.energy(places) <= (1 + MADE) * (most + before);
    return this.energy(places) <= most + (1 + GAIN) * before;
  }

  /**
   * Rigid bodies that seemed to be held by others, and so gave a cluster more than all rigid bodies have, by their places: a wall that moves gives
   * without end. Nothing holds them.
   */
  overdrawn({ bodies: places, proxies }: Cluster): number[] {
    const most = this.frame.colliders.supply + this.least(places, proxies);
    return [...proxies].filter((k) => {
      const { free, mobility, turning } = this.frame.colliders.proxies[k];
      return free[0] > 0 && Math.min(mobility, turning) < 1 && this.givenTo(k, 1) < -most;
    });
  }

  /**
   * Whether a body goes so far in the frame that it may meet another with elements pressed flat: then contact gives it more elastic energy
   * than there was, and the next frame would find that in order. Bodies that hit the ground as well would go through it if they were held.
   */
  private mayBeBlow(k: number): boolean {
    const known = this.blows[k];
    if (known !== undefined) return known;
    const [, v] = this.starts[k];
    let fastest = 0;
    for (let i = 0; i < v.length; i += 3) fastest = Math.max(fastest, lengthAt(v, i));
    return (this.blows[k] = this.frame.dt * fastest > BLOW * meanEdge(this.bodies[k].model));
  }

  /**
   * Takes back so much of what a frame did to some bodies that they keep to their account. Nothing is left of it where all of them move on
   * as one rigid body would, with the momentum that they had.
   *
   * @returns part of the frame that is left, in [0, 1]
   */
  hold(cluster: Cluster): number {
    const { bodies: places } = cluster;
    const { bodies } = this;
    const rigid = this.rigidMotions(places);
    const made = places.map((k) => bodies[k].state.positions.slice());
    const velocities = places.map((k) => bodies[k].state.velocities.slice());
    const keepSpin = this.spinKeeper(cluster);
    const put = (share: number): void => {
      places.forEach((k, n) => {
        const { state, pinSolver } = bodies[k];
        for (let i = 0; i < made[n].length; i++) {
          const s = pinSolver.exact[Math.floor(i / 3)] === 1 ? 1 : share;
          const [x, v] = [rigid[n][0][i], rigid[n][1][i]];
          state.positions[i] = s === 0 ? x : x + s * (made[n][i] - x);
          state.velocities[i] = s === 0 ? v : v + s * (velocities[n][i] - v);
        }
      });
      keepSpin();
    };
    let [low, high] = [0, 1];
    for (let n = 0; n < HALVINGS; n++) {
      const middle = (low + high) / 2;
      put(middle);
      if (this.isKept(cluster, middle)) low = middle;
      else high = middle;
    }
    put(low);
    return low;
  }

  /**
   * Limits `RigidProxy.drive`: rigid bodies that seemed to be held can get no more energy of a cluster than it lost to them, as contacts that
   * contradict each other have impulses that are far beyond the momentum of its bodies; nor more than it has left, as a blow that a frame has
   * ended does not come back in the next one.
   */
  limitDrive({ bodies: places, proxies }: Cluster): void {
    const { proxies: all } = this.frame.colliders;
    let [drive, given] = [0, 0];
    for (const k of proxies) {
      drive += Math.max(0, all[k].drive - this.drives[k]);
      given += this.givenTo(k, 1);
    }
    const least = this.least(places, proxies);
    if (!(drive > least)) return;
    const lost = Math.max(0, this.most(places, proxies) - given - this.sum(places, kineticEnergy));
    const most = Math.min(lost, Math.max(least, this.energy(places)));
    if (!(drive > most)) return;
    for (const k of proxies) all[k].drive = this.drives[k] + (most / drive) * (all[k].drive - this.drives[k]);
  }

  /** Most kinetic energy that the bodies may have, without elastic energy that they release [J]. */
  private most(places: readonly number[], proxies: ReadonlySet<number>): number {
    const { bodies, starts, frame } = this;
    let sum = 0;
    for (const k of places) sum += (1 + GAIN) * this.kinetic[k] + workOn(bodies[k], starts[k][0], frame);
    for (const k of proxies) sum += 2 * massOfRigid(frame.colliders.proxies[k]) * this.led * this.led;
    return Math.max(sum, this.least(places, proxies));
  }

  /** Energy that bodies may always have [J]. */
  private least(places: readonly number[], proxies: ReadonlySet<number>): number {
    const { bodies, frame } = this;
    let mass = 0;
    for (const k of places) mass += massOf(bodies[k].model);
    for (const k of proxies) mass += massOfRigid(frame.colliders.proxies[k]);
    return mass * slowSpeed(frame) ** 2;
  }

  /**
   * Work of the contacts of a frame on a rigid body [J]: their impulse times its velocity, which is planned, plus half of what it yielded. If
   * others hold it, it is they who do the work, or get it.
   */
  private givenTo(k: number, share: number): number {
    const { velocity, endVelocity, spin, endSpin, yielded, wrench } = this.frame.colliders.proxies[k];
    const [before, from] = [this.yielded[k], this.wrenches[k]];
    const work = (at: number, plan: Float64Array, end: Float64Array): number => {
      let [planned, ended, own] = [0, 0, 0];
      for (let c = 0; c < 3; c++) {
        const impulse = share * (wrench[at + c] - from[at + c]);
        planned += impulse * (plan[c] + before[at + c]);
        ended += impulse * (end[c] + before[at + c]);
        own += 0.5 * impulse * share * (yielded[at + c] - before[at + c]);
      }
      return Math.min(planned, ended) + own;
    };
    return work(YIELD.velocity, velocity, endVelocity) + work(YIELD.spin, spin, endSpin);
  }

  private energy(places: readonly number[]): number {
    return this.sum(places, (body) => kineticEnergy(body) + elasticEnergy(body.model, body.state.positions));
  }

  private sum(places: readonly number[], of: (body: GroupBody, k: number) => number): number {
    return places.reduce((sum, k) => sum + of(this.bodies[k], k), 0);
  }

  /** Gives bodies that nothing else turned the angular momentum with which the frame began: a part of the frame has another. */
  private spinKeeper({ bodies: places, meetsObstacle }: Cluster): () => void {
    const { dt } = this.frame;
    const bodies = places.map((k) => this.bodies[k]);
    if (meetsObstacle || bodies.some(({ pinSolver }) => pinSolver.vertices.length > 0)) return () => undefined;
    const turning = bodies.map(({ model, state }, n) => {
      const [start, v] = this.starts[places[n]];
      return { model, state, start, predicted: start.map((x, i) => x + dt * v[i]) };
    });
    return () => keepAngularMomentum(turning, dt, 0);
  }

  /**
   * Positions [m] and velocities [m/s] with which bodies would end the frame as one, by the momentum with which it begins. They turn by a rotation:
   * a linear turn stretches a stiff body, which gets more energy by it than there is.
   */
  private rigidMotions(places: readonly number[]): (readonly [Float64Array, Float64Array])[] {
    const { bodies, starts, frame } = this;
    const { middle, mean, spin } = rigidMotion(places.map((k) => [bodies[k].model.masses, ...starts[k]]));
    const turned = cayleyChange([frame.dt * spin[0], frame.dt * spin[1], frame.dt * spin[2]]);
    return places.map((k) => {
      const positions = starts[k][0].slice();
      const velocities = new Float64Array(positions.length);
      for (let i = 0; i < positions.length; i += 3) {
        for (let c = 0; c < 3; c++) arm[c] = positions[i + c] - middle[c];
        for (let c = 0; c < 3; c++) {
          velocities[i + c] = mean[c] + frame.dt * bodies[k].options.gravityFactor * frame.gravity[c];
          const turn = turned[3 * c] * arm[0] + turned[3 * c + 1] * arm[1] + turned[3 * c + 2] * arm[2];
          positions[i + c] += frame.dt * velocities[i + c] + turn;
          at[c] = arm[c] + turn;
        }
        addCross(1, spin, 0, at, 0, velocities, i);
      }
      return [positions, velocities];
    });
  }
}

const [arm, at] = [new Float64Array(3), new Float64Array(3)];

/**
 * Speed that bodies may always have [m/s]: gravity gives as much in a step before contacts take it, and bodies that begin in one
 * another have to part.
 */
export function slowSpeed({ gravity, dt }: FrameInput): number {
  const size = norm(gravity);
  return Math.max(size * dt, PARTING_SPEED * grainOf(size));
}

/** Of the wind that a body feels [m/s]. */
export function windSpeed({ options }: GroupBody): number {
  return options.airDensity > 0 ? topWind(options) : 0;
}

function kineticEnergy({ model: { masses }, state: { velocities } }: GroupBody): number {
  let sum = 0;
  for (let i = 0; i < velocities.length; i++) sum += 0.5 * masses[Math.floor(i / 3)] * velocities[i] ** 2;
  return sum;
}

/** Most energy that obstacles, pins and wind may give a body that they throw back [J]. */
function givenBy(led: number, body: GroupBody, dt: number): number {
  const speed = Math.max(led, windSpeed(body), body.pinWay / dt);
  return speed > 0 ? 2 * massOf(body.model) * speed * speed : 0;
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

/** [kg], 0 where contacts move it not at all */
function massOfRigid({ inverseMass, mobility }: RigidProxy): number {
  return inverseMass > 0 ? mobility / inverseMass : 0;
}
