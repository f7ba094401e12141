import type { SparseInverseData } from "../../../math/sparse/sparse-inverse";

/** Keeps factors from one start to the next, by what they were made of. Whatever fails in it rejects. */
export interface FactorStore {
  read(key: string): Promise<SparseInverseData | undefined>;
  write(key: string, inverse: SparseInverseData): Promise<void>;
  clear(): Promise<void>;
}
