import { Part } from "../backend/part";
import * as gpu from "./parts/gpu-part";
import { RigidCore, type RigidWorldOptions } from "./rigid-core";
import * as solver from "./parts/solver-part";

export type { RigidWorldOptions } from "./rigid-core";

/** Rigid bodies and joints by themselves, see `RigidCore`: the code of their solvers is loaded from the start. */
export class RigidWorld extends RigidCore {
  /** @throws PliantError for options out of range */
  constructor(options: RigidWorldOptions = {}) {
    super(options, { solver: Part.of(solver), gpu: Part.of(gpu) });
  }
}
