import { beginReactions } from "../../../collision/obstacles/contact-reaction";
import { beginProxies, moveProxies, yieldProxies } from "../../../collision/obstacles/proxy-motion";
import type { FrameInput } from "../../deformable";
import type { ProxyStage } from "../phases";

/** Proxies of a frame on the CPU; undefined where there are none. */
export function cpuProxies(
  { colliders, dt }: FrameInput,
  substeps: number,
  hold?: ProxyStage["hold"],
): ProxyStage | undefined {
  if (colliders.proxies.length === 0) return undefined;
  beginProxies(colliders);
  return {
    hold,
    move: (substep) => moveProxies(colliders, substep / substeps, (substep + 1) / substeps, dt),
    beginReactions: () => beginReactions(colliders),
    endReactions: () => yieldProxies(colliders),
  };
}
