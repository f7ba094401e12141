/** A struct's layout, as reflected from the WGSL. */
export interface ReflectedStruct {
  readonly size: number;
  readonly align: number;
  readonly fields: Readonly<Record<string, { readonly offset: number; readonly size: number; readonly type: string }>>;
}

/** Writes WGSL structs by field name into host memory: offsets come only from the reflection. */
export class StructWriter<S extends ReflectedStruct> {
  readonly bytes = new ArrayBuffer(Math.max(1, this.count) * this.stride);
  private readonly view = new DataView(this.bytes);

  /** @param stride bytes from one struct to the next, at least the struct's size */
  constructor(
    private readonly layout: S,
    readonly count: number,
    readonly stride: number = Math.ceil(layout.size / layout.align) * layout.align,
  ) {}

  /** @param value a number, or the components of a vector */
  set(index: number, field: keyof S["fields"] & string, value: number | ArrayLike<number>): void {
    const { offset, type } = this.layout.fields[field];
    const at = index * this.stride + offset;
    const unsigned = /u(32|$)/.test(type);
    const signed = type.endsWith("i32");
    const write = (position: number, component: number): void => {
      if (unsigned) this.view.setUint32(position, component, true);
      else if (signed) this.view.setInt32(position, component, true);
      else this.view.setFloat32(position, component, true);
    };
    if (typeof value === "number") write(at, value);
    else for (let i = 0; i < value.length; i++) write(at + 4 * i, value[i]);
  }

  /** A field of one f32. */
  get(index: number, field: keyof S["fields"] & string): number {
    return this.view.getFloat32(index * this.stride + this.layout.fields[field].offset, true);
  }

  /** Copies a struct to another place. */
  repeat(index: number, to: number): void {
    new Uint8Array(this.bytes).copyWithin(to * this.stride, index * this.stride, (index + 1) * this.stride);
  }

  /** Writes several fields, by their names. */
  put(index: number, values: { readonly [F in keyof S["fields"] & string]?: number | ArrayLike<number> }): void {
    for (const field in values) this.set(index, field, values[field]!);
  }
}
