import { Part } from "../../../part";

type SolverPart = typeof import("./solver-part");
type GpuPart = typeof import("./gpu-part");

/** The parts of a rigid world besides its tables. */
export interface RigidParts {
  readonly solver: Part<SolverPart>;
  readonly gpu: Part<GpuPart>;
}

/** Parts that worlds load when they need them. */
export const rigidParts: RigidParts = {
  solver: new Part(() => import("./solver-part")),
  gpu: new Part(() => import("./gpu-part")),
};
