import type { Ilqr } from "./ilqr";
import type { Run } from "./run";

/** Leaps that may fail one after another, with regularizations larger by these factors. */
const FACTORS = [1, 10, 100] as const;
/** Part of the cost that a leap must save in the end. */
const WORTHWHILE = 1e-3;

/**
 * Steps that raise the cost, where none lowers it though the model promises that, as at the kinks that contacts make (a watchdog: Chamberlain
 * et al. 1982). The best controls are kept, and taken up again where a leap has led nowhere.
 */
export class Leaps {
  private best: { readonly x: Float64Array; readonly u: Float64Array; readonly cost: number } | undefined;
  private failed = 0;

  constructor(
    private readonly ilqr: Ilqr,
    private readonly run: Run,
    private readonly regularization: number,
  ) {}

  /** Takes the next one from the best controls; false if there is none. */
  async take(): Promise<boolean> {
    const { ilqr, run, best } = this;
    const isBetter = best === undefined || best.cost - run.cost > WORTHWHILE * Math.abs(best.cost);
    this.failed = isBetter ? 0 : this.failed + 1;
    this.settle();
    this.best = { x: ilqr.x.slice(), u: ilqr.u.slice(), cost: run.cost };
    for (; this.failed < FACTORS.length && !run.breather.canceled; this.failed++) {
      await run.linearise();
      if (!ilqr.backward(this.regularization * FACTORS[this.failed])) continue;
      if (run.isSmall(-(ilqr.expected[0] + ilqr.expected[1]), run.cost)) return false;
      const cost = ilqr.forward(1);
      if (!Number.isFinite(cost)) continue;
      ilqr.accept();
      run.accepted(cost);
      return true;
    }
    return false;
  }

  /** Takes up the best controls again, unless those now are better. */
  settle(): void {
    const { ilqr, run, best } = this;
    if (best === undefined || run.cost <= best.cost) return;
    ilqr.x.set(best.x);
    ilqr.u.set(best.u);
    run.measure(best.cost);
  }
}
