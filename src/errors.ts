/**
 * The kind of rule that a rejected call broke.
 *
 * - `invalid-argument`: a number, option or name outside its range
 * - `non-finite`: NaN or an infinity where a finite number is needed
 * - `index-out-of-range`: a vertex, face or instance index that does not exist
 * - `degenerate-geometry`: empty meshes, zero-area triangles, hulls of points on a line
 * - `device-limit`: more than this GPU device can hold
 * - `no-adapter`: WebGPU was requested and is not available
 * - `device-lost`: the GPU device is gone and could not be replaced
 * - `disposed`: the object was disposed
 * - `unsupported`: a feature this version does not have
 */
export type PliantErrorCode =
  | "invalid-argument"
  | "non-finite"
  | "index-out-of-range"
  | "degenerate-geometry"
  | "device-limit"
  | "no-adapter"
  | "device-lost"
  | "disposed"
  | "unsupported";

/**
 * Thrown for every rejected call. The message names the object, the value and the rule; the call has changed nothing.
 *
 * @example
 * ```ts
 * try {
 *   world.addCollider({ type: "sphere", radius: -1 });
 * } catch (error) {
 *   if (error instanceof PliantError) console.log(error.code, error.message);
 * }
 * ```
 */
export class PliantError extends Error {
  override readonly name = "PliantError";

  /**
   * @param code the kind of rule that was broken
   * @param object the rejected object, as the user knows it: `ClothAggregate "sail"`, `collider.radius`
   * @param value the offending value
   * @param rule the rule for valid values: "must be positive"
   */
  constructor(
    readonly code: PliantErrorCode,
    readonly object: string,
    readonly value: unknown,
    readonly rule: string,
  ) {
    super(`${object}: ${rule}, got ${describe(value)}`);
  }
}

/** A `PliantError` with the code `invalid-argument`; the functions below make those with other codes. Bundles drop what they do not use. */
export const invalid = /* @__PURE__ */ errorsOf("invalid-argument");
export const nonFinite = /* @__PURE__ */ errorsOf("non-finite");
export const outOfRange = /* @__PURE__ */ errorsOf("index-out-of-range");
export const degenerate = /* @__PURE__ */ errorsOf("degenerate-geometry");
export const deviceLimit = /* @__PURE__ */ errorsOf("device-limit");
export const unsupported = /* @__PURE__ */ errorsOf("unsupported");

function errorsOf(code: PliantErrorCode) {
  return (object: string, value: unknown, rule: string): PliantError => new PliantError(code, object, value, rule);
}

function describe(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (Array.isArray(value) || ArrayBuffer.isView(value)) {
    const list = Array.from(value as ArrayLike<unknown>);
    return `[${list.slice(0, 4).map(String).join(", ")}${list.length > 4 ? ", …" : ""}]`;
  }
  if (typeof value === "object" && value !== null) return "an object";
  return String(value);
}
