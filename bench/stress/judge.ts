import type { Vec3 } from "../../src/index";
import type { Reading } from "./reading";
import type { SceneData } from "./scene";

/** Part of the energy in play that may be gained. */
const ENERGY = 0.05;
/** Parts of Σ m |v| and of Σ m |x| |v| by which momentum may change where nothing holds. */
const [MOMENTUM, ANGULAR] = [0.01, 0.02];
/** How much faster than all others and a free fall together a body may be, as a lever makes it. */
const LEVER = 4;
/** Of the size of things: what a joint may give in motion, and at rest; how deep things may be at rest, and may seem below ground. */
const [GAP, GAP_AT_REST, DEPTH_AT_REST, BELOW] = [0.05, 0.005, 0.02, 0.1];
/** Of √(g · size): slower than that all the time of a look is at rest. */
const REST = 0.01;

type Limits = Pick<SceneData, "size" | "gravity" | "timeStep" | "floor" | "isFree">;

/** Holds a scene to what is so in nature, whatever it is made of. */
export class Judge {
  private readonly mass: number;
  private readonly fall: number;
  /** fastest point of all at first [m/s] */
  private readonly startSpeed: number;
  /** most work of gravity so far [J] */
  private work = 0;
  private momentumScale = 0;
  private angularScale = 0;

  constructor(
    private readonly limits: Limits,
    private readonly start: Reading,
  ) {
    this.mass = start.parts.reduce((sum, { mass }) => sum + mass, 0);
    this.fall = Math.hypot(...limits.gravity);
    this.startSpeed = Math.max(0, ...start.parts.map(({ speed }) => speed));
  }

  /**
   * @param time since the start [s]
   * @returns what is broken, in a line; undefined where all is well
   */
  look(reading: Reading, time: number): string | undefined {
    return (
      this.finite(reading) ??
      this.energy(reading) ??
      this.reach(reading, time) ??
      this.ground(reading) ??
      this.joints(reading) ??
      this.momentum(reading)
    );
  }

  private finite({ kinetic, potential, parts }: Reading): string | undefined {
    const lost = parts.find(({ travel, height, speed }) => ![travel, height, speed].every(Number.isFinite));
    if (lost) return `${lost.name} is not finite`;
    return Number.isFinite(kinetic + potential) ? undefined : "energy is not finite";
  }

  private energy({ kinetic, potential, input }: Reading): string | undefined {
    const { start } = this;
    const done = start.potential - potential;
    this.work = Math.max(this.work, done);
    // What bodies at rest get from gravity in a step, before their contacts take it.
    const noise = this.mass * (this.fall * this.limits.timeStep) ** 2;
    const allowed = start.kinetic + done + input + ENERGY * (start.kinetic + this.work + input) + noise;
    return kinetic > allowed ? `kinetic energy ${short(kinetic)} J, ${short(allowed)} J is there` : undefined;
  }

  private reach({ parts, input }: Reading, time: number): string | undefined {
    const { fall, startSpeed, limits } = this;
    for (const { name, travel, mass } of parts) {
      const driven = mass > 0 ? Math.sqrt((2 * input) / mass) : 0;
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
    const open = joints.find(({ gap }) => !(gap <= most));
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

  /** At the end: things that lie still lie beside each other. */
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
