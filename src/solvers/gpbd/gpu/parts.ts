import type { ColliderBuffers } from "../../../collision/obstacles/collider-buffers";
import type { GpuContext } from "../../../gpu/device";
import { Part } from "../../../part";

/** The shader of bodies that particles hold against obstacles. Until it has arrived, they are pushed by the mass of these particles. */
export const squeezePart = new Part(() => import("../../../generated/shaders/squeeze"));

/** Code for pins and obstacles that meet. Until it has arrived, contact stretches what is between them. */
export const heldPart = new Part(() => import("./gpu-held"));

/** Its state for a body; undefined until it has arrived. */
export function heldOn(context: GpuContext, colliders: ColliderBuffers, particleCount: number) {
  if (!heldPart.loaded) void heldPart.load().catch(() => undefined);
  return heldPart.loaded && new heldPart.loaded.GpuHeld(context, colliders, particleCount);
}

/** Code for what nothing holds or touches. Until it has arrived, that loses angular momentum; solids come with it. */
export const spinPart = new Part(() => import("./gpu-free-spin"));

/** The same of `GpuFreeSpin`. */
export function spinOn(context: GpuContext) {
  if (!spinPart.loaded) void spinPart.load().catch(() => undefined);
  return spinPart.loaded && new spinPart.loaded.GpuFreeSpin(context);
}
