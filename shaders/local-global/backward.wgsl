#import "local-global/sparse.wgsl"

// x = Sᵀ y for three right-hand sides at once (8): y by columns, x by vertices. A workgroup has the columns of a block, whose
// values lie one after the other; each invocation keeps to one of them and takes every so many rows.

@group(0) @binding(2) var<storage, read> y: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> result: array<vec4f>;
// first column of each block
@group(0) @binding(4) var<storage, read> blocks: array<u32>;

const BACKWARD_WIDTH = 128u;

var<workgroup> parts: array<vec4f, BACKWARD_WIDTH>;

// Of column `start + lane`, for the first lanes; others get what means nothing. Every invocation has to call it.
fn columnTimes(start: u32, lane: u32) -> vec3f {
  let head = columns[start];
  let width = head.width;
  let rows = BACKWARD_WIDTH / width;
  let offset = lane % width;
  var sum = vec3f(0.0);
  if (lane < rows * width) {
    let first = head.at - head.depth * width;
    var row = start;
    var k = lane / width;
    row = ancestor(row, k);
    for (; k < head.depth; k += rows) {
      sum += values[first + k * width + offset] * y[row].xyz;
      if (k + rows < head.depth) {
        row = ancestor(row, rows);
      }
    }
  }
  parts[lane] = vec4f(sum, 0.0);
  workgroupBarrier();
  var total = vec3f(0.0);
  if (lane < width) {
    for (var k = 0u; k < rows; k++) {
      total += parts[k * width + lane].xyz;
    }
  }
  return total;
}

@compute @workgroup_size(BACKWARD_WIDTH)
fn backwardWrite(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let start = blocks[group.x];
  if (start < range.firstColumn || start >= range.endColumn) {
    return;
  }
  let sum = columnTimes(start, lane);
  if (lane < columns[start].width) {
    result[columns[start + lane].vertex] = vec4f(sum, 0.0);
  }
}

@compute @workgroup_size(BACKWARD_WIDTH)
fn backwardAdd(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let start = blocks[group.x];
  if (start < range.firstColumn || start >= range.endColumn) {
    return;
  }
  let sum = columnTimes(start, lane);
  if (lane < columns[start].width) {
    result[columns[start + lane].vertex] += vec4f(sum, 0.0);
  }
}
