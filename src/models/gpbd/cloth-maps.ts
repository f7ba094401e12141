import { PliantError } from "../../errors";
import { checkNames, type NamesOf } from "../../option-names";

/**
 * Factors of a fabric's properties, one for each vertex of the mesh; default 1 everywhere. A triangle has the mean of
 * its corners.
 */
export interface ClothMaps {
  /** of the mass per area, above 0 */
  mass?: ArrayLike<number> | undefined;
  /** of the stiffness in the plane, stretch and shear, above 0 */
  stretch?: ArrayLike<number> | undefined;
  /** of the bending stiffness, 0 or more */
  bending?: ArrayLike<number> | undefined;
}

export const clothMapNames = {
  mass: true,
  stretch: true,
  bending: true,
} satisfies NamesOf<ClothMaps>;

/** @throws PliantError for an unknown map, one without a number for each vertex, or a factor out of its range */
export function checkMaps(name: string, maps: ClothMaps, vertexCount: number): void {
  checkNames(`${name}.maps`, maps, clothMapNames);
  for (const [key, map] of Object.entries(maps) as [keyof ClothMaps, ArrayLike<number> | undefined][]) {
    if (map === undefined) continue;
    const object = `${name}.maps.${key}`;
    if (map.length !== vertexCount)
      throw new PliantError(
        "invalid-argument",
        object,
        map.length,
        `must have a number for each of ${vertexCount} vertices`,
      );
    const rule = key === "bending" ? "must be finite and at least 0" : "must be finite and above 0";
    for (let v = 0; v < vertexCount; v++)
      if (!Number.isFinite(map[v]) || map[v] < 0 || (map[v] === 0 && key !== "bending"))
        throw new PliantError("invalid-argument", `${object}[${v}]`, map[v], rule);
  }
}

/**
 * Factors of faces, the means of their corners.
 *
 * @param indices triangles of the description
 * @param faceTriangles the triangle that each face is
 */
export function faceFactors(
  map: ArrayLike<number> | undefined,
  indices: ArrayLike<number>,
  faceTriangles: ArrayLike<number>,
): Float64Array | undefined {
  return (
    map &&
    Float64Array.from(
      faceTriangles,
      (t) => (map[indices[3 * t]] + map[indices[3 * t + 1]] + map[indices[3 * t + 2]]) / 3,
    )
  );
}
