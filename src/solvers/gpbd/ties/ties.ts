import type { FrameInput } from "../../deformable";
import type { PhasedSolver } from "../phases";
import type { Member } from "../surfaces/encounters";
import { joinTied, type Tie } from "./clusters";

/** Speed at which attached vertices that are apart come together [m/s]: their places change, not their velocities. */
export const CLOSING_SPEED = 0.5;

/** Attachments among bodies of GPBD of a world. */
export abstract class GroupTies<Solver> {
  readonly list: Tie<Solver>[] = [];

  /** Lists of members that step together: those that may touch, and those that are attached. */
  join(groups: readonly (readonly Member<Solver>[])[]): (readonly Member<Solver>[])[] {
    return joinTied(this.list, groups);
  }

  /** Whether two bodies are attached to each other. */
  connects(a: Solver, b: Solver): boolean {
    return this.list.some(({ ends: [{ solver: p }, { solver: q }] }) => (p === a && q === b) || (p === b && q === a));
  }

  /** Bodies that step together, with their attachments; after all of them have begun the frame of `substeps`. */
  abstract tie(members: readonly Member<Solver>[], frame: FrameInput, substeps: number): readonly PhasedSolver[];

  /** The last attachment is gone. */
  dispose(): void {
    // Nothing outside the heap is held.
  }
}
