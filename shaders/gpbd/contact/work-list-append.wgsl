#import "gpbd/contact/work-list.wgsl"

// Arguments of the indirect dispatch; a buffer of its own, since a dispatch may not read its arguments from one it writes.
struct DispatchArguments {
  workgroups: atomic<u32>,
  one: u32,
  alsoOne: u32,
}

@group(0) @binding(9) var<storage, read_write> dispatchArguments: DispatchArguments;

const listWorkgroup = 64u;

fn appendToList(item: u32) {
  let slot = atomicAdd(&workList.count, 1u);
  workList.items[slot] = item;
  atomicMax(&dispatchArguments.workgroups, slot / listWorkgroup + 1u);
}
