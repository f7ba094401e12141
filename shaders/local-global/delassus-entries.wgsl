#import "local-global/layout.wgsl"
#import "local-global/contact-layout.wgsl"

// G: entries of A⁻¹ between the touched vertices of a body (27), from what two columns of S share, that is from their first
// common ancestor on, less what held vertices take off: twin of TouchedBody.build. A workgroup has a row up to the diagonal.

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
  // without room for G its diagonal is wanted all the same
  let begin = select(first, i, entries == NO_SLOT);
  for (var j = begin + lane; j <= i; j += 64u) {
    let shared_ = sharedLength(touched[j].column, touched[i].column);
    var a = touched[i].at + touched[i].depth - shared_;
    var b = touched[j].at + touched[j].depth - shared_;
    var sum = 0.0;
    for (var k = 0u; k < shared_; k++) {
      sum += delassus[a + k] * delassus[b + k];
    }
    a = touched[i].at + touched[i].depth;
    b = touched[j].at + touched[j].depth;
    for (var k = 0u; k < heldCount; k++) {
      sum -= delassus[a + k] * delassus[b + k];
    }
    // without what rounding leaves of it
    let isHeld = pins[touched[i].vertex].w == HELD_EXACTLY || pins[touched[j].vertex].w == HELD_EXACTLY;
    if (heldCount > 0u && isHeld) {
      sum = 0.0;
    }
    if (entries != NO_SLOT) {
      delassus[entries + (i - first) * count + j - first] = sum;
      delassus[entries + (j - first) * count + i - first] = sum;
    }
    if (i == j) {
      touched[i].diagonal = sum;
    }
  }
}

// How many ancestors two columns share.
fn sharedLength(one: u32, other: u32) -> u32 {
  var i = one;
  var j = other;
  while (contactColumns[i].blockEnd != contactColumns[j].blockEnd) {
    if (contactColumns[i].blockEnd < contactColumns[j].blockEnd) {
      i = contactColumns[i].parent;
    } else {
      j = contactColumns[j].parent;
    }
    if (i == 0xffffffffu || j == 0xffffffffu) {
      return 0u;
    }
  }
  return contactColumns[max(i, j)].depth;
}
