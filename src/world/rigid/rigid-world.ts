import { Part } from "../../part";
import * as gpu from "./parts/gpu-part";
import { RigidCore } from "./rigid-core";
import type { RigidWorldOptions } from "./rigid-world-options";
import * as solver from "./parts/solver-part";

export type { RigidWorldOptions } from "./rigid-world-options";

/** Rigid bodies and joints by themselves, see `RigidCore`: the code of their solvers is loaded from the start. */
export class RigidWorld extends RigidCore {
  /** @throws PliantError for options out of range */
  constructor(options: RigidWorldOptions = {}) {
    super(options, { solver: Part.of(solver), gpu: Part.of(gpu) });
  }
}
