import type { ColliderSet } from "../../../collision/obstacles/collider-set";
import type { GuardStage } from "../phases";
import { addProxy, type Balance, divide, energyAt, GUARD_SLACK, type Owned, shareOf } from "./energy-guard";

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
  /** substep [s] */
  readonly h: number;
  owned(): Owned;
  weigh(balance: Balance, budget: number, mayTouch: boolean): { readonly supply: number; readonly weight: number };
  addPushes(wrenches: Float64Array): void;
}

/** The account that solids have together while they step side by side, see energy-guard.ts. */
export class CpuAccount implements GuardStage {
  /** B [J] */
  private budget: number;
  private readonly wrenches: Float64Array;

  constructor(
    private readonly guards: readonly GuardedSolid[],
    private readonly colliders: ColliderSet,
    private readonly partners?: Partners,
  ) {
    this.budget = guards.reduce((sum, { budget }) => sum + budget, 0);
    this.wrenches = new Float64Array(6 * colliders.proxies.length);
  }

  /** Says which share β of its impulses each body may have. */
  hold(): void {
    const { guards, budget } = this;
    if (budget === Infinity) return;
    const balance: Balance = { e: 0, a: 0, c: 0, limit: 0 };
    let [supply, weight] = [0, 0];
    for (const guard of guards) {
      const own = guard.weigh(balance, budget, this.partners !== undefined);
      supply += own.supply;
      weight += own.weight;
    }
    const handed: Balance = { e: 0, a: this.partners?.work() ?? 0, c: 0, limit: 0 };
    supply += this.weighProxies(handed, weight);
    const given = budget + supply;
    balance.a += handed.a;
    balance.c += handed.c;
    balance.limit += given + GUARD_SLACK * budget;
    const most = balance.limit;
    const surplus = Math.max(0, energyAt(balance, 1) - most);
    balance.limit -= surplus;
    const share = shareOf(balance);
    const total = energyAt(balance, share);
    const gone = energyAt(handed, share);
    const scale = total > most ? Math.sqrt(Math.max(0, most - gone) / (total - gone)) : 1;
    this.budget = Math.max(0, Math.max(given - surplus, Math.min(given, total)) - gone);
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
    divide(this.budget, owned).forEach((budget, k) => (this.guards[k].budget = budget));
  }

  /** Adds what rigid bodies get; returns what they may do [J]. */
  private weighProxies(handed: Balance, weight: number): number {
    const { proxies } = this.colliders;
    if (proxies.length === 0) return 0;
    const { wrenches, guards } = this;
    wrenches.fill(0);
    for (const guard of guards) guard.addPushes(wrenches);
    const { h } = guards[0];
    return proxies.reduce(
      (lift, proxy, k) => lift + addProxy(handed, proxy, wrenches.subarray(6 * k, 6 * k + 6), weight, h),
      0,
    );
  }
}
