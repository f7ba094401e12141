import { PliantError } from "../../src/errors";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";

/** An object of a file. */
export type Json = Record<string, unknown>;

const UNBOUNDED: Readonly<Record<string, number>> = { Infinity: Infinity, "-Infinity": -Infinity };

/** A value as JSON has it, with infinities by their names; undefined for functions and objects of classes. */
export function plainOf(value: unknown): unknown {
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (ArrayBuffer.isView(value)) return Array.from(value as unknown as ArrayLike<number>);
  if (Array.isArray(value)) return value.map(plainOf);
  if (typeof value !== "object" || value === null) return typeof value === "function" ? undefined : value;
  if (Object.getPrototypeOf(value) !== Object.prototype) return undefined;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, plainOf(part)]));
}

/** The value again that `plainOf` wrote. */
export function revived<T>(value: T): T {
  if (typeof value === "string") return (UNBOUNDED[value] ?? value) as T;
  if (Array.isArray(value)) return value.map(revived) as T;
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, revived(part)])) as T;
}

/** @throws PliantError for anything but three finite numbers */
export function vectorOf(object: string, value: readonly number[]): Vector3 {
  if (!Array.isArray(value) || value.length !== 3 || !value.every(Number.isFinite))
    throw new PliantError("invalid-argument", object, value, "must be a list of three finite numbers");
  return Vector3.FromArray(value);
}
