interface Entry {
  readonly distance: number;
  readonly item: number;
}

const isBefore = (a: Entry, b: Entry): boolean =>
  a.distance < b.distance || (a.distance === b.distance && a.item < b.item);

/** A binary heap of items, nearest first, and of those at one distance the lowest. */
export class DistanceHeap {
  private readonly heap: Entry[] = [];

  get isEmpty(): boolean {
    return this.heap.length === 0;
  }

  push(distance: number, item: number): void {
    const { heap } = this;
    const entry = { distance, item };
    let i = heap.length;
    for (; i > 0 && isBefore(entry, heap[(i - 1) >> 1]); i = (i - 1) >> 1) heap[i] = heap[(i - 1) >> 1]!;
    heap[i] = entry;
  }

  /** The nearest item leaves. */
  pop(): Entry {
    const { heap } = this;
    const top = heap[0];
    const last = heap.pop()!;
    for (let i = 0, child = 1; heap.length > 0; child = 2 * i + 1) {
      if (child + 1 < heap.length && isBefore(heap[child + 1], heap[child])) child++;
      if (child >= heap.length || !isBefore(heap[child], last)) {
        heap[i] = last;
        break;
      }
      heap[i] = heap[child]!;
      i = child;
    }
    return top;
  }
}
