#import "surface/search.wgsl"
#import "surface/closest.wgsl"

// Finds the pairs of each vertex with triangles and of each edge with edges; twin of candidate-pairs.ts. Runs twice: first
// every owner counts its pairs, then it adds up the counts of those before it, and writes them. So they come in the same order always.

// see candidate-pairs.ts
const restShare = 0.9;
const allFeatures = 63u;
const branching = 8u;
const stackSize = 64u;

const searchLanes = 64u;

override writesPairs: bool = false;

// w: how far the particle may go until the next search
@group(0) @binding(1) var<storage, read> surfaceStart: array<vec4f>;
@group(0) @binding(2) var<storage, read> topology: array<u32>;
@group(0) @binding(3) var<storage, read> boxes: array<vec4f>;
// first pair of each owner, and the one after its last; at first their number
@group(0) @binding(4) var<storage, read_write> ownerPairs: array<vec2u>;
@group(0) @binding(5) var<storage, read_write> pairs: array<FoundPair>;
// those of the last search
@group(0) @binding(6) var<storage, read> oldOwnerPairs: array<vec2u>;
@group(0) @binding(7) var<storage, read> oldPairs: array<SurfacePair>;
// see search.wgsl
@group(0) @binding(8) var<storage, read_write> nearest: array<atomic<u32>>;

var<workgroup> sums: array<u32, searchLanes>;

fn restPosition(p: u32) -> vec3f {
  let at = surface.rest + 4u * p;
  return vec3f(bitcast<f32>(topology[at]), bitcast<f32>(topology[at + 1u]), bitcast<f32>(topology[at + 2u]));
}

fn partOf(p: u32) -> u32 {
  return topology[surface.rest + 4u * p + 3u];
}

// Distance that two bodies keep, or one from itself; 0 where they do not touch [m].
fn distanceKept(part: u32, other: u32) -> f32 {
  return surface.thickness * bitcast<f32>(topology[surface.keeps + part * surface.partCount + other]);
}

// Of some vertices [m], see SurfaceMesh.
fn thinnest(v: vec4u, first: u32, end: u32) -> f32 {
  var most = 0.0;
  for (var k = first; k < end; k++) { most = max(most, bitcast<f32>(topology[surface.thinner + v[k]])); }
  return most;
}

fn levelStart(isFace: bool, level: u32) -> u32 {
  let low = select(surface.edgeLevels0, surface.faceLevels0, isFace);
  let high = select(surface.edgeLevels1, surface.faceLevels1, isFace);
  return select(high[level & 3u], low[level & 3u], level < 4u);
}

fn combine(weights: vec4f, x: mat4x3f) -> vec3f {
  return x * weights;
}

fn oldNormal(owner: u32, other: u32, fallback: vec3f) -> vec3f {
  let end = min(oldOwnerPairs[owner].y, surface.capacity);
  for (var n = oldOwnerPairs[owner].x; n < end; n++) {
    if (oldPairs[n].other == other) { return oldPairs[n].normal; }
  }
  return fallback;
}

// Leaves for each lane the sum of the lanes up to it.
fn addUp(lane: u32, value: u32) {
  sums[lane] = value;
  for (var reach = 1u; reach < searchLanes; reach *= 2u) {
    workgroupBarrier();
    var before = 0u;
    if (lane >= reach) { before = sums[lane - reach]; }
    workgroupBarrier();
    sums[lane] += before;
  }
  workgroupBarrier();
}

@compute @workgroup_size(64)
fn findPairs(
  @builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) lane: u32, @builtin(workgroup_id) group: vec3u,
) {
  let owner = id.x;
  let last = surface.vertexCount + surface.edgeCount - 1u;
  var count = 0u;
  if (!writesPairs) {
    if (owner <= last) {
      count = visitPairs(owner, 0u);
      ownerPairs[owner] = vec2u(count);
    }
    addUp(lane, count);
    if (lane == searchLanes - 1u) { atomicStore(&nearest[groupAt(group.x)], sums[lane]); }
    return;
  }
  var before = 0u;
  for (var other = lane; other < group.x; other += searchLanes) { before += atomicLoad(&nearest[groupAt(other)]); }
  addUp(lane, before);
  let first = sums[searchLanes - 1u];
  workgroupBarrier();
  if (owner <= last) { count = ownerPairs[owner].x; }
  addUp(lane, count);
  if (owner > last) { return; }
  let end = first + sums[lane];
  ownerPairs[owner] = vec2u(end - count, end);
  if (owner == last) { atomicStore(&nearest[foundAt()], end); }
  if (count > 0u) { _ = visitPairs(owner, end - count); }
}

