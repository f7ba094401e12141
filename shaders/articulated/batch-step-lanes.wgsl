#import "articulated/batch-steps.wgsl"
#import "articulated/lanes/many.wgsl"

// A workgroup for each world.

@compute @workgroup_size(MANY_LANES)
fn stepWorlds(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) index: u32) {
  if (group.x >= batch.lanes || batch.firstWorld + group.x >= batch.worldCount) { return; }
  world = batch.firstWorld + group.x;
  place = group.x * batch.scratchSize;
  lane = index;
  origin = vec3f(0.0);
  takeSteps();
}
