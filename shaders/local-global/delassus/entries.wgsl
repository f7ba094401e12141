#import "local-global/layout.wgsl"
#import "local-global/contact/layout.wgsl"
#import "local-global/delassus/entry.wgsl"

// G: entries of A⁻¹ between the touched vertices of a body (27): twin of TouchedBody.build. A workgroup has a row up to the diagonal.

@group(0) @binding(0) var<storage, read> contactColumns: array<ContactColumn>;
@group(0) @binding(1) var<storage, read_write> touched: array<TouchedVertex>;
@group(0) @binding(2) var<storage, read> nodes: array<ContactNode>;
@group(0) @binding(3) var<storage, read_write> delassus: array<f32>;
// w: 1 where held
@group(0) @binding(4) var<storage, read> pins: array<vec4f>;

@compute @workgroup_size(64)
fn findEntries(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let i = group.x;
  let body = touched[i].body;
  let first = nodes[body].first;
  let count = nodes[body].count;
  let entries = nodes[body].entries;
  let heldCount = nodes[body].heldCount;
  // where G is not stored its diagonal is wanted all the same
  let begin = select(first, i, entries == NO_SLOT);
  for (var j = begin + lane; j <= i; j += 64u) {
    var sum = entryBetween(i, j);
    // without what rounding leaves of it
    let isHeld = pins[touched[i].vertex].w == HELD_EXACTLY || pins[touched[j].vertex].w == HELD_EXACTLY;
    if (heldCount > 0u && isHeld) { sum = 0.0; }
    if (entries != NO_SLOT) {
      delassus[entries + (i - first) * count + j - first] = sum;
      delassus[entries + (j - first) * count + i - first] = sum;
    }
    if (i == j) { touched[i].diagonal = sum; }
  }
}
