import type { RigidProxy } from "../../../collision/obstacles/rigid-proxy";

/** Velocity and spin by impulses at a proxy, 6 numbers, and their moments about its center of mass: 6 × 6, row-major. */
export interface LinkAnswer {
  readonly owner: number;
  readonly answer: Float64Array;
}

/** Of each link of a mechanism, by its place among the proxies: the answers to impulses at all links of it. */
export function answersOfLinks(proxies: readonly RigidProxy[]): Map<number, readonly LinkAnswer[]> {
  const all = new Map<number, LinkAnswer[]>();
  const unit = new Float64Array(6);
  proxies.forEach(({ seat }, owner) => {
    if (!seat?.island.answer) return;
    const { island, place: from } = seat;
    const changes = new Float64Array(6 * island.proxies.length);
    const answers = island.proxies.map(() => new Float64Array(36));
    for (let c = 0; c < 6; c++) {
      unit.fill(0)[c] = 1;
      island.answer!(from, unit, changes.fill(0));
      changes.forEach((value, i) => (answers[Math.floor(i / 6)][6 * (i % 6) + c] = value));
    }
    island.proxies.forEach((other, k) => {
      const to = proxies.indexOf(other);
      all.set(to, [...(all.get(to) ?? []), { owner, answer: answers[k] }]);
    });
  });
  return all;
}
