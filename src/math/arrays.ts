/** An array of another length with the old numbers, as many as fit. */
export function resized<T extends Float64Array | Float32Array | Int32Array | Uint32Array | Uint8Array>(
  from: T,
  to: T,
): T {
  to.set(from.length > to.length ? from.subarray(0, to.length) : from);
  return to;
}

/** Numbers in a list that grows. */
export class IdList {
  count = 0;
  items = new Uint32Array(256);

  push(id: number): void {
    if (this.count === this.items.length) this.items = resized(this.items, new Uint32Array(2 * this.count));
    this.items[this.count++] = id;
  }
}
