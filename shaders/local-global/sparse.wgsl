#import "local-global/layout.wgsl"

// S by columns, see `SparseColumn`: twin of src/math/sparse/sparse-inverse.ts. Values that do not fit one buffer are in several,
// and what reads them runs once for each.

@group(0) @binding(0) var<storage, read> columns: array<SparseColumn>;
@group(0) @binding(1) var<storage, read> values: array<f32>;
@group(1) @binding(1) var<uniform> range: ColumnRange;

// How many ancestors two columns of a body share, with themselves: their last entries.
fn sharedDepth(one: u32, other: u32) -> u32 {
  var i = one;
  var j = other;
  while (columns[i].blockEnd != columns[j].blockEnd) {
    if (columns[i].blockEnd < columns[j].blockEnd) {
      i = columns[i].parent;
    } else {
      j = columns[j].parent;
    }
    if (i == NO_COLUMN || j == NO_COLUMN) {
      return 0u;
    }
  }
  return columns[max(i, j)].depth;
}

// The row that is `steps` further on the way from a column to its root.
fn ancestor(row: u32, steps: u32) -> u32 {
  var at = row;
  var left = steps;
  loop {
    let end = columns[at].blockEnd;
    if (at + left < end) {
      return at + left;
    }
    left -= end - at;
    at = columns[at].parent;
    if (at == NO_COLUMN) {
      return NO_COLUMN;
    }
  }
}
