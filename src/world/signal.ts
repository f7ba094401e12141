/** An event with listeners; a small version of Babylon's `Observable`. */
export class Signal<T> {
  /** a list that is never changed, only replaced: one that is being notified goes on with its own */
  private listeners: readonly ((value: T) => void)[] = [];

  /** @returns a function that removes the listener */
  add(listener: (value: T) => void): () => void {
    if (!this.listeners.includes(listener)) this.listeners = [...this.listeners, listener];
    return () => (this.listeners = this.listeners.filter((other) => other !== listener));
  }

  notify(value: T): void {
    const { listeners } = this;
    for (let k = 0; k < listeners.length; k++) listeners[k](value);
  }

  clear(): void {
    this.listeners = [];
  }
}
