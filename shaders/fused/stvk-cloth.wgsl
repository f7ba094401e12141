#import "fused/cloth.wgsl"
#import "gpbd/cloth/stvk-density.wgsl"

@compute @workgroup_size(256)
fn stepBody(@builtin(local_invocation_index) lane: u32) {
  stepCloth(lane);
}
