import type { FemModel } from "../../solvers/newton/deformable/fem-model";
import { CpuNewtonDeformable } from "../rigid/soft/newton-deformable";
import type { BodySettings } from "../backend/body-settings";
import { meetingsOf, type MeetingMemory } from "../meeting/meetings";
import type { CpuBodyLane } from "./lane";

export const lane: CpuBodyLane<FemModel, BodySettings> = {
  create: (model, host) => new CpuNewtonDeformable(model, host.rigid.soft, meetingsOf(host)),
  save: (host) => meetingsOf(host).save(),
  load: (host, memory) => meetingsOf(host).load(memory as MeetingMemory),
};
