/** An event with listeners; a small version of Babylon's `Observable`. */
export class Signal<T> {
  private readonly listeners = new Set<(value: T) => void>();

  /** @returns a function that removes the listener */
  add(listener: (value: T) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  notify(value: T): void {
    for (const listener of [...this.listeners]) listener(value);
  }

  clear(): void {
    this.listeners.clear();
  }
}
