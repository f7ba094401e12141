import { CpuLocalGlobalSolver } from "../../solvers/local-global/cpu-solver";
import { LocalGlobalGroup } from "../../solvers/local-global/group";
import type { LocalGlobalModel } from "../../solvers/local-global/model";
import type { BodySettings } from "../backend/body-settings";
import type { SharedKind, Systems } from "../backend/systems";
import { joinMeetings } from "../meeting/meetings";
import { rigidSupply } from "../rigid/contact/rigid-supply";
import { watchSwallowed } from "../rigid/soft/swallowed";
import type { CpuBodyLane } from "./lane";

const system: SharedKind<LocalGlobalGroup> = {
  name: "local-global",
  create({ rigid }) {
    rigid.supplyOf = rigidSupply;
    return new LocalGlobalGroup();
  },
};

/** All local-global bodies of a world, one system: their contacts, forces, and the accuracy of the solution. */
export const localGlobalGroup = ({ systems }: { readonly systems: Systems }): LocalGlobalGroup => systems.of(system);

export const lane: CpuBodyLane<LocalGlobalModel, BodySettings> = {
  create(model, { systems, rigid }, { factorization }) {
    joinMeetings(systems);
    watchSwallowed(rigid);
    return new CpuLocalGlobalSolver(model, systems.of(system), factorization);
  },
};
