#import "surface/layout.wgsl"
#import "surface/closest.wgsl"
#import "surface/shift.wgsl"

// Shortens displacements so that surfaces that are free of each other stay so; twin of surface-bounds.ts, which has the proof.

@group(0) @binding(1) var<storage, read> surfaceStart: array<vec4f>;
@group(0) @binding(3) var<storage, read> ownerStart: array<u32>;
@group(0) @binding(4) var<storage, read_write> pairs: array<SurfacePair>;
@group(0) @binding(5) var<storage, read> rowStart: array<u32>;
@group(0) @binding(6) var<storage, read> rowEntries: array<u32>;
// mean displacement of the vertices
@group(0) @binding(7) var<storage, read> commonMotion: array<vec4f>;
// way of each particle since the search, relative to the common motion; w: length of the way that it may go
@group(0) @binding(8) var<storage, read_write> gone: array<vec4f>;
// bits of the way that each vertex may go if not all pairs are listed [m]
@group(0) @binding(9) var<storage, read> nearest: array<u32>;

fn foundPairs() -> u32 {
  return ownerStart[surface.vertexCount + surface.edgeCount];
}

fn pairsInRoom() -> u32 {
  return min(surface.capacity, foundPairs());
}

// After a search. If some pairs had no room, none counts: every vertex keeps to its share of the least distance instead.
@compute @workgroup_size(64)
fn beginBounds(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < surface.particleCount) {
    let isComplete = foundPairs() <= surface.capacity;
    let reach = surfaceStart[id.x].w;
    gone[id.x] = vec4f(0.0, 0.0, 0.0, select(min(reach, bitcast<f32>(nearest[id.x])), reach, isComplete));
  }
}

// Normals at the start of the substep, where surfaces are free of each other: they tell the sides.
@compute @workgroup_size(64)
fn orientPairs(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  for (var j = id.x; j < pairsInRoom(); j += 64u * groups.x) {
    pairs[j].normal = normalAtStart(j);
  }
}

fn placesAtStart(v: vec4u) -> mat4x3f {
  let origin = surfaceStart[v.x].xyz;
  return mat4x3f(
    vec3f(0.0), surfaceStart[v.y].xyz - origin, surfaceStart[v.z].xyz - origin, surfaceStart[v.w].xyz - origin,
  );
}

fn normalAtStart(j: u32) -> vec3f {
  let x = placesAtStart(pairs[j].vertices);
  let r = x * closestWeights(pairs[j].kind, x);
  let apart = length(r);
  return select(vec3f(0.0, 1.0, 0.0), r / max(apart, 1e-30), apart > 0.0);
}

// Writes the part of its displacement that each pair leaves to each of its vertices, in place of its weights.
fn dividePair(j: u32) {
  let v = pairs[j].vertices;
  let isEdge = pairs[j].kind == edgeEdgeKind;
  let n = normalAtStart(j);
  let height = n * placesAtStart(v);
  let drift = commonMotion[0].xyz;
  let e = mat4x3f(
    surfaceShift[v.x].xyz - drift, surfaceShift[v.y].xyz - drift, surfaceShift[v.z].xyz - drift, surfaceShift[v.w].xyz - drift,
  );
  let rise = n * e;
  // 1 for those of the first primitive
  let first = vec4<bool>(true, isEdge, false, false);
  let low = select(height.x, min(height.x, height.y), isEdge);
  let high = max(select(height.y, height.z, isEdge), max(height.z, height.w));
  let nearer = select(rise, -rise, first);
  let behind = select(high - height, height - low, first);
  let into = max(vec4f(0.0), nearer - behind);
  let a = select(into.x, max(into.x, into.y), isEdge);
  let b = max(select(into.y, into.z, isEdge), max(into.z, into.w));
  let gap = low - high;
  let room = max(0.0, min(gapShare * gap, gap - leastGap * pairs[j].distance));
  var shares = vec4f(1.0);
  if (a + b > room) {
    let free = behind + room / (a + b) * select(vec4f(b), vec4f(a), first);
    shares = select(vec4f(1.0), free / max(nearer, vec4f(1e-30)), nearer > free);
  }
  pairs[j].weights = shares;
}

@compute @workgroup_size(64)
fn dividePairs(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  for (var j = id.x; j < pairsInRoom(); j += 64u * groups.x) {
    dividePair(j);
  }
}

// Shortens a displacement along the normal of the pair that allows a vertex least, so that the vertex may slide along the surface.
@compute @workgroup_size(64)
fn slideVertices(@builtin(global_invocation_id) id: vec3u) {
  let p = id.x;
  if (p >= surface.particleCount) {
    return;
  }
  var share = 1.0;
  var tightest = 0u;
  for (var i = rowStart[p]; i < rowStart[p + 1u]; i++) {
    let entry = rowEntries[i];
    let part = pairs[entry >> 2u].weights[entry & 3u];
    if (part < share) {
      share = part;
      tightest = entry >> 2u;
    }
  }
  if (share == 1.0) {
    return;
  }
  let n = normalAtStart(tightest);
  let u = surfaceShift[p];
  setShift(p, u, u.xyz - (1.0 - share) * dot(n, u.xyz - commonMotion[0].xyz) * n);
}

@compute @workgroup_size(64)
fn limitVertices(@builtin(global_invocation_id) id: vec3u) {
  let p = id.x;
  if (p >= surface.particleCount) {
    return;
  }
  let u = surfaceShift[p];
  let drift = commonMotion[0].xyz;
  let e = u.xyz - drift;
  var share = 1.0;
  for (var i = rowStart[p]; i < rowStart[p + 1u]; i++) {
    let entry = rowEntries[i];
    share = min(share, pairs[entry >> 2u].weights[entry & 3u]);
  }
  let before = gone[p].xyz;
  let reach = gone[p].w;
  let ee = dot(e, e);
  let eg = dot(e, before);
  let gg = dot(before, before);
  if (ee > 0.0 && gg + 2.0 * share * eg + share * share * ee > reach * reach) {
    let inside = max(0.0, reach * reach - gg);
    share = min(share, max(0.0, (sqrt(eg * eg + ee * inside) - eg) / ee));
  }
  gone[p] = vec4f(before + share * e, reach);
  if (share < 1.0) {
    setShift(p, u, drift + share * e);
  }
}
