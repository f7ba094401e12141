import { strainElements, type StrainElements } from "../../../geometry/tetrahedra/strain-elements";
import type { TetMesh } from "../../../geometry/tetrahedra/tet-mesh";
import type { StretchEnergy } from "./stretch-energy";
import type { ElementSet } from "./elements";

/** Law and constants of all elements of a set. */
export interface ElementLaw {
  readonly energy: StretchEnergy;
  /** [Pa] */
  readonly mu: number;
  /** [Pa] */
  readonly lambda: number;
  /** Kelvin-Voigt damping time [s], default 0 */
  readonly damping?: number | undefined;
}

/** Elements of a solid that is at rest in the shape of the mesh, see `strainElements`. */
export function tetrahedronSet(mesh: TetMesh, law: ElementLaw): ElementSet {
  return lawfulSet(3, strainElements(mesh), law);
}

/** Triangles of a membrane with a thickness [m], with λ for plane stress. */
export function triangleSet(
  positions: Float64Array,
  triangles: Uint32Array,
  law: Omit<ElementLaw, "energy">,
  thickness: number,
): ElementSet {
  return elementSet(2, positions, triangles, { ...law, energy: "corotational" }, thickness);
}

/** Segments of a rope with a cross-section [m²] and Young's modulus [Pa]; Ψ = E/2 (s − 1)². */
export function segmentSet(
  positions: Float64Array,
  segments: Uint32Array,
  youngsModulus: number,
  crossSection: number,
  damping = 0,
): ElementSet {
  const law: ElementLaw = { energy: "corotational", mu: youngsModulus / 2, lambda: 0, damping };
  return elementSet(1, positions, segments, law, crossSection);
}

/**
 * Shape gradients: with the edges D = [x₁ − x₀, …] of an element in axes of its own, rows of D⁻¹ are the gradients of
 * corners 1 to d, and minus their sum is that of corner 0.
 */
function elementSet(
  dimension: 1 | 2,
  positions: Float64Array,
  indices: Uint32Array,
  law: ElementLaw,
  extent: number,
): ElementSet {
  const corners = dimension + 1;
  const count = indices.length / corners;
  const gradients = new Float64Array(count * corners * dimension);
  const volumes = new Float64Array(count);
  const edges = new Float64Array(9);
  for (let e = 0; e < count; e++) {
    const origin = 3 * indices[e * corners];
    for (let a = 1; a < corners; a++)
      for (let k = 0; k < 3; k++)
        edges[3 * k + a - 1] = positions[3 * indices[e * corners + a] + k] - positions[origin + k];
    const inverse = dimension === 2 ? inverse2(edges) : inverse1(edges);
    volumes[e] = extent * inverse.content;
    const at = e * corners * dimension;
    for (let a = 1; a < corners; a++)
      for (let i = 0; i < dimension; i++) {
        const g = inverse.rows[(a - 1) * dimension + i];
        gradients[at + a * dimension + i] = g;
        gradients[at + i] -= g;
      }
  }
  return lawfulSet(dimension, { arity: corners, indices, gradients, volumes }, law);
}

function lawfulSet(dimension: 1 | 2 | 3, elements: StrainElements, law: ElementLaw): ElementSet {
  const count = elements.volumes.length;
  return {
    dimension,
    energy: law.energy,
    count,
    ...elements,
    mu: new Float64Array(count).fill(law.mu),
    lambda: new Float64Array(count).fill(law.lambda),
    damping: law.damping ?? 0,
    activation: new Float64Array(count),
  };
}

interface Inverse {
  /** volume, area or length */
  readonly content: number;
  readonly rows: readonly number[];
}

/** Inverse in axes along the first edge and across it. */
function inverse2(m: Float64Array): Inverse {
  const length = Math.sqrt(m[0] * m[0] + m[3] * m[3] + m[6] * m[6]);
  const along = (m[0] * m[1] + m[3] * m[4] + m[6] * m[7]) / length;
  const squared = m[1] * m[1] + m[4] * m[4] + m[7] * m[7];
  const across = Math.sqrt(squared - along * along);
  return { content: (length * across) / 2, rows: [1 / length, -along / (length * across), 0, 1 / across] };
}

function inverse1(m: Float64Array): Inverse {
  const length = Math.sqrt(m[0] * m[0] + m[3] * m[3] + m[6] * m[6]);
  return { content: length, rows: [1 / length] };
}
