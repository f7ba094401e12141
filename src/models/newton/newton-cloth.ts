import { triangleSet } from "../../solvers/newton/deformable/element-sets";
import type { FemModel } from "../../solvers/newton/deformable/fem-model";
import { gpbdCloth, type ClothDescription, type ClothModel } from "../gpbd/cloth";
import { curvatureElements } from "../gpbd/bending";

/** Cloth for the Newton solver; the same description as that of `gpbdCloth`, without its models of membranes and bending. */
export type NewtonClothDescription = Omit<ClothDescription, "membrane" | "bending">;

/** Cloth in the Newton solver. */
export interface NewtonClothModel
  extends FemModel, Pick<ClothModel, "vertexToParticle" | "triangleFaces" | "reversed" | "fabric"> {}

/**
 * A cloth that is solved in one system with the rigid bodies, joints and contacts that it meets (paper 3, section 9).
 * Its triangles are linear in the right stretch. Its bending depends on their curvature, is quadratic in the positions,
 * and orthotropic like the fabric. In its plane the cloth is isotropic, with the geometric mean of the fabric's tensile
 * stiffnesses along warp and weft and the fabric's Poisson's ratio. The fabric's table is not used.
 *
 * @throws PliantError as `gpbdCloth`; a mesh that is not flat at rest needs a fabric whose bending stiffnesses are zero
 */
export function newtonCloth(description: NewtonClothDescription): NewtonClothModel {
  const cloth = gpbdCloth({ ...description, membrane: "stvk", bending: "isometric" });
  const { name, particleCount, positions, masses, faces, friction, vertexToParticle, triangleFaces, reversed, fabric } =
    cloth;
  // Young's modulus times thickness: triangles are one unit thick
  const stiffness = Math.sqrt(fabric.stretchWarp * fabric.stretchWeft);
  const nu = fabric.poissonRatio;
  const law = {
    mu: stiffness / (2 * (1 + nu)),
    lambda: (stiffness * nu) / (1 - nu * nu),
    damping: fabric.stretchDamping,
  };
  const bending = cloth.terms.find(({ kind }) => kind === "isometric-bending");
  return {
    solver: "newton",
    name,
    particleCount,
    positions,
    masses,
    faces,
    friction,
    elements: [triangleSet(positions, faces, law, 1)],
    bending: bending && [curvatureElements(bending)],
    vertexToParticle,
    triangleFaces,
    reversed,
    fabric,
  };
}
