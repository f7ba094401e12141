/** Finds the bodies that may come to touch each other in a frame: their surfaces are stepped together. */
import { DisjointSets } from "../../../math/disjoint-sets";
import { ObstacleMotion } from "../../../collision/obstacles/obstacle-motion";
import type { ProxyIsland, RigidProxy } from "../../../collision/obstacles/rigid-proxy";
import type { surfacesAreFree } from "../../../collision/surface/free-surfaces";
import { LEAST_GAP } from "../../../collision/surface/surface-mesh";
import { areApart, grown, type Box } from "../../../geometry/box";
import type { FrameInput, PinTable } from "../../deformable";
import type { Pressing } from "../guard/pushing-together";
import type { GpbdModel } from "../model";
import type { GpbdOptions, GpbdStepOptions } from "../options";

/** A body that others may meet. */
export interface Encountered {
  readonly model: Pick<
    GpbdModel,
    "positions" | "faces" | "sweptAtOnceBelow" | "frictionFactors" | "thicknessFactors"
  > & {
    readonly masses?: Float64Array | undefined;
    readonly rods?: { readonly edges: Uint32Array } | undefined;
  };
  /** whether it is of another solver; it meets other such bodies elsewhere */
  readonly isGuest?: boolean;
  /** whether it turned non-finite, and touches nothing any more, where that is known */
  readonly isFrozen?: boolean;
  /** of guests, and of solids on the CPU: they know of bodies that push one rigid body */
  readonly pressing?: Pressing | undefined;
  readonly guard?: { readonly pressing?: Pressing } | undefined;
  /** A box that holds it to the end of the frame, obstacles left aside. */
  span(frame: FrameInput, options: Readonly<GpbdOptions>, pins: PinTable): Box;
  /** positions as they are, or were last seen, particleCount × 3 [m] */
  readonly seen: ArrayLike<number>;
  /** number of times they were seen */
  readonly looks: number;
  /** Has the positions seen anew, unless they are up to date in any case. */
  look?(isUrgent: boolean): void;
}

/** A body in a frame. */
export interface Member<Solver> {
  readonly solver: Solver;
  readonly options: Readonly<GpbdStepOptions>;
  readonly pins: PinTable;
}

/** Two bodies that are near each other. */
interface Acquaintance {
  /** no part of one passes through the other: from here on contact keeps it so */
  readonly isFree: boolean;
  /** of both bodies, when that was found */
  readonly looks: number;
}

/** Frames from one look at bodies to the next: an unseen body may be anywhere that it can fall to. */
const LOOK_EVERY = 8;

export class Encounters<Solver extends Encountered> {
  private readonly obstacles = new ObstacleMotion();
  /** of those that were near each other in the last frame */
  private known = new Map<Solver, Map<Solver, Acquaintance>>();

  constructor(private readonly areFree: typeof surfacesAreFree) {}

  /** A body was put somewhere else. */
  forget(solver: Solver): void {
    this.known.delete(solver);
    for (const others of this.known.values()) others.delete(solver);
  }

