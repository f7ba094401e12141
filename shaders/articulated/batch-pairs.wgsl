#import "articulated/batch-hulls.wgsl"

// Contacts of a record of `touches`: a point of a link with a plane, and spheres, capsules and hulls with each other. Twin of
// src/articulated/contact/round-pair.ts and polytope-round.ts.

// Squared sine of the angle below which segments touch along a line, as in round-pair.ts; and below which an edge is along a segment.
const parallelSegments = 1e-4;
const parallelEdge = 1e-6;
// Part of a normal that is rounding.
const leanRounding = 1e-6;

// A point of a link, or of the world for −1.
fn placed(link: i32, local: vec3f) -> vec3f {
  if (link < 0) { return local - origin; }
  return load3(linkAt(u32(link)) + LINK_POSITION) + inWorld(link, mat3x3f(local, vec3f(0.0), vec3f(0.0)))[0];
}

// Columns in the axes of a link, or of the world for −1.
fn inWorld(link: i32, axes: mat3x3f) -> mat3x3f {
  if (link < 0) { return axes; }
  let at = linkAt(u32(link));
  return mat3x3f(load3(at), load3(at + 3u), load3(at + 6u)) * axes;
}

fn otherHull(shape: u32, middle: vec3f) -> Hull {
  return hullOf(touches[shape].otherHull, inWorld(touches[shape].other, identity3()), middle);
}

// Finds all contacts. After `forward`, once a step.
fn findContacts() {
  taken = vec2u(0u);
  for (var first = 0u; first < batch.touchCount; first += laneCount()) {
    let shape = first + lane;
    ownCount = 0u;
    var rows = 0u;
    if (shape < batch.touchCount) {
      touch(shape);
      if (ownCount > 0u) { rows = select(1u, 3u, contactFriction(shape) > 0.0); }
      for (var row = 3u * ownCount; row < 3u * touches[shape].slots; row++) { states[impulseIndex(touches[shape].row + row)] = 0.0; }
    }
    let at = take(vec2u(ownCount, ownCount * rows));
    for (var i = 0u; i < ownCount; i++) {
      let entry = contactAt(at.x + i);
      store(entry + CONTACT_LISTED, f32(placeOf(shape) + i));
      store(entry + CONTACT_HELD, f32(at.y + i * rows));
    }
  }
  contactCount = taken.x;
  contactRows = taken.y;
  sync();
}

fn touch(shape: u32) {
  let link = touches[shape].link;
  let a = placed(link, touches[shape].position);
  let n = touches[shape].normal;
  if (!withPairs || touches[shape].kind == TOUCH_PLANE) {
    emitContact(shape, a, n, dot(n, a) + (dot(n, origin) - touches[shape].height), pointFeature(POINT_FACE));
    return;
  }
  let b = placed(touches[shape].other, touches[shape].otherStart);
  if ((touches[shape].kind & TOUCH_HULLS) != 0u) {
    touchHulls(shape, hullOf(touches[shape].hull, inWorld(link, identity3()), a), otherHull(shape, b));
    return;
  }
  let isSegment = (touches[shape].kind & TOUCH_SEGMENT) != 0u;
  var aEnd = a;
  if (isSegment) { aEnd = placed(link, touches[shape].end); }
  if ((touches[shape].kind & TOUCH_HULL) != 0u) {
    touchHull(shape, a, aEnd, otherHull(shape, b), isSegment);
    return;
  }
  var bEnd = b;
  if ((touches[shape].kind & TOUCH_OTHER_SEGMENT) != 0u) { bEnd = placed(touches[shape].other, touches[shape].otherEnd); }
  touchSegments(shape, a, aEnd, b, bEnd);
}

// Points of both shapes, on edges or by themselves.
fn touchPoints(shape: u32, a: vec3f, b: vec3f, feature: Feature) {
  let gap = distance(a, b);
  // Cores that meet have a normal straight up.
  emitContact(shape, a, select(vec3f(0.0, 1.0, 0.0), (a - b) / gap, gap > 1e-12), gap, feature);
}

// A point and the inside of a segment, of which the point is of the first shape or the second.
fn touchInside(shape: u32, x: vec3f, start: vec3f, end: vec3f, isFirst: bool) {
  let size = distance(start, end);
  let along = (end - start) / size;
  let t = dot(along, x - start);
  if (!(t > 0.0 && t < size)) { return; }
  let near = start + t * along;
  let feature = Feature(select(EDGE_POINT, POINT_EDGE, isFirst), along, along);
  touchPoints(shape, select(near, x, isFirst), select(x, near, isFirst), feature);
}

// Two segments; those that end where they start are points.
fn touchSegments(shape: u32, a: vec3f, aEnd: vec3f, b: vec3f, bEnd: vec3f) {
  let l = distance(a, aEnd);
  let m = distance(b, bEnd);
  let u = select(vec3f(0.0), (aEnd - a) / l, l > 0.0);
  let v = select(vec3f(0.0), (bEnd - b) / m, m > 0.0);
  let k = dot(u, v);
  let d = b - a;
  let across = cross(u, v);
  let squaredSine = dot(across, across);
  if (squaredSine < parallelSegments && min(l, m) > 0.0) {
    for (var i = 0u; i < 4u; i++) {
      let isFirst = i < 2u;
      let x = select(select(b, bEnd, i == 3u), select(a, aEnd, i == 1u), isFirst);
      touchInside(shape, x, select(a, b, isFirst), select(aEnd, bEnd, isFirst), isFirst);
    }
    if (ownCount > 0u) { return; }
  }
  let du = dot(u, d);
  let dv = dot(v, d);
  var s = 0.0;
  if (squaredSine >= parallelSegments) { s = clamp((du - k * dv) / squaredSine, 0.0, l); }
  var t = k * s - dv;
  if (t < 0.0 || t > m || m == 0.0) {
    t = clamp(t, 0.0, m);
    s = clamp(k * t + du, 0.0, l);
  }
  let isInsideA = s > 0.0 && s < l;
  let isInsideB = t > 0.0 && t < m;
  let ofB = select(EDGE_POINT, EDGE_EDGE, isInsideB);
  let kind = select(select(POINT_POINT, POINT_EDGE, isInsideB), ofB, isInsideA);
  touchPoints(shape, a + s * u, b + t * v, Feature(kind, u, v));
}

