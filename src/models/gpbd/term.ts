import { colourElements, type Colouring } from "../../geometry/colouring";
import { termLayout, type EnergyTerm, type TermKind } from "../../solvers/gpbd/model";

/**
 * Colors the elements and sorts indices and rest data by color.
 *
 * @param cell elements that share vertices and follow one another in the lists, see `EnergyTerm`: cells of a lattice are colored as wholes
 */
export function createTerm(
  kind: TermKind,
  body: { readonly positions: Float64Array },
  indices: ArrayLike<number>,
  rest: ArrayLike<number>,
  material: ArrayLike<number>,
  { arity, rest: stride }: Pick<(typeof termLayout)[TermKind], "arity" | "rest"> = termLayout[kind],
  cell = 1,
): EnergyTerm {
  const cells = colourElements(indices, arity * cell, body.positions.length / 3, cell > 1);
  const { order, colours } = cell > 1 ? splitCells(cells, cell) : cells;
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
    cell,
  };
}

/**
 * Each color of cells as colors of their elements: the first of every cell, the second of every cell … Colors are taken by threes, as cells
 * crush a bit more where the next ones are their neighbors across a face.
 */
function splitCells(cells: Colouring, size: number): Colouring {
  const order = new Uint32Array(size * cells.order.length);
  const colours = new Uint32Array(size * (cells.colours.length - 1) + 1);
  const count = cells.colours.length - 1;
  const step = count % 3 === 0 ? 1 : 3;
  let at = 0;
  for (let n = 0; n < size * count; n++) {
    const c = (step * Math.floor(n / size)) % count;
    for (let i = cells.colours[c]; i < cells.colours[c + 1]; i++) order[at++] = size * cells.order[i] + (n % size);
    colours[n + 1] = at;
  }
  return { order, colours };
}
