/** Where the local-global bodies of a world are solved: the one place that decides it. */
import type { ColliderSet } from "../../../collision/collider-set";
import type { LocalGlobalOptions } from "../options";

/**
 * Whether the GPU has kernels for all that bodies may do in a frame. It has none for air, and for contact with obstacles alone: where there
 * is a rigid body or another surface to touch, a cable, or an obstacle and a held vertex, all bodies of the world, which are one system, are
 * solved on the CPU.
 */
export function isForGpu(
  bodies: readonly { readonly options: Readonly<LocalGlobalOptions>; readonly isHeld: boolean }[],
  colliders: ColliderSet,
  hasCables: boolean,
): boolean {
  if (hasCables || colliders.proxies.length > 0) return false;
  if (colliders.primitives.length > 0 && bodies.some(({ isHeld }) => isHeld)) return false;
  const mayMeet = bodies.filter(({ options }) => options.bodyCollision).length > 1;
  return !mayMeet && !bodies.some(({ options }) => options.selfCollision || options.airDensity > 0);
}
