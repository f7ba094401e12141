import type { Vec3 } from "../../math/types";
import { cross, dot } from "../../math/vectors";
import { degenerate, unsupported } from "../../errors";
import { isQuadratic, quadraticElements, type QuadraticMesh } from "../../geometry/tetrahedra/quadratic";
import { QUADRATIC_NODES, QUADRATURE_POINTS } from "../../geometry/tetrahedra/quadrature";
import { solidMasses } from "../../geometry/tetrahedra/strain-elements";
import { boundaryTriangles, type TetMesh } from "../../geometry/tetrahedra/tet-mesh";
import {
  lameParameters,
  resolveSolidMaterial,
  type SolidMaterial,
  type SolidLaw,
} from "../../materials/solid-material";
import type { EnergyTerm, GpbdModel, SolidKind } from "../../solvers/gpbd/model";
import { type Plasticity, resolvePlasticity } from "../../solvers/gpbd/plasticity/plasticity";
import { checkedMesh } from "../checked-mesh";
import { type ElasticSolid, elementMesh } from "../solid-elements";
import { heldFactor, solidSubsteps } from "../../solvers/gpbd/solid-substeps";
import { createTerm } from "./term";

export interface SoftBodyDescription extends ElasticSolid {
  /** of linear elements */
  plasticity?: Readonly<Plasticity> | undefined;
}

export interface SoftBodyModel extends GpbdModel {
  readonly tetrahedra: Uint32Array;
  readonly material: Required<SolidMaterial>;
}

const kinds: Readonly<Record<SolidLaw, SolidKind>> = {
  "neo-hookean": "neo-hookean-tet",
  "stable-neo-hookean": "stable-neo-hookean-tet",
  stvk: "stvk-tet",
  corotational: "corotational-tet",
  arap: "corotational-tet",
  "mooney-rivlin": "mooney-rivlin-tet",
};

/** Laws whose energy falls as ratios of stretches near 1 at constant volume; that of others may rise in compression. */
const plasticLaws: readonly SolidLaw[] = ["stable-neo-hookean", "neo-hookean", "mooney-rivlin"];

/**
 * A hyperelastic solid of tetrahedra (paper 1, section 4.1). Masses are lumped; the boundary feels air and
 * touches obstacles.
 *
 * @throws PliantError for a mesh that `validateTetMesh` rejects, vertices that belong to no tetrahedron, and a material
 * or plasticity out of range; `unsupported` for plasticity of quadratic elements or of other laws than `plasticLaws`
 */
export function gpbdSolid(description: SoftBodyDescription): SoftBodyModel {
  const name = description.name ?? "soft body";
  const material = resolveSolidMaterial(name, description.material);
  const mesh = elementMesh(name, checkedMesh(name, description), description.elements ?? "linear");
  const plasticity = description.plasticity && resolvePlasticity(name, description.plasticity);
  if (plasticity && isQuadratic(mesh)) throw unsupported(`${name}.plasticity`, "quadratic", "needs linear elements");
  if (plasticity && !plasticLaws.includes(material.model))
    throw unsupported(`${name}.plasticity`, material.model, `needs ${plasticLaws.join(", ")}`);
  const masses = solidMasses(mesh, material.density);
  const loose = masses.indexOf(0);
  if (loose >= 0) throw degenerate(`${name} vertex ${loose}`, loose, "must belong to a tetrahedron");
  const kind = kinds[material.model];
  const parameters = densityParameters(material);
  const term = isQuadratic(mesh)
    ? quadraticTerm(kind, mesh, parameters)
    : createTerm(kind, mesh, mesh.tetrahedra, restData(mesh), parameters, undefined, cellSize(mesh.tetrahedra));
  return {
    name,
    particleCount: masses.length,
    positions: mesh.positions,
    masses,
    terms: [term],
    wantedSubsteps: solidSubsteps,
    heldFactor,
    faces: boundaryTriangles(mesh.tetrahedra),
    friction: material.friction,
    tetrahedra: mesh.tetrahedra,
    middles: isQuadratic(mesh) ? mesh.middles : undefined,
    material,
    ...(plasticity && { plasticity }),
  };
}

