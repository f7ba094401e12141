import { unsupported } from "../../errors";
import type { LocalGlobalModel } from "../../solvers/local-global/model";
import { gpbdCloth, type ClothDescription, type ClothModel } from "../gpbd/cloth";
import { type LocalGlobalSheetDescription, localGlobalSheet, type SheetBending } from "./local-global-cloth";

/** Cloth for the local-global solver: the description of `gpbdCloth`, with this solver's own models of membranes and bending. */
export interface LocalGlobalClothDescription extends Omit<ClothDescription, "membrane" | "bending"> {
  /** default `corotational` */
  membrane?: "arap" | "corotational" | "neo-hookean" | "stable-neo-hookean" | undefined;
  /** default `isometric`; both keep the curvature that the mesh has at rest */
  bending?: Exclude<SheetBending, "none"> | undefined;
  /** principal stretches are kept within [least, greatest]: strain limiting */
  stretchLimits?: readonly [number, number] | undefined;
}

/** Cloth in the local-global solver. */
export interface LocalGlobalClothModel
  extends LocalGlobalModel, Pick<ClothModel, "vertexToParticle" | "triangleFaces" | "reversed" | "fabric"> {}

const membranes: readonly string[] = ["arap", "corotational", "neo-hookean", "stable-neo-hookean"];

/**
 * A cloth from any triangle mesh in one part, with vertices welded by position. In its plane the cloth is isotropic,
 * with the geometric mean of the fabric's tensile stiffnesses along warp and weft and the fabric's Poisson's ratio.
 * `isometric` bending is orthotropic like the fabric; `laplace-beltrami` bending has the geometric mean of the fabric's
 * bending stiffnesses. The fabric's table and damping are not used.
 *
 * @throws PliantError as `gpbdCloth`; `unsupported` for another membrane; `degenerate-geometry` for a mesh in several parts
 */
export function localGlobalCloth(description: LocalGlobalClothDescription): LocalGlobalClothModel {
  const { membrane = "corotational", bending = "isometric", stretchLimits, ...rest } = description;
  const name = description.name ?? "cloth";
  if (!membranes.includes(membrane))
    throw unsupported(`${name}.membrane`, membrane, `must be one of ${membranes.join(", ")}`);
  // `dihedral` takes every mesh, flat or not
  const cloth = gpbdCloth({ ...rest, membrane: "stvk", bending: "dihedral" });
  const { positions, faces, vertexToParticle, triangleFaces, reversed, fabric } = cloth;
  const stiffness = Math.sqrt(fabric.bendingWarp * fabric.bendingWeft);
  const sheetDescription: LocalGlobalSheetDescription = {
    positions,
    indices: faces,
    // The thickness is one unit, so that values per area are values per volume.
    thickness: 1,
    material: {
      youngsModulus: Math.sqrt(fabric.stretchWarp * fabric.stretchWeft),
      poissonRatio: fabric.poissonRatio,
      density: fabric.areaDensity,
      friction: fabric.friction,
      model: membrane,
    },
    stretchLimits,
    bendingStiffness: stiffness > 0 ? stiffness : undefined,
    name,
  };
  const elements = cloth.terms.find(({ kind }) => kind === "dihedral-bending");
  const isStiff = bending === "isometric" ? elements !== undefined : stiffness > 0;
  const sheet = localGlobalSheet({ ...sheetDescription, bending: isStiff ? bending : "none" }, elements);
  return { ...sheet, vertexToParticle, triangleFaces, reversed, fabric };
}
