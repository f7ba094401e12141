import { type BodyTable, Motion, resized } from "../motion/bodies";

/**
 * Groups of bodies that can be pushed and that contacts and joints connect; static and kinematic bodies connect nothing. Found by union-find
 * with the lowest place as the root, so the outcome does not depend on the order of the links. Islands are numbered in the
 * order of their lowest place, and bodies within one are in order as well.
 */
export class Islands {
  count = 0;
  /** bodies that can be pushed, island after island */
  bodyList = new Int32Array(0);
  /** first place of each island in `bodyList`, and the end of the last */
  start = new Int32Array(1);
  /** island of each body, −1 for those that nothing pushes */
  islandOf = new Int32Array(0);
  private parent = new Int32Array(0);

  /** Every body that can be pushed by itself. */
  reset(bodies: BodyTable): void {
    if (this.parent.length < bodies.count) {
      this.parent = new Int32Array(bodies.capacity);
      this.islandOf = new Int32Array(bodies.capacity);
      this.bodyList = new Int32Array(bodies.capacity);
      this.start = resized(this.start, new Int32Array(bodies.capacity + 1));
    }
    for (let slot = 0; slot < bodies.count; slot++)
      this.parent[slot] = bodies.model.motion[slot] >= Motion.dynamic ? slot : -1;
  }

  /** Two bodies push each other; nothing happens if one cannot be pushed. */
  link(a: number, b: number): void {
    if (this.parent[a] < 0 || this.parent[b] < 0) return;
    const rootA = this.root(a);
    const rootB = this.root(b);
    if (rootA < rootB) this.parent[rootB] = rootA;
    else if (rootB < rootA) this.parent[rootA] = rootB;
  }

  /** Numbers the islands, after all links. */
  close(bodies: BodyTable): void {
    const { islandOf, start, bodyList } = this;
    this.count = 0;
    start[0] = 0;
    for (let slot = 0; slot < bodies.count; slot++) {
      if (this.parent[slot] < 0) islandOf[slot] = -1;
      else {
        const root = this.root(slot);
        // Roots have the lowest place of their island, so they come first.
        if (root === slot) {
          islandOf[slot] = this.count++;
          start[this.count] = 0;
        } else islandOf[slot] = islandOf[root];
        start[islandOf[slot] + 1]++;
      }
    }
    for (let k = 0; k < this.count; k++) start[k + 1] += start[k];
    for (let slot = bodies.count - 1; slot >= 0; slot--) {
      const island = islandOf[slot];
      if (island >= 0) bodyList[--start[island + 1]] = slot;
    }
    // Filling from the back moved each end to its start.
    for (let k = 0; k < this.count; k++) start[k] = start[k + 1];
    let total = 0;
    for (let slot = 0; slot < bodies.count; slot++) if (islandOf[slot] >= 0) total++;
    start[this.count] = total;
  }

  /** Island that two bodies in contact belong to, −1 if neither can be pushed. */
  ofPair(a: number, b: number): number {
    return this.islandOf[a] >= 0 ? this.islandOf[a] : this.islandOf[b];
  }

  private root(slot: number): number {
    const { parent } = this;
    let root = slot;
    while (parent[root] !== root) root = parent[root];
    for (let k = slot; parent[k] !== root;) {
      const next = parent[k];
      parent[k] = root;
      k = next;
    }
    return root;
  }
}
