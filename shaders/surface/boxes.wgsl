#import "surface/layout.wgsl"

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
// w: how far the particle may go, see reach.wgsl
@group(0) @binding(1) var<storage, read> surfaceStart: array<vec4f>;
@group(0) @binding(2) var<storage, read> topology: array<u32>;
// lowest and highest corner of each node
@group(0) @binding(3) var<storage, read_write> boxes: array<vec4f>;

@compute @workgroup_size(64)
fn leafBoxes(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= surface.faceCount + surface.edgeCount) {
    return;
  }
  let isFace = id.x < surface.faceCount;
  let leaf = select(id.x - surface.faceCount, id.x, isFace);
  let thing = topology[select(surface.edgeOrder, surface.faceOrder, isFace) + leaf];
  let arity = select(2u, 3u, isFace);
  let list = select(surface.edges, surface.faces, isFace) + arity * thing;
  var low = vec3f(3e38);
  var high = vec3f(-3e38);
  var reach = 0.0;
  for (var k = 0u; k < arity; k++) {
    let x = surfaceStart[topology[list + k]];
    low = min(low, x.xyz);
    high = max(high, x.xyz);
    reach = max(reach, x.w);
  }
  let node = select(surface.edgeNodes, 0u, isFace) + leaf;
  boxes[2u * node] = vec4f(low - reach, 0.0);
  boxes[2u * node + 1u] = vec4f(high + reach, 0.0);
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

// The lowest level above the leaves.
@compute @workgroup_size(64)
fn innerBoxes(@builtin(global_invocation_id) id: vec3u) {
  joinBoth(1u, id.x);
}

// The others: each has an eighth of the nodes, so one workgroup takes all of them.
@compute @workgroup_size(256)
fn upperBoxes(@builtin(local_invocation_index) lane: u32) {
  for (var level = 2u; level < mostLevels; level++) {
    let count = levels.each[2u * level].count + levels.each[2u * level + 1u].count;
    for (var place = lane; place < count; place += 256u) {
      joinBoth(level, place);
    }
    storageBarrier();
  }
}
