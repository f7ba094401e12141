#import "newton/large/large.wgsl"

// Passes over the blocks of large islands: rows, residuals, what follows from them, and the steps that impulses take.

@compute @workgroup_size(LARGE_WIDTH)
fn setUpBlocks(@builtin(global_invocation_id) id: vec3u) {
  let k = id.x;
  if (k >= head(ISLAND_BLOCKS)) { return; }
  let index = head(ISLAND_FIRST_BLOCK) + k;
  let b = blocks[index];
  if (b.kind == BLOCK_SOFT) { return; }
  let time = step.h * f32(step.substep);
  setUpBlock(b, time, step.h);
  updateValues(b, time);
  recallImpulse(b, index, step.substep == 0u);
  setBounce(b, startSpeed(b), speedOf(blockTwists(b)).x + w.ambient.x, step.h);
  softenBlock(b);
  w.q = w.impulse;
  works[k] = w;
}

// C of joints at the poses that a Newton step leads to.
@compute @workgroup_size(LARGE_WIDTH)
fn updateJoints(@builtin(global_invocation_id) id: vec3u) {
  let k = id.x;
  if (k >= head(ISLAND_BLOCKS)) { return; }
  let b = blocks[head(ISLAND_FIRST_BLOCK) + k];
  if (b.kind == BLOCK_JOINT) {
    updateValues(b, step.h * f32(step.substep + 1u));
    works[k].value = w.value;
  }
}

// The residual and the linear problem; its sums for `decide`.
fn evaluate(k: u32, isStart: bool) -> vec4f {
  let b = blocks[head(ISLAND_FIRST_BLOCK) + k];
  w = works[k];
  w.speed = speedOf(blockTwists(b)) + w.ambient;
  if (isStart) {
    // Joints are linearised where they stand: the start from zero velocity (67).
    w.value += step.h * w.speed;
  }
  let sum = linearise(b, step.h);
  works[k].value = w.value;
  works[k].engaged = w.engaged;
  works[k].shift = w.shift;
  works[k].forced = w.forced;
  works[k].x = vec3f(0.0);
  works[k].r = w.rightSide;
  works[k].d = vec3f(0.0);
  works[k].ad = vec3f(0.0);
  works[k].q = w.forced;
  return sum;
}

@compute @workgroup_size(LARGE_WIDTH)
fn evaluateStart(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(local_invocation_index) lane: u32,
  @builtin(workgroup_id) group: vec3u,
) {
  var mine = vec4f(0.0);
  if (id.x < head(ISLAND_BLOCKS)) { mine = evaluate(id.x, true); }
  let sum = workgroupTotal(mine, lane);
  if (lane == 0u) { partials[group.x] = sum; }
}

@compute @workgroup_size(LARGE_WIDTH)
fn evaluateStep(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(local_invocation_index) lane: u32,
  @builtin(workgroup_id) group: vec3u,
) {
  var mine = vec4f(0.0);
  if (id.x < head(ISLAND_BLOCKS) && control.state == NEWTON_GOES_ON) { mine = evaluate(id.x, false); }
  let sum = workgroupTotal(mine, lane);
  if (lane == 0u) { partials[group.x] = sum; }
}

fn report(merit: f32) {
  control.notes++;
  if (control.notes < step.reportSize) {
    let at = head(ISLAND_REPORT) * step.reportSize;
    reports[at + control.notes] = merit;
    reports[at] = f32(control.notes);
  }
}

// One workgroup each.
@compute @workgroup_size(LARGE_WIDTH)
fn decideStart(@builtin(local_invocation_index) lane: u32) {
  let sum = sumOfPartials(lane, workgroupCount(head(ISLAND_BLOCKS)));
  if (lane != 0u) { return; }
  control.state = NEWTON_GOES_ON;
  control.isRestored = 0u;
  control.notes = 0u;
  control.merit = sqrt(sum.x);
  control.isForced = u32(sum.w > 0.0);
  control.linearIndex = 0u;
  control.isLinearDone = 0u;
  report(control.merit);
  if (step.safeguard == 1u && sum.z > LIVELY && head(ISLAND_ROWS) == 0u) {
    // Much has changed since the last step: sweeps settle the most, except what chains of joints hold.
    control.state = SWEEPS;
  } else if (sum.z <= step.tolerance && head(ISLAND_ROWS) == 0u) {
    control.state = SOLVED;
  }
}

@compute @workgroup_size(LARGE_WIDTH)
fn decideStep(@builtin(local_invocation_index) lane: u32) {
  let sum = sumOfPartials(lane, workgroupCount(head(ISLAND_BLOCKS)));
  if (lane != 0u || control.state != NEWTON_GOES_ON) { return; }
  let merit = sqrt(sum.x);
  report(merit);
  if (sum.z <= step.tolerance) {
    control.state = SOLVED;
  } else if (step.safeguard == 1u && !(merit < PROGRESS * control.merit)) {
    control.state = SWEEPS;
    control.isRestored = u32(!(merit < control.merit));
  }
  control.merit = merit;
  control.isForced = u32(sum.w > 0.0);
  control.linearIndex = 0u;
  control.isLinearDone = 0u;
}

// p += t Δp (8.1); a step that is guarded is a whole one
@compute @workgroup_size(LARGE_WIDTH)
fn stepBlocks(@builtin(global_invocation_id) id: vec3u) {
  let k = id.x;
  if (k >= head(ISLAND_BLOCKS) || control.state != NEWTON_GOES_ON) { return; }
  let change = select(step.damping, 1.0, step.safeguard == 1u) * select(works[k].forced, works[k].x, works[k].engaged > vec3f(0.0));
  works[k].kept = works[k].impulse;
  works[k].keptValue = works[k].value;
  works[k].impulse += change;
  works[k].q = change;
}

// Impulses become admissible.
@compute @workgroup_size(LARGE_WIDTH)
fn finishBlocks(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(local_invocation_index) lane: u32,
  @builtin(workgroup_id) group: vec3u,
) {
  let k = id.x;
  var mine = vec4f(0.0);
  if (k < head(ISLAND_BLOCKS)) {
    let b = blocks[head(ISLAND_FIRST_BLOCK) + k];
    w = works[k];
    let p = admissible(b, w.impulse);
    works[k].q = p - w.impulse;
    works[k].impulse = p;
    if (b.kind != BLOCK_JOINT && w.gap < -OVERLAP && p.x > 0.0) { mine.z = 1.0; }
  }
  let sum = workgroupTotal(mine, lane);
  if (lane == 0u) { partials[group.x] = sum; }
}

@compute @workgroup_size(LARGE_WIDTH)
fn decideFinish(@builtin(local_invocation_index) lane: u32) {
  let sum = sumOfPartials(lane, workgroupCount(head(ISLAND_BLOCKS)));
  if (lane == 0u) { control.overlaps = u32(sum.z > 0.0); }
}

@compute @workgroup_size(LARGE_WIDTH)
fn keepImpulses(@builtin(global_invocation_id) id: vec3u) {
  let k = id.x;
  if (k >= head(ISLAND_BLOCKS)) { return; }
  let index = head(ISLAND_FIRST_BLOCK) + k;
  if (blocks[index].kind == BLOCK_SOFT) { return; }
  w = works[k];
  keepImpulse(blocks[index], index);
}
