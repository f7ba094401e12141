import type { GpuContext } from "../../gpu/device";
import type { Vec3 } from "../../math/types";
import { optionNames } from "../../option-names";
import type { NewtonOptions } from "../../solvers/newton/options";
import type { RigidQuality } from "../../solvers/newton/quality";

export interface RigidWorldOptions {
  /** [m/s²], default [0, −9.81, 0] */
  gravity?: Vec3 | undefined;
  /** steps in a frame, default 1 */
  substeps?: number | undefined;
  /** trade-off between time and accuracy for large islands, default "balanced" */
  quality?: RigidQuality | undefined;
  /** options of the solver; they override those of the quality */
  solver?: Partial<NewtonOptions> | undefined;
  /**
   * contacts are searched for up to this distance [m] plus the approach of the bodies in the step; default 5 mm times
   * the grain of the bodies (newton/scale.ts)
   */
  contactDistance?: number | undefined;
  /** whether bodies may fall asleep, default true */
  sleeping?: boolean | undefined;
  /** device that solves rigid bodies, in f32; default: the CPU solves them */
  context?: GpuContext | undefined;
  /** device that solves deformable bodies of the Newton solver, in f32, see `softLane`; default: the CPU solves them */
  softContext?: GpuContext | undefined;
  /** whether to time the passes on that device, if it supports that */
  timestamps?: boolean | undefined;
}

export const rigidWorldOptionNames = optionNames<RigidWorldOptions>()(
  "gravity substeps quality solver contactDistance sleeping? context softContext timestamps?",
);
