import type { SparseInverseData } from "../../../math/sparse/sparse-inverse";

/** Keeps factors from one start to the next, under keys made from their input. Any failure rejects. */
export interface FactorStore {
  read(key: string): Promise<SparseInverseData | undefined>;
  write(key: string, inverse: SparseInverseData): Promise<void>;
  clear(): Promise<void>;
}
