import { resized } from "../../../math/arrays";
import { type BodyTable, Motion } from "../motion/bodies";

/**
 * Groups of movable bodies connected by contacts and joints; static and kinematic bodies connect nothing. Groups are
 * found by union-find with the lowest place as the root, so the result does not depend on the order of the links.
 * Islands are numbered in the order of their lowest place, and the bodies within an island are in order as well.
 */
export class Islands {
  count = 0;
  /** movable bodies, island after island */
  bodyList = new Int32Array(0);
  /** first place of each island in `bodyList`, and the end of the last */
  start = new Int32Array(1);
  /** island of each body, −1 for immovable ones */
  islandOf = new Int32Array(0);
  private parent = new Int32Array(0);

  /** Puts every movable body into a group of its own. */
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

  /** Links two bodies that push each other; does nothing if one of them is immovable. */
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

  /** Island of two bodies in contact, −1 if neither is movable. */
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
