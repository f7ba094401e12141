/** The surfaces of all deformable bodies that may touch one another, as one list of vertices, edges and triangles. */
import { buildEdges } from "../../geometry/surface/edges";
import { ownFeatures } from "./features";

/** A pair comes no closer than this part of the distance that it keeps: far above rounding, even in f32. */
export const LEAST_GAP = 0.05;

/** A body's part of a `SurfaceMesh`. */
export interface SurfacePart {
  /** particleCount × 3 at rest [m] */
  readonly restPositions: ArrayLike<number>;
  /** triangles of the surface, particle indices of the body */
  readonly faces: ArrayLike<number>;
  /** edges that belong to no triangle, like those of ropes: two particles each; default none */
  readonly edges?: ArrayLike<number> | undefined;
  /** whether the body touches itself */
  readonly selfCollision: boolean;
  /** whether the body touches other bodies with this flag; default false */
  readonly bodyCollision?: boolean | undefined;
}

export type SurfaceMesh = Readonly<ReturnType<typeof joinSurfaces>>;

/** @param starts start of each body's particles, and the end of the last; default one after the other */
export function joinSurfaces(parts: readonly SurfacePart[], starts?: ArrayLike<number>) {
  const partStart = new Uint32Array(parts.length + 1);
  parts.forEach((part, k) => (partStart[k + 1] = starts?.[k + 1] ?? partStart[k] + part.restPositions.length / 3));
  const particleCount = partStart[parts.length];
  const restPositions = new Float64Array(3 * particleCount);
  const partOf = new Uint32Array(particleCount);
  const faces: number[] = [];
  const lines: number[] = [];
  parts.forEach((part, k) => {
    restPositions.set(part.restPositions, 3 * partStart[k]);
    partOf.fill(k, partStart[k], partStart[k + 1]);
    for (let i = 0; i < part.faces.length; i++) faces.push(partStart[k] + part.faces[i]);
    for (let i = 0; part.edges && i < part.edges.length; i++) lines.push(partStart[k] + part.edges[i]);
  });
  const onSurface = new Uint8Array(particleCount);
  for (const v of faces) onSurface[v] = 1;
  for (const v of lines) onSurface[v] = 1;
  const vertices: number[] = [];
  for (let v = 0; v < particleCount; v++) if (onSurface[v] === 1) vertices.push(v);
  const { vertices: ofFaces } = buildEdges(faces);
  return {
    /** particles of all bodies, including those inside solids */
    particleCount,
    /** start of each body's particles, and the end of the last */
    partStart,
    /** body of each particle */
    partOf,
    /**
     * bodies × bodies: factor of the distance that two bodies keep, or a body keeps from itself; 0 if they do not touch.
     * It may change between searches
     */
    keeps: Float64Array.from(
      parts.flatMap((part, k) =>
        parts.map((other, l) => ((k === l ? part.selfCollision : part.bodyCollision && other.bodyCollision) ? 1 : 0)),
      ),
    ),
    /** half of how much less distance each particle keeps than its body [m]; it may change between searches */
    thinner: new Float64Array(particleCount),
    /** particleCount × 3 [m], each body in its initial shape */
    restPositions,
    /** particles on a surface, in order */
    vertices: Uint32Array.from(vertices),
    /** edgeCount × 2 */
    edges: Uint32Array.from([...ofFaces, ...lines]),
    /** edges before this one are those of triangles */
    faceEdges: ofFaces.length / 2,
    /** faceCount × 3 */
    faces: Uint32Array.from(faces),
    /** corners and edges that count for each face, see `ownFeatures` */
    own: ownFeatures(faces),
  };
}
