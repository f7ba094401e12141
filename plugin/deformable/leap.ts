import type { DeformableBody, Vec3, World } from "../../src/index";
import { distance } from "../../src/math/vectors";
import { closeIn } from "../../src/world/attachments/places";
import { fittedMotion, longestWay, movedBy } from "../../src/world/attachments/moved-by";

const STILL: Vec3 = [0, 0, 0];

/** Particles on a carrier, see `Attachments`. */
interface Carried {
  readonly particles: readonly number[];
  readonly led?: object | undefined;
  readonly away: Float64Array;
  start: Float64Array;
  way?: Vec3 | undefined;
}

/** A frame in which a carrier may jump. */
interface Frame {
  /** [s] */
  readonly dt: number;
  readonly world: World;
  /** whether no other carrier moves a part of the body */
  readonly isOne: boolean;
}

/**
 * A carrier that goes too far in a frame takes the body along as one piece, if nothing else holds it; otherwise its particles come
 * slowly, see `Leaps`.
 *
 * @param to places of the particles on the carrier, three numbers each [m]
 */
export function leap(body: DeformableBody, attachment: Carried, to: Float64Array, { dt, world, isOne }: Frame): void {
  const { particles, led, start, away, way: last = STILL } = attachment;
  const from = led ? Float64Array.from(particles.flatMap((p) => [...body.pinTarget(p)])) : start;
  const ways = to.map((value, i) => value - from[i] + (led ? away[i] : 0));
  const mean = [0, 1, 2].map((c) => ways.reduce((sum, way, i) => sum + (i % 3 === c ? way : 0), 0) / particles.length);
  attachment.way = mean as unknown as Vec3;
  const most = longestWay(body, world.gravity, dt);
  const isFar = particles.some((_, i) => distance(ways.subarray(3 * i, 3 * i + 3) as unknown as Vec3, last) > most);
  if (!isFar) return;
  attachment.way = undefined;
  ways.forEach((value, i) => (away[i] -= value));
  attachment.start = to;
  if (!isOne || !isHeldBy(world, body, particles.length)) return;
  const motion = fittedMotion(from, to);
  body.rewrite(
    (state) => movedBy(motion, state),
    () => away.fill(0),
  );
}

/** Whether nothing but so many pins holds a body. */
function isHeldBy({ systems }: World, body: DeformableBody, count: number): boolean {
  const { pinned, range } = body.pins;
  const partners = systems.attachments?.partnersOf(body) ?? [];
  return !range && partners.length === 0 && pinned.reduce((sum, is) => sum + is, 0) === count;
}

/** Particles that are apart from their places on a carrier come nearer in a step of dt [s]. */
export function comeNearer(away: Float64Array, world: World, dt: number): void {
  for (let i = 0; i < away.length; i += 3) closeIn(away.subarray(i, i + 3), world, dt);
}
