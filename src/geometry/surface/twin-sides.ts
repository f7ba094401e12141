/** One number for an edge, from whichever end it is given. It holds for 2²⁶ vertices. */
export function edgeKey(a: number, b: number): number {
  return Math.min(a, b) * 0x4000000 + Math.max(a, b);
}

/** One name for a triangle, whichever way it goes round. */
export function triangleKey(a: number, b: number, c: number): string {
  return [a, b, c].sort((p, q) => p - q).join();
}

/** Sides of triangles by `edgeKey`. Side i leads from corner i of the list to the next of its triangle. */
export function sidesOfEdges(indices: ArrayLike<number>): Map<number, number[]> {
  const sides = new Map<number, number[]>();
  for (let i = 0; i < indices.length; i++) {
    const key = edgeKey(indices[i], indices[nextCorner(i)]);
    const known = sides.get(key);
    if (known) known.push(i);
    else sides.set(key, [i]);
  }
  return sides;
}

/**
 * For each side of each triangle the side of another triangle over the same edge, or −1. If more than two
 * triangles meet, the first is the twin of the second and of all others. Two triangles over the same corners, as in a
 * double-sided mesh, are not twins: they cannot turn against each other.
 */
export function twinSides(indices: ArrayLike<number>): Int32Array {
  const twins = new Int32Array(indices.length);
  for (const sides of sidesOfEdges(indices).values())
    for (const i of sides) {
      const own = indices[oppositeCorner(i)];
      twins[i] = sides.find((side) => indices[oppositeCorner(side)] !== own) ?? -1;
    }
  return twins;
}

/** The corner at the end of side i. */
export function nextCorner(i: number): number {
  return i % 3 === 2 ? i - 2 : i + 1;
}

/** The corner that side i does not touch. */
export function oppositeCorner(i: number): number {
  return i % 3 === 0 ? i + 2 : i - 1;
}