/** Tetrahedra that fill a cell of a lattice, if all follow one another cell by cell; else 1. */
function cellSize(tetrahedra: Uint32Array): number {
  const count = tetrahedra.length / 4;
  return (
    CELL_SIZES.find((size) => {
      for (let first = 0; first < count; first += size)
        if (new Set(tetrahedra.subarray(4 * first, 4 * (first + size))).size > CORNERS) return false;
      return count % size === 0;
    }) ?? 1
  );
}

/** Vertices of a cell, and numbers of tetrahedra into which it is cut. */
const CORNERS = 8;
const CELL_SIZES = [6, 5];

/** Dm⁻¹, row-major, and the volume of each tetrahedron. */
function restData({ positions: p, tetrahedra }: TetMesh): Float64Array {
  const rest = new Float64Array((tetrahedra.length / 4) * 10);
  for (let t = 0; t < tetrahedra.length / 4; t++) {
    const origin = 3 * tetrahedra[4 * t];
    const edges = [1, 2, 3].map((k): Vec3 => {
      const vertex = 3 * tetrahedra[4 * t + k];
      return [p[vertex] - p[origin], p[vertex + 1] - p[origin + 1], p[vertex + 2] - p[origin + 2]];
    }) as [Vec3, Vec3, Vec3];
    // Rows of Dm⁻¹ are the vectors reciprocal to the edges.
    const [a, b, c] = edges;
    const [bc, ca, ab] = [cross(b, c), cross(c, a), cross(a, b)];
    const determinant = dot(a, bc);
    [bc, ca, ab].forEach((row, i) => row.forEach((value, j) => (rest[10 * t + 3 * i + j] = value / determinant)));
    rest[10 * t + 9] = determinant / 6;
  }
  return rest;
}

/** Elements at the four points of tetrahedra: gradients of all shape functions but the first, and a quarter of the volume. */
function quadraticTerm(kind: SolidKind, mesh: QuadraticMesh, material: readonly number[]): EnergyTerm {
  const { indices, gradients, volumes } = quadraticElements(mesh);
  const [all, stride] = [3 * QUADRATIC_NODES, 3 * QUADRATIC_NODES - 2];
  const rest = new Float64Array(stride * volumes.length);
  volumes.forEach((volume, e) => {
    rest.set(gradients.subarray(all * e + 3, all * (e + 1)), stride * e);
    rest[stride * (e + 1) - 1] = volume;
  });
  // The points of a tetrahedron share all vertices: they stay together.
  const unit = { arity: QUADRATURE_POINTS * QUADRATIC_NODES, rest: QUADRATURE_POINTS * stride };
  const { colours, ...term } = createTerm(kind, mesh, indices, rest, material, unit);
  return { ...term, elementCount: volumes.length, colours: colours.map((first) => QUADRATURE_POINTS * first) };
}

/** Parameters of a density whose Lamé parameters at rest are the material's; the damping time comes last. */
function densityParameters(material: Required<SolidMaterial>): number[] {
  const { mu, lambda } = lameParameters(material.youngsModulus, material.poissonRatio);
  const { damping } = material;
  switch (material.model) {
    case "stable-neo-hookean":
      return [mu, lambda + mu, 0, 0, damping];
    case "arap":
      return [mu, 0, 0, 0, damping];
    case "mooney-rivlin": {
      // A quarter of the shear modulus, as for rubber, unless that leaves no resistance to a change of volume.
      const second = Math.min(mu / 4, Math.max(0, lambda) / 2);
      return [mu - second, second, lambda - 2 * second, 0, damping];
    }
    default:
      return [mu, lambda, 0, 0, damping];
  }
}
