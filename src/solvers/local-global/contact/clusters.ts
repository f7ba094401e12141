import { CONTACT_VERTICES, type ContactList, verticesOf } from "./contact-list";

/** Bodies that touch one another, by their places, and the rigid ones that they touch by those of their proxies. */
export interface Cluster {
  readonly bodies: number[];
  readonly proxies: Set<number>;
}

/** Each of `count` bodies is in one cluster, also who touches nobody. */
export function clustersOf(contacts: ContactList, count: number): Cluster[] {
  const parent = Array.from({ length: count }, (_, k) => k);
  const rootOf = (k: number): number => (parent[k] === k ? k : rootOf(parent[k]));
  const firstOf = (n: number): number => contacts.body[CONTACT_VERTICES * n];
  for (let n = 0; n < contacts.count; n++)
    for (const i of verticesOf(n, contacts.body)) parent[rootOf(contacts.body[i])] = rootOf(firstOf(n));
  const clusters = new Map<number, Cluster>();
  for (let k = 0; k < count; k++) {
    const root = rootOf(k);
    const cluster = clusters.get(root) ?? { bodies: [], proxies: new Set() };
    cluster.bodies.push(k);
    clusters.set(root, cluster);
  }
  for (let n = 0; n < contacts.count; n++)
    if (contacts.proxy[n] >= 0) clusters.get(rootOf(firstOf(n)))!.proxies.add(contacts.proxy[n]);
  return [...clusters.values()];
}
