import { degenerate } from "../../errors";
import type { ArticulatedModel } from "../model";

/** @throws PliantError `degenerate-geometry`, with the link of a degree of freedom that has no inertia to move */
export function refusePivot(model: ArticulatedModel, dof: number, pivot: number): never {
  const link = model.linkNames[model.dofLink[dof]];
  const rule = "its joint must have inertia to move (pivot of the mass matrix must be positive)";
  throw degenerate(`mechanism "${model.name}": link "${link}"`, pivot, rule);
}