// Returns how many pairs an owner has, and writes them from a place on.
fn visitPairs(owner: u32, at: u32) -> u32 {
  // A vertex looks among the triangles, an edge among the edges.
  let isVertex = owner < surface.vertexCount;
  let edge = owner - surface.vertexCount;
  let own = select(2u, 1u, isVertex);
  var v = vec4u(0u);
  if (isVertex) {
    v.x = topology[owner];
  } else {
    v.x = topology[surface.edges + 2u * edge];
    v.y = topology[surface.edges + 2u * edge + 1u];
  }
  let kind = select(edgeEdgeKind, vertexFaceKind, isVertex);
  var low = vec3f(3e38);
  var high = vec3f(-3e38);
  let ownReach = furthest(v, 0u, own);
  for (var k = 0u; k < own; k++) {
    low = min(low, surfaceStart[v[k]].xyz);
    high = max(high, surfaceStart[v[k]].xyz);
  }
  let margin = ownReach + surface.thickness;
  low -= margin;
  high += margin;
  let part = partOf(v.x);
  let depth = select(surface.edgeDepth, surface.faceDepth, isVertex);
  let nodes = select(surface.edgeNodes, 0u, isVertex);
  let order = select(surface.edgeOrder, surface.faceOrder, isVertex);
  let arity = select(2u, 3u, isVertex);
  let list = select(surface.edges, surface.faces, isVertex);
  var count = 0u;
  // A body that touches only others need not search itself.
  let leaves = select(surface.edgeLeaves, surface.faceLeaves, isVertex) + part;
  let ownLeaves = select(vec2u(1u, 0u), vec2u(topology[leaves], topology[leaves + 1u]), distanceKept(part, part) == 0.0);
  // A node is coded as level + 8 × its place in the level.
  var stack: array<u32, stackSize>;
  var size = 0u;
  if (depth > 0u) {
    stack[0] = depth - 1u;
    size = 1u;
  }
  while (size > 0u) {
    size--;
    let level = stack[size] & 7u;
    let place = stack[size] >> 3u;
    let node = nodes + levelStart(isVertex, level) + place;
    let lastLeaf = min((place + 1u) << (3u * level), select(surface.edgeCount, surface.faceCount, isVertex));
    if (place << (3u * level) >= ownLeaves.x && lastLeaf <= ownLeaves.y) { continue; }
    if (any(boxes[2u * node].xyz > high) || any(boxes[2u * node + 1u].xyz < low)) { continue; }
    if (level > 0u) {
      let first = branching * place;
      let children = min(branching, levelStart(isVertex, level) - levelStart(isVertex, level - 1u) - first);
      for (var child = children; child > 0u; child--) {
        stack[size] = (level - 1u) + 8u * (first + child - 1u);
        size++;
      }
      continue;
    }
    let other = topology[order + place];
    if (!isVertex && other <= edge) { continue; }
    for (var k = 0u; k < arity; k++) { v[own + k] = topology[list + arity * other + k]; }
    if (sharesVertex(v, own)) { continue; }
    let otherPart = partOf(v[own]);
    var kept = distanceKept(part, otherPart);
    if (kept == 0.0) { continue; }
    let origin = surfaceStart[v.x].xyz;
    let x = mat4x3f(
      vec3f(0.0), surfaceStart[v.y].xyz - origin, surfaceStart[v.z].xyz - origin, surfaceStart[v.w].xyz - origin,
    );
    let r = combine(closestWeights(kind, x), x);
    let apart = length(r);
    let reach = ownReach + furthest(v, own, 4u);
    if (apart > kept + reach) { continue; }
    kept -= thinnest(v, 0u, own) + thinnest(v, own, 4u);
    if (part == otherPart) {
      let restOrigin = restPosition(v.x);
      let rest = mat4x3f(
        vec3f(0.0), restPosition(v.y) - restOrigin, restPosition(v.z) - restOrigin, restPosition(v.w) - restOrigin,
      );
      kept = min(kept, restShare * length(combine(closestWeights(kind, rest), rest)));
    }
    if (apart > kept + reach) { continue; }
    if (writesPairs && at + count < surface.capacity) {
      let fallback = select(vec3f(0.0, 1.0, 0.0), r / max(apart, 1e-30), apart > 0.0);
      let normal = oldNormal(owner, other, fallback);
      let own = ownOf(isVertex, edge, other, part == otherPart);
      // Each of its vertices has it first in a list of its pairs.
      let entry = 4u * (at + count);
      let next = array<u32, 4>(
        atomicExchange(&nearest[lastOf(v.x)], entry + 1u), atomicExchange(&nearest[lastOf(v.y)], entry + 2u),
        atomicExchange(&nearest[lastOf(v.z)], entry + 3u), atomicExchange(&nearest[lastOf(v.w)], entry + 4u),
      );
      pairs[at + count] = FoundPair(v, next, normal, kept, vec3f(0.0), 0.0, other, kind, own, 1u);
    }
    if (!writesPairs) {
      let room = max(0.0, 0.5 * min(gapShare * apart, apart - leastGap * kept));
      for (var k = 0u; k < 4u; k++) {
        // Bits of floats that are not negative are in the order of the floats.
        atomicMin(&nearest[v[k]], bitcast<u32>(room));
      }
    }
    count++;
  }
  return count;
}

fn ownOf(isVertex: bool, edge: u32, other: u32, isOfOnePart: bool) -> u32 {
  if (isVertex) { return select(topology[surface.own + other], allFeatures, isOfOnePart); }
  return select(0u, firstOfFaces, edge < surface.faceEdges) | select(0u, secondOfFaces, other < surface.faceEdges);
}

fn sharesVertex(v: vec4u, own: u32) -> bool {
  if (own == 1u) { return any(v.yzw == v.xxx); }
  return any(v.zw == v.xx) || any(v.zw == v.yy);
}

// Longest way that one of some vertices may go.
fn furthest(v: vec4u, first: u32, end: u32) -> f32 {
  var most = 0.0;
  for (var k = first; k < end; k++) { most = max(most, surfaceStart[v[k]].w); }
  return most;
}
