import { triangleNormal } from "../../../geometry/triangles/triangle";
import { lengthAt } from "../../../math/vectors";

/** Kinds of convex parts. */
export const ConvexKind = { sphere: 0, capsule: 1, box: 2, cylinder: 3, hull: 4, triangle: 5 } as const;
export type ConvexKind = (typeof ConvexKind)[keyof typeof ConvexKind];

/**
 * A convex solid, centered in a frame of its own: all points within `radius` of its core. The core is a polytope,
 * except that of a cylinder, which is given by two numbers.
 *
 * | kind     | core                      | numbers                                      |
 * |----------|---------------------------|----------------------------------------------|
 * | sphere   | the origin                | radius                                       |
 * | capsule  | segment along Y           | halfY (without caps), radius                 |
 * | box      | the box                   | halfX, halfY, halfZ                          |
 * | cylinder | around Y                  | halfX = halfZ = radius of the disc, halfY    |
 * | hull     | polytope                  |                                              |
 * | triangle | a triangle with two sides |                                              |
 *
 * Lengths are in meters. A convex is immutable, except that a mesh reuses one object for all its triangles.
 */
export class Convex {
  readonly edgeCount: number = this.edges.length / 4;
  /** radius of a ball around the origin and inside the core [m]; 0 or less if there is none, and for a triangle */
  readonly innerRadius: number;

  /**
   * @param kind kind of the part
   * @param radius rounding around the core
   * @param halfX half extents of the core
   * @param vertices corners of the core, 3 numbers each; none for a cylinder
   * @param faceNormals outward unit normals of the faces, 3 numbers each
   * @param faceOffsets n·x on each face
   * @param faceStart first place in `faceVertices` of each face, and the end of the last
   * @param faceVertices corners of the faces, counter-clockwise seen from outside
   * @param edges 4 numbers an edge: its two corners, the face to its left and the one to its right seen from outside; a
   * segment has 0xffffffff for both faces
   * @param cornerStart first place in `cornerFaces` of each corner, and the end of the last
   * @param cornerFaces faces around each corner
   */
  constructor(
    readonly kind: ConvexKind,
    readonly radius: number,
    readonly halfX: number,
    readonly halfY: number,
    readonly halfZ: number,
    readonly vertices: Float64Array,
    readonly faceNormals: Float64Array,
    readonly faceOffsets: Float64Array,
    readonly faceStart: Uint32Array,
    readonly faceVertices: Uint32Array,
    readonly edges: Uint32Array,
    readonly cornerStart: Uint32Array,
    readonly cornerFaces: Uint32Array,
  ) {
    this.innerRadius = kind === ConvexKind.triangle || faceOffsets.length === 0 ? 0 : Math.min(...faceOffsets);
  }

  get vertexCount(): number {
    return this.vertices.length / 3;
  }

  get faceCount(): number {
    return this.faceOffsets.length;
  }
}

/** For edges without a face beside them. */
export const NO_FACE = 0xffffffff;

const NONE = new Float64Array();

export function sphereConvex(radius: number): Convex {
  return new Convex(ConvexKind.sphere, radius, 0, 0, 0, new Float64Array(3), NONE, NONE, ...faceTables([], 1));
}

/** A capsule along Y; `half` excludes the caps and may be zero. */
export function capsuleConvex(half: number, radius: number): Convex {
  const ends = Float64Array.of(0, -half, 0, 0, half, 0);
  const [start, corners, , cornerStart, cornerFaces] = faceTables([], 2);
  const edge = Uint32Array.of(0, 1, NO_FACE, NO_FACE);
  const tables = [start, corners, edge, cornerStart, cornerFaces] as const;
  return new Convex(ConvexKind.capsule, radius, 0, half, 0, ends, NONE, NONE, ...tables);
}

/** A cylinder around Y. */
export function cylinderConvex(half: number, radius: number): Convex {
  return new Convex(ConvexKind.cylinder, 0, radius, half, radius, NONE, NONE, NONE, ...faceTables([], 0));
}

/** Faces of a box: −x, +x, −y, +y, −z, +z; bits of a corner's number are set for positive coordinates x, y, z. */
const BOX_FACES = [
  [0, 4, 6, 2],
  [1, 3, 7, 5],
  [0, 1, 5, 4],
  [2, 6, 7, 3],
  [0, 2, 3, 1],
  [4, 5, 7, 6],
];

