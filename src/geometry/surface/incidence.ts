/** Marks an empty corner of an element. */
export const NO_VERTEX = 0xffffffff;

/** For each vertex, the (element, corner) pairs that touch it: compressed rows, in element order. */
export interface Incidence {
  /** vertexCount + 1 */
  readonly offsets: Uint32Array;
  /** element × arity + corner */
  readonly entries: Uint32Array;
}

/** @param indices element × arity vertex indices, or `NO_VERTEX` */
export function buildIncidence(indices: ArrayLike<number>, vertexCount: number): Incidence {
  const offsets = new Uint32Array(vertexCount + 1);
  let count = 0;
  for (let i = 0; i < indices.length; i++) {
    if (indices[i] === NO_VERTEX) continue;
    offsets[indices[i] + 1]++;
    count++;
  }
  for (let v = 0; v < vertexCount; v++) offsets[v + 1] += offsets[v];
  const next = offsets.slice(0, vertexCount);
  const entries = new Uint32Array(count);
  for (let i = 0; i < indices.length; i++) if (indices[i] !== NO_VERTEX) entries[next[indices[i]]++] = i;
  return { offsets, entries };
}
