#import "surface/search.wgsl"

// Boxes of the trees over triangles and edges, about where they may be until the next search; twin of implicit-tree.ts.

const branching = 8u;

struct SurfaceLevel {
  // first node of the level and of the one below, and where that ends
  first: u32,
  children: u32,
  childrenEnd: u32,
  count: u32,
}

const mostLevels = 8u;

// of the tree of faces and that of edges by turns, from the leaves on, which have none
struct SurfaceLevels {
  each: array<SurfaceLevel, 16>,
}

@group(0) @binding(4) var<uniform> levels: SurfaceLevels;
// w: how far the particle may go until the next search, seen from a frame that moves with all of them [m]; twin of candidate-pairs.ts
@group(0) @binding(1) var<storage, read_write> surfaceStart: array<vec4f>;
@group(0) @binding(2) var<storage, read> topology: array<u32>;
// lowest and highest corner of each node
@group(0) @binding(3) var<storage, read_write> boxes: array<vec4f>;
@group(0) @binding(5) var<storage, read> surfaceShift: array<vec4f>;
// mean displacement of the vertices
@group(0) @binding(6) var<storage, read_write> commonMotion: array<vec4f>;
// see search.wgsl
@group(0) @binding(7) var<storage, read_write> nearest: array<u32>;

const leafLanes = 64u;
// boxes of a workgroup's leaves, and then of the nodes above
var<workgroup> lows: array<vec3f, leafLanes>;
var<workgroup> highs: array<vec3f, leafLanes>;

fn reachOf(p: u32) -> f32 {
  return length(surface.interval * (surfaceShift[p].xyz - commonMotion[0].xyz)) + surface.slack;
}

fn writeBox(node: u32, low: vec3f, high: vec3f) {
  boxes[2u * node] = vec4f(low, 0.0);
  boxes[2u * node + 1u] = vec4f(high, 0.0);
}

// Workgroups of leaves of the tree of faces, then of those of edges: 64 leaves, the 8 nodes above them and the one above these. Vertices
// begin a search, too.
@compute @workgroup_size(64)
fn lowerBoxes(
  @builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32, @builtin(global_invocation_id) id: vec3u,
) {
  if (id.x < surface.particleCount) {
    surfaceStart[id.x].w = reachOf(id.x);
    nearest[id.x] = bitcast<u32>(3e38f);
    nearest[lastOf(id.x)] = 0u;
  }
  if (id.x < 2u) { nearest[foundAt() + id.x] = 0u; }
  let faceGroups = (surface.faceCount + leafLanes - 1u) / leafLanes;
  let isFace = (group.x < faceGroups);
  let tile = select(group.x - faceGroups, group.x, isFace);
  let leaf = leafLanes * tile + lane;
  let arity = select(2u, 3u, isFace);
  var low = vec3f(3e38);
  var high = vec3f(-3e38);
  if (leaf < select(surface.edgeCount, surface.faceCount, isFace)) {
    let thing = topology[select(surface.edgeOrder, surface.faceOrder, isFace) + leaf];
    let list = select(surface.edges, surface.faces, isFace) + arity * thing;
    var reach = 0.0;
    for (var k = 0u; k < arity; k++) {
      let p = topology[list + k];
      // Others write the reach beside it.
      let x = vec3f(surfaceStart[p].x, surfaceStart[p].y, surfaceStart[p].z);
      low = min(low, x);
      high = max(high, x);
      reach = max(reach, reachOf(p));
    }
    low -= reach;
    high += reach;
    writeBox(select(surface.edgeNodes, 0u, isFace) + leaf, low, high);
  }
  lows[lane] = low;
  highs[lane] = high;
  for (var level = 1u; level < 3u; level++) {
    workgroupBarrier();
    let nodes = leafLanes >> (3u * level);
    if (lane < nodes) {
      low = vec3f(3e38);
      high = vec3f(-3e38);
      for (var child = branching * lane; child < branching * (lane + 1u); child++) {
        low = min(low, lows[child]);
        high = max(high, highs[child]);
      }
      let above = levels.each[2u * level + select(1u, 0u, isFace)];
      if (nodes * tile + lane < above.count) { writeBox(above.first + nodes * tile + lane, low, high); }
    }
    workgroupBarrier();
    if (lane < nodes) {
      lows[lane] = low;
      highs[lane] = high;
    }
  }
}

// A node from those below it.
fn joinBoxes(level: SurfaceLevel, place: u32) {
  let first = level.children + branching * place;
  let end = min(first + branching, level.childrenEnd);
  var low = vec4f(3e38);
  var high = vec4f(-3e38);
  for (var child = first; child < end; child++) {
    low = min(low, boxes[2u * child]);
    high = max(high, boxes[2u * child + 1u]);
  }
  boxes[2u * (level.first + place)] = low;
  boxes[2u * (level.first + place) + 1u] = high;
}

// Of both trees in a row.
fn joinBoth(level: u32, place: u32) {
  let faces = levels.each[2u * level];
  let edges = levels.each[2u * level + 1u];
  if (place < faces.count) {
    joinBoxes(faces, place);
  } else if (place - faces.count < edges.count) {
    joinBoxes(edges, place - faces.count);
  }
}

// Each has an eighth of the nodes, so one workgroup takes all of them.
@compute @workgroup_size(256)
fn upperBoxes(@builtin(local_invocation_index) lane: u32) {
  for (var level = 3u; level < mostLevels; level++) {
    let count = levels.each[2u * level].count + levels.each[2u * level + 1u].count;
    for (var place = lane; place < count; place += 256u) { joinBoth(level, place); }
    storageBarrier();
  }
}

const meanLanes = 256u;
var<workgroup> sums: array<vec3f, meanLanes>;

@compute @workgroup_size(256)
fn meanMotion(@builtin(local_invocation_index) lane: u32) {
  var sum = vec3f(0.0);
  for (var k = lane; k < surface.vertexCount; k += meanLanes) { sum += surfaceShift[topology[k]].xyz; }
  sums[lane] = sum;
  for (var half = meanLanes / 2u; half > 0u; half /= 2u) {
    workgroupBarrier();
    if (lane < half) { sums[lane] += sums[lane + half]; }
  }
  if (lane == 0u) { commonMotion[0] = vec4f(sums[0] / f32(max(1u, surface.vertexCount)), 0.0); }
}
