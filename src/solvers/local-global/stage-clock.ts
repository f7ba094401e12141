/**
 * Stages of a step as Table 3 of paper 2 counts them; `detection` and the remaining time are not in its table. `global` is the
 * products with S, with held vertices and the rotation of the whole.
 */
export const stepStages = ["detection", "schur", "local", "global", "assembly", "constraints", "correction"] as const;
export type StepStage = (typeof stepStages)[number];

/** Adds up the time that stages take. */
export class StageClock {
  /** [ms] */
  readonly times: Record<StepStage, number> = {
    detection: 0,
    schur: 0,
    local: 0,
    global: 0,
    assembly: 0,
    constraints: 0,
    correction: 0,
  };
  private since = 0;

  reset(): void {
    for (const stage of stepStages) this.times[stage] = 0;
  }

  /** Starts the time of the stage that the next `lap` names. */
  start(): void {
    this.since = performance.now();
  }

  lap(stage: StepStage): void {
    const now = performance.now();
    this.times[stage] += now - this.since;
    this.since = now;
  }
}
