#import "surface/search.wgsl"
#import "surface/pair-bounds.wgsl"
#import "surface/shift.wgsl"

// Shortens displacements so that surfaces that are free of each other stay so.

@group(0) @binding(1) var<storage, read> surfaceStart: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> pairs: array<SurfacePair>;
@group(0) @binding(5) var<storage, read> rows: array<u32>;
// mean displacement of the vertices
@group(0) @binding(7) var<storage, read> commonMotion: array<vec4f>;
// way of each particle since the search, relative to the common motion; w: length of the way that it may go
@group(0) @binding(8) var<storage, read_write> gone: array<vec4f>;
// see search.wgsl
@group(0) @binding(9) var<storage, read> nearest: array<u32>;

fn pairsInRoom() -> u32 {
  return min(surface.capacity, nearest[foundAt()]);
}

// Normals at the start of the substep, where surfaces are free of each other: they tell the sides.
@compute @workgroup_size(64)
fn orientPairs(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  for (var j = id.x; j < pairsInRoom(); j += 64u * groups.x) {
    let begun = startOfPair(j);
    pairs[j].normal = begun.normal;
    pairs[j].counts = u32(begun.counts);
  }
}

@compute @workgroup_size(64)
fn dividePairs(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  for (var j = id.x; j < pairsInRoom(); j += 64u * groups.x) {
    // In place of its weights.
    pairs[j].weights = sharesOf(j);
  }
}

@compute @workgroup_size(64)
fn slideVertices(@builtin(global_invocation_id) id: vec3u) {
  let p = id.x;
  if (p >= surface.particleCount) { return; }
  var share = 1.0;
  var tightest = 0u;
  for (var i = rows[2u * p]; i < rows[2u * p + 1u]; i++) {
    let entry = rows[i];
    let part = pairs[entry >> 2u].weights[entry & 3u];
    if (part < share) {
      share = part;
      tightest = entry >> 2u;
    }
  }
  if (share < 1.0) {
    let u = surfaceShift[p];
    setShift(p, u, slid(u.xyz, share, tightest));
  }
}

@compute @workgroup_size(64)
fn limitVertices(@builtin(global_invocation_id) id: vec3u) {
  let p = id.x;
  if (p >= surface.particleCount) { return; }
  var share = 1.0;
  for (var i = rows[2u * p]; i < rows[2u * p + 1u]; i++) {
    let entry = rows[i];
    share = min(share, pairs[entry >> 2u].weights[entry & 3u]);
  }
  let u = surfaceShift[p];
  let after = limited(p, u.xyz, share);
  if (any(after != u.xyz)) { setShift(p, u, after); }
}
