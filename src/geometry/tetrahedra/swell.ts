import { lengthOf, norm } from "../../math/vectors";
import { buildTriangleTree, closestTriangle } from "../triangles/bvh";
import { triangleCorners, type ClosedSurface } from "../triangles/closed-surface";
import { triangleNormal, vertexNormals } from "../triangles/triangle";
import { boundaryTriangles, meshVolume, tetVolume, type TetMesh } from "./tet-mesh";

/** Newton steps to the volume, and how near it is enough. */
const STEPS = 8;
const NEAR = 1e-6;
/** Least part of its volume that a tetrahedron keeps. */
const LEAST = 0.5;

/**
 * Moves the boundary of a mesh outward until the mesh has a volume, by a way in proportion to that from the middles of faces to the surface: the
 * faces are chords that cut off round sides, so that a tube of few cells is too thin.
 *
 * @param mesh with its vertices on the surface
 * @param most longest way of a vertex [m]
 * @returns the mesh as far as it may swell: no tetrahedron becomes much smaller
 */
export function swell(mesh: TetMesh, surface: ClosedSurface, volume: number, most: number): TetMesh {
  const { tetrahedra } = mesh;
  const before = Float64Array.from({ length: tetrahedra.length / 4 }, (_, t) =>
    tetVolume(mesh.positions, tetrahedra, t),
  );
  // `boundaryTriangles` are seen from inside.
  const faces = boundaryTriangles(tetrahedra).reverse();
  const gaps = gapsAt(mesh.positions, faces, surface);
  const longest = gaps.reduce((all, gap) => Math.max(all, gap), 0);
  let { positions } = mesh;
  let missing = volume - meshVolume(positions, tetrahedra);
  for (let step = 0, gone = 0; step < STEPS && missing > NEAR * volume; step++) {
    const { normals, areas } = outward(positions, faces);
    let rate = 0;
    for (let i = 0; i < faces.length; i++) rate += (areas[Math.floor(i / 3)] / 3) * gaps[faces[i]];
    const share = Math.min(missing / rate, most / longest - gone);
    gone += share;
    const next = positions.map((x, i) => x + share * gaps[Math.floor(i / 3)] * normals[i]);
    if (before.some((size, t) => tetVolume(next, tetrahedra, t) < LEAST * size)) break;
    positions = next;
    missing = volume - meshVolume(positions, tetrahedra);
  }
  return { positions, tetrahedra };
}

/** Way from the middles of faces to the surface outside of them, as a mean over those at each vertex [m]. */
function gapsAt(x: Float64Array, faces: Uint32Array, { positions, indices }: ClosedSurface): Float64Array {
  const tree = buildTriangleTree(triangleCorners(positions, indices));
  const { normals, areas } = outward(x, faces);
  const [gaps, shares] = [new Float64Array(x.length / 3), new Float64Array(x.length / 3)];
  const closest = new Float64Array(6);
  for (let f = 0; f < faces.length; f += 3) {
    const corners = faces.subarray(f, f + 3);
    const mean = (list: Float64Array, c: number): number => corners.reduce((sum, v) => sum + list[3 * v + c] / 3, 0);
    const [mx, my, mz] = [mean(x, 0), mean(x, 1), mean(x, 2)];
    closestTriangle(tree, mx, my, mz, Infinity, -1, closest);
    const [dx, dy, dz] = [closest[0] - mx, closest[1] - my, closest[2] - mz];
    const isOut = dx * mean(normals, 0) + dy * mean(normals, 1) + dz * mean(normals, 2) > 0;
    const area = areas[f / 3];
    for (const v of corners) {
      gaps[v] += isOut ? area * lengthOf(dx, dy, dz) : 0;
      shares[v] += area;
    }
  }
  return gaps.map((gap, v) => gap / (shares[v] || 1));
}

/** Unit normals of the vertices of a closed surface, zero elsewhere, and areas of its faces [m²]. */
function outward(x: Float64Array, faces: Uint32Array): { normals: Float64Array; areas: Float64Array } {
  const normals = vertexNormals(x, faces, new Float64Array(x.length));
  const normal = new Float64Array(3);
  const areas = Float64Array.from({ length: faces.length / 3 }, (_, f) => {
    triangleNormal(x, 3 * faces[3 * f], 3 * faces[3 * f + 1], 3 * faces[3 * f + 2], normal);
    return 0.5 * norm(normal);
  });
  for (let v = 0; v < x.length; v += 3) {
    const length = lengthOf(normals[v], normals[v + 1], normals[v + 2]);
    for (let k = v; length > 0 && k < v + 3; k++) normals[k] /= length;
  }
  return { normals, areas };
}
