import type { CpuScratch, CpuState, CpuTopology } from "../cpu-state";
import type { GpbdModel } from "../model";

/** The body that is stepped. */
export interface SteppedCloth {
  readonly model: GpbdModel;
  readonly state: CpuState;
  readonly scratch: CpuScratch;
  readonly topology: CpuTopology;
}
