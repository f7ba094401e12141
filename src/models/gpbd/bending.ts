import { invalid } from "../../errors";
import { NO_VERTEX } from "../../geometry/surface/incidence";
import type { RestTriangle } from "../../geometry/material-frame";
import { twinSides } from "../../geometry/surface/twin-sides";
import type { Fabric } from "../../materials/fabric";
import { termLayout, type BendingKind, type EnergyTerm } from "../../solvers/gpbd/model";
import { writeBendingElement } from "../../solvers/gpbd/elements/sheet-bending";
import { WEIGHTS } from "../../solvers/gpbd/strains/curvature-vectors";
import { hingeAngle } from "../../solvers/gpbd/strains/dihedral";
import type { ClothSurface } from "./cloth-surface";
import { createTerm } from "./term";
import { atan2 } from "../../math/deterministic";

/**
 * `dihedral`: based on the angles between triangles, for any rest shape. `isometric`: quadratic in the positions, for
 * sheets flat at rest; cheaper. Both have the stiffness of the fabric in every direction, on any mesh.
 */
export type BendingModel = "dihedral" | "isometric";

export const bendingModels: readonly BendingModel[] = ["dihedral", "isometric"];

/** Rest angles below this [rad] count as flat. */
const flatAngle = 1e-3;

/** The first hinge that is not flat. */
export function curvedHinge(positions: Float64Array, hinges: Uint32Array): number | undefined {
  for (let h = 0; h < hinges.length; h += 4)
    if (Math.abs(hingeAngle(positions, hinges.subarray(h, h + 4))) > flatAngle) return h / 4;
  return undefined;
}

/**
 * Bending with one element for each triangle that has a neighbor: the orthotropic energy of `bendingStrain` on the
 * curvature of `triangleCurvature`.
 *
 * @throws PliantError for `isometric` and a mesh that is not flat at rest
 */
export function bendingTerm(surface: ClothSurface, fabric: Readonly<Fabric>, model: BendingModel): EnergyTerm {
  const { name, positions, edges } = surface;
  const curved = model === "isometric" ? curvedHinge(positions, edges.hinges) : undefined;
  if (curved !== undefined)
    throw invalid(
      `${name} hinge ${curved}`,
      hingeAngle(positions, edges.hinges.subarray(4 * curved, 4 * curved + 4)),
      "isometric bending needs a mesh that is flat at rest",
    );
  const angles = surface.triangles.map(warpAngle);
  const stiffness = [fabric.bendingWarp, fabric.bendingWeft] as const;
  return sheetBending(`${model}-bending`, surface, stiffness, angles, fabric.bendingDamping);
}

/**
 * An element for each triangle that has a neighbor.
 *
 * @param stiffnesses along warp and weft [N m]
 * @param warpAngles angles of the triangles, from their first sides to the warp [rad]
 */
export function sheetBending(
  kind: BendingKind,
  surface: Pick<ClothSurface, "positions" | "indices">,
  stiffness: readonly [number, number],
  warpAngles: ArrayLike<number>,
  damping: number,
): EnergyTerm {
  const { positions, indices } = surface;
  const sheet = { positions, indices, twins: twinSides(indices) };
  const triangles = [...Array(indices.length / 3).keys()].filter((f) =>
    sheet.twins.subarray(3 * f, 3 * f + 3).some((twin) => twin >= 0),
  );
  const { arity, rest: stride } = termLayout[kind];
  const lists = {
    indices: new Uint32Array(arity * triangles.length),
    rest: new Float64Array(stride * triangles.length),
  };
  triangles.forEach((f, element) => writeBendingElement(kind, sheet, f, warpAngles[f], stiffness, lists, element));
  return createTerm(kind, surface, lists.indices, lists.rest, [damping, ...stiffness]);
}

/** Curvature of triangles as three vectors linear in the positions, nearly along their normals: ½ |Σ c x|² is the energy of each. */
export interface CurvatureElements {
  readonly count: number;
  readonly columns: 3;
  /** number of places of an element */
  readonly arity: number;
  /** `arity` vertices for each element, `NO_VERTEX` at unused places */
  readonly indices: Uint32Array;
  /** c, three for each place [√(N/m)] */
  readonly weights: Float64Array;
}

/** The elements of a bending term, for the other solvers. Elements without stiffness are left out. */
export function curvatureElements({ kind, elementCount, indices, rest }: EnergyTerm): CurvatureElements {
  const { arity: places, rest: stride } = termLayout[kind];
  const isUsed = (e: number, a: number): boolean => indices[places * e + a] !== NO_VERTEX;
  const used = (e: number): number => 1 + Math.max(...[...Array(places).keys()].filter((a) => isUsed(e, a)));
  const elements = [...Array(elementCount).keys()];
  const arity = elements.reduce((most, e) => Math.max(most, used(e)), 0);
  const weightsOf = (e: number): Float64Array => rest.subarray(stride * e + WEIGHTS, stride * e + WEIGHTS + 3 * arity);
  const stiff = elements.filter((e) => weightsOf(e).some((weight) => weight !== 0));
  return {
    count: stiff.length,
    columns: 3,
    arity,
    indices: Uint32Array.from(stiff.flatMap((e) => [...indices.subarray(places * e, places * e + arity)])),
    weights: Float64Array.from(stiff.flatMap((e) => [...weightsOf(e)])),
  };
}

/** Angle from a triangle's first side (a, c), in material axes, to the warp [rad]: Dm⁻¹ = (d, −b; −c, a)/A₂. */
function warpAngle({ inverse }: RestTriangle): number {
  return atan2(inverse[2], inverse[3]);
}
