import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { DeformableBody, Vec3, World } from "../../src/index";
import { distance } from "../../src/math/vectors";
import { closeIn, closingPace } from "../../src/solvers/gpbd/ties/ties";
import {
  fittedMotion,
  longestWay,
  meanOf,
  motionBetween,
  movedBy,
  pointBy,
} from "../../src/world/attachments/moved-by";
import type { FrameMotion } from "../rigid/bodies";
import type { RigidSurroundings } from "../rigid/engine-body";
import type { SceneFrame } from "../scene-frame";
import type { LedPoints } from "./led-points";

const STILL: Vec3 = [0, 0, 0];

/** Particles on a node, see `Attachments`. */
interface Carried {
  readonly carrier: { readonly node?: TransformNode | undefined };
  readonly particles: readonly number[];
  readonly away: Float64Array;
  start: Float64Array;
  way?: Vec3 | undefined;
}

/** The plugin, which loads this code. */
interface Host extends RigidSurroundings {
  readonly world: World;
  readonly frame: SceneFrame;
  readonly _motions: readonly FrameMotion[];
}

/**
 * A node that goes too far in a frame takes the body along as one piece, if nothing else holds it. Otherwise its particles go at once, as the
 * scene's code wants it.
 *
 * @param to places of the particles on the node, three numbers each [m]
 * @param dt length of the frame [s]
 * @returns whether the body goes along
 */
export function leap(body: DeformableBody, carried: Carried, to: Float64Array, host: Host, dt: number): boolean {
  const { world } = host;
  const { particles, start, away, way: last = STILL } = carried;
  carried.way = undefined;
  if (to === start) return false;
  const ways = to.map((value, i) => value - start[i]);
  // Also that of a leap: a runner who turns round leaps once, and not in each frame from then on.
  carried.way = meanOf(ways);
  const most = longestWay(body, world.gravity, dt);
  const isFar = particles.some((_, i) => distance(ways.subarray(3 * i, 3 * i + 3) as unknown as Vec3, last) > most);
  if (!isFar || !isHeldBy(world, body, particles.length)) return false;
  carried.start = to;
  ways.forEach((value, i) => (away[i] -= value));
  const motion = fittedMotion(start, to);
  body.rewrite(
    (state) => movedBy(motion, state),
    () => away.fill(0),
  );
  takeAlong(carried.carrier.node!, host, dt);
  return true;
}

/** Animated bodies that move with a node are there at once: on their way they would hit what has leapt ahead of them. */
function takeAlong(node: TransformNode, host: Host, dt: number): void {
  for (const motion of host._motions) {
    const { state, start, target } = motion;
    const own = motion.body.transformNode;
    if (!target || (own !== node && !own.isDescendantOf(node) && !node.isDescendantOf(own))) continue;
    for (const pose of [start, state]) {
      pose.position.copyFrom(target.position);
      pose.rotation.copyFrom(target.rotation);
    }
    motion.prepare(1, dt, host);
    const { x, y, z, w } = state.rotation;
    state.engine.solverBody?.teleport(host.frame.point(state.position), [x, y, z, w]);
  }
}

/** The same for a dynamic body that feels the particles. */
export function leapOfBody(body: DeformableBody, carried: Carried, led: LedPoints, host: Host, dt: number): void {
  const { from, solverBody } = led.state.engine;
  const { particles } = carried;
  if (!from || !solverBody) {
    carried.way = undefined;
    return;
  }
  const before = motionBetween(solverBody, from);
  const places = particles.map((_, i) => led.place(i));
  carried.start = Float64Array.from(places.flatMap((place) => pointBy(before, place)));
  leap(body, carried, Float64Array.from(places.flat()), host, dt);
}

/** Whether nothing but so many pins holds a body. */
function isHeldBy({ systems }: World, body: DeformableBody, count: number): boolean {
  const { pinned, range } = body.pins;
  const partners = systems.attachments?.partnersOf(body) ?? [];
  return !range && partners.length === 0 && pinned.reduce((sum, is) => sum + is, 0) === count;
}

/** Particles that are apart from their places on a carrier come nearer in a step of dt [s]. */
export function comeNearer(away: Float64Array, world: World, dt: number): void {
  closeIn(away, closingPace(world.gravity, dt));
}
