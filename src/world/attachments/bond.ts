import type { World } from "../world";
import type { ResolvedAttachment } from "./attachment-options";
import type { Ways } from "./places";

/** An attachment in the solvers that hold it. */
export interface Bond {
  /** Before a step. */
  prepare(): void;
  /** Its bodies were put elsewhere, and its ways are other ones. */
  part?(): void;
  /** After a step: writes the force on each attached vertex [N], if the attachment can break. */
  read(forces: Float64Array, dt: number): void;
  /** Some vertices came off, or are attached again: see `BondHost.isOff`. */
  refresh(): void;
  /** Lets all vertices go. */
  dispose(): void;
  /** State from step to step besides the ways, for snapshots; absent without any. */
  save?(): readonly Float64Array[];
  load?(memory: readonly Float64Array[]): void;
}

/** The attachment of a bond. */
export interface BondHost extends ResolvedAttachment {
  readonly world: World;
  readonly ways: Ways;
  /** 1 for each vertex that came off, or is pinned as that is which it is attached to: no force could bring the two together */
  readonly isOff: Uint8Array;
}
