import { termLayout, type GpbdModel } from "../model";

/** √(A B) of each element of bending of cloth, the last term: what a curvature of 1/m is in its rest data [√(N m) m]. */
export function curvatureUnits({ positions: x, terms }: GpbdModel): Float64Array {
  const { kind, elementCount, indices, material } = terms.at(-1)!;
  const { arity } = termLayout[kind];
  const units = new Float64Array(elementCount);
  const side = (from: number, to: number, c: number): number => x[3 * to + c] - x[3 * from + c];
  for (let e = 0; e < elementCount; e++) {
    const [a, b, d] = indices.subarray(arity * e, arity * e + 3);
    let squares = 0;
    for (let c = 0; c < 3; c++) {
      const [i, j] = [(c + 1) % 3, (c + 2) % 3];
      const normal = side(a, b, i) * side(a, d, j) - side(a, b, j) * side(a, d, i);
      squares += normal * normal;
    }
    units[e] = Math.sqrt(0.25 * Math.sqrt(squares) * (material[1] + material[2]));
  }
  return units;
}
