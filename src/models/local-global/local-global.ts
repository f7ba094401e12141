import { invalid, nonFinite, unsupported } from "../../errors";
import { isQuadratic, quadraticMesh } from "../../geometry/tetrahedra/quadratic";
import { solidMasses, strainElements } from "../../geometry/tetrahedra/strain-elements";
import { boundaryTriangles, type TetMesh, validateTetMesh } from "../../geometry/tetrahedra/tet-mesh";
import {
  lameParameters,
  type PrincipalModel,
  principalModels,
  resolveSolidMaterial,
} from "../../materials/solid-material";
import { checkModel } from "./check-model";
import type { HyperelasticMaterial, LocalGlobalModel } from "../../solvers/local-global/model";
import { type ElasticSolid, elementMesh } from "../solid-elements";

/** A solid for the local-global solver. */
export interface LocalGlobalDescription extends TetMesh, Omit<ElasticSolid, keyof TetMesh> {
  /** initial positions of the mesh's vertices, n × 3 [m], if they differ from the shape without stress */
  startPositions?: ArrayLike<number> | undefined;
  /** principal stretches are kept within [least, greatest]: strain limiting */
  stretchLimits?: readonly [number, number] | undefined;
}

/**
 * A solid of tetrahedra that is stepped by local-global iterations with a sparse inverse (paper 2). The solver suits
 * stiff bodies: its single factorization takes a moment, and stays valid as long as mesh, material and time step do not
 * change.
 *
 * @throws PliantError as `validateTetMesh` and `resolveSolidMaterial`; `degenerate-geometry` for a mesh in several
 * parts or with vertices outside all tetrahedra; `unsupported` for a material that this solver does not have
 */
export function localGlobalSolid(description: LocalGlobalDescription): LocalGlobalModel {
  const { startPositions, stretchLimits } = description;
  const name = description.name ?? "solid";
  const label = `body "${name}"`;
  validateTetMesh(label, description);
  const mesh = elementMesh(label, description, description.elements);
  const { positions, tetrahedra } = mesh;
  const resolved = resolveSolidMaterial(label, description.material);
  const { mu, lambda } = lameParameters(resolved.youngsModulus, resolved.poissonRatio);
  const material = principalMaterial(label, resolved.model, mu, lambda, stretchLimits);
  if (resolved.damping > 0) throw unsupported(`${label} damping`, resolved.damping, "must be 0 for this solver");
  const { arity, indices, gradients, volumes } = strainElements(mesh);
  const model: LocalGlobalModel = {
    solver: "local-global",
    name,
    particleCount: positions.length / 3,
    positions: startOf(label, description, mesh, startPositions),
    restPositions: positions.slice(),
    masses: solidMasses(mesh, resolved.density),
    terms: [
      {
        kind: "hyperelastic",
        arity,
        columns: 3,
        elementCount: volumes.length,
        indices,
        coefficients: gradients,
        measures: volumes,
        material,
      },
    ],
    faces: boundaryTriangles(tetrahedra),
    friction: resolved.friction,
    tetrahedra: tetrahedra.slice(),
    middles: isQuadratic(mesh) ? mesh.middles : undefined,
  };
  checkModel(model);
  return model;
}

/**
 * @param lambda λ, that of plane stress for a membrane
 * @throws PliantError `unsupported`, or `invalid-argument` for limits that do not include 1
 */
export function principalMaterial(
  label: string,
  model: string,
  mu: number,
  lambda: number,
  limits?: readonly [number, number],
): HyperelasticMaterial {
  if (!(principalModels as readonly string[]).includes(model))
    throw unsupported(`${label} model`, model, `must be one of ${principalModels.join(", ")}`);
  if (limits && !(limits[0] > 0 && limits[0] <= 1 && limits[1] >= 1))
    throw invalid(`${label} stretchLimits`, limits, "must hold 1 between positive numbers");
  // For ARAP, the weight 2µ makes (5) the energy itself. The other models converge fastest near their stiffness under a
  // change of volume.
  const weight = model === "arap" ? 2 * mu : 2 * mu + lambda;
  // Duals enforce the limits. The local step of ARAP has none; the corotational model with λ = 0 has the same energy.
  if (model === "arap" && limits) return { model: "corotational", mu, lambda: 0, weight, limits };
  return { model: model as PrincipalModel, mu, lambda, weight, limits };
}

/** Initial positions of all vertices, from those of the given mesh. */
function startOf(label: string, given: TetMesh, mesh: TetMesh, start: ArrayLike<number> | undefined): Float64Array {
  if (start === undefined) return mesh.positions.slice();
  if (start.length !== given.positions.length)
    throw invalid(`${label} startPositions`, start.length, `must be ${given.positions.length} numbers`);
  const bad = Array.from(start).findIndex((value) => !Number.isFinite(value));
  if (bad >= 0) throw nonFinite(`${label} startPositions ${bad}`, start[bad], "must be finite");
  if (mesh === given) return Float64Array.from(start);
  return quadraticMesh({ positions: Float64Array.from(start), tetrahedra: given.tetrahedra }).positions;
}
