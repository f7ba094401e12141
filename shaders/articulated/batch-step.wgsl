#import "articulated/batch-steps.wgsl"
#import "articulated/lanes/one.wgsl"

// An invocation for each world.

@compute @workgroup_size(WORKGROUP)
fn stepWorlds(@builtin(global_invocation_id) id: vec3u) {
  if (beginWorld(id.x)) { takeSteps(); }
}
