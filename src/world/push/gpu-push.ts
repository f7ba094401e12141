import { shaders } from "../../generated/shaders/push";
import { PushParameters } from "../../generated/shaders/structs-push";
import { Kernel } from "../../gpu/kernel";
import { StructWriter } from "../../gpu/struct";
import type { MotionOnGpu } from "../../solvers/deformable";
import type { Push } from "./push";

/**
 * Pushes a body where its state is: nothing is read back. See shaders/push/push.wgsl.
 *
 * @param masses [kg], 0 for particles that keep their velocity
 */
export function pushOnGpu({ context, positions, velocities }: MotionOnGpu, push: Push, masses: Float64Array): void {
  const { impulse, point, angularImpulse, linearVelocity, angularVelocity, blast } = push;
  const writer = new StructWriter(PushParameters, 1);
  writer.put(0, { particleCount: masses.length, hasPoint: Number(point !== undefined) });
  writer.put(0, {
    setsLinear: Number(linearVelocity !== undefined),
    setsAngular: Number(angularVelocity !== undefined),
  });
  for (const [name, value] of Object.entries({ impulse, point, angularImpulse, linearVelocity, angularVelocity }))
    if (value) writer.set(0, name as "impulse", value);
  if (blast) {
    const { center, radius, impulse: strength, falloff } = blast;
    writer.put(0, { center, radius, blast: strength, isConstant: Number(falloff === "constant") });
  }
  const given = context.createBuffer("push", new Uint8Array(writer.bytes));
  const weights = context.createBuffer("masses of a push", Float32Array.from(masses));
  const all = { positions, velocities, masses: weights, push: given };
  const kernel = Kernel.create(context, "push", shaders["push/push"], "pushBody", all);
  const encoder = context.device.createCommandEncoder({ label: "push" });
  const pass = encoder.beginComputePass({ label: "push" });
  kernel.dispatchWorkgroups(pass, 1, new Uint32Array());
  pass.end();
  context.device.queue.submit([encoder.finish()]);
  // They live until the work that was submitted is done.
  given.destroy();
  weights.destroy();
}
