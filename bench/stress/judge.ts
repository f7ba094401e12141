import type { Vec3 } from "../../src/index";
import type { Reading } from "./reading";
import type { SceneData } from "./scene";

/** Permitted gains, as parts of the energy in play since the start, and in a frame. */
const [ENERGY, FRAME] = [0.05, 0.1];
/** Permitted changes of momentum in free scenes, as parts of Σ m |v| and of Σ m |x| |v|. */
const [MOMENTUM, ANGULAR] = [0.01, 0.02];
/** Permitted speed of a body, as a multiple of the initial speed and a free fall together: a lever can make it faster. */
const LEVER = 4;
/** As parts of the size of things: the gap of a joint in motion, and at rest; depth of things at rest, and apparent depth below ground. */
const [GAP, GAP_AT_REST, DEPTH_AT_REST, BELOW] = [0.05, 0.005, 0.02, 0.1];
/** A body slower than this part of √(g · size) is at rest. */
const REST = 0.01;

type Limits = Pick<SceneData, "size" | "gravity" | "timeStep" | "floor" | "isFree" | "driven">;

/** Checks a scene of any content against laws of nature. */
export class Judge {
  private readonly mass: number;
  private readonly fall: number;
  /** initial speed of the fastest point [m/s] */
  private readonly startSpeed: number;
  /** energy that animated bodies may give [J] */
  private readonly thrown: number;
  /** the potential energy that gravity's work counts from [J] */
  private top: number;
  /** largest work of gravity so far [J] */
  private work = 0;
  private momentumScale = 0;
  private angularScale = 0;
  private before: Reading;
  /** elastic energy that motion and gravity have given, and that may become motion again [J] */
  private earned: number;

  constructor(
    private readonly limits: Limits,
    private readonly start: Reading,
  ) {
    this.mass = start.parts.reduce((sum, { mass }) => sum + mass, 0);
    this.fall = Math.hypot(...limits.gravity);
    const { driven = 0 } = limits;
    this.startSpeed = Math.max(driven, ...start.parts.map(({ speed }) => speed));
    this.top = start.potential;
    this.before = start;
    this.earned = start.stored + start.input;
    // A wall that moves at u throws a ball at 2 u.
    this.thrown = 2 * this.mass * driven ** 2;
  }

  /**
   * @param time since the start [s]
   * @returns the broken law, in a line; undefined if all is well
   */
  look(reading: Reading, time: number): string | undefined {
    return (
      this.finite(reading) ??
      this.energy(reading) ??
      this.reach(reading, time) ??
      this.ground(reading) ??
      this.joints(reading) ??
      this.momentum(reading) ??
      this.frame(reading)
    );
  }

  private finite({ kinetic, potential, parts }: Reading): string | undefined {
    const lost = parts.find(({ travel, height, speed }) => ![travel, height, speed].every(Number.isFinite));
    if (lost) return `${lost.name} is not finite`;
    return Number.isFinite(kinetic + potential) ? undefined : "energy is not finite";
  }

  private energy({ kinetic, potential, input }: Reading): string | undefined {
    const { start, thrown, noise } = this;
    // Animated bodies lift others at will.
    if (thrown > 0) this.top = Math.max(this.top, potential);
    const done = this.top - potential;
    this.work = Math.max(this.work, done);
    const allowed = start.kinetic + thrown + done + input + ENERGY * (start.kinetic + this.work + input) + noise;
    return kinetic > allowed ? `kinetic energy ${short(kinetic)} J, ${short(allowed)} J is there` : undefined;
  }

  /**
   * Energy that a frame dissipates cannot become motion later. Energy that a body stores can only if something gave it: elements that a solver
   * stretches by more than the work that was done have some from nothing.
   */
  private frame(reading: Reading): string | undefined {
    const { before, earned, thrown, noise, start } = this;
    const fallen = before.potential - reading.potential;
    const put = reading.input - before.input;
    const there = before.kinetic + put + earned;
    const allowed = there + thrown + Math.max(0, fallen) + FRAME * (there + Math.abs(fallen)) + noise;
    this.before = reading;
    // Those that begin in each other have energy that nobody stores, and animated bodies stretch others at will.
    const most = reading.stored + start.input;
    this.earned = thrown > 0 ? most : Math.min(most, Math.max(0, there + fallen - reading.kinetic));
    return reading.kinetic > allowed
      ? `kinetic energy from ${short(before.kinetic)} to ${short(reading.kinetic)} J in a frame, ${short(allowed)} J is there`
      : undefined;
  }

  /** Energy of the speed that gravity gives to bodies at rest in a step, before their contacts take it [J]. */
  private get noise(): number {
    return this.mass * (this.fall * this.limits.timeStep) ** 2;
  }

  private reach({ parts, input }: Reading, time: number): string | undefined {
    const { fall, startSpeed, limits } = this;
    for (const { name, travel, mass } of parts) {
      const driven = mass > 0 ? Math.sqrt((2 * Math.max(0, input)) / mass) : 0;
      const most = 2 * limits.size + LEVER * (startSpeed + 0.5 * fall * time + driven) * time;
      if (travel > most) return `${name} went ${short(travel)} m, ${short(most)} m is within reach`;
    }
    return undefined;
  }

  private ground({ parts }: Reading): string | undefined {
    if (!this.limits.floor) return undefined;
    const below = parts.find(({ height }) => height < -BELOW * this.limits.size);
    return below && `${below.name} is ${short(-below.height)} m below the ground`;
  }

  private joints({ joints, parts }: Reading): string | undefined {
    const isAtRest = this.isAtRest(parts);
    const most = (isAtRest ? GAP_AT_REST : GAP) * this.limits.size;
    const open = joints.find(({ gap, slack = 0 }) => !(gap <= most + slack));
    return (
      open && `${open.name} is ${short(open.gap)} m open${isAtRest ? " at rest" : ""}, at most ${short(most)} m is well`
    );
  }

  private momentum(reading: Reading): string | undefined {
    if (!this.limits.isFree) return undefined;
    this.momentumScale = Math.max(this.momentumScale, reading.momentumScale, this.start.momentumScale);
    this.angularScale = Math.max(this.angularScale, reading.angularScale, this.start.angularScale);
    const gone = apart(reading.momentum, this.start.momentum) / (this.momentumScale || 1);
    if (gone > MOMENTUM) return `momentum is off by ${short(100 * gone)} %`;
    const turned = apart(reading.angular, this.start.angular) / (this.angularScale || 1);
    return turned > ANGULAR ? `angular momentum is off by ${short(100 * turned)} %` : undefined;
  }

  /** At the end resting bodies must not overlap. */
  atEnd({ parts, depth }: Reading): string | undefined {
    const most = DEPTH_AT_REST * this.limits.size;
    return this.isAtRest(parts) && depth > most ? `bodies at rest are ${short(depth)} m in each other` : undefined;
  }

  private isAtRest(parts: Reading["parts"]): boolean {
    const slow = REST * Math.sqrt(this.fall * this.limits.size);
    return parts.every(({ speed }) => speed < slow);
  }
}

const apart = (a: Vec3, b: Vec3): number => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
const short = (value: number): string => value.toPrecision(3);
