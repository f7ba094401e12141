/** Depth of particles that obstacles let go of, in place of an infinite one: see let-go.wgsl [m]. */
const LET_GO = 1e30;

/**
 * Triples to vec4f.
 *
 * @param last w of each; default 0. Infinite ones become `LET_GO`
 */
export function toVec4(triples: ArrayLike<number>, last?: ArrayLike<number>): Float32Array<ArrayBuffer> {
  const out = new Float32Array((triples.length / 3) * 4);
  for (let p = 0; p < triples.length / 3; p++) {
    for (let c = 0; c < 3; c++) out[4 * p + c] = triples[3 * p + c]!;
    out[4 * p + 3] = Math.min(LET_GO, last?.[p] ?? 0);
  }
  return out;
}

/** Of places with depths, what `Overlap.save` has: that the body has looked around, whether obstacles let go, and the depths. */
export function depthsOf(bytes: ArrayBuffer): Float64Array {
  const depths = Array.from(new Float32Array(bytes).filter((_, i) => i % 4 === 3));
  const kept = depths.map((depth) => (depth < LET_GO / 2 ? Math.max(0, depth) : Infinity));
  return Float64Array.of(0, Number(kept.includes(Infinity)), ...kept);
}

export function fromVec4(bytes: ArrayBuffer, count: number): Float32Array {
  const source = new Float32Array(bytes);
  const out = new Float32Array(3 * count);
  for (let p = 0; p < count; p++) for (let c = 0; c < 3; c++) out[3 * p + c] = source[4 * p + c]!;
  return out;
}
