#import "fused/patches.wgsl"
#import "gpbd/cloth/stvk-density.wgsl"

@compute @workgroup_size(256)
fn stepPatches(@builtin(local_invocation_index) lane: u32, @builtin(workgroup_id) group: vec3u) {
  stepPatch(lane, group.x);
}
