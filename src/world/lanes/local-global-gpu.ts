import type { ColliderBuffers } from "../../collision/obstacles/collider-buffers";
import { GpuContactSolver } from "../../solvers/local-global/gpu/contact/contact-stage";
import { GpuLocalGlobalGroup } from "../../solvers/local-global/gpu/gpu-group";
import { GpuLocalGlobalSolver } from "../../solvers/local-global/gpu/gpu-solver";
import type { LocalGlobalModel } from "../../solvers/local-global/model";
import { perDevice } from "../backend/per-world";
import type { BodySettings } from "../backend/body-settings";
import type { GpuBodyLane } from "./lane";
import { localGlobalGroup } from "./local-global-cpu";

const gpuGroup = perDevice((context, host, colliders: ColliderBuffers) => {
  const reference = localGlobalGroup(host);
  return new GpuLocalGlobalGroup(
    context,
    reference,
    (...system) => new GpuContactSolver(...system, reference, colliders),
  );
});

export const lane: GpuBodyLane<LocalGlobalModel, BodySettings> = {
  create: (model, host, context, colliders, { factorization }) =>
    new GpuLocalGlobalSolver(context, model, gpuGroup(host, context, colliders), factorization),
};
