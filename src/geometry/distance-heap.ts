/** A binary heap of items, nearest first. */
export class DistanceHeap {
  private readonly heap: { readonly distance: number; readonly item: number }[] = [];

  get isEmpty(): boolean {
    return this.heap.length === 0;
  }

  push(distance: number, item: number): void {
    const { heap } = this;
    let i = heap.length;
    for (; i > 0 && heap[(i - 1) >> 1].distance > distance; i = (i - 1) >> 1) heap[i] = heap[(i - 1) >> 1]!;
    heap[i] = { distance, item };
  }

  /** The nearest item leaves. */
  pop(): { readonly distance: number; readonly item: number } {
    const { heap } = this;
    const top = heap[0];
    const last = heap.pop()!;
    for (let i = 0, child = 1; heap.length > 0; child = 2 * i + 1) {
      if (child + 1 < heap.length && heap[child + 1].distance < heap[child].distance) child++;
      if (child >= heap.length || heap[child].distance >= last.distance) {
        heap[i] = last;
        break;
      }
      heap[i] = heap[child]!;
      i = child;
    }
    return top;
  }
}
