import { degenerate, unsupported } from "../../errors";
import { isQuadratic } from "../../geometry/tetrahedra/quadratic";
import { solidMasses } from "../../geometry/tetrahedra/strain-elements";
import { boundaryTriangles } from "../../geometry/tetrahedra/tet-mesh";
import { lameParameters, resolveSolidMaterial, type SolidMaterial } from "../../materials/solid-material";
import { tetrahedronSet } from "../../solvers/newton/deformable/element-sets";
import type { ElementSet } from "../../solvers/newton/deformable/elements";
import type { FemModel } from "../../solvers/newton/deformable/fem-model";
import { checkedMesh } from "../checked-mesh";
import { type ElasticSolid, elementMesh } from "../solid-elements";

/** A solid of tetrahedra in the Newton solver. */
export interface NewtonSoftBodyModel extends FemModel {
  readonly tetrahedra: Uint32Array;
  readonly material: Required<SolidMaterial>;
  /**
   * internal stress of each element (a tetrahedron, or a quarter of a quadratic one) that swells it, for inflation
   * [Pa]; may be changed between steps
   */
  readonly activation: Float64Array;
}

/**
 * A solid of tetrahedra that is solved in one system with the rigid bodies, joints and contacts that it meets (paper 3,
 * section 9). Masses are lumped; the boundary touches obstacles.
 *
 * @param description its `model` is "stable-neo-hookean" (default) or "corotational"
 * @throws PliantError for a mesh that `validateTetMesh` rejects, vertices that belong to no tetrahedron, a material out
 * of range, and `unsupported` for a material that this solver does not have
 */
export function newtonSolid(description: ElasticSolid): NewtonSoftBodyModel {
  const name = description.name ?? "soft body";
  const material = resolveSolidMaterial(name, description.material);
  const { model } = material;
  if (model !== "stable-neo-hookean" && model !== "corotational")
    throw unsupported(`${name}.model`, model, "must be stable-neo-hookean or corotational");
  const mesh = elementMesh(name, checkedMesh(name, description), description.elements);
  const masses = solidMasses(mesh, material.density);
  const loose = masses.indexOf(0);
  if (loose >= 0) throw degenerate(`${name} vertex ${loose}`, loose, "must belong to a tetrahedron");
  const { mu, lambda } = lameParameters(material.youngsModulus, material.poissonRatio);
  const law = { energy: model, mu, lambda, damping: material.damping };
  const elements: ElementSet = tetrahedronSet(mesh, law);
  return {
    solver: "newton",
    name,
    particleCount: masses.length,
    positions: mesh.positions,
    masses,
    faces: boundaryTriangles(mesh.tetrahedra),
    friction: material.friction,
    tetrahedra: mesh.tetrahedra,
    middles: isQuadratic(mesh) ? mesh.middles : undefined,
    elements: [elements],
    material,
    activation: elements.activation,
  };
}
