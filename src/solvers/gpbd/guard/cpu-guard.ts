import { pushesOf } from "../../../collision/obstacles/contact-reaction";
import { ledSpeed, obstacleSpeed } from "../../../collision/obstacles/obstacle-motion";
import type { FrameInput, PinTable } from "../../deformable";
import type { CpuScratch, CpuState } from "../cpu-state";
import type { GpbdModel } from "../model";
import type { GpbdOptions } from "../options";
import { CpuAccount, type Partners } from "./cpu-account";
import { type Balance, GUARD_LIFT, isGuarded, type Owned, storedEnergy } from "./energy-guard";

/** A body in a frame in which its energy is guarded. */
interface Guarded {
  readonly model: GpbdModel;
  readonly state: CpuState;
  readonly scratch: CpuScratch;
  readonly frame: FrameInput;
  readonly options: Readonly<GpbdOptions>;
  /** substep [s] */
  readonly h: number;
  /** speed that obstacles may have by themselves in the frame, and that of all obstacles [m/s] */
  readonly led: number;
  readonly pushed: number;
}

/** The guard of a body's energy on the CPU, see energy-guard.ts. */
export class CpuGuard {
  /** substeps that had to be held back */
  guarded = 0;
  /** B [J]; infinite while nothing is known of it */
  budget = Infinity;
  /** part β of the substep's impulses that it may have */
  share = 1;
  /** part of the velocities that is left where no share will do: what held the body up has not been its own */
  scale = 1;
  private current: Guarded | undefined;
  /** velocity that gravity gives in the substep [m/s] */
  private fallen = 0;
  /** B of all that it steps with, before the substep */
  private had = 0;
  /** whether its surface may touch others or itself */
  private touches = false;

  /** Whether it guards the body in this frame, and knows what that has: nothing is held back before. */
  get isKnown(): boolean {
    return this.current !== undefined && this.budget < Infinity;
  }

  /** Whether it guards the body in this frame. */
  get isOn(): boolean {
    return this.current !== undefined;
  }

  forget(): void {
    this.budget = Infinity;
  }

  beginFrame(
    model: GpbdModel,
    state: CpuState,
    scratch: CpuScratch,
    frame: FrameInput,
    options: Readonly<GpbdOptions>,
    pins: PinTable,
  ): void {
    this.share = 1;
    if (state.frozenAt > 0 || !isGuarded(model, options, pins)) {
      this.current = undefined;
      this.forget();
      return;
    }
    const { colliders, dt } = frame;
    const [led, pushed] = [ledSpeed(colliders, dt), obstacleSpeed(colliders, dt)];
    this.current = { model, state, scratch, frame, options, h: dt / options.substeps, led, pushed };
    if (this.budget < Infinity) return;
    const { kinetic, elastic } = this.owned();
    this.budget = kinetic + elastic;
  }

  /**
   * The account of bodies in a frame, after all of them have begun it.
   *
   * @param partners what else their surfaces may touch
   */
  open(guards: readonly CpuGuard[], partners?: Partners): CpuAccount | undefined {
    const known = guards.filter(({ isOn }) => isOn);
    return known.length > 0 ? new CpuAccount(known, known[0].current!.frame.colliders, partners) : undefined;
  }

  owned(): Owned {
    const { model, state } = this.current!;
    const { positions, velocities: v } = state;
    let kinetic = 0;
    for (let p = 0; p < model.particleCount; p++)
      kinetic += 0.5 * model.masses[p] * (v[3 * p] ** 2 + v[3 * p + 1] ** 2 + v[3 * p + 2] ** 2);
    return { kinetic, elastic: storedEnergy(model, positions) };
  }

  /**
   * No particle moves further in a substep h than it could if it had all of the energy, and fell, and obstacles pushed it [m]. If
   * surfaces may touch there is no such limit: the particles keep the places at which the surfaces are free of each other.
   */
  reach(mass: number): number {
    if (this.touches) return Infinity;
    const { h, pushed } = this.current!;
    return h * (Math.sqrt((2 * this.had) / mass) + this.fallen + pushed);
  }

  /** Length of a substep [s]. */
  get h(): number {
    return this.current!.h;
  }

  /**
   * Adds kinetic energy, as it depends on β, and where it may be beyond what is given.
   *
   * @param had B of all [J]
   * @param touches whether surfaces may touch
   * @returns the work of gravity, air and obstacles [J], and the impulse of gravity [N s]
   */
  weigh(balance: Balance, had: number, touches: boolean): { supply: number; weight: number } {
    const { model, state, scratch, frame, options, h, led } = this.current!;
    const { masses } = model;
    const { positions: x, velocities: v } = state;
    const { start, w, airAcceleration, contact } = scratch;
    const { gravity } = frame;
    const { damping, gravityFactor, airDensity, thickness } = options;
    const decay = 1 / (1 + h * damping);
    const fallen = h * Math.abs(gravityFactor) * Math.hypot(...gravity);
    this.fallen = fallen;
    this.had = had;
    this.touches = touches;
    let [e, a, c, supply, all] = [0, 0, 0, 0, 0];
    for (let p = 0; p < masses.length; p++) {
      if (w[p] === 0) continue;
      const mass = masses[p];
      all += mass;
      const [ux, uy, uz] = [x[3 * p] - start[3 * p], x[3 * p + 1] - start[3 * p + 1], x[3 * p + 2] - start[3 * p + 2]];
      const far = Math.sqrt(ux * ux + uy * uy + uz * uz);
      const [ax, ay, az] = [airAcceleration[3 * p], airAcceleration[3 * p + 1], airAcceleration[3 * p + 2]];
      const blown = airDensity > 0 ? h * h * Math.sqrt(ax * ax + ay * ay + az * az) : 0;
      const reach = this.reach(mass);
      const within = Math.min(1, (reach + blown) / (far || 1));
      for (let i = 3 * p; i < 3 * p + 3; i++) {
        const fall = gravityFactor * gravity[i - 3 * p];
        const force = fall + (airDensity > 0 ? airAcceleration[i] : 0);
        const before = decay * (v[i] + h * fall);
        const way = x[i] - start[i];
        const change = way / h - before;
        e += 0.5 * mass * before * before;
        a += mass * before * change;
        c += 0.5 * mass * change * change;
        supply += mass * force * within * way;
      }
      if (led > 0) supply += ((led * mass) / h) * Math.hypot(contact[4 * p], contact[4 * p + 1], contact[4 * p + 2]);
    }
    balance.e += e;
    balance.a += a;
    balance.c += c;
    balance.limit += all * fallen * (fallen + (GUARD_LIFT * thickness) / h);
    return { supply, weight: all * fallen };
  }

  /** Adds the impulses that proxies get, see `pushesOf`. */
  addPushes(wrenches: Float64Array): void {
    const { scratch, state, h } = this.current!;
    pushesOf(scratch.reaction, scratch.w, state.positions, h, wrenches);
  }
}
