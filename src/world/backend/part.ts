/**
 * Code that worlds load when they first need it: its module is a chunk of its own in what a bundler makes of a page.
 */
export class Part<T> {
  private value: T | undefined;
  private fetching: Promise<T> | undefined;

  /** @param fetch imports the module */
  constructor(private readonly fetch: () => Promise<T>) {}

  /** One that is here already. */
  static of<T>(value: T): Part<T> {
    const part = new Part<T>(async () => value);
    part.value = value;
    return part;
  }

  /** What the module has, once it is here. */
  get loaded(): T | undefined {
    return this.value;
  }

  /** Rejects as the import does. */
  load(): Promise<T> {
    this.fetching ??= this.fetch().then((value) => (this.value = value));
    return this.fetching;
  }
}
