/** Items that are joined into sets, which the lowest item of each stands for, so that the order of the joins does not matter. */
export class DisjointSets {
  private readonly parent: Uint32Array;

  constructor(count: number) {
    this.parent = Uint32Array.from({ length: count }, (_, k) => k);
  }

  /** The lowest item of a set. */
  rootOf(item: number): number {
    const { parent } = this;
    let root = item;
    while (parent[root] !== root) root = parent[root] = parent[parent[root]];
    return root;
  }

  join(a: number, b: number): void {
    const [first, second] = [this.rootOf(a), this.rootOf(b)];
    this.parent[Math.max(first, second)] = Math.min(first, second);
  }
}
