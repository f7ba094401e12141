import { massOf } from "../../solvers/mass";
import type { DeformableBody } from "../body";

/** The parts of an attachment that tell what hangs on a body. */
interface Hanging {
  readonly bodies: readonly DeformableBody[];
  readonly count: number;
}

/**
 * Tells bodies of GPBD what is attached to them: substeps follow the load. A body that pins hold is no load on one that
 * no pin holds.
 *
 * @param before bodies that may have had loads before
 */
export function hangLoads(list: readonly Hanging[], before: readonly DeformableBody[] = []): void {
  const pairs = list.filter(({ bodies, count }) => count > 0 && bodies.length === 2 && bodies[0] !== bodies[1]);
  const own = list.filter(({ bodies, count }) => count > 0 && bodies.length === 2 && bodies[0] === bodies[1]);
  const all = new Set([...before, ...pairs.flatMap(({ bodies }) => bodies), ...own.flatMap(({ bodies }) => bodies)]);
  for (const body of all) {
    const vertices = pairs.reduce((sum, { bodies, count }) => sum + (bodies.includes(body) ? count : 0), 0);
    const isTied = vertices > 0 || own.some(({ bodies }) => bodies.includes(body));
    body.pins.hung = isTied ? { mass: loadOn(body, pairs), vertices } : undefined;
  }
}

/** Mass of all bodies that are connected with a body by attachments [kg]. */
function loadOn(body: DeformableBody, pairs: readonly Hanging[]): number {
  const isHeld = (other: DeformableBody): boolean => other.pins.pinned.includes(1);
  const seen = new Set([body]);
  const open = [body];
  let mass = 0;
  for (let at = open.pop(); at; at = open.pop())
    for (const { bodies } of pairs) {
      if (!bodies.includes(at)) continue;
      const other = bodies[0] === at ? bodies[1] : bodies[0];
      if (seen.has(other) || (isHeld(other) && !isHeld(body))) continue;
      seen.add(other);
      open.push(other);
      mass += massOf(other.model);
    }
  return mass;
}
