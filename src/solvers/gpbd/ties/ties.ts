import type { Vec3 } from "../../../math/types";
import { lengthAt, norm } from "../../../math/vectors";
import type { FrameInput } from "../../deformable";
import { EARTH } from "../../spacing";
import type { PhasedSolver } from "../phases";
import type { Member } from "../surfaces/encounters";
import { joinTied, type Tie } from "./clusters";

/**
 * Attached vertices that are apart come together slower and slower, with the speed of a fall over an eighth of the way between them:
 * their places change, not their velocities. They come nearer in a frame of dt [s] by this factor times the root of that way [√m].
 */
export function closingPace(gravity: Vec3, dt: number): number {
  return (dt * Math.sqrt(norm(gravity) || EARTH)) / 2;
}

/** Shortens ways that attached places may still be apart, three numbers each. */
export function closeIn(ways: Float64Array, pace: number): void {
  for (let i = 0; i < ways.length; i += 3) {
    const root = Math.sqrt(lengthAt(ways, i));
    const left = root > pace ? 1 - pace / root : 0;
    for (let c = i; c < i + 3; c++) ways[c] *= left;
  }
}

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
