#import "newton/large/large.wgsl"

// Contact by contact iteration on large islands: a pass a colour, whose blocks share no body.

// Before sweeps.
@compute @workgroup_size(LARGE_WIDTH)
fn prepareSweeps(@builtin(global_invocation_id) id: vec3u) {
  let k = id.x;
  if (k >= head(ISLAND_BLOCKS)) { return; }
  if (control.isRestored == 1u) {
    works[k].impulse = works[k].kept;
    works[k].value = works[k].keptValue;
  }
  let b = blocks[head(ISLAND_FIRST_BLOCK) + k];
  w = works[k];
  w.speed = speedOf(blockTwists(b)) + w.ambient;
  works[k].rest = rowRest(step.h);
}

fn sweepColour(k: u32) {
  let b = blocks[head(ISLAND_FIRST_BLOCK) + k];
  if (b.colour != step.colour) { return; }
  w = works[k];
  let u = sweptBlock(b, blockTwists(b), w.rest);
  works[k].impulse = w.impulse;
  if (b.localA != NONE) {
    bodyWorks[b.localA].velocity = u.a.linear;
    bodyWorks[b.localA].spin = u.a.spin;
  }
  if (b.localB != NONE) {
    bodyWorks[b.localB].velocity = u.b.linear;
    bodyWorks[b.localB].spin = u.b.spin;
  }
}

@compute @workgroup_size(LARGE_WIDTH)
fn sweepBlocks(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < head(ISLAND_BLOCKS) && control.state == SWEEPS) { sweepColour(id.x); }
}

// Arms from where bodies are now, so that momenta are kept, and no push where they overlapped.
@compute @workgroup_size(LARGE_WIDTH)
fn relaxBlocks(@builtin(global_invocation_id) id: vec3u) {
  let k = id.x;
  if (k >= head(ISLAND_BLOCKS) || control.overlaps == 0u) { return; }
  let b = blocks[head(ISLAND_FIRST_BLOCK) + k];
  w = works[k];
  if (b.kind != BLOCK_JOINT) {
    let time = step.h * f32(step.substep + 1u);
    setArms(w.point - poseOf(b.placeA, time).position, w.point - poseOf(b.placeB, time).position);
    var inverseA = mat3x3f();
    var inverseB = mat3x3f();
    if (b.localA != NONE) { inverseA = states[b.placeA].inverseInertia; }
    if (b.localB != NONE) { inverseB = states[b.placeB].inverseInertia; }
    setResponse(inverseA, inverseB);
    w.bias = select(max(w.bias, 0.0), w.bias, w.bounces > 0.0);
  }
  w.speed = speedOf(blockTwists(b)) + w.ambient;
  w.rest = rowRest(step.h);
  works[k] = w;
}

@compute @workgroup_size(LARGE_WIDTH)
fn relaxColour(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < head(ISLAND_BLOCKS) && control.overlaps == 1u) { sweepColour(id.x); }
}
