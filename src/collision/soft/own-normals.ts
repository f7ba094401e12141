/**
 * Along which normals a vertex of a solid can be pushed at all. It is borne only against the directions between its own faces: a vertex within a flat
 * side has one, whatever the nearest point is like. Near a rim the distance tells a normal that leans outwards, ever more the further
 * beside it the vertex is: it stops what slides, though the vertex would pass below the rim without being touched.
 */
import { buildIncidence } from "../../geometry/surface/incidence";
import { triangleNormal } from "../../geometry/triangles/triangle";
import { lengthAt } from "../../math/vectors";
import { OWN_FACES as FACES, OWN_ROUNDS as ROUNDS, OWN_SETTLED as SETTLED } from "../../generated/constants";

const shares = new Float64Array(FACES);
const rest = new Float64Array(3);

/**
 * Turns a vector into the unit direction nearest to it that is a sum of some directions.
 *
 * @param from unit vectors, three numbers each
 * @returns whether there is one
 */
export function turnIntoCone(from: Float64Array, count: number, vector: Float64Array): boolean {
  shares.fill(0, 0, count);
  for (let c = 0; c < 3; c++) rest[c] = vector[c]!;
  for (let round = 0, most = 1; round < ROUNDS && most > SETTLED; round++) {
    most = 0;
    for (let i = 0, at = 0; i < count; i++, at += 3) {
      const along = rest[0] * from[at] + rest[1] * from[at + 1] + rest[2] * from[at + 2];
      const change = Math.max(-shares[i], along);
      shares[i] += change;
      for (let c = 0; c < 3; c++) rest[c] -= change * from[at + c];
      most = Math.max(most, Math.abs(change));
    }
  }
  for (let c = 0; c < 3; c++) rest[c] = vector[c] - rest[c];
  const length = lengthAt(rest, 0);
  if (!(length > 0)) return false;
  for (let c = 0; c < 3; c++) vector[c] = rest[c] / length;
  return true;
}

/** The faces at each vertex of a surface. */
export interface FacesAtVertices {
  /** places of the first corners of the faces at each vertex, and where a vertex has its own in that list */
  readonly facesAt: Uint32Array;
  readonly facesFrom: Uint32Array;
}

export function facesAtVertices(faces: Uint32Array, vertices: number): FacesAtVertices {
  const { offsets, entries } = buildIncidence(faces, vertices);
  return { facesAt: entries.map((corner) => corner - (corner % 3)), facesFrom: offsets };
}

export class OwnNormals {
  private readonly around: FacesAtVertices;
  /** the vertex whose faces were last asked for, and their normals */
  private known = -1;
  private readonly normals = new Float64Array(3 * FACES);

  /** @param faces of solids, clockwise seen from outside */
  constructor(
    private readonly faces: Uint32Array,
    vertices: number,
  ) {
    this.around = facesAtVertices(faces, vertices);
  }

  /** Vertices are somewhere else. */
  begin(): void {
    this.known = -1;
  }

  /**
   * Turns the direction into which a vertex of a solid is pushed to the nearest one into which it can be.
   *
   * @returns whether there is one
   */
  turn(x: Float64Array, v: number, direction: Float64Array): boolean {
    const { faces, normals } = this;
    const { facesAt, facesFrom } = this.around;
    const from = facesFrom[v];
    const count = Math.min(facesFrom[v + 1] - from, FACES);
    for (let i = 0; i < count && v !== this.known; i++) {
      const f = facesAt[from + i];
      triangleNormal(x, 3 * faces[f], 3 * faces[f + 1], 3 * faces[f + 2], normal);
      const length = lengthAt(normal, 0);
      for (let c = 0; c < 3; c++) normals[3 * i + c] = length > 0 ? normal[c] / length : 0;
    }
    this.known = v;
    return turnIntoCone(normals, count, direction);
  }
}

const normal = new Float64Array(3);
