/** Where the local-global bodies of a world are solved: the one place that decides it. */
import type { ColliderSet } from "../../../collision/collider-set";
import type { LocalGlobalOptions } from "../options";

/**
 * Whether the GPU has kernels for all that bodies may do in a frame. For contact it has only
 * those of bodies with obstacles: where there is a rigid body or another surface to touch, all bodies of the world, which are one system,
 * are solved on the CPU.
 */
export function isForGpu(
  bodies: readonly { readonly options: Readonly<LocalGlobalOptions> }[],
  colliders: ColliderSet,
): boolean {
  if (colliders.proxies.length > 0) return false;
  const mayMeet = bodies.filter(({ options }) => options.bodyCollision).length > 1;
  return !mayMeet && !bodies.some(({ options }) => options.selfCollision);
}
