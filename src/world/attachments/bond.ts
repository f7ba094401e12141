import type { World } from "../world";
import type { ResolvedAttachment } from "./attachment-options";

/** An attachment in the solvers that hold it. */
export interface Bond {
  /** Before a step of dt [s]. */
  prepare(dt: number): void;
  /** After a step: writes the force on each attached vertex [N], if the attachment can break. */
  read(forces: Float64Array, dt: number): void;
  /** Some vertices came off, or are attached again: see `BondHost.isBroken`. */
  refresh(): void;
  /** Lets all vertices go. */
  dispose(): void;
  /** State from step to step, for snapshots; absent without any. */
  save?(): readonly Float64Array[];
  load?(memory: readonly Float64Array[]): void;
}

/** The attachment of a bond. */
export interface BondHost extends ResolvedAttachment {
  readonly world: World;
  /** 1 for each vertex that came off */
  readonly isBroken: Uint8Array;
}
