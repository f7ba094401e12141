import { DisjointSets } from "../../../math/disjoint-sets";
import type { ContactTable } from "../../../collision/soft/contact-table";

/** Bodies that touch one another, by their places, and the rigid ones that they touch by those of their proxies. */
export interface Cluster {
  readonly bodies: number[];
  readonly proxies: Set<number>;
}

/** Bodies that touched one another in any pass of the steps of a frame. */
export class Clusters {
  private sets = new DisjointSets(0);
  private count = 0;
  private readonly touched = new Set<number>();
  /** of a proxy, bodies that touched it */
  private readonly met = new Map<number, Set<number>>();

  /** Before the first step, with so many bodies. */
  begin(count: number): void {
    this.sets = new DisjointSets(count);
    this.count = count;
    this.touched.clear();
    this.met.clear();
  }

  /** Takes the contacts of a pass. */
  join(contacts: ContactTable): void {
    const { count, body, rigid } = contacts;
    for (let n = 0; n < count; n++) {
      const first = contacts.bodyOf(n);
      for (const i of contacts.verticesOf(n)) this.sets.join(body[i]!, first);
      this.touched.add(first);
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
    for (const body of this.touched) clusters.set(sets.rootOf(body), { bodies: [], proxies: new Set() });
    for (const [proxy, bodies] of this.met)
      for (const body of bodies) clusters.get(sets.rootOf(body))!.proxies.add(proxy);
    for (let k = 0; k < this.count; k++) clusters.get(sets.rootOf(k))?.bodies.push(k);
    return [...clusters.values()];
  }
}
