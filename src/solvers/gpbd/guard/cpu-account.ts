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

/** Bodies whose surfaces the solids may touch, in sets of those that have touched in the frame, directly or by others. */
export interface Partners {
  /** Joins the sets of solids that push a rigid body lighter than they are: alone, what each does to it would be energy from nothing. */
  joinPushers(colliders: ColliderSet): void;
  /** the set of a solid, which grows during the frame */
  setOf(guard: GuardedSolid): number;
  /** Whether bodies of other solvers are in a set. */
  hasGuests(set: number): boolean;
  /** Work that contact with surfaces did in the substep on those of a set that have no account [J]. */
  work(set: number): number;
  /** Takes back a part of the impulses that these got. */
  giveBack(set: number, part: number): void;
}

/** A solid in an account, see `CpuGuard`. */
export interface GuardedSolid {
  /** B [J] */
  budget: number;
  /** β and the factor of velocities in the substep */
  share: number;
  scale: number;
  /** whether its rigid motion stays as it is where velocities are scaled */
  keepsRigid: boolean;
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
  weigh(balance: Balance, budget: number, mayTouch: boolean): void;
  /** what `weigh` found, see `SUM` */
  readonly sums: Float64Array;
  addPushes(wrenches: Float64Array): void;
  /** Whether neither pins nor obstacles hold or push it in the substep. */
  readonly isFree: boolean;
  /** Adds the kinetic energy of its rigid motion; false if pins or other bodies lead it. */
  addRigid(balance: Balance): boolean;
  /** Turns back what is inside out, at the end of a frame. */
  turnBack(): void;
}

/**
 * Places of the sums that a solid adds to an account in a substep: its energy by powers of β [J], its mass [kg], the work of gravity, air,
 * obstacles, pressure and pulls [J], Σ m u·u, Σ m u·ṽ and Σ m u·(v − ṽ) [J], Σ m u·o, with which no pin has to do [J], and the impulse of
 * gravity [N s].
 */
export const SUM = { e: 0, a: 1, c: 2, mass: 3, supply: 4, uu: 5, uv: 6, ud: 7, outer: 8, weight: 9 } as const;

/** The accounts of solids that step side by side: a frame begins with one a solid, and those that touch have one from then on. */
export class CpuAccounts implements GuardStage {
  private accounts: readonly CpuAccount[];

  constructor(
    guards: readonly GuardedSolid[],
    private readonly colliders: ColliderSet,
    private readonly partners?: Partners,
  ) {
    this.accounts = guards.map((guard) => new CpuAccount([guard], colliders, partners));
  }

  hold(substep: number): void {
    const { partners } = this;
    partners?.joinPushers(this.colliders);
    if (partners && this.accounts.length > 1) {
      const accounts = new Map<number, CpuAccount>();
      for (const account of this.accounts) {
        const set = partners.setOf(account.guards[0]);
        const first = accounts.get(set);
        if (first) first.join(account);
        else accounts.set(set, account);
      }
      this.accounts = [...accounts.values()];
    }
    for (const account of this.accounts) account.hold(substep);
  }

  settle(): void {
    for (const account of this.accounts) account.settle();
  }
}

/** The account that solids have together, see energy-guard.ts. */
class CpuAccount {
  /** B [J] */
  private budget: number;
  /** what pins might have given in the frame [J] */
  private lent = 0;
  private drive: Drive | undefined;
  private readonly part: number;
  private readonly wrenches: Float64Array;
  /** of a substep: of all, of what proxies get, and of that and the rigid motions */
  private readonly balance: Balance = { e: 0, a: 0, c: 0, limit: 0 };
  private readonly handed: Balance = { e: 0, a: 0, c: 0, limit: 0 };
  private readonly rigid: Balance = { e: 0, a: 0, c: 0, limit: 0 };

  constructor(
    readonly guards: GuardedSolid[],
    private readonly colliders: ColliderSet,
    private readonly partners?: Partners,
  ) {
    const [{ budget, drive, part }] = guards;
    this.budget = budget;
    this.wrenches = new Float64Array(6 * colliders.proxies.length);
    this.drive = drive;
    this.part = part;
  }

