import { pushesOf } from "../../../collision/obstacles/contact-reaction";
import { ledSpeed, obstacleSpeed } from "../../../collision/obstacles/obstacle-motion";
import type { CpuScratch, CpuState } from "../cpu-state";
import type { FrameInput, PinTable } from "../../deformable";
import {
  addProxy,
  type Balance,
  energyAt,
  GUARD_LIFT,
  GUARD_SLACK,
  isGuarded,
  shareOf,
  storedEnergy,
} from "./energy-guard";
import type { GpbdModel } from "../model";
import type { GpbdOptions } from "../options";

/** The guard of a body's energy on the CPU, see energy-guard.ts. */
export class CpuGuard {
  /** substeps that had to be held back */
  guarded = 0;
  /** B [J]; infinite while nothing is known of it */
  private budget = Infinity;
  /** B before the substep */
  private had = 0;
  private readonly balance: Balance = { e: 0, a: 0, c: 0, limit: 0 };
  private readonly handed: Balance = { e: 0, a: 0, c: 0, limit: 0 };
  private wrenches = new Float64Array();
  /** part of the velocities that is left where no share will do: what held the body up has not been its own */
  scale = 1;
  /** speed that obstacles may have by themselves in the frame [m/s] */
  private led = 0;
  /** impulse of gravity in the substep [N s], and the velocity that it gives [m/s] */
  private weight = 0;
  private fallen = 0;
  /** the same of all obstacles */
  private pushed = 0;

  /** Whether it knows what the body has: nothing is held back before. */
  get isKnown(): boolean {
    return this.budget < Infinity;
  }

  forget(): void {
    this.budget = Infinity;
  }

  /** @returns whether it guards the body in this frame */
  beginFrame(
    model: GpbdModel,
    { positions, velocities: v }: CpuState,
    { colliders, dt }: FrameInput,
    options: Readonly<GpbdOptions>,
    pins: PinTable,
  ): boolean {
    if (!isGuarded(model, options, pins)) return false;
    this.led = ledSpeed(colliders, dt);
    this.pushed = obstacleSpeed(colliders, dt);
    let held = storedEnergy(model, positions);
    for (let p = 0; p < model.particleCount; p++)
      held += 0.5 * model.masses[p] * (v[3 * p] ** 2 + v[3 * p + 1] ** 2 + v[3 * p + 2] ** 2);
    if (held < this.budget) this.budget = held;
    return true;
  }

  /**
   * Called when all projections of a substep are done.
   *
   * @returns the share β of its impulses that the body may have
   */
  share(
    { masses }: GpbdModel,
    state: CpuState,
    scratch: CpuScratch,
    frame: FrameInput,
    options: Readonly<GpbdOptions>,
    h: number,
  ): number {
    if (this.budget === Infinity) return 1;
    const { balance, handed, budget } = this;
    this.had = budget;
    const supply = this.weigh(masses, state, scratch, frame, options, h);
    const lift = this.weighProxies(state, scratch, frame, h, this.weight);
    const given = budget + supply + lift;
    balance.a += handed.a;
    balance.c += handed.c;
    balance.limit = given + GUARD_SLACK * budget + balance.limit;
    const most = balance.limit;
    const surplus = Math.max(0, energyAt(balance, 1) - most);
    balance.limit -= surplus;
    const share = shareOf(balance);
    if (share < 1) this.guarded++;
    const total = energyAt(balance, share);
    const gone = energyAt(handed, share);
    this.scale = total > most ? Math.sqrt(Math.max(0, most - gone) / (total - gone)) : 1;
    this.budget = Math.max(0, Math.max(given - surplus, Math.min(given, total)) - gone);
    return share;
  }

  /** No particle moves further in a substep h than it could if it had all of the energy, and fell, and obstacles pushed it [m]. */
  reach(mass: number, h: number): number {
    return h * (Math.sqrt((2 * this.had) / mass) + this.fallen + this.pushed);
  }

  /** Kinetic energy, as it depends on β, and the work of gravity, air and obstacles [J]. */
  private weigh(
    masses: Float64Array,
    { positions: x, velocities: v }: CpuState,
    { start, w, airAcceleration, contact }: CpuScratch,
    { gravity }: FrameInput,
    { damping, gravityFactor, airDensity, thickness }: Readonly<GpbdOptions>,
    h: number,
  ): number {
    const { balance, led } = this;
    const decay = 1 / (1 + h * damping);
    const fallen = h * Math.abs(gravityFactor) * Math.hypot(...gravity);
    this.fallen = fallen;
    let [e, a, c, supply, all] = [0, 0, 0, 0, 0];
    for (let p = 0; p < masses.length; p++) {
      if (w[p] === 0) continue;
      const mass = masses[p];
      all += mass;
      const [ux, uy, uz] = [x[3 * p] - start[3 * p], x[3 * p + 1] - start[3 * p + 1], x[3 * p + 2] - start[3 * p + 2]];
      const far = Math.sqrt(ux * ux + uy * uy + uz * uz);
      const [ax, ay, az] = [airAcceleration[3 * p], airAcceleration[3 * p + 1], airAcceleration[3 * p + 2]];
      const blown = airDensity > 0 ? h * h * Math.sqrt(ax * ax + ay * ay + az * az) : 0;
      const within = Math.min(1, (this.reach(mass, h) + blown) / (far || 1));
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
    balance.e = e;
    balance.a = a;
    balance.c = c;
    balance.limit = all * fallen * (fallen + (GUARD_LIFT * thickness) / h);
    this.weight = all * fallen;
    return supply;
  }

  /** What rigid bodies get. */
  private weighProxies(
    { positions }: CpuState,
    { reaction, w }: CpuScratch,
    { colliders }: FrameInput,
    h: number,
    weight: number,
  ): number {
    const { handed } = this;
    handed.a = handed.c = 0;
    const { proxies } = colliders;
    if (proxies.length === 0) return 0;
    if (this.wrenches.length !== 6 * proxies.length) this.wrenches = new Float64Array(6 * proxies.length);
    this.wrenches.fill(0);
    pushesOf(reaction, w, positions, h, this.wrenches);
    let lift = 0;
    proxies.forEach(
      (proxy, k) => (lift += addProxy(handed, proxy, this.wrenches.subarray(6 * k, 6 * k + 6), weight, h)),
    );
    return lift;
  }
}
