import type { FemModel } from "../../solvers/newton/deformable/fem-model";
import { CpuNewtonDeformable } from "../rigid/soft/newton-deformable";
import { newtonSystem } from "../rigid/soft/newton-system";
import { watchSwallowed } from "../rigid/soft/swallowed";
import type { BodySettings } from "../backend/body-settings";
import { joinMeetings } from "../meeting/meetings";
import type { CpuBodyLane } from "./lane";

export const lane: CpuBodyLane<FemModel, BodySettings> = {
  create(model, { systems, rigid }) {
    joinMeetings(systems);
    watchSwallowed(rigid);
    return new CpuNewtonDeformable(model, rigid.soft, systems.of(newtonSystem));
  },
};
