#import "gpbd/contact/work-list-append.wgsl"

@compute @workgroup_size(1)
fn clearList() {
  atomicStore(&dispatchArguments.workgroups, 0u);
  dispatchArguments.one = 1u;
  dispatchArguments.alsoOne = 1u;
  atomicStore(&workList.count, 0u);
}