  /**
   * @returns lists of bodies that may touch, each body in one of them; a body that meets no other has a list of its own. The order is
   * that of `members`
   */
  groups(members: readonly Member<Solver>[], frame: FrameInput): Member<Solver>[][] {
    const sets = new DisjointSets(members.length);
    const open = members.flatMap(({ options }, k) => (options.bodyCollision ? [k] : []));
    const boxes = this.boxesOf(members, open, frame);
    const near = nearPairs(members, open, boxes);
    const known = new Map<Solver, Map<Solver, Acquaintance>>();
    for (const [k, l] of near) {
      const [a, b] = [members[k], members[l]];
      const acquaintance = this.judge(a, b, frame);
      if (!known.has(a.solver)) known.set(a.solver, new Map());
      known.get(a.solver)!.set(b.solver, acquaintance);
      if (acquaintance.isFree) sets.join(k, l);
    }
    this.known = known;
    // Bodies that pull or push at one rigid body, or at those that move it, each for a whole frame, would throw it to and fro.
    const pressing = boxes.length > 0 ? pressingOf(members.map(({ solver }) => solver)) : undefined;
    for (const [first, ...others] of pressing?.lists(members, open, boxes, frame) ?? [])
      for (const k of others) sets.join(first, k);
    const pullers = new Map<RigidProxy | ProxyIsland, number>();
    members.forEach(({ pins }, k) => {
      for (const proxy of new Set(pins.proxies)) {
        if (!proxy) continue;
        const pulled = proxy.seat?.island ?? proxy;
        const first = pullers.get(pulled);
        if (first === undefined) pullers.set(pulled, k);
        else sets.join(first, k);
      }
    });
    const lists = new Map<number, Member<Solver>[]>();
    members.forEach((member, k) => {
      const list = lists.get(sets.rootOf(k));
      if (list) list.push(member);
      else lists.set(sets.rootOf(k), [member]);
    });
    return [...lists.values()];
  }

  /** Whether two bodies of this frame pass through each other, and go on doing so until they are free. */
  passThrough(a: Solver, b: Solver): boolean {
    return (this.known.get(a)?.get(b) ?? this.known.get(b)?.get(a))?.isFree === false;
  }

  /** Boxes that hold bodies, and what they may touch, to the end of the frame; none for a single body. */
  private boxesOf(members: readonly Member<Solver>[], open: readonly number[], frame: FrameInput): Box[] {
    if (open.length < 2) return [];
    this.obstacles.update(frame.colliders);
    const push = this.obstacles.share(1, 1);
    return open.map((k) => {
      const { solver, options, pins } = members[k];
      if (frame.frame % LOOK_EVERY === 0) solver.look?.(false);
      return grown(solver.span(frame, options, pins), push + distanceOf(options));
    });
  }

  private judge(a: Member<Solver>, b: Member<Solver>, frame: FrameInput): Acquaintance {
    const before = this.known.get(a.solver)?.get(b.solver);
    const looks = a.solver.looks + b.solver.looks;
    if (before?.isFree) return before;
    if (before && frame.frame % LOOK_EVERY === 0) for (const { solver } of [a, b]) solver.look?.(true);
    if (before?.looks === looks) return before;
    // Less than half of what contact leaves between them at least: what touches does not come to that by rounding.
    const least = 0.25 * LEAST_GAP * (distanceOf(a.options) + distanceOf(b.options));
    const isFree = this.areFree(placed(a.solver), placed(b.solver), least);
    return { isFree, looks };
  }
}

/** Code for bodies that push one rigid body, from those that have it. */
export function pressingOf(solvers: readonly Encountered[]): Pressing | undefined {
  const knows = solvers.find(({ pressing, guard }) => pressing ?? guard?.pressing);
  return knows?.pressing ?? knows?.guard?.pressing;
}

function nearPairs(
  members: readonly Member<Encountered>[],
  open: readonly number[],
  boxes: readonly Box[],
): [number, number][] {
  const pairs: [number, number][] = [];
  for (let i = 0; i < boxes.length; i++)
    for (let j = i + 1; j < boxes.length; j++)
      if (!areGuests(members[open[i]], members[open[j]]) && !areApart(boxes[i], boxes[j]))
        pairs.push([open[i], open[j]]);
  return pairs;
}

/** Whether both are of other solvers. */
export function areGuests(a: Member<Encountered>, b: Member<Encountered>): boolean {
  return a.solver.isGuest === true && b.solver.isGuest === true;
}

/** That a body's surface keeps from itself, and from others half of both [m]. */
export function distanceOf({ selfThickness, thickness }: Readonly<GpbdOptions>): number {
  return selfThickness ?? thickness;
}

function placed({ model, seen }: Encountered) {
  return { positions: seen, faces: model.faces, edges: model.rods?.edges };
}
