#import "newton/deformable/model.wgsl"
#import "newton/deformable/lanes.wgsl"

// The matrix A = M + h² ∂²U + h D of each body and its Cholesky factors within its envelope: twin of deformable/envelope.ts.
// Bodies are small and their matrices stiff: factors take one pass where conjugate gradients would take hundreds.

@compute @workgroup_size(64)
fn assembleEntries(@builtin(global_invocation_id) id: vec3u) {
  let t = id.x;
  if (t >= soft.entries || softControl.state != SOFT_GOES_ON) { return; }
  let row = entryRows[t];
  let column = softNodes[row].firstColumn + (t - softNodes[row].firstEntry);
  var sum = mat3x3f();
  if (nodeStates[row].isHeld == 1u || nodeStates[column].isHeld == 1u) {
    if (row == column) { sum = mat3x3f(vec3f(1.0, 0.0, 0.0), vec3f(0.0, 1.0, 0.0), vec3f(0.0, 0.0, 1.0)); }
    setEntryBlock(t, sum);
    return;
  }
  for (var n = entryParts[t]; n < entryParts[t + 1u]; n++) {
    let code = entryParts[n];
    let part = elementWorks[code >> 5u].stiffness[(code >> 1u) & 15u];
    if ((code & 1u) == 1u) {
      sum += transpose(part);
    } else {
      sum += part;
    }
  }
  if (row == column) {
    for (var k = 0u; k < 3u; k++) { sum[k][k] += inertiaOf(row); }
  }
  setEntryBlock(t, sum);
}

// A = L Lᵀ, column after column, one workgroup a body; and û = u − A⁻¹ g.
@compute @workgroup_size(SOFT_WIDTH)
fn factorBodies(@builtin(local_invocation_index) lane: u32, @builtin(workgroup_id) group: vec3u) {
  if (sharedNumber(softControl.state, lane) != SOFT_GOES_ON) { return; }
  let body = softBodies[group.x];
  var isFailed = false;
  for (var n = 0u; n < body.nodeCount; n++) {
    let j = body.firstNode + n;
    let last = softNodes[j].lastRow;
    // All lanes find the same pivot.
    let a = entryBlock(entryOf(j, j));
    let d = pivotFactor(a);
    isFailed = isFailed || d.isFailed;
    let y = d.inverse * nodeStates[j].right;
    let back = transpose(d.inverse);
    for (var i = j + 1u + lane; i <= last; i += SOFT_WIDTH) {
      if (softNodes[i].firstColumn <= j) {
        let t = entryOf(i, j);
        let l = entryBlock(t) * back;
        setEntryBlock(t, l);
        nodeStates[i].right -= l * y;
      }
    }
    storageBarrier();
    if (lane == 0u) {
      setEntryBlock(soft.entries + j, d.inverse);
      nodeStates[j].right = y;
    }
    let width = last - j;
    for (var t = lane; t < width * width; t += SOFT_WIDTH) {
      let i = j + 1u + t / width;
      let k = j + 1u + t % width;
      if (k <= i && softNodes[i].firstColumn <= j && softNodes[k].firstColumn <= j) {
        let at = entryOf(i, k);
        setEntryBlock(at, entryBlock(at) - entryBlock(entryOf(i, j)) * transpose(entryBlock(entryOf(k, j))));
      }
    }
    storageBarrier();
  }
  solveBackward(body, lane);
  for (var i = body.firstNode + lane; i < body.firstNode + body.nodeCount; i += SOFT_WIDTH) {
    nodeStates[i].linear = nodeStates[i].u - nodeStates[i].solution;
  }
  if (lane == 0u) { bodyControls[group.x].isFailed = u32(isFailed); }
}

struct Pivot {
  // L⁻¹
  inverse: mat3x3f,
  isFailed: bool,
}

// A pivot that is not positive becomes so large that its unknown stays where it is.
const HUGE_PIVOT = 1e18;

// of a symmetric block
fn pivotFactor(a: mat3x3f) -> Pivot {
  var isFailed = !(a[0][0] > 0.0);
  let l00 = sqrt(select(a[0][0], HUGE_PIVOT, isFailed));
  let l10 = a[0][1] / l00;
  let l20 = a[0][2] / l00;
  let p1 = a[1][1] - l10 * l10;
  isFailed = isFailed || !(p1 > 0.0);
  let l11 = sqrt(select(HUGE_PIVOT, p1, p1 > 0.0));
  let l21 = (a[1][2] - l20 * l10) / l11;
  let p2 = a[2][2] - l20 * l20 - l21 * l21;
  isFailed = isFailed || !(p2 > 0.0);
  let l22 = sqrt(select(HUGE_PIVOT, p2, p2 > 0.0));
  let i00 = 1.0 / l00;
  let i11 = 1.0 / l11;
  let i22 = 1.0 / l22;
  let i10 = -l10 * i00 * i11;
  let i21 = -l21 * i11 * i22;
  let i20 = -(l20 * i00 + l21 * i10) * i22;
  return Pivot(mat3x3f(vec3f(i00, i10, i20), vec3f(0.0, i11, i21), vec3f(0.0, 0.0, i22)), isFailed);
}
