import type { ColliderBuffers } from "../../collision/obstacles/collider-buffers";
import type { GpuContext } from "../../gpu/device";
import { GpuContactSolver } from "../../solvers/local-global/gpu/contact/contact-stage";
import { GpuLocalGlobalGroup } from "../../solvers/local-global/gpu/gpu-group";
import { GpuLocalGlobalSolver } from "../../solvers/local-global/gpu/gpu-solver";
import type { LocalGlobalModel } from "../../solvers/local-global/model";
import type { SystemHost } from "../backend/systems";
import type { BodySettings } from "../backend/body-settings";
import { joinLanes } from "../backend/host-lanes";
import { joinMeetings } from "../meeting/meetings";
import type { GpuBodyLane } from "./lane";
import { localGlobalGroup } from "./local-global-cpu";

const system = {
  create(context: GpuContext, host: SystemHost, colliders: ColliderBuffers): GpuLocalGlobalGroup {
    const reference = localGlobalGroup(host);
    return new GpuLocalGlobalGroup(
      context,
      reference,
      (...buffers) => new GpuContactSolver(...buffers, reference, colliders),
    );
  },
};

export const lane: GpuBodyLane<LocalGlobalModel, BodySettings> = {
  create(model, { systems }, context, colliders, { factorization }) {
    joinMeetings(systems);
    joinLanes(systems);
    return new GpuLocalGlobalSolver(context, model, systems.on(context, system, colliders), factorization);
  },
};
