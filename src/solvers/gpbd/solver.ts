import type { ColliderSet } from "../../collision/collider-set";
import type { Vec3 } from "../../math/types";
import type { GpbdOptions } from "./options";

/** What the world hands to a solver each frame. */
export interface FrameInput {
  /** frame time [s]; the time step is this over the body's substeps */
  readonly dt: number;
  /** number of the frame, from 1 */
  readonly frame: number;
  readonly gravity: Vec3;
  readonly colliders: ColliderSet;
}

/** Positions and velocities, particleCount × 3 each [m, m/s]. */
export interface BodyState {
  positions: Float32Array | Float64Array;
  velocities: Float32Array | Float64Array;
}

/** Pinned particles: where they are to be at the end of the next frame. Shared by body and solver. */
export interface PinTable {
  /** 1 where pinned */
  readonly pinned: Uint8Array;
  /** particleCount × 3 [m] */
  readonly targets: Float64Array;
  /** raised by the body whenever something changed, lowered by the solver that took it over */
  changed: boolean;
}

/** One GPBD body on one backend. */
export interface GpbdSolver {
  step(frame: FrameInput, options: Readonly<GpbdOptions>, pins: PinTable): void;
  /** The state after the last step. */
  readState(): Promise<BodyState>;
  writeState(state: BodyState): void;
  /** First frame in which the body turned non-finite and was frozen; 0 while it is sound. */
  frozenAt(): Promise<number>;
  dispose(): void;
}
