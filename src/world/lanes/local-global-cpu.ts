import { CpuLocalGlobalSolver } from "../../solvers/local-global/cpu-solver";
import { type GroupMemory, LocalGlobalGroup } from "../../solvers/local-global/group";
import type { LocalGlobalModel } from "../../solvers/local-global/model";
import { perWorld } from "../backend/per-world";
import type { BodySettings } from "../backend/body-settings";
import { meetingsOf, type MeetingMemory } from "../meeting/meetings";
import type { CpuBodyLane } from "./lane";

interface Memory {
  readonly group: GroupMemory;
  readonly meetings: MeetingMemory;
}

/** All local-global bodies of a world, which are one system: their contacts, forces, and how exactly those were solved. */
export const localGlobalGroup = perWorld(() => new LocalGlobalGroup());

export const lane: CpuBodyLane<LocalGlobalModel, BodySettings> = {
  create: (model, host, { factorization }) =>
    new CpuLocalGlobalSolver(model, localGlobalGroup(host), factorization, meetingsOf(host)),
  save: (host): Memory => ({ group: localGlobalGroup(host).save(), meetings: meetingsOf(host).save() }),
  load: (host, memory) => {
    const { group, meetings } = memory as Memory;
    localGlobalGroup(host).load(group);
    meetingsOf(host).load(meetings);
  },
};
