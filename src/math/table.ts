import { resized } from "./arrays";

type Column = Float64Array<ArrayBuffer> | Int32Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>;

/** Columns of a table as plain data. */
export type SavedColumns = Readonly<Record<string, Column>>;

/**
 * Rows of numbers, column by column. Every field of a subclass that is an array of numbers is a column; it is declared with the numbers of
 * one row, which tell how many a row has. Growth replaces the arrays, so read them from the table each time.
 */
export abstract class Table {
  count = 0;
  capacity = 0;
  private sizes: readonly (readonly [name: string, size: number])[] | undefined;

  clear(): void {
    this.count = 0;
  }

  /** Makes room for so many rows. */
  reserve(rows: number): void {
    if (rows <= this.capacity) return;
    this.capacity = Math.max(rows, 2 * this.capacity, 16);
    for (const [name, size] of this.columns) {
      const old = this.column(name);
      // Other rows of a solver may follow on those of the table.
      const length = Math.max(size * this.capacity, old.length);
      this.setColumn(name, resized(old, new (old.constructor as new (length: number) => Column)(length)));
    }
  }

  /**
   * Makes room for one more row, with any numbers, and returns its place. Tables that get a row for each pair or contact do this by themselves:
   * V8 looks up the fields in a function that tables of many kinds share.
   */
  append(): number {
    if (this.count === this.capacity) this.reserve(this.count + 1);
    return this.count++;
  }

  /** Appends rows `first` to `end` − 1 of another table, of the columns that both have. */
  take(from: Table, first: number, end: number): void {
    if (first === end) return;
    this.reserve(this.count + end - first);
    for (const [name, size] of this.columns) {
      const column = this.column(name);
      const source = from.column(name);
      const shift = size * (this.count - first);
      if (source) for (let i = size * first; i < size * end; i++) column[i + shift] = source[i]!;
    }
    this.count += end - first;
  }

  /** Copies a row over another one. */
  move(from: number, to: number): void {
    if (from === to) return;
    for (const [name, size] of this.columns) this.column(name).copyWithin(size * to, size * from, size * (from + 1));
  }

  /** Removes rows from `first` on. */
  drop(isDropped: (row: number) => boolean, first = 0): void {
    let kept = first;
    for (let row = first; row < this.count; row++) if (!isDropped(row)) this.move(row, kept++);
    this.count = kept;
  }

  /** Moves rows: row k becomes row `placeOf[k]`, or is dropped if that is negative. Rows without one become zero. */
  permute(placeOf: Int32Array, count: number): void {
    for (const [name, size] of this.columns) {
      const column = this.column(name);
      const old = column.slice(0, size * this.count);
      column.fill(0);
      for (let k = 0; k < this.count; k++)
        for (let i = 0; i < size; i++) if (placeOf[k] >= 0) column[size * placeOf[k] + i] = old[size * k + i]!;
    }
    this.count = count;
  }

  save(): SavedColumns {
    return Object.fromEntries(
      this.columns.map(([name, size]) => [name, this.column(name).slice(0, size * this.count)]),
    );
  }

  load(saved: SavedColumns, count: number): void {
    this.reserve(count);
    for (const [name] of this.columns) {
      const [old, values] = [this.column(name), saved[name]];
      if (values.length > old.length) this.setColumn(name, values.slice());
      else old.set(values);
    }
    this.count = count;
  }

  /** Names of the columns, with the numbers of each a row. */
  private get columns(): readonly (readonly [string, number])[] {
    return (this.sizes ??= Object.entries(this as object).flatMap(([name, value]: [string, unknown]) =>
      ArrayBuffer.isView(value) ? [[name, (value as Column).length] as const] : [],
    ));
  }

  private column(name: string): Column {
    return (this as unknown as Record<string, Column>)[name]!;
  }

  private setColumn(name: string, values: Column): void {
    (this as unknown as Record<string, Column>)[name] = values;
  }
}
