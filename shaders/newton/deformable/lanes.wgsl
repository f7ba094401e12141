#import "newton/deformable/model.wgsl"

// Work of a whole workgroup: sums, and solves with the factors of a body.

const SOFT_WIDTH = 64u;

var<workgroup> softSums: array<vec2f, SOFT_WIDTH>;
var<workgroup> softNumber: u32;

// A number in memory, the same for all lanes as far as the compiler is concerned. Every invocation has to call it.
fn sharedNumber(value: u32, lane: u32) -> u32 {
  if (lane == 0u) { softNumber = value; }
  return workgroupUniformLoad(&softNumber);
}

// Over the workgroup: sums of x and y. Every invocation has to call it.
fn workgroupSum(v: vec2f, lane: u32) -> vec2f {
  workgroupBarrier();
  softSums[lane] = v;
  workgroupBarrier();
  for (var n = SOFT_WIDTH / 2u; n > 0u; n >>= 1u) {
    if (lane < n) { softSums[lane] += softSums[lane + n]; }
    workgroupBarrier();
  }
  return workgroupUniformLoad(&softSums[0]);
}

// Entry `t` of the matrix; blocks are stored by rows.
fn entryBlock(t: u32) -> mat3x3f {
  let at = 9u * t;
  return mat3x3f(
    vec3f(matrix[at], matrix[at + 3u], matrix[at + 6u]),
    vec3f(matrix[at + 1u], matrix[at + 4u], matrix[at + 7u]),
    vec3f(matrix[at + 2u], matrix[at + 5u], matrix[at + 8u]),
  );
}

fn setEntryBlock(t: u32, m: mat3x3f) {
  let at = 9u * t;
  for (var k = 0u; k < 3u; k++) {
    matrix[at + 3u * k] = m[0][k];
    matrix[at + 3u * k + 1u] = m[1][k];
    matrix[at + 3u * k + 2u] = m[2][k];
  }
}

fn entryOf(row: u32, column: u32) -> u32 {
  return softNodes[row].firstEntry + (column - softNodes[row].firstColumn);
}

// L⁻¹ of the diagonal block of a node
fn inversePivot(node: u32) -> mat3x3f {
  return entryBlock(soft.entries + node);
}

// solution = L⁻ᵀ right; `right` is used up.
fn solveBackward(body: FemBodyInput, lane: u32) {
  for (var n = body.nodeCount; n > 0u; n--) {
    let j = body.firstNode + n - 1u;
    let x = transpose(inversePivot(j)) * nodeStates[j].right;
    let first = softNodes[j].firstColumn;
    let entry = softNodes[j].firstEntry;
    for (var k = first + lane; k < j; k += SOFT_WIDTH) {
      nodeStates[k].right -= transpose(entryBlock(entry + k - first)) * x;
    }
    if (lane == 0u) { nodeStates[j].solution = x; }
    storageBarrier();
  }
}
