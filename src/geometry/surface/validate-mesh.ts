import { checkList, checkPoints } from "../../checks";
import { degenerate, invalid, outOfRange } from "../../errors";
import { lengthOf, norm } from "../../math/vectors";

/**
 * Rejects meshes that no solver can use: empty meshes, coordinates that are not finite, indices out of range, triangles
 * without area. A triangle counts as degenerate when its area is below 1e-12 times the square of its longest edge.
 *
 * @param object name of the mesh in messages
 * @throws PliantError
 */
export function validateMesh(object: string, positions: ArrayLike<number>, indices: ArrayLike<number>): void {
  validateTriangles(object, positions, indices);
  for (let f = 0; f < indices.length; f += 3) {
    const { area, longest } = triangleSize(positions, indices[f], indices[f + 1], indices[f + 2]);
    if (!(area > 1e-12 * longest * longest)) throw degenerate(`${object} triangle ${f / 3}`, area, "must have an area");
  }
}

/** As `validateMesh`, but accepts triangles without area. */
export function validateTriangles(object: string, positions: ArrayLike<number>, indices: ArrayLike<number>): void {
  checkList(positions, `${object} positions`);
  checkList(indices, `${object} indices`);
  if (positions.length === 0 || indices.length === 0)
    throw degenerate(object, `${positions.length / 3} vertices`, "must not be empty");
  if (positions.length % 3 !== 0)
    throw invalid(`${object} positions`, positions.length, "must have three numbers a vertex");
  if (indices.length % 3 !== 0)
    throw invalid(`${object} indices`, indices.length, "must have three indices a triangle");
  checkPoints(positions, `${object} vertex`);
  const vertexCount = positions.length / 3;
  for (let i = 0; i < indices.length; i++) {
    const index = indices[i];
    if (!Number.isInteger(index) || index < 0 || index >= vertexCount)
      throw outOfRange(`${object} triangle ${Math.floor(i / 3)}`, index, `must be a vertex index below ${vertexCount}`);
  }
}

/** Area of a triangle, and the length of its longest side. */
export function triangleSize(p: ArrayLike<number>, a: number, b: number, c: number): { area: number; longest: number } {
  const edge = (i: number, j: number): [number, number, number] => [
    p[3 * j] - p[3 * i],
    p[3 * j + 1] - p[3 * i + 1],
    p[3 * j + 2] - p[3 * i + 2],
  ];
  const ab = edge(a, b);
  const ac = edge(a, c);
  const area =
    0.5 * lengthOf(ab[1] * ac[2] - ab[2] * ac[1], ab[2] * ac[0] - ab[0] * ac[2], ab[0] * ac[1] - ab[1] * ac[0]);
  return { area, longest: Math.max(norm(ab), norm(ac), norm(edge(b, c))) };
}
