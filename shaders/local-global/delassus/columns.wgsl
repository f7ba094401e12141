#import "local-global/global/sparse.wgsl"
#import "local-global/contact/layout.wgsl"

// Columns of S at the touched vertices, S Hᵀ in its sparse form (section 5.3), each from itself to its root without gaps. A
// workgroup has a column.

@group(0) @binding(2) var<storage, read> touched: array<TouchedVertex>;
@group(0) @binding(3) var<storage, read_write> delassus: array<f32>;

@compute @workgroup_size(64)
fn copyColumns(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let j = touched[group.x].column;
  let depth = columns[j].depth;
  if (lane >= depth) { return; }
  var row = ancestor(j, lane);
  for (var k = lane; k < depth; k += 64u) {
    if (isHere(row)) { delassus[touched[group.x].at + k] = entryOf(row, j); }
    if (k + 64u < depth) { row = ancestor(row, 64u); }
  }
}
