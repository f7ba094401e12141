import { invalid } from "../errors";

/** Rejects options that are out of range, by name. Undefined options are accepted. */
export class OptionCheck<Options extends object> {
  /** @param object name of the options' owner in messages */
  constructor(
    private readonly object: string,
    private readonly options: Readonly<Partial<Options>>,
  ) {}

  /** @throws PliantError `invalid-argument`, always */
  fail(key: keyof Options & string, rule: string): never {
    throw invalid(`${this.object}.${key}`, this.options[key], rule);
  }

  /**
   * @throws PliantError unless the option is a finite number from `lowest` to `highest`, and an integer if `integer`
   */
  within(key: keyof Options & string, lowest: number, highest: number, integer = false): void {
    const value: unknown = this.options[key];
    if (value === undefined) return;
    if (typeof value !== "number" || !Number.isFinite(value)) this.fail(key, "must be a finite number");
    if (value < lowest || value > highest) this.fail(key, `must be from ${lowest} to ${highest}`);
    if (integer && !Number.isInteger(value)) this.fail(key, "must be a whole number");
  }

  /** @throws PliantError unless the option is one of the names */
  oneOf(key: keyof Options & string, names: readonly string[]): void {
    const value: unknown = this.options[key];
    if (value !== undefined && !names.includes(value as string)) this.fail(key, `must be one of ${names.join(", ")}`);
  }

  /** @throws PliantError unless the option is three finite numbers */
  vector(key: keyof Options & string): void {
    const value = this.options[key] as ArrayLike<number> | null | undefined;
    if (value !== undefined && !(value?.length === 3 && Array.from(value).every(Number.isFinite)))
      this.fail(key, "must be three finite numbers");
  }
}
