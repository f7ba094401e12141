/** Code that worlds load when they first need it. Its module becomes a chunk of its own in the bundle of a page. */
export class Part<T> {
  private value: T | undefined;
  private fetching: Promise<T> | undefined;

  /** @param fetch imports the module */
  constructor(private readonly fetch: () => Promise<T>) {}

  /** A part that is loaded already. */
  static of<T>(value: T): Part<T> {
    const part = new Part<T>(async () => value);
    part.value = value;
    return part;
  }

  /** The exports of the module, once it is loaded. */
  get loaded(): T | undefined {
    return this.value;
  }

  /** Loads the module. Rejects as the import does. */
  load(): Promise<T> {
    this.fetching ??= this.fetch().then((value) => (this.value = value));
    return this.fetching;
  }
}
