import { checkPositive } from "../../checks";
import { sidesOfEdges, nextCorner } from "../../geometry/surface/twin-sides";
import { dot, lengthOf, norm } from "../../math/vectors";
import { invalid } from "../../errors";
import { NO_VERTEX } from "../../geometry/surface/incidence";
import { validateMesh } from "../../geometry/surface/validate-mesh";
import { lameParameters, resolveSolidMaterial, type SolidMaterial } from "../../materials/solid-material";
import type { EnergyTerm } from "../../solvers/gpbd/model";
import { checkModel } from "./check-model";
import type { ElementTerm, HyperelasticMaterial, LocalGlobalModel } from "../../solvers/local-global/model";
import { curvatureElements, sheetBending } from "../gpbd/bending";
import { principalMaterial } from "./local-global";

/**
 * Bending model of a sheet: `isometric` uses the curvature of triangles, and is isotropic on any mesh;
 * `laplace-beltrami` uses the mean curvature at vertices. Both are quadratic in the difference from the curvature at
 * rest. `none`: no resistance.
 */
export type SheetBending = "isometric" | "laplace-beltrami" | "none";

/** A curvature below this part of the sum of its terms' sizes counts as zero. */
const FLAT = 1e-6;

const bendings: readonly SheetBending[] = ["isometric", "laplace-beltrami", "none"];

/** A sheet for the local-global solver. */
export interface LocalGlobalSheetDescription {
  /** n × 3 [m]: the shape without stress, flat or not */
  positions: ArrayLike<number>;
  /** triangles; vertices are not welded */
  indices: ArrayLike<number>;
  /** [m] */
  thickness: number;
  /** material as of a solid, with density [kg/m³]; plane stress is assumed across the sheet */
  material: SolidMaterial;
  /** default `isometric` */
  bending?: SheetBending | undefined;
  /** B [N m], default E t³ / 12 (1 − ν²) */
  bendingStiffness?: number | undefined;
  /** initial positions, n × 3 [m], if they differ from the shape without stress */
  startPositions?: ArrayLike<number> | undefined;
  /** principal stretches are kept within [least, greatest]: strain limiting */
  stretchLimits?: readonly [number, number] | undefined;
  /** default "sheet" */
  name?: string | undefined;
}

/**
 * A membrane of triangles with bending (paper 2, Table 1): cloth, paper, rubber sheets.
 *
 * @throws PliantError as `validateMesh` and `resolveSolidMaterial`; `invalid-argument` for a thickness or bending
 * stiffness that is not positive; `degenerate-geometry` for a mesh in several parts; `unsupported` for an unknown
 * material
 * @param elements elements of `isometric` bending, which replace those of the stiffness
 */
export function localGlobalSheet(description: LocalGlobalSheetDescription, elements?: EnergyTerm): LocalGlobalModel {
  const { thickness, bending = "isometric", stretchLimits } = description;
  const name = description.name ?? "sheet";
  const label = `body "${name}"`;
  validateMesh(name, description.positions, description.indices);
  const resolved = resolveSolidMaterial(label, description.material);
  checkPositive(thickness, `${label} thickness`);
  if (!bendings.includes(bending)) throw invalid(`${label} bending`, bending, `must be one of ${bendings.join(", ")}`);
  const { youngsModulus: e, poissonRatio: nu } = resolved;
  const stiffness = description.bendingStiffness ?? (e * thickness * thickness * thickness) / (12 * (1 - nu * nu));
  checkPositive(stiffness, `${label} bendingStiffness`);
  const { mu, lambda } = lameParameters(e, nu);
  const material = principalMaterial(label, resolved.model, mu, (2 * mu * lambda) / (lambda + 2 * mu), stretchLimits);
  const positions = Float64Array.from(description.positions);
  const start = Float64Array.from(description.startPositions ?? positions);
  if (start.length !== positions.length || !start.every(Number.isFinite))
    throw invalid(`${label} startPositions`, start.length, `must be ${positions.length} numbers`);
  const faces = Uint32Array.from(description.indices);
  const membrane = membraneTerm(positions, faces, thickness, material);
  const masses = new Float64Array(positions.length / 3);
  faces.forEach((v, i) => (masses[v] += (resolved.density * membrane.measures[Math.floor(i / 3)]) / 3));
  const terms = [membrane];
  if (bending !== "none") {
    const term =
      bending === "isometric"
        ? curvatureTerm(positions, elements ?? isotropicBending(positions, faces, stiffness))
        : vertexTerm(positions, faces, stiffness);
    if (term.elementCount > 0) terms.push(term);
  }
  const model: LocalGlobalModel = {
    solver: "local-global",
    name,
    particleCount: masses.length,
    positions: start,
    restPositions: positions,
    masses,
    terms,
    faces,
    friction: resolved.friction,
  };
  checkModel(model);
  return model;
}

