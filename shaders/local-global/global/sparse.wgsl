#import "local-global/layout.wgsl"

// Entries of S one by one, see `SparseColumn`: twin of src/math/sparse/sparse-inverse.ts. Values that do not fit one buffer are in
// several, each with some of the rows, and what reads them runs once for each.

@group(0) @binding(0) var<storage, read> columns: array<SparseColumn>;
@group(0) @binding(1) var<storage, read> values: array<f32>;
@group(1) @binding(1) var<uniform> range: ValueRange;

// Whether the values of a row are in this buffer.
fn isHere(row: u32) -> bool {
  return row >= range.firstRow && row < range.endRow;
}

// The entry of a row that is here.
fn entryOf(row: u32, column: u32) -> f32 {
  return values[columns[row].at + 4u * column];
}

// The row after another on the way to the root, NO_COLUMN at its end.
fn rowAfter(row: u32) -> u32 {
  let column = columns[row];
  return select(column.parent, row + 1u, row + 1u < column.blockEnd);
}

// The first of the ancestors that two columns of a body share, themselves counted; NO_COLUMN for none.
fn sharedRow(one: u32, other: u32) -> u32 {
  var i = one;
  var j = other;
  while (columns[i].blockEnd != columns[j].blockEnd) {
    if (columns[i].blockEnd < columns[j].blockEnd) {
      i = columns[i].parent;
    } else {
      j = columns[j].parent;
    }
    if (i == NO_COLUMN || j == NO_COLUMN) { return NO_COLUMN; }
  }
  return max(i, j);
}

// The row that is `steps` further on the way from a column to its root.
fn ancestor(row: u32, steps: u32) -> u32 {
  var at = row;
  var left = steps;
  loop {
    let end = columns[at].blockEnd;
    if (at + left < end) { return at + left; }
    left -= end - at;
    at = columns[at].parent;
    if (at == NO_COLUMN) { return NO_COLUMN; }
  }
}
