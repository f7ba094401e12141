import { watchSwallowed } from "../rigid/soft/swallowed";
import type { DeformableOptions } from "../../solvers/deformable";
import type { CpuBodyLane } from "./lane";

/** A lane whose bodies small rigid ones do not go through. */
export const watched = <Model, Options extends DeformableOptions>(
  lane: CpuBodyLane<Model, Options>,
): CpuBodyLane<Model, Options> => ({
  create(model, host, options) {
    watchSwallowed(host.rigid);
    return lane.create(model, host, options);
  },
});
