import { CONTACT_VERTICES, type ContactList, verticesOf } from "./contact-list";

/** Bodies that touch one another, by their places, and the rigid ones that they touch by those of their proxies. */
export interface Cluster {
  readonly bodies: number[];
  readonly proxies: Set<number>;
}

/**
 * Those of `count` bodies that touch something are in one cluster each, maybe by themselves.
 *
 * @param met bodies that rigid ones, by the places of their proxies, have got something of besides
 */
export function clustersOf(contacts: ContactList, count: number, met: ReadonlyMap<number, number>): Cluster[] {
  const parent = Array.from({ length: count }, (_, k) => k);
  const rootOf = (k: number): number => (parent[k] === k ? k : rootOf(parent[k]));
  const firstOf = (n: number): number => contacts.body[CONTACT_VERTICES * n];
  for (let n = 0; n < contacts.count; n++)
    for (const i of verticesOf(n, contacts.body)) parent[rootOf(contacts.body[i])] = rootOf(firstOf(n));
  const clusters = new Map<number, Cluster>();
  const note = (body: number, proxy: number): void => {
    const root = rootOf(body);
    const cluster = clusters.get(root) ?? { bodies: [], proxies: new Set() };
    if (proxy >= 0) cluster.proxies.add(proxy);
    clusters.set(root, cluster);
  };
  for (let n = 0; n < contacts.count; n++) note(firstOf(n), contacts.proxy[n]);
  for (const [proxy, body] of met) note(body, proxy);
  for (let k = 0; k < count; k++) clusters.get(rootOf(k))?.bodies.push(k);
  return [...clusters.values()];
}