/** Normals and tables of all boxes: what pairs of boxes read stays in the caches then. */
let ofBoxes: { readonly normals: Float64Array; readonly tables: Tables } | undefined;

export function boxConvex(halfX: number, halfY: number, halfZ: number): Convex {
  const half = [halfX, halfY, halfZ];
  const vertices = Float64Array.from({ length: 24 }, (_, i) => {
    const axis = i % 3;
    return (Math.floor(i / 3) >> axis) & 1 ? half[axis] : -half[axis];
  });
  if (!ofBoxes) {
    ofBoxes = { normals: new Float64Array(18), tables: faceTables(BOX_FACES, 8) };
    for (let f = 0; f < 6; f++) ofBoxes.normals[3 * f + (f >> 1)] = f & 1 ? 1 : -1;
  }
  const offsets = Float64Array.from({ length: 6 }, (_, f) => half[f >> 1]);
  return new Convex(ConvexKind.box, 0, halfX, halfY, halfZ, vertices, ofBoxes.normals, offsets, ...ofBoxes.tables);
}

/** A polytope from its corners and from the loops of corners around its faces, counter-clockwise seen from outside. */
export function hullConvex(
  vertices: Float64Array,
  loops: readonly (readonly number[])[],
  normals: Float64Array,
  offsets: Float64Array,
): Convex {
  const half = [0, 0, 0];
  for (let i = 0; i < vertices.length; i++) half[i % 3] = Math.max(half[i % 3], Math.abs(vertices[i]));
  const tables = faceTables(loops, vertices.length / 3);
  return new Convex(ConvexKind.hull, 0, half[0], half[1], half[2], vertices, normals, offsets, ...tables);
}

/** A triangle for `setTriangle` to fill in: face 0 is its front, face 1 its back. */
export function triangleConvex(): Convex {
  const tables = faceTables(TRIANGLE_FACES, 3);
  const [vertices, normals] = [new Float64Array(9), new Float64Array(6)];
  return new Convex(ConvexKind.triangle, 0, 0, 0, 0, vertices, normals, new Float64Array(2), ...tables);
}

const TRIANGLE_FACES = [
  [0, 1, 2],
  [2, 1, 0],
];

/** Sets the triangle with corners at `at`, `at + 3`, `at + 6` of `corners`; its area must not be zero. */
export function setTriangle(out: Convex, corners: ArrayLike<number>, at: number): void {
  const { vertices, faceNormals, faceOffsets } = out;
  for (let i = 0; i < 9; i++) vertices[i] = corners[at + i];
  triangleNormal(vertices, 0, 3, 6, faceNormals);
  const scale = 1 / lengthAt(faceNormals, 0);
  for (let i = 0; i < 3; i++) faceNormals[i] *= scale;
  for (let i = 0; i < 3; i++) faceNormals[3 + i] = -faceNormals[i];
  faceOffsets[0] = faceNormals[0] * vertices[0] + faceNormals[1] * vertices[1] + faceNormals[2] * vertices[2];
  faceOffsets[1] = -faceOffsets[0];
}

/** Start of faces, their corners, edges, start of corners, and their faces. */
type Tables = [Uint32Array, Uint32Array, Uint32Array, Uint32Array, Uint32Array];

function faceTables(loops: readonly (readonly number[])[], vertexCount: number): Tables {
  const start = [0];
  const corners: number[] = [];
  const left = new Map<string, number>();
  const facesAt = Array.from({ length: vertexCount }, (): number[] => []);
  loops.forEach((loop, face) => {
    loop.forEach((corner, i) => {
      left.set(`${corner},${loop[(i + 1) % loop.length]}`, face);
      facesAt[corner].push(face);
    });
    corners.push(...loop);
    start.push(corners.length);
  });
  const edges: number[] = [];
  for (const [edge, face] of left) {
    const [from, to] = edge.split(",").map(Number);
    const other = left.get(`${to},${from}`);
    if (other !== undefined && from < to) edges.push(from, to, face, other);
  }
  const cornerStart = [0];
  for (const faces of facesAt) cornerStart.push(cornerStart[cornerStart.length - 1] + faces.length);
  return [start, corners, edges, cornerStart, facesAt.flat()].map((list) => Uint32Array.from(list)) as Tables;
}
