import type { ColliderSet } from "../../../collision/obstacles/collider-set";
import type { GuardStage } from "../phases";
import {
  addProxy,
  type Balance,
  divide,
  energyAt,
  type Drive,
  GUARD_SLACK,
  keep,
  lift,
  type Owned,
  shareOf,
} from "./energy-guard";

/** Bodies whose surfaces the solids may touch, and whose energy is not in the account. */
export interface Partners {
  /** Work that contact with surfaces did on them in the substep [J]. */
  work(): number;
  /** Takes back a part of the impulses that they got by it. */
  giveBack(part: number): void;
}

/** A solid in an account, see `CpuGuard`. */
export interface GuardedSolid {
  /** B [J] */
  budget: number;
  /** β and the factor of velocities in the substep */
  share: number;
  scale: number;
  /** how often its impulses were held */
  guarded: number;
  /** substep [s], and its part of a frame */
  readonly h: number;
  readonly part: number;
  owned(): Owned;
  /** Ψ at the end of the last frame [J] */
  stored: number;
  /** of pins; undefined where none moves */
  readonly drive: Drive | undefined;
  /** Begins the look at a substep; returns Σ m (½ u² − u·ṽ) [J]. */
  look(substep: number): number;
  weigh(balance: Balance, budget: number, mayTouch: boolean): Weighed;
  addPushes(wrenches: Float64Array): void;
  /** Turns back what is inside out, at the end of a frame. */
  turnBack(): void;
}

/** The rest that a solid adds to an account in a substep. */
export interface Weighed {
  /** work of gravity, air, obstacles, pressure and pulls [J] */
  readonly supply: number;
  /** impulse of gravity [N s] */
  readonly weight: number;
  /** Σ m u·o, with which no pin has to do [J] */
  readonly outer: number;
  /** Σ m u·u, Σ m u·ṽ and Σ m u·(v − ṽ) [J] */
  readonly led: readonly [number, number, number];
}

/** The account that solids have together while they step side by side, see energy-guard.ts. */
export class CpuAccount implements GuardStage {
  /** B [J] */
  private budget: number;
  /** what pins might have given in the frame [J] */
  private lent = 0;
  private readonly drive: Drive | undefined;
  private readonly part: number;
  private readonly wrenches: Float64Array;

  constructor(
    private readonly guards: readonly GuardedSolid[],
    private readonly colliders: ColliderSet,
    private readonly partners?: Partners,
  ) {
    this.budget = guards.reduce((sum, { budget }) => sum + budget, 0);
    this.wrenches = new Float64Array(6 * colliders.proxies.length);
    const drives = guards.flatMap(({ drive }) => drive ?? []);
    const sum = (key: keyof Drive): number => drives.reduce((all, drive) => all + drive[key], 0);
    if (drives.length > 0) this.drive = { drive: sum("drive"), blow: sum("blow"), stored: sum("stored") };
    this.part = guards[0].part;
  }

  /** Says which share β of its impulses each body may have. */
  hold(substep: number): void {
    const { guards, budget } = this;
    const beside = Math.max(
      0,
      guards.reduce((sum, guard) => sum + guard.look(substep), budget),
    );
    if (budget === Infinity) return;
    const had = this.drive ? lift(beside, this.drive, this.part) : beside;
    this.lent += had - beside;
    const balance: Balance = { e: 0, a: 0, c: 0, limit: 0 };
    let [supply, weight, outer, uu, uv, ud] = [0, 0, 0, 0, 0, 0];
    for (const guard of guards) {
      const own = guard.weigh(balance, had, this.partners !== undefined);
      supply += own.supply;
      weight += own.weight;
      outer += own.outer;
      uu += own.led[0];
      uv += own.led[1];
      ud += own.led[2];
    }
    const handed: Balance = { e: 0, a: outer + (this.partners?.work() ?? 0), c: 0, limit: 0 };
    supply += this.weighProxies(handed, weight);
    const given = had + supply;
    balance.e += 0.5 * uu - uv;
    balance.a += handed.a - ud;
    balance.c += handed.c;
    balance.limit += given + GUARD_SLACK * had;
    const most = balance.limit;
    const surplus = Math.max(0, energyAt(balance, 1) - most);
    balance.limit -= surplus;
    const share = shareOf(balance);
    const total = energyAt(balance, share);
    const gone = energyAt(handed, share);
    const scale = total > most ? Math.sqrt(Math.max(0, most - gone) / (total - gone)) : 1;
    const left = Math.max(0, Math.max(given - surplus, Math.min(given, total)) - gone);
    this.budget = left + 0.5 * uu + scale * (uv + share * ud - uu);
    for (const guard of guards) {
      guard.share = share;
      guard.scale = scale;
      if (share < 1) guard.guarded++;
    }
    if (share < 1) this.partners?.giveBack(1 - share);
  }

  /** Each body takes its own with it. */
  settle(): void {
    const owned = this.guards.map((guard) => guard.owned());
    divide(keep(this.budget, this.lent, this.drive, owned), owned).forEach((budget, k) => {
      this.guards[k].budget = budget;
      this.guards[k].stored = owned[k].elastic;
      // Beside other surfaces nothing may move but what they see.
      const isAlone = owned.length === 1 && !this.partners;
      if (isAlone && budget < Infinity && owned[k].elastic === Infinity) this.guards[k].turnBack();
    });
  }

  /** Adds what rigid bodies get; returns what they may do [J]. */
  private weighProxies(handed: Balance, weight: number): number {
    const { proxies } = this.colliders;
    if (proxies.length === 0) return 0;
    const { wrenches, guards } = this;
    // Guests have pushed them already.
    wrenches.set(this.colliders.substepWrenches.subarray(0, wrenches.length));
    for (const guard of guards) guard.addPushes(wrenches);
    const { h } = guards[0];
    return proxies.reduce(
      (lift, proxy, k) => lift + addProxy(handed, proxy, wrenches.subarray(6 * k, 6 * k + 6), weight, h),
      0,
    );
  }
}
