import { PliantError } from "../errors";
import { checkLikelyNames, type NamesOf } from "../option-names";
import {
  boundaryTriangles,
  type TetMesh,
  tetMasses,
  tetVolume,
  validateTetMesh,
} from "../geometry/tetrahedra/tet-mesh";
import { principalModels, type PrincipalModel } from "../materials/principal-density";
import { lameParameters, resolveSolidMaterial, type SolidMaterial } from "../materials/solid-material";
import { checkSystem } from "../solvers/local-global/system-matrix";
import type { ElementTerm, HyperelasticMaterial, LocalGlobalModel } from "../solvers/local-global/model";

/** A solid for the local-global solver. */
export interface LocalGlobalDescription extends TetMesh {
  /** default "solid" */
  name?: string | undefined;
  /** damping and `mooney-rivlin` are not for this solver */
  material: SolidMaterial;
  /** where it starts, n × 3 [m], when that is not the shape without stress */
  startPositions?: ArrayLike<number> | undefined;
  /** principal stretches are kept within [least, greatest]: strain limiting */
  stretchLimits?: readonly [number, number] | undefined;
}

const solidNames = {
  positions: true,
  tetrahedra: true,
  name: true,
  material: true,
  startPositions: true,
  stretchLimits: true,
} satisfies NamesOf<LocalGlobalDescription>;

/**
 * A solid of tetrahedra that is stepped by local-global iterations with a sparse inverse (paper 2). It suits stiff bodies:
 * its one factorisation takes a moment, and holds as long as mesh, material and time step stay what they are.
 *
 * @throws PliantError as `validateTetMesh` and `resolveSolidMaterial`; `degenerate-geometry` for a mesh in several parts or
 * with vertices outside of all tetrahedra; `unsupported` for a material that this solver does not have
 */
export function localGlobalModel(description: LocalGlobalDescription): LocalGlobalModel {
  const { positions, tetrahedra, startPositions, stretchLimits } = description;
  const name = description.name ?? "solid";
  const label = `body "${name}"`;
  checkLikelyNames(label, description, solidNames);
  validateTetMesh(label, { positions, tetrahedra });
  const resolved = resolveSolidMaterial(label, description.material);
  const { mu, lambda } = lameParameters(resolved.youngsModulus, resolved.poissonRatio);
  const material = principalMaterial(label, resolved.model, mu, lambda, stretchLimits);
  if (resolved.damping > 0)
    throw new PliantError("unsupported", `${label} damping`, resolved.damping, "must be 0 for this solver");
  const start = checkedStart(label, positions, startPositions);
  const model: LocalGlobalModel = {
    solver: "local-global",
    name,
    particleCount: positions.length / 3,
    positions: start,
    restPositions: positions.slice(),
    masses: tetMasses({ positions, tetrahedra }, resolved.density),
    terms: [tetrahedronTerm(positions, tetrahedra, material)],
    faces: boundaryTriangles(tetrahedra),
    friction: resolved.friction,
    tetrahedra: tetrahedra.slice(),
  };
  checkSystem(model);
  return model;
}

/**
 * @param lambda of plane stress for a membrane
 * @throws PliantError `unsupported`, or `invalid-argument` for limits that do not hold 1
 */
export function principalMaterial(
  label: string,
  model: string,
  mu: number,
  lambda: number,
  limits?: readonly [number, number],
): HyperelasticMaterial {
  if (!(principalModels as readonly string[]).includes(model))
    throw new PliantError("unsupported", `${label} model`, model, `must be one of ${principalModels.join(", ")}`);
  if (limits && !(limits[0] > 0 && limits[0] <= 1 && limits[1] >= 1))
    throw new PliantError("invalid-argument", `${label} stretchLimits`, limits, "must hold 1 between positive numbers");
  // 2µ makes (5) the energy itself for ARAP. The others converge fastest near their stiffness under a change of volume.
  const weight = model === "arap" ? 2 * mu : 2 * mu + lambda;
  return { model: model as PrincipalModel, mu, lambda, weight, limits };
}

/** Gᵢ of tetrahedra: F = [x₁ − x₀, x₂ − x₀, x₃ − x₀] Dm⁻¹. */
function tetrahedronTerm(
  positions: ArrayLike<number>,
  tetrahedra: Uint32Array,
  material: HyperelasticMaterial,
): ElementTerm {
  const elementCount = tetrahedra.length / 4;
  const coefficients = new Float64Array(12 * elementCount);
  const measures = new Float64Array(elementCount);
  for (let e = 0; e < elementCount; e++) {
    const volume = tetVolume(positions, tetrahedra, e);
    measures[e] = volume;
    const edge = (k: number, c: number): number =>
      positions[3 * tetrahedra[4 * e + k]! + c]! - positions[3 * tetrahedra[4 * e]! + c]!;
    for (let a = 1; a < 4; a++)
      for (let c = 0; c < 3; c++) {
        // row a of Dm⁻¹ is the cross product of the other two edges over det Dm
        const [p, q] = [(a % 3) + 1, ((a + 1) % 3) + 1];
        const [i, j] = [(c + 1) % 3, (c + 2) % 3];
        const g = (edge(p, i) * edge(q, j) - edge(p, j) * edge(q, i)) / (6 * volume);
        coefficients[12 * e + 3 * a + c] = g;
        coefficients[12 * e + c]! -= g;
      }
  }
  return {
    kind: "hyperelastic",
    arity: 4,
    columns: 3,
    elementCount,
    indices: tetrahedra.slice(),
    coefficients,
    measures,
    material,
  };
}

function checkedStart(label: string, rest: Float64Array, start: ArrayLike<number> | undefined): Float64Array {
  const values = Float64Array.from(start ?? rest);
  if (values.length !== rest.length)
    throw new PliantError(
      "invalid-argument",
      `${label} startPositions`,
      values.length,
      `must be ${rest.length} numbers`,
    );
  const bad = values.findIndex((value) => !Number.isFinite(value));
  if (bad >= 0) throw new PliantError("non-finite", `${label} startPositions ${bad}`, values[bad], "must be finite");
  return values;
}
