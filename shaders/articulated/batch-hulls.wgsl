#import "articulated/batch-contacts.wgsl"

// Contacts of two convex hulls: twin of src/articulated/contact/polytope-pair.ts. Their tables are in front of the rows of `variations`: numbers of
// corners, faces and edges, where faces and edges begin, and the width; then corners, from the middle in the axes of the link; of each face the
// normal, its height, where its loop of corners begins, and how many these are; the loops; and of each edge two corners, and the faces
// to the left and to the right.

const HULL_HEAD = 6u;
const HULL_FACE = 6u;
const HULL_EDGE = 4u;

// A face of one hull must be better than one of the other, and a pair of edges better than both, by this part of the size.
const hullPreference = 1e-5;
// Squared sine of the angle below which edges have no common normal.
const parallelHullEdges = 1e-8;
// Numbers of a corner of the polygon that is cut, in the place of the rows of constraints: where it is, and the line that begins there: k of the
// face, or −1 less a side of the other face.
const POLYGON_LINE = 3u;
const POLYGON_CORNER = 4u;

struct Hull {
  // axes and middle
  axes: mat3x3f,
  middle: vec3f,
  at: u32,
  corners: u32,
  faces: u32,
  edges: u32,
  faceAt: u32,
  edgeAt: u32,
  width: f32,
}

struct HullFace {
  normal: vec3f,
  height: f32,
  loopAt: u32,
  sides: u32,
}

// The axis of two hulls along which they overlap least: from the owner of a face, or the first edge, to the other one.
struct HullAxis {
  normal: vec3f,
  separation: f32,
  // face, or edge of the first
  index: u32,
  // edge of the second
  other: u32,
}

var<private> polygonAt: u32;
var<private> polygonCount: u32;

fn hullNumber(at: u32) -> u32 {
  return u32(variations[at]);
}

fn hull3(at: u32) -> vec3f {
  return vec3f(variations[at], variations[at + 1u], variations[at + 2u]);
}

fn hullOf(at: u32, axes: mat3x3f, middle: vec3f) -> Hull {
  return Hull(
    axes,
    middle,
    at,
    hullNumber(at),
    hullNumber(at + 1u),
    hullNumber(at + 2u),
    at + hullNumber(at + 3u),
    at + hullNumber(at + 4u),
    variations[at + 5u],
  );
}

fn cornerOf(hull: Hull, i: u32) -> vec3f {
  return hull3(hull.at + HULL_HEAD + 3u * i);
}

fn faceOf(hull: Hull, f: u32) -> HullFace {
  let at = hull.faceAt + HULL_FACE * f;
  return HullFace(hull3(at), variations[at + 3u], hull.at + hullNumber(at + 4u), hullNumber(at + 5u));
}

// A corner of a face.
fn loopCorner(hull: Hull, face: HullFace, k: u32) -> vec3f {
  return cornerOf(hull, hullNumber(face.loopAt + select(k, 0u, k == face.sides)));
}

// An end of an edge.
fn edgeEnd(hull: Hull, edge: u32, end: u32) -> vec3f {
  return cornerOf(hull, hullNumber(hull.edgeAt + HULL_EDGE * edge + end));
}

// Normal of the face on a side of an edge.
fn edgeNormal(hull: Hull, edge: u32, side: u32) -> vec3f {
  return hull3(hull.faceAt + HULL_FACE * hullNumber(hull.edgeAt + HULL_EDGE * edge + 2u + side));
}

// The face from which the other hull is farthest, in the axes of its owner; ends with the first that is farther than `near`.
fn faceAxis(owner: Hull, other: Hull, near: f32) -> HullAxis {
  var best = HullAxis(vec3f(0.0), -1e30, 0u, 0u);
  let away = (other.middle - owner.middle) * owner.axes;
  for (var f = 0u; f < owner.faces && best.separation <= near; f++) {
    let face = faceOf(owner, f);
    let normal = (owner.axes * face.normal) * other.axes;
    var least = 1e30;
    for (var i = 0u; i < other.corners; i++) { least = min(least, dot(normal, cornerOf(other, i))); }
    let separation = dot(face.normal, away) + least - face.height;
    if (separation > best.separation) { best = HullAxis(face.normal, separation, f, 0u); }
  }
  return best;
}

