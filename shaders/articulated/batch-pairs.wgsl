#import "articulated/batch-dynamics.wgsl"

// Contacts of a record of `touches`: a point of a link with a plane, and spheres and capsules with each other and with boxes. Twin of
// src/articulated/contact/round-pair.ts and polytope-round.ts.

// Without them links touch planes alone, and a row is of one link.
override withPairs: bool = true;

@group(0) @binding(7) var<storage, read> touches: array<BatchTouch>;

// Part of the coordinates of a point that is rounding.
const touchRounding = 1e-6;
// Squared sine of the angle below which segments touch along a line, as in round-pair.ts; and below which an edge is along a segment.
const parallelSegments = 1e-4;
const parallelEdge = 1e-6;
// Part of a normal that is rounding.
const leanRounding = 1e-6;
const MOST_CONTACTS = 4u;

struct Contact {
  // from the origin
  point: vec3f,
  depth: f32,
  // to the first link
  normal: vec3f,
}

// contacts of the last `findContacts`: the first, which planes have alone, and the others
var<private> firstContact: Contact;
var<private> contacts: array<Contact, 4>;
var<private> contactCount: u32;

// x is a point of the first core, and the second one is `gap` away against the normal.
fn emitContact(shape: u32, x: vec3f, normal: vec3f, gap: f32) {
  let depth = touches[shape].radius + touches[shape].otherRadius - gap;
  if (depth >= -touchRounding * (length(x) + touches[shape].radius) && contactCount < MOST_CONTACTS) {
    let contact = Contact(x - (touches[shape].radius - 0.5 * depth) * normal, depth, normal);
    if (contactCount == 0u) {
      firstContact = contact;
    } else {
      contacts[contactCount] = contact;
    }
    contactCount++;
  }
}

// A point of a link, or of the world for −1.
fn placed(link: i32, local: vec3f) -> vec3f {
  if (link < 0) { return local - origin; }
  let at = linkAt(u32(link));
  return load3(at + LINK_POSITION) + mat3x3f(load3(at), load3(at + 3u), load3(at + 6u)) * local;
}

fn findContacts(shape: u32) {
  contactCount = 0u;
  let a = placed(i32(touches[shape].link), touches[shape].position);
  if (!withPairs || touches[shape].kind == TOUCH_PLANE) {
    emitContact(shape, a, touches[shape].normal, dot(touches[shape].normal, a) + (dot(touches[shape].normal, origin) - touches[shape].height));
    return;
  }
  let isSegment = (touches[shape].kind & TOUCH_SEGMENT) != 0u;
  var aEnd = a;
  if (isSegment) { aEnd = placed(i32(touches[shape].link), touches[shape].end); }
  let b = placed(touches[shape].other, touches[shape].otherStart);
  if ((touches[shape].kind & TOUCH_BOX) != 0u) {
    touchBox(shape, a, aEnd, b, isSegment);
    return;
  }
  if ((touches[shape].kind & TOUCH_OTHER_SEGMENT) == 0u) {
    if (isSegment) {
      touchSegment(shape, b, a, aEnd, false, false);
    } else {
      touchPoints(shape, a, b);
    }
    return;
  }
  let bEnd = placed(touches[shape].other, touches[shape].otherEnd);
  if (isSegment) {
    touchSegments(shape, a, aEnd, b, bEnd);
  } else {
    touchSegment(shape, a, b, bEnd, false, true);
  }
}

fn touchPoints(shape: u32, a: vec3f, b: vec3f) {
  let gap = distance(a, b);
  // Cores that meet have a normal straight up.
  if (gap > 1e-12) {
    emitContact(shape, a, (a - b) / gap, gap);
  } else {
    emitContact(shape, a, vec3f(0.0, 1.0, 0.0), gap);
  }
}

// A point with a segment; with `isInner` for nearest points that are no ends alone. Returns whether it is such a point.
fn touchSegment(shape: u32, x: vec3f, start: vec3f, end: vec3f, isInner: bool, isFirst: bool) -> bool {
  let size = distance(start, end);
  let along = (end - start) / size;
  let t = dot(along, x - start);
  let isInside = t > 0.0 && t < size;
  if (isInside || !isInner) {
    let near = start + clamp(t, 0.0, size) * along;
    if (isFirst) {
      touchPoints(shape, x, near);
    } else {
      touchPoints(shape, near, x);
    }
  }
  return isInside;
}

