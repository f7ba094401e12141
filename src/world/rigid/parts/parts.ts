import { Part } from "../../backend/part";

type SolverPart = typeof import("./solver-part");
type GpuPart = typeof import("./gpu-part");

/** What a rigid world has besides its tables. */
export interface RigidParts {
  readonly solver: Part<SolverPart>;
  readonly gpu: Part<GpuPart>;
}

/** Loaded by the worlds that need them. */
export const rigidParts: RigidParts = {
  solver: new Part(() => import("./solver-part")),
  gpu: new Part(() => import("./gpu-part")),
};