// The pair of edges with the least overlap, of those that form a face of the Minkowski difference (Gregorius 2013), in the axes of the first hull.
fn edgeAxis(a: Hull, b: Hull, near: f32) -> HullAxis {
  var best = HullAxis(vec3f(0.0), -1e30, 0u, 0u);
  let turn = transpose(a.axes) * b.axes;
  let shift = (b.middle - a.middle) * a.axes;
  for (var j = 0u; j < b.edges; j++) {
    let start = shift + turn * edgeEnd(b, j, 0u);
    let v = normalize(turn * (edgeEnd(b, j, 1u) - edgeEnd(b, j, 0u)));
    let c = turn * edgeNormal(b, j, 0u);
    let d = turn * edgeNormal(b, j, 1u);
    for (var i = 0u; i < a.edges && best.separation <= near; i++) {
      let from = edgeEnd(a, i, 0u);
      let along = edgeEnd(a, i, 1u) - from;
      // Arcs cross if each separates the ends of the other, on the same half of the sphere; the second one's is mirrored.
      let ofC = dot(c, along);
      if (ofC * dot(d, along) >= 0.0) { continue; }
      let l = edgeNormal(a, i, 0u);
      let r = edgeNormal(a, i, 1u);
      let ofR = dot(r, v);
      if (dot(l, v) * ofR >= 0.0 || ofC * ofR >= 0.0) { continue; }
      let u = normalize(along);
      // Across u without the part of v along it: rounding turns the edges a little, to which the normal is at right angles.
      let across = cross(u, v - dot(u, v) * u);
      let squared = dot(across, across);
      if (squared < parallelHullEdges) { continue; }
      var n = across / sqrt(squared);
      n = select(n, -n, dot(n, l + r) < 0.0);
      let separation = dot(n, start - from);
      if (separation > best.separation) { best = HullAxis(n, separation, i, j); }
    }
  }
  return best;
}

fn touchEdgesOfHulls(shape: u32, a: Hull, b: Hull, axis: HullAxis) {
  let x = edgeEnd(a, axis.index, 0u);
  let y = edgeEnd(b, axis.other, 0u);
  let u = a.axes * normalize(edgeEnd(a, axis.index, 1u) - x);
  let v = b.axes * normalize(edgeEnd(b, axis.other, 1u) - y);
  let start = a.middle + a.axes * x;
  let d = b.middle - start + b.axes * y;
  let k = dot(u, v);
  let s = (dot(u, d) - k * dot(v, d)) / (1.0 - k * k);
  emitContact(shape, start + s * u, -(a.axes * axis.normal), axis.separation, Feature(EDGE_EDGE, u, v));
}

fn touchHulls(shape: u32, a: Hull, b: Hull) {
  let near = touchRounding * (length(a.middle) + a.width);
  // One call of each function alone, since drivers compile every call on its own.
  var owner = a;
  var hull = b;
  var faces = array<HullAxis, 2>();
  for (var i = 0u; i < 2u; i++) {
    faces[i] = faceAxis(owner, hull, near);
    if (faces[i].separation > near) { return; }
    owner = b;
    hull = a;
  }
  let one = faces[0].separation;
  let other = faces[1].separation;
  let edges = edgeAxis(a, b, near);
  if (edges.separation > near) { return; }
  let margin = hullPreference * min(a.width, b.width);
  if (edges.separation > max(one, other) + margin) {
    touchEdgesOfHulls(shape, a, b, edges);
    return;
  }
  let isSecond = (touches[shape].kind & TOUCH_SECOND) != 0u;
  let ofFirst = select(other <= one + margin, one > other + margin, isSecond);
  if (ofFirst) {
    owner = a;
    hull = b;
  }
  touchFaces(shape, hull, owner, faces[select(1u, 0u, ofFirst)].index, ofFirst);
}