// A sphere or capsule with a hull, in the axes of the hull.
fn touchHull(shape: u32, a: vec3f, aEnd: vec3f, hull: Hull, isSegment: bool) {
  let start = (a - hull.middle) * hull.axes;
  let end = (aEnd - hull.middle) * hull.axes;
  // Farther away `emitContact` finds none.
  let reach = touches[shape].radius + 2.0 * touchRounding * (max(length(a), length(aEnd)) + touches[shape].radius);
  for (var i = 0u; i < select(1u, 2u, isSegment); i++) {
    let x = select(start, end, i == 1u);
    var gap = -1e30;
    var normal = vec3f(0.0);
    var isAbove = false;
    for (var f = 0u; f < hull.faces && !isAbove; f++) {
      let face = faceOf(hull, f);
      let height = dot(face.normal, x) - face.height;
      // The face that it is least below, or the one that it is above.
      if (height <= min(gap, 0.0)) { continue; }
      gap = height;
      normal = face.normal;
      isAbove = height > reach || (height > 0.0 && isOver(hull, face, x));
    }
    var feature = pointFeature(POINT_FACE);
    if (gap > 0.0 && !isAbove) {
      // Beside an edge or corner an end touches by itself only if the rest of the segment leads away.
      feature = nearestEdge(hull, x);
      let away = x - feature.d;
      gap = length(away);
      normal = away / gap;
      if (isSegment && dot(normal, select(end, start, i == 1u) - x) < 0.0) { continue; }
      feature = Feature(feature.kind, vec3f(0.0), hull.axes * feature.e);
    }
    if (gap <= reach) { emitContact(shape, hull.middle + hull.axes * x, hull.axes * normal, gap, feature); }
  }
  if (isSegment) { touchEdges(shape, start, end, hull, reach); }
}

// Whether a point projects into a face.
fn isOver(hull: Hull, face: HullFace, x: vec3f) -> bool {
  for (var k = 0u; k < face.sides; k++) {
    let from = loopCorner(hull, face, k);
    if (dot(face.normal, cross(loopCorner(hull, face, k + 1u) - from, x - from)) < 0.0) { return false; }
  }
  return true;
}

// The nearest place on all edges in `d`, and the direction of its edge in `e`.
fn nearestEdge(hull: Hull, x: vec3f) -> Feature {
  var nearest = Feature(POINT_POINT, vec3f(0.0), vec3f(0.0));
  var least = 1e30;
  for (var i = 0u; i < hull.edges; i++) {
    let from = edgeEnd(hull, i, 0u);
    let way = edgeEnd(hull, i, 1u) - from;
    let t = clamp(dot(way, x - from) / dot(way, way), 0.0, 1.0);
    let place = from + t * way;
    let gap = distance(x, place);
    if (gap < least) {
      least = gap;
      nearest = Feature(select(POINT_POINT, POINT_EDGE, t > 0.0 && t < 1.0), place, normalize(way));
    }
  }
  return nearest;
}

// The inside of a segment with edges and corners of a hull, in its axes.
fn touchEdges(shape: u32, start: vec3f, end: vec3f, hull: Hull, reach: f32) {
  let size = distance(start, end);
  let u = (end - start) / size;
  for (var i = 0u; i < hull.edges + hull.corners; i++) {
    let isEdge = i < hull.edges;
    var from = vec3f(0.0);
    var way = vec3f(0.0);
    var edge = 0.0;
    if (isEdge) {
      from = edgeEnd(hull, i, 0u);
      way = edgeEnd(hull, i, 1u) - from;
      edge = length(way);
      way /= edge;
    } else {
      from = cornerOf(hull, i - hull.edges);
    }
    let d = from - start;
    let k = dot(u, way);
    let squaredSine = 1.0 - k * k;
    if (squaredSine < parallelEdge) { continue; }
    let s = (dot(u, d) - k * dot(way, d)) / squaredSine;
    let t = k * s - dot(way, d);
    if (!(s > 0.0 && s < size) || (isEdge && !(t > 0.0 && t < edge))) { continue; }
    let x = start + s * u;
    let away = x - from - t * way;
    let gap = length(away);
    if (!(gap > 0.0 && gap <= reach)) { continue; }
    let normal = away / gap;
    // The normal is in the cone of the edge; on the border between cones of a corner and an edge, the contact of the edge suffices.
    if (isOutward(hull, from, normal, select(-leanRounding, leanRounding, isEdge))) {
      let feature = Feature(select(EDGE_POINT, EDGE_EDGE, isEdge), hull.axes * u, hull.axes * way);
      emitContact(shape, hull.middle + hull.axes * x, hull.axes * normal, gap, feature);
    }
  }
}

// Whether no corner but this one is farther along a direction.
fn isOutward(hull: Hull, from: vec3f, normal: vec3f, lean: f32) -> bool {
  for (var i = 0u; i < hull.corners; i++) {
    let way = cornerOf(hull, i) - from;
    let size = dot(abs(way), vec3f(1.0));
    if (size > 0.0 && dot(normal, way) > lean * size) { return false; }
  }
  return true;
}
