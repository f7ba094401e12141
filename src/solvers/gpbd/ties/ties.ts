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

  /** Whether a body is attached to another one. */
  has(solver: Solver): boolean {
    return this.list.some(({ ends }) => ends.some((end) => end.solver === solver));
  }

  /** Bodies that step together, with their attachments; after all of them have begun the frame of `substeps`. */
  abstract tie(members: readonly Member<Solver>[], frame: FrameInput, substeps: number): readonly PhasedSolver[];
}
