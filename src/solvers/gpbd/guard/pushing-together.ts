import { massOf } from "../../mass";
import type { ProxyIsland, RigidProxy } from "../../../collision/obstacles/rigid-proxy";
import { areApart, type Box } from "../../../geometry/box";
import type { FrameInput } from "../../deformable";
import { holdBetween } from "./hold-between";

export interface Pushing {
  readonly solver: { readonly isGuest?: boolean; readonly model: { readonly masses?: Float64Array | undefined } };
}

/**
 * Lists of bodies that may touch one rigid body, or those that move with it, where all but the heaviest of them weigh as much as it, or some are of other solvers. Between
 * two solids a box of a quarter of their masses sank: it rose by what the lower one gave it in its whole frame, before the upper one's.
 */
function pushingTogether(
  members: readonly Pushing[],
  open: readonly number[],
  boxes: readonly Box[],
  { colliders: { primitiveCount, proxyOf, proxies, bounds } }: FrameInput,
): number[][] {
  const pushed = new Map<RigidProxy | ProxyIsland, Set<number>>();
  for (let p = 0; p < primitiveCount; p++) {
    const proxy = proxies[proxyOf[p]];
    if (!(proxy?.inverseMass > 0)) continue;
    const [a, b, c, x, y, z] = bounds.subarray(6 * p);
    const box: Box = { min: [a, b, c], max: [x, y, z] };
    const key = proxy.seat?.island ?? proxy;
    boxes.forEach((own, i) => {
      if (areApart(own, box)) return;
      if (!pushed.has(key)) pushed.set(key, new Set());
      pushed.get(key)!.add(open[i]);
    });
  }
  return [...pushed].flatMap(([body, by]) => {
    const own = "mass" in body ? body.mass : 1 / body.inverseMass;
    const masses = Array.from(by, (k) => massOf(members[k].solver.model));
    const beside = masses.reduce((sum, mass) => sum + mass, 0) - Math.max(...masses);
    const guests = Array.from(by).filter((k) => members[k].solver.isGuest === true).length;
    return beside >= own || (guests > 0 && guests < by.size) ? [[...by]] : [];
  });
}

/** For bodies that push rigid bodies together; pages without solids and guests do not load it. */
export const pressing = { lists: pushingTogether, hold: holdBetween };
export type Pressing = typeof pressing;
