// A list of invocations for a later indirect dispatch. Its order may differ from run to run; each entry writes its own
// results only, so that the results do not.

struct WorkList {
  count: atomic<u32>,
  items: array<u32>,
}

@group(0) @binding(3) var<storage, read_write> workList: WorkList;
