import type { CpuScratch, CpuState, CpuTopology } from "../cpu/cpu-state";
import type { FreeSpin } from "../cpu/free-spin";
import type { GpbdModel } from "../model";
import type { CpuTethers } from "../tethers/cpu-tethers";

/** The body that is stepped. */
export interface SteppedCloth {
  readonly model: GpbdModel;
  readonly state: CpuState;
  readonly scratch: CpuScratch;
  readonly topology: CpuTopology;
  /** made in frames whose options have a `tetherSlack` */
  readonly tethers: CpuTethers | undefined;
  /** in frames in which nothing holds or touches it */
  readonly spin: FreeSpin | undefined;
}
