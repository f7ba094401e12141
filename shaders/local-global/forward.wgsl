#import "local-global/sparse.wgsl"

// result = S b for three right-hand sides at once (8), both by columns. A row gathers from its descendants, which are the
// stretch of columns before it.

@group(0) @binding(2) var<storage, read> rhs: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> result: array<vec4f>;
// a tile is up to four rows of one block: first row × 4 + rows − 1
@group(0) @binding(4) var<storage, read> tiles: array<u32>;

// Rows of at most so many columns are an invocation's work, others that of a workgroup for up to four of them, which then share
// the loads of b. `SHORT_ROW` in tables.ts says the same.
const SHORT_ROW = 128u;
const FORWARD_WIDTH = 128u;
const FORWARD_ROOM = 64u;

fn storeRow(i: u32, sum: vec3f) {
  if (range.firstColumn == 0u) {
    result[i] = vec4f(sum, 0.0);
  } else {
    result[i] += vec4f(sum, 0.0);
  }
}

@compute @workgroup_size(64)
fn forwardShort(@builtin(global_invocation_id) id: vec3u) {
  let i = id.x;
  if (i >= range.columnCount) {
    return;
  }
  let first = columns[i].first;
  let depth = columns[i].depth;
  if (i - first >= SHORT_ROW) {
    return;
  }
  var sum = vec3f(0.0);
  for (var j = max(first, range.firstColumn); j < min(i + 1u, range.endColumn); j++) {
    sum += values[columns[j].at - depth * columns[j].width] * rhs[j].xyz;
  }
  storeRow(i, sum);
}

// Of the second half of the invocations first, then with those of the first half; four rows.
var<workgroup> rowSums: array<vec4f, 4u * FORWARD_ROOM>;

@compute @workgroup_size(FORWARD_WIDTH)
fn forwardLong(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let tile = tiles[group.x];
  let row = tile >> 2u;
  let count = (tile & 3u) + 1u;
  let last = row + count - 1u;
  let depth = columns[row].depth;
  // Further down in a block rows have more descendants.
  var first = vec4u(columns[row].first);
  for (var k = 1u; k < 4u; k++) {
    first[k] = select(NO_COLUMN, columns[row + min(k, count - 1u)].first, k < count);
  }
  let begin = max(columns[last].first, range.firstColumn);
  var sums = array<vec3f, 4>();
  for (var j = begin + lane; j < min(last + 1u, range.endColumn); j += FORWARD_WIDTH) {
    let width = columns[j].width;
    let b = rhs[j].xyz;
    // each row of the block is one less deep than the one before
    var at = columns[j].at - depth * width;
    for (var k = 0u; k < 4u; k++) {
      if (j >= first[k] && j <= row + k) {
        sums[k] += values[at] * b;
      }
      at += width;
    }
  }
  if (lane >= FORWARD_ROOM) {
    for (var k = 0u; k < 4u; k++) {
      rowSums[k * FORWARD_ROOM + lane - FORWARD_ROOM] = vec4f(sums[k], 0.0);
    }
  }
  workgroupBarrier();
  if (lane < FORWARD_ROOM) {
    for (var k = 0u; k < 4u; k++) {
      rowSums[k * FORWARD_ROOM + lane] += vec4f(sums[k], 0.0);
    }
  }
  workgroupBarrier();
  if (lane < count) {
    var total = vec4f(0.0);
    for (var n = 0u; n < FORWARD_ROOM; n++) {
      total += rowSums[lane * FORWARD_ROOM + n];
    }
    storeRow(row + lane, total.xyz);
  }
}
