import { PliantError } from "../errors";
import type { RestTriangle } from "../geometry/material-frame";
import { twinSides } from "../geometry/twin-sides";
import type { Fabric } from "../materials/fabric";
import { termLayout, type BendingKind, type EnergyTerm } from "../solvers/gpbd/model";
import { writeBendingElement } from "../solvers/gpbd/sheet-bending";
import { hingeAngle } from "../solvers/gpbd/strains/dihedral";
import type { ClothSurface } from "./cloth";
import { createTerm } from "./term";

/**
 * `dihedral`: by the angles between triangles, any rest shape. `isometric`: quadratic in the positions, for sheets flat at rest; cheaper. Both
 * have the stiffness of the fabric in every direction, on any mesh.
 */
export type BendingModel = "dihedral" | "isometric";

export const bendingModels: readonly BendingModel[] = ["dihedral", "isometric"];

/** Rest angles below this [rad] count as flat. */
const flatAngle = 1e-3;

export function hingesAreFlat(positions: Float64Array, hinges: Uint32Array): boolean {
  return curvedHinge(positions, hinges) === undefined;
}

/** The first hinge that is not flat. */
function curvedHinge(positions: Float64Array, hinges: Uint32Array): number | undefined {
  for (let h = 0; h < hinges.length; h += 4)
    if (Math.abs(hingeAngle(positions, hinges.subarray(h, h + 4))) > flatAngle) return h / 4;
  return undefined;
}

/**
 * Bending with one element a triangle that has a neighbour: the orthotropic energy of `bendingStrain` on the curvature of `triangleCurvature`.
 *
 * @throws PliantError for `isometric` and a mesh that is not flat at rest
 */
export function bendingTerm(surface: ClothSurface, fabric: Readonly<Fabric>, model: BendingModel): EnergyTerm {
  const { name, positions, indices, edges } = surface;
  const curved = model === "isometric" ? curvedHinge(positions, edges.hinges) : undefined;
  if (curved !== undefined)
    throw new PliantError(
      "invalid-argument",
      `${name} hinge ${curved}`,
      hingeAngle(positions, edges.hinges.subarray(4 * curved, 4 * curved + 4)),
      "isometric bending needs a mesh that is flat at rest",
    );
  const kind: BendingKind = `${model}-bending`;
  const sheet = { positions, indices, twins: twinSides(indices) };
  const triangles = [...surface.triangles.keys()].filter((f) =>
    sheet.twins.subarray(3 * f, 3 * f + 3).some((twin) => twin >= 0),
  );
  const { arity, rest: stride } = termLayout[kind];
  const lists = {
    indices: new Uint32Array(arity * triangles.length),
    rest: new Float64Array(stride * triangles.length),
  };
  const stiffness = [fabric.bendingWarp, fabric.bendingWeft] as const;
  triangles.forEach((f, element) =>
    writeBendingElement(kind, sheet, f, warpAngle(surface.triangles[f]!), stiffness, lists, element),
  );
  return createTerm(kind, surface, lists.indices, lists.rest, [fabric.bendingDamping, ...stiffness]);
}

/** From the first side of a triangle to the warp, about its normal [rad]: the side is (a, c) in material axes, and Dm⁻¹ = (d, −b; −c, a)/A₂. */
function warpAngle({ inverse }: RestTriangle): number {
  return Math.atan2(inverse[2], inverse[3]);
}
