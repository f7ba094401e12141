#import "local-global/layout.wgsl"
#import "local-global/contact-layout.wgsl"

// Displacements of the touched vertices after the global step, d + Sᵀ y; a workgroup has one of them.

const READ_LANES = 32u;

@group(0) @binding(0) var<storage, read> contactColumns: array<ContactColumn>;
@group(0) @binding(1) var<storage, read> delassus: array<f32>;
@group(0) @binding(2) var<storage, read_write> touched: array<TouchedVertex>;
@group(0) @binding(3) var<storage, read> y: array<vec4f>;
@group(0) @binding(4) var<storage, read> displacement: array<vec4f>;
@group(0) @binding(5) var<storage, read> bodyStates: array<LocalGlobalBodyState>;

var<workgroup> readSums: array<vec3f, READ_LANES>;

@compute @workgroup_size(READ_LANES)
fn readTouched(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let own = touched[group.x];
  var sum = vec3f(0.0);
  // rows of a block follow on each other; then it goes on at the block's parent
  var row = own.column;
  for (var k = 0u; k < own.depth;) {
    let rows = contactColumns[row].blockEnd - row;
    for (var i = lane; i < rows; i += READ_LANES) {
      sum += delassus[own.at + k + i] * y[row + i].xyz;
    }
    k += rows;
    row = contactColumns[row].parent;
  }
  readSums[lane] = sum;
  workgroupBarrier();
  for (var half = READ_LANES / 2u; half > 0u; half /= 2u) {
    if (lane < half) {
      readSums[lane] += readSums[lane + half];
    }
    workgroupBarrier();
  }
  if (lane == 0u) {
    let isFrozen = bodyStates[own.body].frozenAt != 0u;
    touched[group.x].moved = select(displacement[own.vertex].xyz + readSums[0], vec3f(0.0), isFrozen);
  }
}
