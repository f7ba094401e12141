import { buildIncidence, NO_VERTEX } from "./surface/incidence";

/** A permutation of elements that groups them by color. */
export interface Colouring {
  /** order[i] is the element that moves to place i */
  readonly order: Uint32Array;
  /** Color c holds places colors[c] … colors[c + 1] − 1. */
  readonly colours: Uint32Array;
}

/**
 * Greedy coloring of elements that share vertices, least used admissible color first, so that the colors get about
 * equally many elements. No two elements of one color touch the same vertex.
 *
 * @param takesFirst the first admissible color instead: cells of a lattice take fewer colors then, eight
 */
export function colourElements(
  indices: ArrayLike<number>,
  arity: number,
  vertexCount: number,
  takesFirst = false,
): Colouring {
  const count = indices.length / arity;
  const incidence = buildIncidence(indices, vertexCount);
  const colourOf = new Int32Array(count).fill(-1);
  const sizes: number[] = [];
  const takenBy: number[] = [];
  for (let element = 0; element < count; element++) {
    for (let corner = 0; corner < arity; corner++) {
      const v = indices[element * arity + corner];
      if (v === NO_VERTEX) continue;
      for (let i = incidence.offsets[v]; i < incidence.offsets[v + 1]; i++) {
        const colour = colourOf[(incidence.entries[i] / arity) | 0];
        if (colour >= 0) takenBy[colour] = element;
      }
    }
    let chosen = -1;
    for (let colour = 0; colour < sizes.length; colour++)
      if (takenBy[colour] !== element && (chosen < 0 || (!takesFirst && sizes[colour] < sizes[chosen])))
        chosen = colour;
    if (chosen < 0) {
      chosen = sizes.length;
      sizes.push(0);
      takenBy.push(-1);
    }
    colourOf[element] = chosen;
    sizes[chosen]++;
  }
  const colours = new Uint32Array(sizes.length + 1);
  sizes.forEach((size, colour) => (colours[colour + 1] = colours[colour] + size));
  const next = colours.slice(0, sizes.length);
  const order = new Uint32Array(count);
  for (let element = 0; element < count; element++) order[next[colourOf[element]]++] = element;
  return { order, colours };
}
