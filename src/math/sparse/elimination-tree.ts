import type { SymmetricMatrix } from "./symmetric-matrix";

type Graph = Pick<SymmetricMatrix, "size" | "offsets" | "columns">;

/**
 * Parent of each unknown in the elimination tree, −1 for roots: the first later unknown that its elimination changes
 * (Liu 1990).
 */
export function eliminationTree({ size, offsets, columns }: Graph): Int32Array {
  const parent = new Int32Array(size).fill(-1);
  const ancestor = new Int32Array(size).fill(-1);
  for (let i = 0; i < size; i++)
    for (let k = offsets[i]; k < offsets[i + 1] && columns[k] < i; k++)
      for (let j = columns[k]; ancestor[j] !== i;) {
        const next = ancestor[j];
        ancestor[j] = i;
        if (next < 0) {
          parent[j] = i;
          break;
        }
        j = next;
      }
  return parent;
}

/**
 * An order in which every unknown comes right after the subtrees of its children. Returns the old number of each new
 * unknown.
 */
export function postorder(parent: Int32Array): Int32Array {
  const size = parent.length;
  const firstChild = new Int32Array(size).fill(-1);
  const sibling = new Int32Array(size).fill(-1);
  for (let i = size - 1; i >= 0; i--) {
    const p = parent[i];
    if (p < 0) continue;
    sibling[i] = firstChild[p]!;
    firstChild[p] = i;
  }
  const order = new Int32Array(size);
  let count = 0;
  for (let root = 0; root < size; root++) {
    if (parent[root] >= 0) continue;
    for (let i = root; ;) {
      while (firstChild[i] >= 0) i = firstChild[i]!;
      order[count++] = i;
      while (i !== root && sibling[i] < 0) {
        i = parent[i]!;
        order[count++] = i;
      }
      if (i === root) break;
      i = sibling[i]!;
    }
  }
  return order;
}

/** Number of unknowns in each subtree. Requires `parent[i] > i`. */
export function subtreeSizes(parent: Int32Array): Int32Array {
  const sizes = new Int32Array(parent.length).fill(1);
  for (let i = 0; i < parent.length; i++) if (parent[i] >= 0) sizes[parent[i]] += sizes[i];
  return sizes;
}

/** P A Pᵀ: unknown i of the result is unknown order[i] of `a`. */
export function permute(a: SymmetricMatrix, order: Int32Array): SymmetricMatrix {
  const { size } = a;
  const place = new Int32Array(size);
  for (let i = 0; i < size; i++) place[order[i]] = i;
  const offsets = new Int32Array(size + 1);
  for (let i = 0; i < size; i++) offsets[i + 1] = offsets[i] + a.offsets[order[i] + 1] - a.offsets[order[i]];
  const columns = new Int32Array(offsets[size]);
  const values = new Float64Array(offsets[size]);
  // A pass through the columns in order gives each row its columns in ascending order.
  const next = offsets.slice(0, size);
  for (let j = 0; j < size; j++)
    for (let k = a.offsets[order[j]]; k < a.offsets[order[j] + 1]; k++) {
      const i = place[a.columns[k]];
      columns[next[i]] = j;
      values[next[i]++] = a.values[k]!;
    }
  return { size, offsets, columns, values };
}
