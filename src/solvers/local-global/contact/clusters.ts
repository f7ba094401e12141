import { DisjointSets } from "../../../math/disjoint-sets";
import type { ContactList } from "../../../collision/soft/contact-list";
import type { GroupBody } from "../body/group-body";

/** Bodies that touch one another, by their places, and the rigid ones that they touch by those of their proxies. */
export interface Cluster {
  readonly bodies: number[];
  readonly proxies: Set<number>;
  /** whether they touched anything but bodies */
  meetsObstacle: boolean;
}

/** Bodies that touched one another in any pass of the steps of a frame. */
export class Clusters {
  private sets = new DisjointSets(0);
  private count = 0;
  private readonly touched = new Set<number>();
  /** of a proxy, bodies that touched it */
  private readonly met = new Map<number, Set<number>>();
  /** bodies that touched obstacles of any kind */
  private readonly stopped = new Set<number>();

  /** Before the first step, with so many bodies. */
  begin(count: number): void {
    this.sets = new DisjointSets(count);
    this.count = count;
    this.touched.clear();
    this.met.clear();
    this.stopped.clear();
  }

  /** Takes the contacts of a pass. */
  join(contacts: ContactList): void {
    const { count, body, rigid, primitive } = contacts;
    for (let n = 0; n < count; n++) {
      const first = contacts.bodyOf(n);
      for (const i of contacts.verticesOf(n)) this.sets.join(body[i]!, first);
      this.touched.add(first);
      if (primitive[n] >= 0) this.stopped.add(first);
      if (rigid[n] < 0) continue;
      const known = this.met.get(rigid[n]);
      if (known) known.add(first);
      else this.met.set(rigid[n], new Set([first]));
    }
  }

  /** Those that touch something are in one cluster each, maybe by themselves. */
  all(): Cluster[] {
    const { sets } = this;
    const clusters = new Map<number, Cluster>();
    for (const body of this.touched)
      clusters.set(sets.rootOf(body), { bodies: [], proxies: new Set(), meetsObstacle: false });
    for (const body of this.stopped) clusters.get(sets.rootOf(body))!.meetsObstacle = true;
    for (const [proxy, bodies] of this.met)
      for (const body of bodies) clusters.get(sets.rootOf(body))!.proxies.add(proxy);
    for (let k = 0; k < this.count; k++) clusters.get(sets.rootOf(k))?.bodies.push(k);
    return [...clusters.values()];
  }
}

/** Of the bodies with contacts in a step those that push one another, if at all, and are pushed by no obstacle and held by nothing. */
export function freeClusters(contacts: ContactList, bodies: readonly GroupBody[]): GroupBody[][] {
  const { count, body, primitive, z } = contacts;
  const sets = new DisjointSets(bodies.length);
  const touched = new Set<number>();
  const held = new Set<number>();
  for (let n = 0; n < count; n++) {
    const first = contacts.bodyOf(n);
    for (const i of contacts.verticesOf(n)) {
      touched.add(body[i]!);
      if (z[3 * n] > 0) sets.join(body[i]!, first);
    }
    if (z[3 * n] > 0 && primitive[n] >= 0) held.add(first);
  }
  bodies.forEach(({ pinSolver, frozenAt }, k) => {
    if (pinSolver.vertices.length > 0 || frozenAt !== 0) held.add(k);
  });
  const isFree = new Set(Array.from(touched, (k) => sets.rootOf(k)));
  for (const k of held) isFree.delete(sets.rootOf(k));
  return Array.from(isFree, (root) => bodies.filter((_, k) => sets.rootOf(k) === root));
}
