/** Substeps that patches go through in one dispatch. */
export interface Chunk {
  /** of the frame */
  readonly first: number;
  readonly substeps: number;
  /** whether the air is evaluated before the first */
  readonly blows: boolean;
  /** for each substep whether it sweeps bending */
  readonly bends: readonly boolean[];
  /** whether the last ends before contact, with which surfaces go on */
  readonly isOpen: boolean;
}

/** A substep with bending reaches as far as this many without. */
const REACH_OF_BENDING = 1;

/**
 * Cuts a frame into as few chunks as it can. The air is evaluated at the start of a chunk alone, where all patches see the same state.
 *
 * @param bendingInterval substeps from one sweep of bending to the next; 0 for a sheet that does not bend
 * @param airInterval the same of the air; 0 without air
 * @param most substeps of a chunk
 * @param turn substeps from one contact of surfaces to the next, see phases.ts; 0 without
 */
export function scheduleOf(
  substeps: number,
  bendingInterval: number,
  airInterval: number,
  most: number,
  turn: number,
): Chunk[] {
  const bendsAt = (s: number): boolean => bendingInterval > 0 && s % bendingInterval === 0;
  const blowsAt = (s: number): boolean => airInterval > 0 && s % airInterval === 0;
  const turnsAt = (s: number): boolean => turn > 0 && s % turn === 0;
  // fewest chunks up to a substep, and where the last of them begins
  const fewest = Float64Array.from({ length: substeps + 1 }, (_, s) => (s === 0 ? 0 : Infinity));
  const begins = new Uint32Array(substeps + 1);
  for (let first = 0; first < substeps; first++) {
    let reach = 0;
    for (let s = first; s < substeps && (s === first || !(blowsAt(s) || turnsAt(s))); s++) {
      reach += 1 + (bendsAt(s) ? REACH_OF_BENDING : 0);
      if (reach > most && s > first) break;
      if (fewest[first] + 1 >= fewest[s + 1]) continue;
      fewest[s + 1] = fewest[first] + 1;
      begins[s + 1] = first;
    }
  }
  const chunks: Chunk[] = [];
  for (let end = substeps; end > 0; end = begins[end]) {
    const first = begins[end];
    chunks.unshift({
      first,
      substeps: end - first,
      blows: blowsAt(first),
      isOpen: turn > 0 && (turnsAt(end) || end === substeps),
      bends: Array.from({ length: end - first }, (_, k) => bendsAt(first + k)),
    });
  }
  return chunks;
}
