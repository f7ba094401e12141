import { type ArticulatedModel, WORLD } from "../model";

/** Things in an order, and where each of its parts ends. */
export interface Schedule {
  readonly order: readonly number[];
  readonly ends: readonly number[];
}

/** The orders in which lanes share the links and the coordinates of a mechanism: those of one part do not depend on each other. */
export interface Schedules {
  /** links, and coordinates, by how many are between them and the world */
  readonly linkLevels: Schedule;
  readonly dofLevels: Schedule;
  /** coordinates, after those that they move: one of each tree in each part */
  readonly dofRounds: Schedule;
}

export function schedulesOf({ parent, dofParent }: ArticulatedModel): Schedules {
  const dofDepth = depthsOf(dofParent);
  const roots: number[] = [];
  dofParent.forEach((above, k) => roots.push(above === WORLD ? k : roots[above]));
  const taken = new Map<number, number>();
  const rounds = new Array<number>(dofParent.length);
  for (let k = dofParent.length - 1; k >= 0; k--) {
    rounds[k] = taken.get(roots[k]) ?? 0;
    taken.set(roots[k], rounds[k] + 1);
  }
  return {
    linkLevels: scheduleOf(depthsOf(parent)),
    dofLevels: scheduleOf(dofDepth),
    dofRounds: scheduleOf(rounds),
  };
}

/** The number of those above each; parents come before those below them. */
function depthsOf(parents: ArrayLike<number>): number[] {
  const depths: number[] = [];
  for (let i = 0; i < parents.length; i++) depths.push(parents[i] === WORLD ? 0 : depths[parents[i]] + 1);
  return depths;
}

/** @param parts the part of each thing */
function scheduleOf(parts: readonly number[]): Schedule {
  const order = parts.map((_, i) => i).sort((a, b) => parts[a] - parts[b] || a - b);
  const ends: number[] = [];
  order.forEach((i, n) => (ends[parts[i]] = n + 1));
  return { order, ends };
}
