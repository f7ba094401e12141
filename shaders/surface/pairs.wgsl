#import "surface/layout.wgsl"
#import "surface/closest.wgsl"

// Finds the pairs of each vertex with triangles and of each edge with edges; twin of candidate-pairs.ts. Runs twice: first
// every owner counts its pairs, then, when it is known where they go, it writes them. So they come in the same order always.

// see candidate-pairs.ts
const restShare = 0.9;
const allFeatures = 63u;
const branching = 8u;
const stackSize = 64u;

// bits of how far each vertex may go if all others do likewise: a share of the distance to what is nearest [m]
@group(0) @binding(8) var<storage, read_write> nearest: array<atomic<u32>>;

override writesPairs: bool = false;

// w: how far the particle may go until the next search
@group(0) @binding(1) var<storage, read> surfaceStart: array<vec4f>;
@group(0) @binding(2) var<storage, read> topology: array<u32>;
@group(0) @binding(3) var<storage, read> boxes: array<vec4f>;
// counts first; then, one more than there are owners, where the pairs of each begin
@group(0) @binding(4) var<storage, read_write> ownerStart: array<u32>;
@group(0) @binding(5) var<storage, read_write> pairs: array<SurfacePair>;
// those of the last search
@group(0) @binding(6) var<storage, read> oldStart: array<u32>;
@group(0) @binding(7) var<storage, read> oldPairs: array<SurfacePair>;

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

fn levelStart(isFace: bool, level: u32) -> u32 {
  let low = select(surface.edgeLevels0, surface.faceLevels0, isFace);
  let high = select(surface.edgeLevels1, surface.faceLevels1, isFace);
  return select(high[level & 3u], low[level & 3u], level < 4u);
}

fn combine(weights: vec4f, x: mat4x3f) -> vec3f {
  return x * weights;
}

fn oldNormal(owner: u32, other: u32, fallback: vec3f) -> vec3f {
  let end = min(oldStart[owner + 1u], surface.capacity);
  for (var n = oldStart[owner]; n < end; n++) {
    if (oldPairs[n].other == other) {
      return oldPairs[n].normal;
    }
  }
  return fallback;
}

@compute @workgroup_size(64)
fn findPairs(@builtin(global_invocation_id) id: vec3u) {
  let owner = id.x;
  if (owner >= surface.vertexCount + surface.edgeCount) {
    return;
  }
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
  var at = 0u;
  if (writesPairs) {
    at = ownerStart[owner];
  }
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
    if (place << (3u * level) >= ownLeaves.x && lastLeaf <= ownLeaves.y) {
      continue;
    }
    if (any(boxes[2u * node].xyz > high) || any(boxes[2u * node + 1u].xyz < low)) {
      continue;
    }
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
    if (!isVertex && other <= edge) {
      continue;
    }
    for (var k = 0u; k < arity; k++) {
      v[own + k] = topology[list + arity * other + k];
    }
    if (sharesVertex(v, own)) {
      continue;
    }
    let otherPart = partOf(v[own]);
    var kept = distanceKept(part, otherPart);
    if (kept == 0.0) {
      continue;
    }
    let origin = surfaceStart[v.x].xyz;
    let x = mat4x3f(
      vec3f(0.0), surfaceStart[v.y].xyz - origin, surfaceStart[v.z].xyz - origin, surfaceStart[v.w].xyz - origin,
    );
    let r = combine(closestWeights(kind, x), x);
    let apart = length(r);
    let reach = ownReach + furthest(v, own, 4u);
    if (apart > kept + reach) {
      continue;
    }
    if (part == otherPart) {
      let restOrigin = restPosition(v.x);
      let rest = mat4x3f(
        vec3f(0.0), restPosition(v.y) - restOrigin, restPosition(v.z) - restOrigin, restPosition(v.w) - restOrigin,
      );
      kept = min(kept, restShare * length(combine(closestWeights(kind, rest), rest)));
    }
    if (apart > kept + reach) {
      continue;
    }
    if (writesPairs && at + count < surface.capacity) {
      let fallback = select(vec3f(0.0, 1.0, 0.0), r / max(apart, 1e-30), apart > 0.0);
      let normal = oldNormal(owner, other, fallback);
      var own = allFeatures;
      if (part != otherPart) {
        own = ownOf(isVertex, edge, other);
      }
      pairs[at + count] = SurfacePair(v, vec4f(0.0), normal, kept, vec3f(0.0), 0.0, other, kind, own, 1u);
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
  if (!writesPairs) {
    ownerStart[owner] = count;
  }
}

fn ownOf(isVertex: bool, edge: u32, other: u32) -> u32 {
  let ofFaces = select(0u, firstOfFaces, edge < surface.faceEdges) | select(0u, secondOfFaces, other < surface.faceEdges);
  return select(ofFaces, topology[surface.own + select(0u, other, isVertex)], isVertex);
}

fn sharesVertex(v: vec4u, own: u32) -> bool {
  if (own == 1u) {
    return any(v.yzw == v.xxx);
  }
  return any(v.zw == v.xx) || any(v.zw == v.yy);
}

// Longest way that one of some vertices may go.
fn furthest(v: vec4u, first: u32, end: u32) -> f32 {
  var most = 0.0;
  for (var k = first; k < end; k++) {
    most = max(most, surfaceStart[v[k]].w);
  }
  return most;
}
