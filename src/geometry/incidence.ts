/** For each vertex, the (element, corner) pairs that touch it: compressed rows, in element order. */
export interface Incidence {
  /** vertexCount + 1 */
  readonly offsets: Uint32Array;
  /** element × arity + corner */
  readonly entries: Uint32Array;
}

/**
 * @param indices element × arity vertex indices
 */
export function buildIncidence(indices: ArrayLike<number>, vertexCount: number): Incidence {
  const offsets = new Uint32Array(vertexCount + 1);
  for (let i = 0; i < indices.length; i++) offsets[indices[i]! + 1]!++;
  for (let v = 0; v < vertexCount; v++) offsets[v + 1]! += offsets[v]!;
  const next = offsets.slice(0, vertexCount);
  const entries = new Uint32Array(indices.length);
  for (let i = 0; i < indices.length; i++) entries[next[indices[i]!]!++] = i;
  return { offsets, entries };
}
