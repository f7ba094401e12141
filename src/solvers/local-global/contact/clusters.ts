import { CONTACT_VERTICES, type ContactList, verticesOf } from "./contact-list";

/** Bodies that touch one another, by their places, and the rigid ones that they touch by those of their proxies. */
export interface Cluster {
  readonly bodies: number[];
  readonly proxies: Set<number>;
}

/** Two places that touch, as one number. */
const PLACES = 0x4000000;

/** All that touched in any step of a frame: bodies that a blow threw apart have no contact in the last one. */
export class Touches {
  /** places of two bodies, and of a body and a proxy, which is 0 for none and else its place and 1 */
  private readonly pairs = new Set<number>();
  private readonly held = new Set<number>();

  clear(): void {
    this.pairs.clear();
    this.held.clear();
  }

  note(contacts: ContactList): void {
    for (let n = 0; n < contacts.count; n++) {
      const first = contacts.body[CONTACT_VERTICES * n];
      this.held.add(PLACES * first + Math.max(-1, contacts.proxy[n]) + 1);
      for (const i of verticesOf(n, contacts.body))
        if (contacts.body[i] !== first) this.pairs.add(PLACES * contacts.body[i] + first);
    }
  }

  /**
   * Those of `count` bodies that touch something are in one cluster each, maybe by themselves.
   *
   * @param met bodies that rigid ones, by the places of their proxies, have got something of besides
   */
  clusters(count: number, met: ReadonlyMap<number, number>): Cluster[] {
    const parent = Array.from({ length: count }, (_, k) => k);
    const rootOf = (k: number): number => (parent[k] === k ? k : rootOf(parent[k]));
    for (const pair of this.pairs) parent[rootOf(Math.floor(pair / PLACES))] = rootOf(pair % PLACES);
    const clusters = new Map<number, Cluster>();
    const note = (body: number, proxy: number): void => {
      const root = rootOf(body);
      const cluster = clusters.get(root) ?? { bodies: [], proxies: new Set() };
      if (proxy >= 0) cluster.proxies.add(proxy);
      clusters.set(root, cluster);
    };
    for (const held of this.held) note(Math.floor(held / PLACES), (held % PLACES) - 1);
    for (const [proxy, body] of met) note(body, proxy);
    for (let k = 0; k < count; k++) clusters.get(rootOf(k))?.bodies.push(k);
    return [...clusters.values()];
  }
}
