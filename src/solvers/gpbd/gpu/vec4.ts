/** Triples to vec4f with w = 0. */
export function toVec4(triples: ArrayLike<number>): Float32Array<ArrayBuffer> {
  const out = new Float32Array((triples.length / 3) * 4);
  for (let p = 0; p < triples.length / 3; p++) for (let c = 0; c < 3; c++) out[4 * p + c] = triples[3 * p + c]!;
  return out;
}

export function fromVec4(bytes: ArrayBuffer, count: number): Float32Array {
  const source = new Float32Array(bytes);
  const out = new Float32Array(3 * count);
  for (let p = 0; p < count; p++) for (let c = 0; c < 3; c++) out[3 * p + c] = source[4 * p + c]!;
  return out;
}
