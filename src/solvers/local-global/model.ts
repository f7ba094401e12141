import type { PrincipalModel } from "../../materials/solid-material";
import { areEqual } from "../alike";
import type { DeformableModel } from "../deformable";

/**
 * The elements of a body of the local-global solver: each has a few vertices, a linear map Gᵢ from positions to the quantity that
 * the local step projects (paper 2, equation 5), and a constant weight. A model is static.
 */

/**
 * Elements of one kind. Gᵢ q is a 3 × `columns` matrix, column c the sum of coefficient × position over the vertices: the
 * deformation gradient of a tetrahedron (3 columns) or a triangle (2), the curvature vectors of a triangle (3) or a vertex (1) of a sheet.
 */
export interface ElementTerm {
  readonly kind: "hyperelastic" | "bending";
  /** vertices of an element */
  readonly arity: number;
  readonly columns: 1 | 2 | 3;
  readonly elementCount: number;
  /** elementCount × arity vertices */
  readonly indices: Uint32Array;
  /** elementCount × arity × columns [1/m] */
  readonly coefficients: Float64Array;
  /** volume of each element [m³]; of bending elements the factor that makes ½ measure ‖Gq‖² an energy [N m³] */
  readonly measures: Float64Array;
  /** hyperelastic only: density, Lamé's parameters [Pa] (λ of plane stress for two columns) and wᵢ per volume [Pa] */
  readonly material?: HyperelasticMaterial | undefined;
  /** bending only, of sheets that are curved at rest: Gq there of each element, 3 × columns, row-major */
  readonly restCurvatures?: Float64Array | undefined;
}

export interface HyperelasticMaterial {
  readonly model: PrincipalModel;
  readonly mu: number;
  readonly lambda: number;
  /** wᵢ per volume in (5) [Pa] */
  readonly weight: number;
  /** range that principal stretches are kept within, if given: strain limiting */
  readonly limits?: readonly [number, number] | undefined;
}

/** A body as the local-global solver sees it. */
export interface LocalGlobalModel extends DeformableModel {
  readonly solver: "local-global";
  /** particleCount × 3 [m]: the shape without stress, which also guides the order of elimination */
  readonly restPositions: Float64Array;
  readonly terms: readonly ElementTerm[];
}

/** Whether two terms have the same elements in the same order, whatever their material is. */
export function hasSameElements(term: ElementTerm, other: ElementTerm | undefined): boolean {
  return other !== undefined && term.kind === other.kind && areEqual(term.indices, other.indices);
}
