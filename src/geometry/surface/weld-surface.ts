import { triangleKey } from "./twin-sides";
import { degenerate } from "../../errors";
import { triangleSize, validateTriangles } from "./validate-mesh";
import { weldVertices, type WeldedMesh } from "./weld";

/** A surface of distinct triangles of positive area, made from a mesh for drawing. */
export interface WeldedSurface extends WeldedMesh {
  /** the mesh's triangle for each face */
  readonly faceTriangles: Uint32Array;
  /** the face for each triangle of the mesh; −1 if it has none */
  readonly triangleFaces: Int32Array;
  /** 1 for vertices whose triangles all wind against their faces: vertices of the back of a two-sided mesh */
  readonly reversed: Uint8Array;
}

/**
 * Welds the vertices of a mesh and leaves out triangles that serve only for drawing: those that then have two
 * coincident corners, as at the poles of a sphere, and the second of two triangles with the same corners, as in a
 * two-sided plane.
 *
 * @param object name of the mesh in messages
 * @throws PliantError as `validateTriangles`; `degenerate-geometry` for a triangle with collinear corners, by its
 * number in the mesh, since its neighbors would be disconnected without it; also if no triangle is left
 */
export function weldSurface(object: string, positions: ArrayLike<number>, indices: ArrayLike<number>): WeldedSurface {
  validateTriangles(object, positions, indices);
  const welded = weldVertices(positions, indices);
  const corners = welded.indices;
  const triangleFaces = new Int32Array(corners.length / 3).fill(-1);
  const known = new Map<string, number>();
  const faceTriangles: number[] = [];
  for (let t = 0; t < triangleFaces.length; t++) {
    const [a, b, c] = corners.subarray(3 * t, 3 * t + 3) as unknown as [number, number, number];
    if (a === b || b === c || c === a) continue;
    const key = triangleKey(a, b, c);
    let face = known.get(key);
    if (face === undefined) {
      const { area, longest } = triangleSize(welded.positions, a, b, c);
      if (!(area > 1e-12 * longest * longest)) throw degenerate(`${object} triangle ${t}`, area, "must have an area");
      face = faceTriangles.length;
      known.set(key, face);
      faceTriangles.push(t);
    }
    triangleFaces[t] = face;
  }
  if (faceTriangles.length === 0) throw degenerate(object, "no triangles", "must have an area");
  const faces = Uint32Array.from(faceTriangles.flatMap((t) => [...corners.subarray(3 * t, 3 * t + 3)]));
  const reversed = reversedVertices(indices, corners, faces, triangleFaces, welded.vertexToParticle.length);
  const surface = withoutLoose(welded, faces);
  return { ...surface, faceTriangles: Uint32Array.from(faceTriangles), triangleFaces, reversed };
}

function reversedVertices(
  indices: ArrayLike<number>,
  corners: Uint32Array,
  faces: Uint32Array,
  triangleFaces: Int32Array,
  count: number,
): Uint8Array {
  const [along, against] = [new Uint8Array(count), new Uint8Array(count)];
  triangleFaces.forEach((face, t) => {
    if (face < 0) return;
    const at = faces.subarray(3 * face, 3 * face + 3).indexOf(corners[3 * t]);
    const side = faces[3 * face + ((at + 1) % 3)] === corners[3 * t + 1] ? along : against;
    for (let k = 0; k < 3; k++) side[indices[3 * t + k]] = 1;
  });
  return against.map((value, v) => value & (1 - along[v]));
}

/** Removes particles without a face or mass: their vertices use that of another corner of their triangle. */
function withoutLoose({ positions, indices, vertexToParticle }: WeldedMesh, faces: Uint32Array): WeldedMesh {
  const count = positions.length / 3;
  const numbers = new Int32Array(count).fill(-1);
  for (const p of faces) numbers[p] = 0;
  if (numbers.every((number) => number === 0)) return { positions, indices: faces, vertexToParticle };
  const kept = [...numbers.keys()].filter((p) => numbers[p] === 0);
  kept.forEach((p, k) => (numbers[p] = k));
  for (let i = 0; i < indices.length; i += 3) {
    const others = [...indices.subarray(i, i + 3)].map((p) => numbers[p]);
    const held = Math.max(...others);
    for (let k = 0; k < 3; k++) if (others[k] < 0) numbers[indices[i + k]] = held;
  }
  return {
    positions: Float64Array.from(kept.flatMap((p) => [...positions.subarray(3 * p, 3 * p + 3)])),
    indices: faces.map((p) => numbers[p]),
    vertexToParticle: vertexToParticle.map((p) => Math.max(0, numbers[p])),
  };
}
