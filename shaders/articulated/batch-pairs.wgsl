#import "articulated/batch-boxes.wgsl"

// Contacts of a record of `touches`: a point of a link with a plane, and spheres, capsules and boxes with each other. Twin of
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

fn otherBox(shape: u32, middle: vec3f) -> Box {
  let axes = mat3x3f(touches[shape].boxX, touches[shape].boxY, touches[shape].boxZ);
  return Box(middle, inWorld(touches[shape].other, axes), touches[shape].half);
}

// Finds all contacts. After `forward`, once a step.
fn findContacts() {
  contactCount = 0u;
  for (var shape = 0u; shape < batch.touchCount; shape++) {
    ownCount = 0u;
    touch(shape);
    for (var row = 3u * ownCount; row < 3u * touches[shape].slots; row++) { states[impulseIndex(touches[shape].row + row)] = 0.0; }
  }
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
  if ((touches[shape].kind & TOUCH_BOXES) != 0u) {
    let t = touches[shape].tangent;
    touchBoxes(shape, Box(a, inWorld(link, mat3x3f(n, t, cross(n, t))), touches[shape].end), otherBox(shape, b));
    return;
  }
  let isSegment = (touches[shape].kind & TOUCH_SEGMENT) != 0u;
  var aEnd = a;
  if (isSegment) { aEnd = placed(link, touches[shape].end); }
  if ((touches[shape].kind & TOUCH_BOX) != 0u) {
    touchBox(shape, a, aEnd, otherBox(shape, b), isSegment);
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

// A sphere or capsule with a box, in the axes of the box.
fn touchBox(shape: u32, a: vec3f, aEnd: vec3f, box: Box, isSegment: bool) {
  let axes = box.axes;
  let start = (a - box.middle) * axes;
  let end = (aEnd - box.middle) * axes;
  for (var i = 0u; i < select(1u, 2u, isSegment); i++) {
    let x = select(start, end, i == 1u);
    let near = clamp(x, -box.half, box.half);
    let away = x - near;
    var gap = length(away);
    var normal = vec3f(0.0);
    var kind = POINT_FACE;
    if (gap > 0.0) {
      normal = away / gap;
      // Beside an edge or corner an end touches by itself only if the rest of the segment leads away.
      let sides = dot(abs(sign(away)), vec3f(1.0));
      if (sides > 1.5) { kind = select(POINT_EDGE, POINT_POINT, sides > 2.5); }
      let inward = dot(normal, select(end, start, i == 1u) - x);
      if (kind != POINT_FACE && isSegment && inward < 0.0) { continue; }
    } else {
      let height = abs(x) - box.half;
      var c = select(0u, 1u, height.y > height.x);
      c = select(c, 2u, height.z > height[c]);
      normal[c] = select(1.0, -1.0, x[c] < 0.0);
      gap = height[c];
    }
    let feature = Feature(kind, vec3f(0.0), axes * (vec3f(1.0) - abs(sign(away))));
    emitContact(shape, box.middle + axes * x, axes * normal, gap, feature);
  }
  if (isSegment) { touchEdges(shape, start, end, box); }
}

// The inside of a segment with edges and corners of a box, in its axes.
fn touchEdges(shape: u32, start: vec3f, end: vec3f, box: Box) {
  let size = distance(start, end);
  let u = (end - start) / size;
  // twelve edges, then eight corners
  for (var i = 0u; i < 20u; i++) {
    let isEdge = i < 12u;
    let axis = i / 4u;
    var sides = vec3f(select(-1.0, 1.0, (i & 1u) != 0u), select(-1.0, 1.0, (i & 2u) != 0u), select(-1.0, 1.0, i >= 16u));
    var way = vec3f(0.0);
    if (isEdge) {
      let second = sides.y;
      way[axis] = 1.0;
      sides[(axis + 2u) % 3u] = second;
      sides[(axis + 1u) % 3u] = select(-1.0, 1.0, (i & 1u) != 0u);
      sides[axis] = 0.0;
    }
    let d = sides * box.half - start;
    let k = dot(u, way);
    let squaredSine = 1.0 - k * k;
    if (squaredSine < parallelEdge) { continue; }
    let s = (dot(u, d) - k * dot(way, d)) / squaredSine;
    let t = k * s - dot(way, d);
    if (!(s > 0.0 && s < size) || (isEdge && abs(t) >= box.half[axis])) { continue; }
    let x = start + s * u;
    let away = x - sides * box.half - t * way;
    let gap = length(away);
    if (gap < 1e-12) { continue; }
    let normal = away / gap;
    // The normal is in the cone of the edge; on the border between cones of a corner and an edge, the contact of the edge suffices.
    let inside = sides * normal;
    let least = min(min(inside.x, inside.y), inside.z);
    if (least >= select(leanRounding, -leanRounding, isEdge)) {
      let feature = Feature(select(EDGE_POINT, EDGE_EDGE, isEdge), box.axes * u, box.axes * way);
      emitContact(shape, box.middle + box.axes * x, box.axes * normal, gap, feature);
    }
  }
}
