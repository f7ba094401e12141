/** Where the local-global bodies of a world are solved: the one place that decides it. */
import type { LocalGlobalOptions } from "../options";

/**
 * Whether the GPU has kernels for all that bodies may do in a frame. For contact it has only those of bodies with obstacles and
 * rigid bodies: where there is another surface to touch, all bodies of the world, which are one system, are solved on the CPU.
 */
export function isForGpu(bodies: readonly { readonly options: Readonly<LocalGlobalOptions> }[]): boolean {
  const mayMeet = bodies.filter(({ options }) => options.bodyCollision).length > 1;
  return !mayMeet && !bodies.some(({ options }) => options.selfCollision);
}
