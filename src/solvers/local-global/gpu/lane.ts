/** Decides whether the GPU or the CPU solves the local-global bodies of a world. */
import type { GroupBody } from "../body/group-body";
import { contactValues } from "./contact/contact-buffers";

/**
 * Whether the device holds the least that contact needs: the columns of S at all vertices that may be touched. Bodies that are too
 * large for that are solved on the CPU, with all others of their world, since they are one system.
 *
 * @param bodies with their factors
 */
export function isForGpu(bodies: readonly GroupBody[], limits: GPUSupportedLimits): boolean {
  let values = 0;
  for (const body of bodies) values += contactValues(body);
  return 4 * values <= Math.min(limits.maxStorageBufferBindingSize, limits.maxBufferSize);
}
