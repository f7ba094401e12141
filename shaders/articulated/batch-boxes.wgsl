#import "articulated/batch-contacts.wgsl"

// Contacts of two boxes: twin of src/articulated/contact/polytope-pair.ts.

// A face of one box must be better than one of the other, and a pair of edges better than both, by this part of the overlap and size.
const boxPreference = 1e-5;
// Squared sine of the angle below which edges have no common normal.
const parallelBoxEdges = 1e-8;

struct Box {
  middle: vec3f,
  axes: mat3x3f,
  half: vec3f,
}

// The axis of a box along which another one is farthest out, and how far it is.
struct BoxAxis {
  normal: vec3f,
  separation: f32,
  index: u32,
}

// corners of what is left of a face, and the lines that begin at them: k of the face, or −1 less a side of the other face
var<private> corners: array<vec3f, 8>;
var<private> cornerLines: array<i32, 8>;
var<private> cornerCount: u32;

// Half the width of a box along a direction.
fn boxReach(box: Box, direction: vec3f) -> f32 {
  return dot(abs(direction * box.axes), box.half);
}

fn boxExtent(box: Box) -> f32 {
  let x = abs(vec3f(box.axes[0].x, box.axes[1].x, box.axes[2].x));
  let y = abs(vec3f(box.axes[0].y, box.axes[1].y, box.axes[2].y));
  let z = abs(vec3f(box.axes[0].z, box.axes[1].z, box.axes[2].z));
  return 2.0 * max(dot(x, box.half), max(dot(y, box.half), dot(z, box.half)));
}

fn faceAxis(owner: Box, other: Box) -> BoxAxis {
  var best = BoxAxis(vec3f(0.0), -1e30, 0u);
  let way = other.middle - owner.middle;
  for (var c = 0u; c < 3u; c++) {
    let along = dot(way, owner.axes[c]);
    let separation = abs(along) - boxReach(other, owner.axes[c]) - owner.half[c];
    if (separation > best.separation) { best = BoxAxis(select(owner.axes[c], -owner.axes[c], along < 0.0), separation, c); }
  }
  return best;
}

// From the first to the second box; the index is that of the axis of the first one and 3 times that of the other.
fn edgeAxis(a: Box, b: Box) -> BoxAxis {
  var best = BoxAxis(vec3f(0.0), -1e30, 0u);
  let way = b.middle - a.middle;
  for (var i = 0u; i < 9u; i++) {
    let u = a.axes[i % 3u];
    let v = b.axes[i / 3u];
    let across = cross(u, v);
    let squaredSine = dot(across, across);
    if (squaredSine < parallelBoxEdges) { continue; }
    var n = across / sqrt(squaredSine);
    let along = dot(way, n);
    n = select(n, -n, along < 0.0);
    let separation = abs(along) - boxReach(a, n) - boxReach(b, n);
    if (separation > best.separation) { best = BoxAxis(n, separation, i); }
  }
  return best;
}

// The middle of the edge along an axis that is farthest in a direction.
fn edgeOf(box: Box, direction: vec3f, axis: u32) -> vec3f {
  var sides = sign(direction * box.axes);
  sides[axis] = 0.0;
  return box.middle + box.axes * (sides * box.half);
}

fn touchEdgesOfBoxes(shape: u32, a: Box, b: Box, axis: BoxAxis) {
  let u = a.axes[axis.index % 3u];
  let v = b.axes[axis.index / 3u];
  let x = edgeOf(a, axis.normal, axis.index % 3u);
  let d = edgeOf(b, -axis.normal, axis.index / 3u) - x;
  let k = dot(u, v);
  let s = (dot(u, d) - k * dot(v, d)) / (1.0 - k * k);
  emitContact(shape, x + s * u, -axis.normal, axis.separation, Feature(EDGE_EDGE, u, v));
}

