import type { Incidence } from "./incidence";

/**
 * For each vertex of a closed surface, a closed walk p₁ p₂ … p₁ over the vertices around it, so that Σ (pᵢ − x) × (pᵢ₊₁
 * − x) is twice the area vector of the triangles at it. The walk passes each triangle's far edge once, in its own
 * direction. If triangles form more than one fan, the walk crosses to the next fan and returns the same way, which adds
 * nothing to the sum.
 *
 * @param faces triangles; each edge occurs equally often in both directions
 * @returns entries are vertices; rows of vertices without triangles are empty
 */
export function vertexRings(faces: ArrayLike<number>, { offsets, entries }: Incidence): Incidence {
  const rings: number[] = [];
  const ends = new Uint32Array(offsets.length);
  for (let v = 0; v + 1 < offsets.length; v++) {
    const onward = new Map<number, number[]>();
    for (let i = offsets[v]; i < offsets[v + 1]; i++) {
      const corner = entries[i] % 3;
      const face = entries[i] - corner;
      const [from, to] = [faces[face + ((corner + 1) % 3)], faces[face + ((corner + 2) % 3)]];
      const edges = onward.get(from);
      if (edges) edges.push(to);
      else onward.set(from, [to]);
    }
    const begin = rings.length;
    for (const [first, edges] of onward)
      while (edges.length > 0) {
        const isFurther = rings.length > begin;
        if (isFurther) rings.push(rings[begin]);
        let at = first;
        do {
          rings.push(at);
          at = onward.get(at)!.pop()!;
        } while (at !== first);
        if (isFurther) rings.push(first);
      }
    ends[v + 1] = rings.length;
  }
  return { offsets: ends, entries: Uint32Array.from(rings) };
}
