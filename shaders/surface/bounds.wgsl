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
// see exchange.wgsl; in the second half what velocities keep of what limits take from displacements
@group(0) @binding(11) var<storage, read_write> held: array<vec4f>;

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

struct Hold {
  // part of its displacement that its pairs leave to a vertex, and the pair that leaves the least
  share: f32,
  pair: u32,
}

fn holdOf(p: u32) -> Hold {
  var hold = Hold(1.0, 0u);
  for (var i = rows[2u * p]; i < rows[2u * p + 1u]; i++) {
    let entry = rows[i];
    let share = pairs[entry >> 2u].weights[entry & 3u];
    if (share < hold.share) { hold = Hold(share, entry >> 2u); }
  }
  return hold;
}

@compute @workgroup_size(64)
fn slideVertices(@builtin(global_invocation_id) id: vec3u) {
  let p = id.x;
  if (p >= surface.particleCount) { return; }
  let hold = holdOf(p);
  let u = surfaceShift[p];
  if (hold.share < 1.0) {
    setShift(p, u, slid(u.xyz, hold.share, hold.pair));
    held[p].w = f32(hold.pair + 1u);
  }
}

@compute @workgroup_size(64)
fn limitVertices(@builtin(global_invocation_id) id: vec3u) {
  let p = id.x;
  if (p >= surface.particleCount) { return; }
  let hold = holdOf(p);
  let u = surfaceShift[p];
  let after = limited(p, u.xyz, hold.share);
  if (any(after != u.xyz)) { setShift(p, u, after); }
  if (hold.share < 1.0) { held[p].w = f32(hold.pair + 1u); }
}

// The momentum that limits take from a particle goes to the four of the pair that holds it; see cpu-surfaces.ts.
@compute @workgroup_size(64)
fn shareMomentum(@builtin(global_invocation_id) id: vec3u) {
  let p = id.x;
  if (p >= surface.particleCount) { return; }
  var kept = vec3f(0.0);
  if (held[p].w == 0.0) { kept = surfaceShift[p].xyz - held[p].xyz; }
  for (var i = rows[2u * p]; i < rows[2u * p + 1u]; i++) {
    let j = rows[i] >> 2u;
    let v = pairs[j].vertices;
    let w = vec4f(surfaceShift[v.x].w, surfaceShift[v.y].w, surfaceShift[v.z].w, surfaceShift[v.w].w);
    // A pinned one takes all.
    if (any(w == vec4f(0.0))) { continue; }
    let shares = (1.0 / w) / dot(1.0 / w, vec4f(1.0));
    for (var k = 0u; k < 4u; k++) {
      let q = v[k];
      if (held[q].w == f32(j + 1u)) { kept += shares[k] * (surfaceShift[q].xyz - held[q].xyz); }
    }
  }
  held[surface.particleCount + p] = vec4f(kept, 0.0);
}
