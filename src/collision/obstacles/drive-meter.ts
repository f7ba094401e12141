import type { ColliderSet } from "./collider-set";
import type { ContactReaction, HoldSqueezed } from "./contact-reaction";
import type { RigidProxy } from "./rigid-proxy";

/** Adds up with what velocities deformable bodies push proxies: see `RigidProxy.drive`. */
export interface DriveMeter {
  /**
   * Before velocities are those after a substep: what elements drive particles to in it does not count, as they drive them far beyond a body in
   * their way.
   *
   * @param w h²/m of each particle [s²/kg], 0 where pinned
   * @param v velocities before the substep, n × 3 [m/s]
   * @param share as of `returnReactions`
   */
  note(
    reaction: ContactReaction,
    set: ColliderSet,
    w: ArrayLike<number>,
    v: ArrayLike<number>,
    h: number,
    share?: number,
  ): void;
  /** Takes the velocity of the proxy off. @param w its impulse [N s], and angular impulse about its center of mass [N m s] */
  relate(proxy: RigidProxy, w: ArrayLike<number>): void;
}

/** The meter, once there is something that reads it. */
export const metered: { by?: DriveMeter } = {};

/** The code that holds bodies on particles between them and obstacles, once there are rigid bodies. */
export const squeezed: { by?: HoldSqueezed } = {};
