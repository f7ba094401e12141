import type { ProxyIsland, RigidProxy } from "../../collision/obstacles/rigid-proxy";
import { Motion } from "../../solvers/newton/motion/bodies";
import type { RigidDynamics } from "../../solvers/newton/dynamics";
import type { Linkage } from "../../solvers/newton/linkage/linkage";
import type { ContactFinder } from "./contact/contact-finder";
import { Pinched, type ThinBody } from "./soft/pinched";
import type { RigidBody } from "./rigid-body";

/** A mechanism in the form in which a rigid world steps it. */
export interface WorldLinkage extends Linkage {
  /** links that others can touch, in the order of `slots` */
  readonly bodies: readonly RigidBody[];
  /** longest length of a step in which something is touched [s] */
  readonly maxTimeStep: number;
  /** Begins a frame of dt [s]. */
  beginFrame(dt: number): void;
  /** Predicts a step of h [s] without contacts: writes the twists of the bodies. */
  predict(h: number): void;
  endFrame(dt: number): void;
  /** After the step: lets deformable bodies push the links that have proxies as one. */
  joinLinks(proxyOf: (body: RigidBody) => RigidProxy | undefined): ProxyIsland | undefined;
}

/**
 * Begins a frame of dt [s].
 *
 * @param thin deformable bodies, which links of one mechanism may pinch
 * @returns lowest number of steps that mechanisms need
 */
export function beginLinkages(
  all: readonly WorldLinkage[],
  dynamics: RigidDynamics,
  finder: ContactFinder,
  dt: number,
  thin: readonly ThinBody[],
) {
  const { linkages } = dynamics.deformables;
  linkages.length = 0;
  finder.pinched = undefined;
  if (all.length === 0) return 1;
  finder.pinched = new Pinched(thin);
  linkages.push(...all);
  let steps = 1;
  for (const linkage of all) {
    linkage.beginFrame(dt);
    for (const { record } of linkage.bodies) dynamics.bodies.model.motion[record.slot] = Motion.linked;
    linkage.predict(dt);
    if (finder.isNear(linkage.bodies, dt)) steps = Math.max(steps, Math.ceil(dt / linkage.maxTimeStep - 1e-9));
  }
  return steps;
}
