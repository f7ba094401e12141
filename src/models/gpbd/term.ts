import { colourElements } from "../../geometry/colouring";
import { termLayout, type EnergyTerm, type TermKind } from "../../solvers/gpbd/model";

/** Colors the elements and sorts indices and rest data by color. */
export function createTerm(
  kind: TermKind,
  body: { readonly positions: Float64Array },
  indices: ArrayLike<number>,
  rest: ArrayLike<number>,
  material: ArrayLike<number>,
  { arity, rest: stride }: Pick<(typeof termLayout)[TermKind], "arity" | "rest"> = termLayout[kind],
): EnergyTerm {
  const { order, colours } = colourElements(indices, arity, body.positions.length / 3);
  const sortedIndices = new Uint32Array(indices.length);
  const sortedRest = new Float64Array(rest.length);
  order.forEach((from, to) => {
    for (let i = 0; i < arity; i++) sortedIndices[to * arity + i] = indices[from * arity + i]!;
    for (let i = 0; i < stride; i++) sortedRest[to * stride + i] = rest[from * stride + i]!;
  });
  return {
    kind,
    elementCount: order.length,
    indices: sortedIndices,
    rest: sortedRest,
    material: Float64Array.from(material),
    colours,
  };
}
