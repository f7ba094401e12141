import type { SymmetricMatrix } from "../../../math/sparse/symmetric-matrix";
import { DatabaseStore } from "./database-store";
import type { FactorStore } from "./factor-store";
import { FileStore } from "./file-store";
import { FORMAT } from "./packed";

/** Factors together take at most this much [bytes]; those that were not used for longest go first. */
export const STORE_LIMIT = 2 ** 30;

/** In Node a folder, in a page its database; undefined where there is neither. */
export function factorStore(): FactorStore | undefined {
  return FileStore.open(STORE_LIMIT) ?? DatabaseStore.open(STORE_LIMIT);
}

/** Throws factors away that were kept by earlier starts. */
export async function clearFactorStore(): Promise<void> {
  await factorStore()?.clear();
}

/**
 * SHA-256 of everything that a factor depends on: another mesh, material, time step or format has another key.
 *
 * @returns undefined where the page has no cryptography, as on insecure origins
 */
export async function contentKey(matrix: SymmetricMatrix, coordinates: Float64Array): Promise<string | undefined> {
  const subtle = (globalThis as { crypto?: { subtle?: SubtleCrypto } }).crypto?.subtle;
  if (!subtle) return undefined;
  const head = Float64Array.of(FORMAT, matrix.size, matrix.columns.length);
  const arrays = [head, matrix.offsets, matrix.columns, matrix.values, coordinates];
  const bytes = new Uint8Array(arrays.reduce((sum, array) => sum + array.byteLength, 0));
  let at = 0;
  for (const array of arrays) {
    bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), at);
    at += array.byteLength;
  }
  const digest = new Uint8Array(await subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