/** Matrices Gᵢ of triangles: F = [x₁ − x₀, x₂ − x₀] Dm⁻¹ in axes of the triangle at rest. */
function membraneTerm(
  x: Float64Array,
  faces: Uint32Array,
  thickness: number,
  material: HyperelasticMaterial,
): ElementTerm {
  const elementCount = faces.length / 3;
  const coefficients = new Float64Array(6 * elementCount);
  const measures = new Float64Array(elementCount);
  for (let f = 0; f < elementCount; f++) {
    const u = between(x, faces[3 * f], faces[3 * f + 1]);
    const v = between(x, faces[3 * f], faces[3 * f + 2]);
    const length = norm(u);
    // Dm = [a b; 0 c]: the first axis is along the first edge
    const [a, b] = [length, dot(u, v) / length];
    const c = doubleArea(u, v) / length;
    measures[f] = (thickness * a * c) / 2;
    coefficients.set([-1 / a, (b - a) / (a * c), 1 / a, -b / (a * c), 0, 1 / c], 6 * f);
  }
  return { kind: "hyperelastic", arity: 3, columns: 2, elementCount, indices: faces, coefficients, measures, material };
}

function isotropicBending(positions: Float64Array, indices: Uint32Array, stiffness: number): EnergyTerm {
  const along = new Float64Array(indices.length / 3);
  return sheetBending("isometric-bending", { positions, indices }, [stiffness, stiffness], along, 0);
}

/** A triangle has the energy ½ |Gx|² with three vectors linear in its curvature, see `bendingStrain`. */
function curvatureTerm(x: Float64Array, bending: EnergyTerm): ElementTerm {
  const { count: elementCount, arity, indices, weights: coefficients } = curvatureElements(bending);
  // unused places repeat the first vertex, with zero weights
  const filled = indices.map((vertex, i) => (vertex === NO_VERTEX ? indices[i - (i % arity)] : vertex));
  const measures = new Float64Array(elementCount).fill(1);
  return withRestCurvature(x, {
    kind: "bending",
    arity,
    columns: 3,
    elementCount,
    indices: filled,
    coefficients,
    measures,
  });
}

/** An inner vertex has the energy ½ B A ‖Δx‖² with the cotangent Laplacian Δ and a third A of the area around it. */
function vertexTerm(x: Float64Array, faces: Uint32Array, stiffness: number): ElementTerm {
  const count = x.length / 3;
  const weights: Map<number, number>[] = Array.from({ length: count }, () => new Map());
  const area = new Float64Array(count);
  const isBorder = borderVertices(faces, count);
  const add = (i: number, j: number, w: number): void => void weights[i].set(j, (weights[i].get(j) ?? 0) + w);
  for (let f = 0; f < faces.length; f += 3)
    for (let k = 0; k < 3; k++) {
      const [i, j, o] = [faces[f + k], faces[f + ((k + 1) % 3)], faces[f + ((k + 2) % 3)]];
      const [u, v] = [between(x, o, i), between(x, o, j)];
      const cotangent = dot(u, v) / doubleArea(u, v);
      add(i, j, cotangent / 2);
      add(j, i, cotangent / 2);
      area[i] += doubleArea(u, v) / 6;
    }
  const inner = [...area.keys()].filter((i) => isBorder[i] === 0);
  const arity = 1 + Math.max(0, ...inner.map((i) => weights[i].size));
  const indices = new Uint32Array(arity * inner.length);
  const coefficients = new Float64Array(arity * inner.length);
  inner.forEach((i, e) => {
    // unused places repeat the vertex itself, with zero weights
    indices.fill(i, arity * e, arity * (e + 1));
    let at = arity * e + 1;
    for (const [j, w] of weights[i]) {
      indices[at] = j;
      coefficients[at++] = w / area[i];
      coefficients[arity * e] -= w / area[i];
    }
  });
  const measures = Float64Array.from(inner, (i) => stiffness * area[i]);
  return withRestCurvature(x, {
    kind: "bending",
    arity,
    columns: 1,
    elementCount: inner.length,
    indices,
    coefficients,
    measures,
  });
}

/** Adds Gq at rest; a curvature of rounding size counts as flat. */
function withRestCurvature(x: Float64Array, term: ElementTerm): ElementTerm {
  const { arity, columns, elementCount, indices, coefficients } = term;
  const restCurvatures = new Float64Array(3 * columns * elementCount);
  for (let e = 0; e < elementCount; e++) {
    const rest = restCurvatures.subarray(3 * columns * e, 3 * columns * (e + 1));
    let size = 0;
    for (let a = arity * e; a < arity * (e + 1); a++)
      for (let c = 0; c < 3; c++) {
        const away = x[3 * indices[a] + c] - x[3 * indices[arity * e] + c];
        for (let i = 0; i < columns; i++) {
          rest[columns * c + i] += coefficients[columns * a + i] * away;
          size += Math.abs(coefficients[columns * a + i] * away);
        }
      }
    if (rest.reduce((sum, value) => sum + value * value, 0) <= FLAT * FLAT * size * size) rest.fill(0);
  }
  return restCurvatures.some((value) => value !== 0) ? { ...term, restCurvatures } : term;
}

function borderVertices(faces: Uint32Array, count: number): Uint8Array {
  const border = new Uint8Array(count);
  for (const [i, other] of sidesOfEdges(faces).values())
    if (other === undefined) border[faces[i]] = border[faces[nextCorner(i)]] = 1;
  return border;
}

type Triple = readonly [number, number, number];

function between(x: ArrayLike<number>, i: number, j: number): Triple {
  return [x[3 * j] - x[3 * i], x[3 * j + 1] - x[3 * i + 1], x[3 * j + 2] - x[3 * i + 2]];
}

function doubleArea(a: Triple, b: Triple): number {
  return lengthOf(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]);
}
