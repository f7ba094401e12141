/** A binary heap of items, nearest first. Items of one distance come out in an order that depends on nothing but theirs. */
export class DistanceHeap {
  private distances = new Float64Array(64);
  private items = new Int32Array(64);
  private count = 0;

  get isEmpty(): boolean {
    return this.count === 0;
  }

  push(distance: number, item: number): void {
    if (this.count === this.items.length) this.grow();
    let i = this.count++;
    for (; i > 0 && this.distances[(i - 1) >> 1] > distance; i = (i - 1) >> 1) this.move((i - 1) >> 1, i);
    this.distances[i] = distance;
    this.items[i] = item;
  }

  /** The nearest item leaves. */
  pop(): { distance: number; item: number } {
    const top = { distance: this.distances[0], item: this.items[0] };
    const last = --this.count;
    const distance = this.distances[last];
    let i = 0;
    for (;;) {
      let child = 2 * i + 1;
      if (child + 1 < last && this.distances[child + 1] < this.distances[child]) child++;
      if (child >= last || this.distances[child] >= distance) break;
      this.move(child, i);
      i = child;
    }
    this.move(last, i);
    return top;
  }

  private move(from: number, to: number): void {
    this.distances[to] = this.distances[from];
    this.items[to] = this.items[from];
  }

  private grow(): void {
    const { distances, items } = this;
    this.distances = new Float64Array(2 * items.length);
    this.items = new Int32Array(2 * items.length);
    this.distances.set(distances);
    this.items.set(items);
  }
}
