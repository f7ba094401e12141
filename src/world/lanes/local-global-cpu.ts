import { CpuLocalGlobalSolver } from "../../solvers/local-global/cpu-solver";
import { type GroupMemory, LocalGlobalGroup } from "../../solvers/local-global/group";
import type { LocalGlobalModel } from "../../solvers/local-global/model";
import { perWorld } from "../backend/per-world";
import type { BodySettings } from "../backend/body-settings";
import type { CpuBodyLane } from "./lane";

/** All local-global bodies of a world, which are one system: their contacts, forces, and how exactly those were solved. */
export const localGlobalGroup = perWorld(() => new LocalGlobalGroup());

export const lane: CpuBodyLane<LocalGlobalModel, BodySettings> = {
  create: (model, host, { factorization }) => new CpuLocalGlobalSolver(model, localGlobalGroup(host), factorization),
  save: (host) => localGlobalGroup(host).save(),
  load: (host, memory) => localGlobalGroup(host).load(memory as GroupMemory),
};
