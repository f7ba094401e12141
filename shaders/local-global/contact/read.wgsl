#import "local-global/layout.wgsl"
#import "local-global/contact/layout.wgsl"

// Displacements of the touched vertices after the global step, d + Sᵀ y: a workgroup has one of them, or, where there are many, an
// invocation.

const READ_LANES = 32u;

@group(0) @binding(0) var<storage, read> contactColumns: array<ContactColumn>;
@group(0) @binding(1) var<storage, read> delassus: array<f32>;
@group(0) @binding(2) var<storage, read_write> touched: array<TouchedVertex>;
@group(0) @binding(3) var<storage, read> y: array<vec4f>;
@group(0) @binding(4) var<storage, read> displacement: array<vec4f>;
@group(0) @binding(5) var<storage, read> bodyStates: array<LocalGlobalBodyState>;
@group(0) @binding(6) var<storage, read> control: ContactControl;

var<workgroup> readSums: array<vec3f, READ_LANES>;

@compute @workgroup_size(READ_LANES)
fn readTouched(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let own = touched[group.x];
  var sum = vec3f(0.0);
  // rows of a block follow on each other; then it goes on at the block's parent
  var row = own.column;
  for (var k = 0u; k < own.depth;) {
    let rows = contactColumns[row].blockEnd - row;
    for (var i = lane; i < rows; i += READ_LANES) { sum += delassus[own.at + k + i] * y[row + i].xyz; }
    k += rows;
    row = contactColumns[row].parent;
  }
  readSums[lane] = sum;
  workgroupBarrier();
  for (var half = READ_LANES / 2u; half > 0u; half /= 2u) {
    if (lane < half) { readSums[lane] += readSums[lane + half]; }
    workgroupBarrier();
  }
  if (lane == 0u) { setPlace(group.x, readSums[0]); }
}

@compute @workgroup_size(64)
fn readMany(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= control.touched) { return; }
  let at = touched[id.x].at;
  let depth = touched[id.x].depth;
  var sum = vec3f(0.0);
  var row = touched[id.x].column;
  for (var k = 0u; k < depth;) {
    let end = contactColumns[row].blockEnd;
    let parent = contactColumns[row].parent;
    for (; row < end; row++) {
      sum += delassus[at + k] * y[row].xyz;
      k++;
    }
    row = parent;
  }
  setPlace(id.x, sum);
}

fn setPlace(i: u32, change: vec3f) {
  let isFrozen = bodyStates[touched[i].body].frozenAt != 0u;
  touched[i].moved = select(displacement[touched[i].vertex].xyz + change, vec3f(0.0), isFrozen);
}