// The face of a hull cut to the sides of a face of the other, which owns the normal.
fn touchFaces(shape: u32, hull: Hull, owner: Hull, index: u32, ofFirst: bool) {
  let face = faceOf(owner, index);
  let normal = face.normal;
  let turn = transpose(owner.axes) * hull.axes;
  let shift = (hull.middle - owner.middle) * owner.axes;
  let inward = normal * turn;
  var least = 2.0;
  var opposing = 0u;
  for (var f = 0u; f < hull.faces; f++) {
    let along = dot(inward, faceOf(hull, f).normal);
    if (along < least) {
      least = along;
      opposing = f;
    }
  }
  let own = faceOf(hull, opposing);
  polygonAt = polygonsOf(shape);
  polygonCount = 0u;
  for (var k = 0u; k < own.sides; k++) { keepCorner(shape, polygonAt, shift + turn * loopCorner(hull, own, k), i32(k)); }
  for (var side = 0u; side < face.sides; side++) {
    let out = sidePlane(owner, face, side);
    cutPolygon(shape, out, dot(out, loopCorner(owner, face, side)), -1 - i32(side));
  }
  for (var k = 0u; k < polygonCount; k++) {
    let at = polygonAt + POLYGON_CORNER * k;
    let x = load3(at);
    let before = i32(load(polygonAt + POLYGON_CORNER * (select(k, polygonCount, k == 0u) - 1u) + POLYGON_LINE));
    let after = i32(load(at + POLYGON_LINE));
    var feature = Feature(POINT_FACE, vec3f(0.0), vec3f(0.0));
    if (before < 0 && after < 0) {
      feature = Feature(FACE_OVER_CORNER, hull.axes * own.normal, vec3f(0.0));
    } else if (before < 0 || after < 0) {
      let edge = u32(max(before, after));
      let along = normalize(loopCorner(hull, own, edge + 1u) - loopCorner(hull, own, edge));
      let side = owner.axes * sidePlane(owner, face, u32(-1 - min(before, after)));
      feature = Feature(EDGE_OVER_SIDE, hull.axes * along, side);
    }
    feature.kind += select(0u, OF_OTHER, ofFirst);
    let gap = dot(normal, x) - face.height;
    // Of the point on the first hull, which the face owns if it is its own.
    let point = owner.middle + owner.axes * (x - select(0.0, gap, ofFirst) * normal);
    emitContact(shape, point, owner.axes * select(normal, -normal, ofFirst), gap, feature);
  }
}

// Outward normal of the plane through an edge of a face, at right angles to the face.
fn sidePlane(hull: Hull, face: HullFace, side: u32) -> vec3f {
  return normalize(cross(loopCorner(hull, face, side + 1u) - loopCorner(hull, face, side), face.normal));
}

// Room for polygons of a record: that of the rows of its contacts.
fn polygonsOf(shape: u32) -> u32 {
  return batch.rowStart + 3u * placeOf(shape) * batch.rowSize;
}

// Keeps what is before a plane; new edges lie on `line` (Sutherland and Hodgman 1974).
fn cutPolygon(shape: u32, normal: vec3f, height: f32, line: i32) {
  let old = polygonAt;
  let count = polygonCount;
  // Half of the room has the polygon, and half the next one.
  polygonAt = 2u * polygonsOf(shape) + POLYGON_CORNER * touches[shape].slots - old;
  polygonCount = 0u;
  for (var k = 0u; k < count; k++) {
    let at = old + POLYGON_CORNER * k;
    let x = load3(at);
    let next = load3(old + POLYGON_CORNER * select(k + 1u, 0u, k + 1u == count));
    let own = i32(load(at + POLYGON_LINE));
    let here = dot(normal, x) - height;
    let there = dot(normal, next) - height;
    let isIn = here <= 0.0;
    if (isIn) { keepCorner(shape, polygonAt, x, select(own, line, here == 0.0 && there > 0.0)); }
    if (isIn == (there <= 0.0) || here == 0.0 || there == 0.0) { continue; }
    keepCorner(shape, polygonAt, mix(x, next, here / (here - there)), select(own, line, isIn));
  }
}

// A convex polygon has no more corners than both faces, which are the slots.
fn keepCorner(shape: u32, at: u32, x: vec3f, line: i32) {
  if (polygonCount == touches[shape].slots) { return; }
  let corner = at + POLYGON_CORNER * polygonCount;
  store3(corner, x);
  store(corner + POLYGON_LINE, f32(line));
  polygonCount++;
}