fn touchSegments(shape: u32, a: vec3f, aEnd: vec3f, b: vec3f, bEnd: vec3f) {
  let l = distance(a, aEnd);
  let m = distance(b, bEnd);
  let u = (aEnd - a) / l;
  let v = (bEnd - b) / m;
  let k = dot(u, v);
  let d = b - a;
  let across = cross(u, v);
  let squaredSine = dot(across, across);
  if (squaredSine < parallelSegments) {
    for (var i = 0u; i < 4u; i++) {
      let isFirst = i < 2u;
      let x = select(select(b, bEnd, i == 3u), select(a, aEnd, i == 1u), isFirst);
      touchSegment(shape, x, select(a, b, isFirst), select(aEnd, bEnd, isFirst), true, isFirst);
    }
    if (contactCount > 0u) { return; }
  }
  let du = dot(u, d);
  let dv = dot(v, d);
  var s = 0.0;
  if (squaredSine >= parallelSegments) { s = clamp((du - k * dv) / squaredSine, 0.0, l); }
  var t = k * s - dv;
  if (t < 0.0 || t > m) {
    t = clamp(t, 0.0, m);
    s = clamp(k * t + du, 0.0, l);
  }
  touchPoints(shape, a + s * u, b + t * v);
}

// A sphere or capsule with a box, in the axes of the box.
fn touchBox(shape: u32, a: vec3f, aEnd: vec3f, middle: vec3f, isSegment: bool) {
  var axes = mat3x3f(touches[shape].boxX, touches[shape].boxY, touches[shape].boxZ);
  if (touches[shape].other >= 0) {
    let at = linkAt(u32(touches[shape].other));
    axes = mat3x3f(load3(at), load3(at + 3u), load3(at + 6u)) * axes;
  }
  let start = (a - middle) * axes;
  let end = (aEnd - middle) * axes;
  for (var i = 0u; i < select(1u, 2u, isSegment); i++) {
    let x = select(start, end, i == 1u);
    let near = clamp(x, -touches[shape].half, touches[shape].half);
    let away = x - near;
    let gap = length(away);
    if (gap > 0.0) {
      let normal = away / gap;
      // Beside an edge or corner an end touches by itself only if the rest of the segment leads away.
      let isBeside = dot(abs(sign(away)), vec3f(1.0)) > 1.5;
      let inward = dot(normal, select(end, start, i == 1u) - x);
      if (!isBeside || !isSegment || inward >= 0.0) { emitContact(shape, middle + axes * x, axes * normal, gap); }
      continue;
    }
    let height = abs(x) - touches[shape].half;
    var c = select(0u, 1u, height.y > height.x);
    c = select(c, 2u, height.z > height[c]);
    var normal = vec3f(0.0);
    normal[c] = select(1.0, -1.0, x[c] < 0.0);
    emitContact(shape, middle + axes * x, axes * normal, height[c]);
  }
  if (isSegment) { touchEdges(shape, start, end, middle, axes); }
}

// The inside of a segment with edges and corners of a box, in its axes.
fn touchEdges(shape: u32, start: vec3f, end: vec3f, middle: vec3f, axes: mat3x3f) {
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
    let d = sides * touches[shape].half - start;
    let k = dot(u, way);
    let squaredSine = 1.0 - k * k;
    if (squaredSine < parallelEdge) { continue; }
    let s = (dot(u, d) - k * dot(way, d)) / squaredSine;
    let t = k * s - dot(way, d);
    if (!(s > 0.0 && s < size) || (isEdge && abs(t) >= touches[shape].half[axis])) { continue; }
    let x = start + s * u;
    let away = x - sides * touches[shape].half - t * way;
    let gap = length(away);
    if (gap < 1e-12) { continue; }
    let normal = away / gap;
    // The normal is in the cone of the edge; on the border between cones of a corner and an edge, the contact of the edge suffices.
    let inside = sides * normal;
    let least = min(min(inside.x, inside.y), inside.z);
    if (least >= select(leanRounding, -leanRounding, isEdge)) {
      emitContact(shape, middle + axes * x, axes * normal, gap);
    }
  }
}
