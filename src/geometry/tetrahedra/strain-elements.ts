import { isQuadratic, quadraticElements, quadraticMasses, type QuadraticElements } from "./quadratic";
import { QUADRATIC_NODES } from "./quadrature";
import { barycentricGradients, tetMasses, tetVolume, type TetMesh } from "./tet-mesh";

/** Mass of each vertex [kg]. `density` in kg/m³. */
export function solidMasses(mesh: TetMesh, density: number): Float64Array {
  return isQuadratic(mesh) ? quadraticMasses(mesh, density) : tetMasses(mesh, density);
}

/** Elements with one strain each: F = Σ x ∇N over `arity` vertices. */
export interface StrainElements extends QuadraticElements {
  readonly arity: number;
}

/** All strain elements of a mesh: its tetrahedra, or the quadrature points of quadratic tetrahedra. */
export function strainElements(mesh: TetMesh): StrainElements {
  if (isQuadratic(mesh)) return { arity: QUADRATIC_NODES, ...quadraticElements(mesh) };
  const { positions, tetrahedra } = mesh;
  const count = tetrahedra.length / 4;
  const gradients = new Float64Array(12 * count);
  const volumes = new Float64Array(count);
  for (let e = 0; e < count; e++) {
    const corners = tetrahedra.subarray(4 * e, 4 * e + 4);
    volumes[e] = tetVolume(positions, corners, 0);
    barycentricGradients(positions, corners).forEach((slope, a) => gradients.set(slope, 12 * e + 3 * a));
  }
  return { arity: 4, indices: tetrahedra.slice(), gradients, volumes };
}
