import { inversionSteps, SparseInverse, type SparseInverseData } from "../../../math/sparse/sparse-inverse";
import { multiplySymmetric, type SymmetricMatrix } from "../../../math/sparse/symmetric-matrix";
import { Breather, type RunControl } from "../../../tasks/run-control";
import { contentKey, factorStore } from "./store";

/** A factor to be made, as plain data. */
export interface FactorTask {
  /** how messages call the body */
  readonly name: string;
  readonly matrix: SymmetricMatrix;
  /** places of the unknowns at rest, three each [m] */
  readonly coordinates: Float64Array;
  /** whether factors of earlier starts may be used, and this one kept for later ones */
  readonly isKept: boolean;
}

export interface FactorResult {
  readonly inverse: SparseInverseData;
  /** whether it was there already */
  readonly isFromStore: boolean;
}

/** Longest stretch of computing without a look at who wants something else [ms]. */
const STRETCH = 20;

/**
 * Fetches or makes the sparse inverse of a matrix. Progress is the share of the work that is done.
 *
 * @throws PliantError as `inversionSteps`; the signal's reason when it was canceled
 */
export async function runFactorTask(task: FactorTask, control: RunControl<number> = {}): Promise<FactorResult> {
  const { signal, onProgress } = control;
  const { matrix, coordinates, name } = task;
  const store = task.isKept ? factorStore() : undefined;
  signal?.throwIfAborted();
  // A store that fails costs time, no more.
  const key = store && (await contentKey(matrix, coordinates).catch(() => undefined));
  if (store && key !== undefined) {
    const kept = await store.read(key).catch(() => undefined);
    if (kept && isInverse(matrix, kept)) {
      onProgress?.(1);
      return { inverse: kept, isFromStore: true };
    }
  }
  const breather = new Breather(signal, STRETCH);
  const steps = inversionSteps(matrix, { name, coordinates });
  let reported = -1;
  for (;;) {
    const { done, value } = steps.next();
    if (done) {
      if (store && key !== undefined) await store.write(key, value).catch(() => undefined);
      signal?.throwIfAborted();
      return { inverse: value, isFromStore: false };
    }
    if (value >= reported + 0.01) onProgress?.((reported = value));
    await breather.breathe();
    signal?.throwIfAborted();
  }
}

/** Whether stored data is a sparse inverse of the matrix: A SᵀS b = b for some b. Damaged data of any kind fails. */
export function isInverse(matrix: SymmetricMatrix, data: SparseInverseData): boolean {
  const { size } = matrix;
  if (data.tree.size !== size || data.values.length !== data.offsets[data.tree.blockCount]) return false;
  const b = Float64Array.from({ length: 3 * size }, (_, i) => 1 + ((i * 7) % 11));
  const x = new Float64Array(3 * size);
  const back = new Float64Array(3 * size);
  new SparseInverse(data).solve(b, x, back);
  multiplySymmetric(matrix, x, back, 3);
  return back.every((value, i) => Math.abs(value - b[i]) <= TOLERANCE * b[i]);
}

/** Of the check above: far above the rounding errors of stiff bodies, far below any damage that would be seen. */
const TOLERANCE = 1e-5;

/** Buffers of a result that can change threads. */
export function buffersOf({ inverse }: FactorResult): ArrayBuffer[] {
  return [inverse.values.buffer as ArrayBuffer];
}
