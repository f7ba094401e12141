import type { FemModel } from "../../solvers/newton/deformable/fem-model";
import { GpuNewtonDeformable } from "../rigid/soft/gpu-newton-deformable";
import { CpuNewtonDeformable } from "../rigid/soft/newton-deformable";
import { newtonSystem } from "../rigid/soft/newton-system";
import type { BodySettings } from "../backend/body-settings";
import { joinLanes } from "../backend/host-lanes";
import { joinMeetings } from "../meeting/meetings";
import type { GpuBodyLane } from "./lane";

export const lane: GpuBodyLane<FemModel, BodySettings> = {
  create(model, { systems, rigid }, context) {
    joinMeetings(systems);
    joinLanes(systems);
    const solver = new CpuNewtonDeformable(model, rigid.soft);
    return new GpuNewtonDeformable(context, solver, rigid, systems.of(newtonSystem));
  },
};
