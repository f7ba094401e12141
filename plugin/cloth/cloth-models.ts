import { PliantError } from "../../src/errors";
import {
  type BodyModel,
  clothModel,
  type ClothDescription,
  type ClothModel,
  localGlobalClothModel,
  newtonClothModel,
  type SolverName,
  withEnergy,
} from "../../src/index";
import type { ClothOptions } from "./cloth-options";

/** What all solvers make cloth of; each knows membranes and bending of its own. */
export interface FabricSheet
  extends
    Omit<ClothDescription, "membrane" | "bending">,
    Pick<ClothOptions, "membrane" | "bending" | "stretchLimits" | "energy"> {
  readonly name: string;
}

/** @throws PliantError as the models of the solvers; `unsupported` for a membrane or bending that the solver does not have */
export function clothModelFor(
  solver: SolverName,
  sheet: FabricSheet,
): BodyModel & Pick<ClothModel, "fabric" | "vertexToParticle" | "triangleFaces" | "reversed"> {
  const { energy, stretchLimits, ...all } = sheet;
  const { membrane, bending, name, ...rest } = all;
  switch (solver) {
    case "gpbd":
      return [energy ?? []].flat().reduce((model, own) => withEnergy(model, own), clothModel(all as ClothDescription));
    case "local-global":
      if (bending === "dihedral") refuse(name, "bending", bending, solver);
      if (membrane === "stvk" || membrane === "springs" || membrane === "hylc")
        refuse(name, "membrane", membrane, solver);
      return localGlobalClothModel({ ...rest, name, membrane, bending, stretchLimits });
    case "newton":
      if (membrane !== undefined) refuse(name, "membrane", membrane, solver);
      if (bending !== undefined && bending !== "isometric") refuse(name, "bending", bending, solver);
      return newtonClothModel({ ...rest, name });
  }
}

function refuse(name: string, what: string, value: unknown, solver: SolverName): never {
  throw new PliantError("unsupported", `${name}.${what}`, value, `is not for solver "${solver}"`);
}
