import type { ColliderSet } from "./collider-set";
import { YIELD } from "./rigid-proxy";

/**
 * Runs the part of a frame on a GPU that the CPU steps. The GPU never learns of the motion that rigid bodies yield there:
 * it counts as handed out already when the host takes it over.
 *
 * @param dt of the frame [s]
 */
export function yieldOnHost({ colliders, dt }: { colliders: ColliderSet; dt: number }, work: () => void): void {
  const { proxies } = colliders;
  const before = proxies.map(({ yielded }) => yielded.slice());
  colliders.substepTime = 0;
  work();
  // No substep was taken here.
  if (colliders.substepTime === 0) return;
  proxies.forEach(({ yielded, taken }, p) => {
    for (let i = 0; i < YIELD.size; i++) taken[i] -= yielded[i] - before[p][i];
    // they have moved on already, see ProxyBuffers.endFrame
    for (let i = 0; i < 6; i++) yielded[YIELD.offset + i] -= dt * yielded[YIELD.velocity + i];
  });
}
