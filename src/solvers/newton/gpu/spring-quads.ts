import type { BendingSprings } from "../deformable/bending-set";

/** Springs between up to four particles. */
export interface SpringQuad {
  readonly corners: readonly number[];
  /** stiffness between corners a > b, at a (a − 1)/2 + b, zero if there is no spring [N/m] */
  readonly stiffness: readonly number[];
}

/**
 * Combines springs into as few groups of four particles as a greedy choice finds: an element of
 * shaders/newton/deformable/model.wgsl has four corners.
 */
export function springQuads({ count, indices, stiffness }: BendingSprings): SpringQuad[] {
  /** springs that are in no group yet, by each of their particles */
  const left = new Map<number, Map<number, number>>();
  const springsOf = (p: number): Map<number, number> => left.get(p) ?? left.set(p, new Map()).get(p)!;
  for (let e = 0; e < count; e++) {
    const [p, q] = [indices[2 * e], indices[2 * e + 1]];
    springsOf(p).set(q, stiffness[e]);
    springsOf(q).set(p, stiffness[e]);
  }
  const take = (p: number, q: number): number => {
    const k = springsOf(p).get(q) ?? 0;
    springsOf(p).delete(q);
    springsOf(q).delete(p);
    return k;
  };
  /** neighbor of the first corner with the most springs to all corners */
  const next = (corners: readonly number[]): number | undefined => {
    let [best, most] = [undefined as number | undefined, 0];
    for (const first of corners)
      for (const p of springsOf(first).keys()) {
        const springs = corners.filter((corner) => springsOf(corner).has(p)).length;
        if (springs <= most || corners.includes(p)) continue;
        best = p;
        most = springs;
      }
    return best;
  };
  const quads: SpringQuad[] = [];
  for (const p of left.keys())
    while (springsOf(p).size > 0) {
      const corners = [p];
      for (let found = next(corners); found !== undefined && corners.length < 4; found = next(corners))
        corners.push(found);
      quads.push({ corners, stiffness: corners.flatMap((a, i) => corners.slice(0, i).map((b) => take(a, b))) });
    }
  return quads;
}