  /** Takes over another account. */
  join({ guards, budget, lent, drive }: CpuAccount): void {
    this.guards.push(...guards);
    this.budget += budget;
    this.lent += lent;
    const own = this.drive;
    this.drive =
      own && drive
        ? { drive: own.drive + drive.drive, blow: own.blow + drive.blow, stored: own.stored + drive.stored }
        : (own ?? drive);
  }

  /** Says which share β of its impulses each body may have. */
  hold(substep: number): void {
    const { guards, budget, partners } = this;
    const set = partners?.setOf(guards[0]) ?? 0;
    let beside = budget;
    for (const guard of guards) beside += guard.look(substep);
    beside = Math.max(0, beside);
    if (budget === Infinity) return;
    const had = this.drive ? lift(beside, this.drive, this.part) : beside;
    this.lent += had - beside;
    const { balance, handed } = this;
    balance.e = balance.a = balance.c = balance.limit = 0;
    total.fill(0);
    for (const guard of guards) {
      guard.weigh(balance, had, partners !== undefined);
      for (let k = 0; k < total.length; k++) total[k] += guard.sums[k];
    }
    const uu = total[SUM.uu];
    const uv = total[SUM.uv];
    const ud = total[SUM.ud];
    handed.e = handed.c = handed.limit = 0;
    handed.a = total[SUM.outer] + (partners?.work(set) ?? 0);
    const lifted = this.weighProxies(handed, total[SUM.weight], partners?.hasGuests(set) ?? false);
    const given = had + (total[SUM.supply] + lifted);
    balance.e += 0.5 * uu - uv;
    balance.a += handed.a - ud;
    balance.c += handed.c;
    balance.limit += given + GUARD_SLACK * had;
    const most = balance.limit;
    const surplus = Math.max(0, energyAt(balance, 1) - most);
    // Elements that have too much are no reason to take the motion of the whole: crushed cubes fell through the ground.
    const { rigid } = this;
    rigid.e = handed.e;
    rigid.a = handed.a;
    rigid.c = handed.c;
    rigid.limit = most;
    balance.limit -= surplus;
    // Pins and obstacles that hold or push a body by itself may take its rigid motion, too.
    const isKept =
      surplus > 0 && (partners !== undefined || guards[0].isFree) && guards.every((guard) => guard.addRigid(rigid));
    const share = shareOf(isKept && partners ? rigid : balance);
    const all = energyAt(balance, share);
    const gone = energyAt(handed, share);
    const common = isKept ? energyAt(rigid, share) : gone;
    const rest = all - common;
    const bound = isKept && partners ? balance.limit : most;
    const scale = (isKept || share < 1) && all > bound && rest > 0 ? Math.sqrt(Math.max(0, bound - common) / rest) : 1;
    const after = common + scale * scale * rest;
    const left = Math.max(0, Math.max(given - surplus, Math.min(given, after)) - gone);
    this.budget = left + 0.5 * uu + scale * (uv + share * ud - uu);
    for (const guard of guards) {
      guard.share = share;
      guard.scale = scale;
      guard.keepsRigid = isKept;
      if (share < 1 || scale < 1) guard.guarded++;
    }
    if (share < 1) partners?.giveBack(set, 1 - share);
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
  private weighProxies(handed: Balance, weight: number, hasGuests: boolean): number {
    const { proxies } = this.colliders;
    if (proxies.length === 0) return 0;
    const { wrenches, guards } = this;
    // Guests have pushed them already.
    if (hasGuests) wrenches.set(this.colliders.substepWrenches.subarray(0, wrenches.length));
    else wrenches.fill(0);
    for (const guard of guards) guard.addPushes(wrenches);
    const { h } = guards[0];
    return proxies.reduce(
      (lift, proxy, k) => lift + addProxy(handed, proxy, wrenches.subarray(6 * k, 6 * k + 6), weight, h),
      0,
    );
  }
}

/** of all solids in an account, see `SUM` */
const total = new Float64Array(10);