fn touchBoxes(shape: u32, a: Box, b: Box) {
  let one = faceAxis(a, b);
  let other = faceAxis(b, a);
  let edges = edgeAxis(a, b);
  let margin = boxPreference * min(boxExtent(a), boxExtent(b));
  let most = max(one.separation, max(other.separation, edges.separation));
  if (most > touchRounding * (length(a.middle) + boxExtent(a))) { return; }
  if (edges.separation > max(one.separation, other.separation) + margin) {
    touchEdgesOfBoxes(shape, a, b, edges);
    return;
  }
  let isSecond = (touches[shape].kind & TOUCH_SECOND) != 0u;
  let ofFirst = select(other.separation <= one.separation + margin, one.separation > other.separation + margin, isSecond);
  touchFaces(shape, a, b, one, other, ofFirst);
}

// The face of one box cut to the sides of the face of the other, which owns the normal.
fn touchFaces(shape: u32, a: Box, b: Box, one: BoxAxis, two: BoxAxis, ofFirst: bool) {
  var box = a;
  var owner = b;
  var axis = two;
  if (ofFirst) {
    box = b;
    owner = a;
    axis = one;
  }
  let n = axis.normal;
  let along = n * box.axes;
  var face = select(0u, 1u, abs(along.y) > abs(along.x));
  face = select(face, 2u, abs(along.z) > abs(along[face]));
  let m = select(box.axes[face], -box.axes[face], along[face] > 0.0);
  let u = box.axes[(face + 1u) % 3u] * box.half[(face + 1u) % 3u];
  let v = box.axes[(face + 2u) % 3u] * box.half[(face + 2u) % 3u];
  let middle = box.middle + box.half[face] * m;
  corners[0] = middle - u - v;
  corners[1] = middle + u - v;
  corners[2] = middle + u + v;
  corners[3] = middle - u + v;
  cornerCount = 4u;
  for (var k = 0; k < 4; k++) { cornerLines[k] = k; }
  for (var side = 0; side < 4; side++) {
    let c = (axis.index + 1u + u32(side & 1)) % 3u;
    let normal = select(owner.axes[c], -owner.axes[c], side > 1);
    cutCorners(normal, dot(normal, owner.middle) + owner.half[c], -1 - side);
  }
  for (var k = 0u; k < cornerCount; k++) {
    let before = cornerLines[select(k, cornerCount, k == 0u) - 1u];
    let after = cornerLines[k];
    var feature = Feature(POINT_FACE, vec3f(0.0), vec3f(0.0));
    if (before < 0 && after < 0) {
      feature = Feature(FACE_OVER_CORNER, m, vec3f(0.0));
    } else if (before < 0 || after < 0) {
      let side = -1 - min(before, after);
      let edge = select(v, u, (max(before, after) & 1) == 0);
      feature = Feature(EDGE_OVER_SIDE, normalize(edge), owner.axes[(axis.index + 1u + u32(side & 1)) % 3u]);
    }
    feature.kind += select(0u, OF_OTHER, ofFirst);
    let gap = dot(n, corners[k] - owner.middle) - owner.half[axis.index];
    // Of the point on the first box, which the face owns if it is its own.
    emitContact(shape, corners[k] - select(0.0, gap, ofFirst) * n, select(n, -n, ofFirst), gap, feature);
  }
}

// Keeps what is before a plane; new edges lie on `line` (Sutherland and Hodgman 1974).
fn cutCorners(normal: vec3f, offset: f32, line: i32) {
  let old = corners;
  let oldLines = cornerLines;
  let count = cornerCount;
  cornerCount = 0u;
  for (var k = 0u; k < count; k++) {
    let next = select(k + 1u, 0u, k + 1u == count);
    let here = dot(normal, old[k]) - offset;
    let there = dot(normal, old[next]) - offset;
    let isIn = here <= 0.0;
    if (isIn) { keepCorner(old[k], select(oldLines[k], line, here == 0.0 && there > 0.0)); }
    if (isIn == (there <= 0.0) || here == 0.0 || there == 0.0) { continue; }
    keepCorner(mix(old[k], old[next], here / (here - there)), select(oldLines[k], line, isIn));
  }
}

fn keepCorner(x: vec3f, line: i32) {
  if (cornerCount == 8u) { return; }
  corners[cornerCount] = x;
  cornerLines[cornerCount] = line;
  cornerCount++;
}
