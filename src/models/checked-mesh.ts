import { checkList } from "../checks";
import { outOfRange } from "../errors";
import { type TetMesh, validateTetMesh } from "../geometry/tetrahedra/tet-mesh";

/**
 * A checked copy of a mesh in the form of `TetMesh`.
 *
 * @param positions vertexCount × 3 [m]
 * @param tetrahedra four vertices each
 * @throws PliantError as `validateTetMesh`; a fraction or a negative index is not rounded to a valid one
 */
export function checkedMesh(
  name: string,
  { positions, tetrahedra }: { positions: ArrayLike<number>; tetrahedra: ArrayLike<number> },
): TetMesh {
  checkList(positions, `${name} positions`);
  checkList(tetrahedra, `${name} tetrahedra`);
  for (let i = 0; i < tetrahedra.length; i++)
    if (!(Number.isInteger(tetrahedra[i]) && tetrahedra[i] >= 0))
      throw outOfRange(`${name} tetrahedron ${i >> 2}`, tetrahedra[i], "must be a whole number");
  const mesh = { positions: Float64Array.from(positions), tetrahedra: Uint32Array.from(tetrahedra) };
  validateTetMesh(name, mesh);
  return mesh;
}
