/**
 * Quadratic tetrahedra: ten vertices each, corners and the middles of edges. A linear tetrahedron has constant strain,
 * so a bar one tetrahedron thick cannot bend without shear and is several times too stiff. Strain in a quadratic
 * tetrahedron is linear, as it is across a bent bar.
 *
 * Lᵢ  barycentric coordinates, ∇Lᵢ their gradients at rest
 * N   shape functions: Lᵢ (2 Lᵢ − 1) of corner i, 4 Lᵢ Lⱼ of the middle of the edge from i to j (Zienkiewicz, Taylor, "The Finite
 *     Element Method", vol. 1, section 4.11)
 */

import { edgeKey } from "../surface/twin-sides";
import type { Vec3 } from "../../math/types";
import { FAR, NEAR, QUADRATIC_NODES, QUADRATURE_POINTS } from "./quadrature";
import { EDGES, tetrahedronEdges } from "./tet-edges";
import { barycentricGradients, tetVolume, type TetMesh } from "./tet-mesh";

/** A mesh whose tetrahedra are the eighths of quadratic ones. */
export interface QuadraticMesh extends TetMesh {
  /** ten vertices a quadratic tetrahedron: its corners, then the middles of the edges in the order of `EDGES` */
  readonly quadratic: Uint32Array;
  /** the two ends of each edge, in the order of the edges' middle vertices, which come last */
  readonly middles: Uint32Array;
}

export function isQuadratic(mesh: TetMesh): mesh is QuadraticMesh {
  return "quadratic" in mesh;
}

/** The eighths, by places among the ten vertices: one at each corner, four around the diagonal from 01 to 23. */
const EIGHTHS = [
  [0, 4, 5, 6],
  [4, 1, 7, 8],
  [5, 7, 2, 9],
  [6, 8, 9, 3],
  [4, 9, 5, 6],
  [4, 9, 6, 8],
  [4, 9, 8, 7],
  [4, 9, 7, 5],
] as const;

/** Parts of the mass: the scaled diagonal of the consistent mass matrix (Hinton, Rock and Zienkiewicz 1976). */
const [CORNER_MASS, EDGE_MASS] = [1 / 36, 4 / 27];

/** The same mesh made of quadratic tetrahedra. Vertices keep their numbers; the middles of edges come after them. */
export function quadraticMesh({ positions, tetrahedra }: TetMesh): QuadraticMesh {
  const count = tetrahedra.length / 4;
  const vertexCount = positions.length / 3;
  const middles = tetrahedronEdges(tetrahedra);
  const all = new Float64Array(positions.length + 1.5 * middles.length);
  all.set(positions);
  const middleOf = new Map<number, number>();
  for (let k = 0; k < middles.length / 2; k++) {
    const [a, b] = [middles[2 * k], middles[2 * k + 1]];
    const vertex = vertexCount + k;
    middleOf.set(edgeKey(a, b), vertex);
    for (let c = 0; c < 3; c++) all[3 * vertex + c] = (positions[3 * a + c] + positions[3 * b + c]) / 2;
  }
  const quadratic = new Uint32Array(QUADRATIC_NODES * count);
  const eighths = new Uint32Array(4 * EIGHTHS.length * count);
  for (let t = 0; t < count; t++) {
    const own = quadratic.subarray(QUADRATIC_NODES * t, QUADRATIC_NODES * (t + 1));
    own.set(tetrahedra.subarray(4 * t, 4 * t + 4));
    EDGES.forEach(([i, j], e) => (own[4 + e] = middleOf.get(edgeKey(own[i], own[j]))!));
    EIGHTHS.forEach((corners, k) => corners.forEach((at, c) => (eighths[4 * (EIGHTHS.length * t + k) + c] = own[at]!)));
  }
  return { positions: all, tetrahedra: eighths, quadratic, middles };
}

/** Mass of each vertex [kg]. `density` is in kg/m³. */
export function quadraticMasses({ positions, quadratic }: QuadraticMesh, density: number): Float64Array {
  const masses = new Float64Array(positions.length / 3);
  for (let t = 0; t < quadratic.length / QUADRATIC_NODES; t++) {
    const own = quadratic.subarray(QUADRATIC_NODES * t, QUADRATIC_NODES * (t + 1));
    const mass = density * tetVolume(positions, own, 0);
    own.forEach((vertex, k) => (masses[vertex] += mass * (k < 4 ? CORNER_MASS : EDGE_MASS)));
  }
  return masses;
}

/** Elements with one strain each, `QUADRATURE_POINTS` for each tetrahedron. */
export interface QuadraticElements {
  /** vertices of each element */
  readonly indices: Uint32Array;
  /** gradients of the shape functions at rest, three numbers a vertex of an element [1/m] */
  readonly gradients: Float64Array;
  /** volume of each element [m³] */
  readonly volumes: Float64Array;
}

export function quadraticElements({ positions, quadratic }: QuadraticMesh): QuadraticElements {
  const count = (quadratic.length / QUADRATIC_NODES) * QUADRATURE_POINTS;
  const indices = new Uint32Array(QUADRATIC_NODES * count);
  const gradients = new Float64Array(3 * QUADRATIC_NODES * count);
  const volumes = new Float64Array(count);
  for (let t = 0; t < count / QUADRATURE_POINTS; t++) {
    const own = quadratic.subarray(QUADRATIC_NODES * t, QUADRATIC_NODES * (t + 1));
    const volume = tetVolume(positions, own, 0) / QUADRATURE_POINTS;
    const slopes = barycentricGradients(positions, own);
    for (let point = 0; point < QUADRATURE_POINTS; point++) {
      const e = QUADRATURE_POINTS * t + point;
      indices.set(own, QUADRATIC_NODES * e);
      volumes[e] = volume;
      const at = (i: number): number => (i === point ? NEAR : FAR);
      const write = (k: number, v: Vec3): void => gradients.set(v, 3 * (QUADRATIC_NODES * e + k));
      for (let i = 0; i < 4; i++) write(i, scaled(slopes[i], 4 * at(i) - 1));
      EDGES.forEach(([i, j], k) => {
        const [a, b] = [scaled(slopes[j], 4 * at(i)), scaled(slopes[i], 4 * at(j))];
        write(4 + k, [a[0] + b[0], a[1] + b[1], a[2] + b[2]]);
      });
    }
  }
  return { indices, gradients, volumes };
}

const scaled = (v: Vec3, by: number): Vec3 => [v[0] * by, v[1] * by, v[2] * by];
