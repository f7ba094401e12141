#import "newton/large/large.wgsl"

// Preconditioned conjugate residuals (8.2) on large islands. An iteration: bodies respond to z, then the passes here in their
// order. Sums of a pass are there when the next one begins.

// Conjugate residuals (8.2), after the response to the forced impulses is there: r, z.
@compute @workgroup_size(LARGE_WIDTH)
fn beginLinear(@builtin(global_invocation_id) id: vec3u) {
  let k = id.x;
  if (k >= head(ISLAND_BLOCKS) || control.state != NEWTON_GOES_ON) { return; }
  var r = works[k].r;
  if (control.isForced == 1u) {
    let b = blocks[head(ISLAND_FIRST_BLOCK) + k];
    r -= works[k].engaged * responseSpeed(k, b);
  }
  let engaged = works[k].engaged;
  let shift = works[k].shift + step.regularization * engaged * works[k].diagonal;
  let diagonal = works[k].diagonal + shift;
  let inverse = select(vec3f(0.0), engaged / diagonal, (diagonal > vec3f(0.0)) & (engaged > vec3f(0.0)));
  works[k].shift = shift;
  works[k].inverse = inverse;
  works[k].r = r;
  works[k].q = inverse * r;
}

// A z, z · A z and r · z; z is q
@compute @workgroup_size(LARGE_WIDTH)
fn multiplyLinear(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(local_invocation_index) lane: u32,
  @builtin(workgroup_id) group: vec3u,
) {
  let k = id.x;
  var mine = vec4f(0.0);
  if (k < head(ISLAND_BLOCKS) && control.state == NEWTON_GOES_ON) {
    let b = blocks[head(ISLAND_FIRST_BLOCK) + k];
    let z = works[k].q;
    let az = works[k].engaged * (responseSpeed(k, b) + works[k].shift * z);
    works[k].az = az;
    mine = vec4f(dot(z, az), dot(works[k].r, z), 0.0, 0.0);
  }
  let sum = workgroupTotal(mine, lane);
  if (lane == 0u) { partials[group.x] = sum; }
}

// search direction
@compute @workgroup_size(LARGE_WIDTH)
fn directLinear(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(local_invocation_index) lane: u32,
  @builtin(workgroup_id) group: vec3u,
) {
  let k = id.x;
  let blockCount = head(ISLAND_BLOCKS);
  let now = sumOfPartials(lane, workgroupCount(blockCount));
  workgroupBarrier();
  let isFirst = control.linearIndex == 0u;
  let isEven = (control.linearIndex & 1u) == 0u;
  let before = select(control.zazEven, control.zazOdd, isEven);
  let enough = select(control.enough, step.linearTolerance * step.linearTolerance * now.y, isFirst);
  let isDone = !(now.x > 1e-30) || (!isFirst && now.y <= enough);
  var mine = vec4f(0.0);
  if (k < blockCount && control.state == NEWTON_GOES_ON && control.isLinearDone == 0u && !isDone) {
    let beta = select(now.x / max(before, 1e-30), 0.0, isFirst);
    let d = works[k].q + beta * works[k].d;
    let ad = works[k].az + beta * works[k].ad;
    works[k].d = d;
    works[k].ad = ad;
    mine.x = dot(ad, works[k].inverse * ad);
    // the same for all
    mine.z = now.x;
    mine.w = 1.0;
  }
  let sum = workgroupTotal(mine, lane);
  if (lane == 0u) { morePartials[group.x] = sum; }
}

// x, r and z
@compute @workgroup_size(LARGE_WIDTH)
fn stepLinear(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) lane: u32) {
  let k = id.x;
  let blockCount = head(ISLAND_BLOCKS);
  let now = sumOfMorePartials(lane, workgroupCount(blockCount));
  // w tells whether the iteration goes on
  if (k >= blockCount || control.state != NEWTON_GOES_ON || now.w == 0.0 || !(now.x > 1e-30)) { return; }
  let alpha = now.z / now.x;
  let r = works[k].r - alpha * works[k].ad;
  works[k].x += alpha * works[k].d;
  works[k].r = r;
  works[k].q = works[k].inverse * r;
}

// The scalars of the next linear iteration; one workgroup.
@compute @workgroup_size(LARGE_WIDTH)
fn nextLinear(@builtin(local_invocation_index) lane: u32) {
  let count = workgroupCount(head(ISLAND_BLOCKS));
  let first = sumOfPartials(lane, count);
  workgroupBarrier();
  let second = sumOfMorePartials(lane, count);
  if (lane != 0u) { return; }
  if (control.linearIndex == 0u) { control.enough = step.linearTolerance * step.linearTolerance * first.y; }
  if (second.w == 0.0 || !(second.x > 1e-30)) { control.isLinearDone = 1u; }
  if ((control.linearIndex & 1u) == 0u) {
    control.zazEven = first.x;
  } else {
    control.zazOdd = first.x;
  }
  control.linearIndex++;
}
