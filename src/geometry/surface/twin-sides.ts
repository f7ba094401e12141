/**
 * For each side of each triangle the side of another triangle over the same edge, or −1. Side i leads from corner i of
 * the list to the next of its triangle. If more than two triangles meet, the first is the twin of the second and of all
 * others. Two triangles over the same corners, as in a double-sided mesh, are not twins: they cannot turn against each
 * other.
 */
export function twinSides(indices: ArrayLike<number>): Int32Array {
  let most = 0;
  for (let i = 0; i < indices.length; i++) most = Math.max(most, indices[i] + 1);
  const sides = new Map<number, number[]>();
  const keyOf = (i: number): number => {
    const [a, b] = [indices[i], indices[nextCorner(i)]];
    return Math.min(a, b) * most + Math.max(a, b);
  };
  for (let i = 0; i < indices.length; i++) {
    const known = sides.get(keyOf(i));
    if (known) known.push(i);
    else sides.set(keyOf(i), [i]);
  }
  const twins = new Int32Array(indices.length);
  for (let i = 0; i < indices.length; i++) {
    const own = indices[oppositeCorner(i)];
    twins[i] = sides.get(keyOf(i))!.find((side) => indices[oppositeCorner(side)] !== own) ?? -1;
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
