#import "surface/layout.wgsl"
#import "surface/closest.wgsl"
#import "local-global/contact/layout.wgsl"
#import "local-global/detect/own-normals.wgsl"

// Contacts of bodies with one another and with themselves, from the candidate pairs of surface/pairs.wgsl: twin of
// detect-surfaces.ts. First every owner, a vertex or an edge, judges its pairs and counts its contacts; then it writes them.

// see detect-surfaces.ts
const EDGE_END = 0.02;
// The faces at the edge are nearly in one plane.
const FLAT_EDGE = 0xffffffffu;
// see detect-surfaces.ts
const FLAT = 0.9;
const BEYOND = 0.2;
// Cosine of the angle between normals up to which faces of a body are on one side of a vertex.
const ONE_SIDE = 0.5;
// Cosine of the angle between the way to a point on a rim and the normal of what touches it.
const RIM_LEANS = 0.7;
// In place of a distance, once pairs are judged.
const NOT_KEPT = 0.0;
const KEPT = 1.0;
// In place of a gap: the pair is no contact.
const NO_GAP = 3e38;
// The pair is near, but open beyond the margin.
const OPEN_GAP = 2e38;
// A smaller weight is rounding: the place is on an edge or a vertex.
const LEAST_WEIGHT = 1e-6;
// Of the size of a pair: distances that differ by less are to one point.
const SAME_PLACE = 1e-6;
// Of the distance from the origin: a vector between two points that is shorter than this is rounding.
const PLACE_ROUNDING = 2e-7;

@group(0) @binding(1) var<storage, read> surfaceStart: array<vec4f>;
@group(0) @binding(2) var<storage, read> surfaceShift: array<vec4f>;
@group(0) @binding(3) var<storage, read> topology: array<u32>;
@group(0) @binding(4) var<storage, read_write> pairs: array<SurfacePair>;
// first pair of each owner, and the one after its last
@group(0) @binding(5) var<storage, read> ownerPairs: array<vec2u>;
// counts first; then where the contacts of each owner begin
@group(0) @binding(6) var<storage, read_write> ownerStart: array<u32>;
@group(0) @binding(7) var<storage, read_write> contacts: array<SoftContact>;
@group(0) @binding(8) var<storage, read> contactOptions: array<ContactOptions>;
// The faces at an edge of a solid, counted from 1, or FLAT_EDGE. Behind those of all edges: where a vertex has its faces here, and how
// many; then these, each in the first number.
@group(0) @binding(9) var<storage, read> edgeFaces: array<vec2u>;
@group(1) @binding(0) var<uniform> contactStep: ContactStep;

// Body of a vertex, see surface/pairs.wgsl.
fn bodyOf(v: u32) -> u32 {
  return topology[surface.rest + 4u * v + 3u];
}

// Pairs of an owner that there was room for.
fn pairRange(owner: u32) -> vec2u {
  return min(ownerPairs[owner], vec2u(surface.capacity));
}

// Of all contacts, those of surfaces come last.
fn firstSurfaceOwner() -> u32 {
  return contactStep.featureOwners;
}

@compute @workgroup_size(64)
fn judgeSurfaces(@builtin(global_invocation_id) id: vec3u) {
  let owner = id.x;
  if (owner >= contactStep.surfaceOwners) { return; }
  let isVertex = owner < surface.vertexCount;
  let range = pairRange(owner);
  for (var n = range.x; n < range.y; n++) { measurePair(n); }
  var count = 0u;
  for (var n = range.x; n < range.y; n++) {
    let gap = judgePair(n, owner, range);
    pairs[n].violation = gap;
    count += u32(gap < OPEN_GAP);
  }
  if (isVertex && count > 0u) {
    leaveFurther(range);
    count = keepNearest(range);
  }
  var least = NO_GAP;
  for (var n = range.x; n < range.y; n++) { least = min(least, pairs[n].violation); }
  ownerStart[firstSurfaceOwner() + owner] = count | select(0u, OWN_OVERLAP, least <= -contactStep.overlap);
}

// Whether the nearest point is on an edge or a corner of a face, of or to a solid.
fn isBeside(n: u32) -> bool {
  let v = pairs[n].vertices;
  let isSolid = contactOptions[bodyOf(v.x)].isSolid + contactOptions[bodyOf(v.w)].isSolid > 0u;
  return isSolid && pairs[n].kind == vertexFaceKind && any(pairs[n].weights == vec4f(0.0));
}

// Whether two pairs of a vertex are with one side of one body.
fn areOnOneSide(n: u32, m: u32) -> bool {
  return bodyOf(pairs[n].vertices.w) == bodyOf(pairs[m].vertices.w) && dot(pairs[n].normal, pairs[m].normal) > ONE_SIDE;
}

// Leaves out what is open, and faces that are nearest with an edge if another one is nearer, see nearestOfSides in detect-surfaces.ts.
fn leaveFurther(range: vec2u) {
  for (var n = range.x; n < range.y; n++) {
    pairs[n].impulse.y = KEPT;
    if (pairs[n].violation == NO_GAP || !isBeside(n)) { continue; }
    let own = pairs[n].impulse;
    for (var m = range.x; m < range.y; m++) {
      if (pairs[m].violation < NO_GAP && pairs[m].impulse.x < own.x - own.z && areOnOneSide(n, m)) {
        pairs[n].impulse.y = NOT_KEPT;
      }
    }
  }
  for (var n = range.x; n < range.y; n++) {
    if (pairs[n].impulse.y == NOT_KEPT || pairs[n].violation >= OPEN_GAP) { pairs[n].violation = NO_GAP; }
  }
}

// Of the faces about a vertex leaves the nearest of each body and side, see nearestOfSides in detect-surfaces.ts. Returns how many.
fn keepNearest(range: vec2u) -> u32 {
  var count = 0u;
  for (var n = range.x; n < range.y; n++) { pairs[n].impulse.x = NOT_KEPT; }
  loop {
    var nearest = NO_GAP;
    var nearestPair = 0u;
    for (var n = range.x; n < range.y; n++) {
      if (pairs[n].impulse.x == NOT_KEPT && pairs[n].violation < nearest) {
        nearest = pairs[n].violation;
        nearestPair = n;
      }
    }
    if (nearest == NO_GAP) { return count; }
    pairs[nearestPair].impulse.x = KEPT;
    count++;
    for (var n = range.x; n < range.y; n++) {
      let isLeft = pairs[n].impulse.x == NOT_KEPT && pairs[n].violation < NO_GAP;
      if (isLeft && areOnOneSide(n, nearestPair)) { pairs[n].violation = NO_GAP; }
    }
  }
}

// Corners of a pair, from the first of them on.
fn cornersOf(v: vec4u) -> mat4x3f {
  let origin = surfaceStart[v.x].xyz;
  return mat4x3f(
    vec3f(0.0), surfaceStart[v.y].xyz - origin, surfaceStart[v.z].xyz - origin, surfaceStart[v.w].xyz - origin,
  );
}

// Out of a solid: seen from there the corners of its faces go round clockwise.
fn outOfFace(x: mat4x3f) -> vec3f {
  return normalize(cross(x[3] - x[1], x[2] - x[1]));
}

// Weights of a pair; until it is judged, in `impulse`, its distance, how much of it is out of the face, and what of it is rounding.
fn measurePair(n: u32) {
  let x = cornersOf(pairs[n].vertices);
  var weights = closestWeights(pairs[n].kind, x);
  weights = select(weights, vec4f(0.0), abs(weights) < vec4f(LEAST_WEIGHT));
  let separation = x * weights;
  let size = max(length(x[1]), max(length(x[2]), length(x[3])));
  pairs[n].weights = weights;
  pairs[n].impulse = vec3f(length(separation), dot(outOfFace(x), separation), SAME_PLACE * size);
}

// Unit normals of the faces at an edge of a solid; zero for a sheet's.
fn normalsAtEdge(faces: vec2u) -> mat2x3f {
  var out = mat2x3f();
  for (var k = 0u; k < 2u; k++) {
    if (faces[k] == 0u) { continue; }
    let at = surface.faces + 3u * (faces[k] - 1u);
    let a = surfaceStart[topology[at]].xyz;
    out[k] = normalize(cross(surfaceStart[topology[at + 2u]].xyz - a, surfaceStart[topology[at + 1u]].xyz - a));
  }
  return out;
}

// Whether a vector points behind both faces of an edge: what is below one of them, beside the edge, is not inside.
fn isBehind(normals: mat2x3f, separation: vec3f) -> bool {
  return dot(normals[0], separation) <= 0.0 && dot(normals[1], separation) <= 0.0;
}

// Whether a normal is between those of two faces, whose sum is told; of a sheet, zero, it always is.
fn isBetween(normal: vec3f, sum: vec3f) -> bool {
  let size = length(sum);
  return size == 0.0 || dot(normal, sum) >= size * (0.5 * size - BEYOND);
}

// 1 for a vertex outside of a solid, −1 for one that leaves it by this face, 0 for other faces: see leaveSolid in detect-surfaces.ts.
fn solidSide(n: u32, body: u32, range: vec2u) -> f32 {
  var least = NO_GAP;
  var out = 0.0;
  for (var k = range.x; k < range.y; k++) {
    let place = pairs[k].impulse;
    if (bodyOf(pairs[k].vertices.w) != body || place.x > least + place.z) { continue; }
    if (place.x < least - place.z) { out = 0.0; }
    least = min(least, place.x);
    out += place.y;
  }
  let own = pairs[n].impulse;
  let isNearest = own.x <= least + own.z;
  if (out >= 0.0) { return select(0.0, 1.0, isNearest || own.y >= FLAT * own.x); }
  return select(0.0, -1.0, isNearest);
}

// The nearest direction against which a vertex of a solid can be borne, zero for none: see OwnNormals.
fn ownNormal(v: u32, near: vec3f) -> vec3f {
  let own = edgeFaces[surface.edgeCount + v];
  let count = min(own.y, OWN_FACES);
  var directions: array<vec3f, OWN_FACES>;
  for (var i = 0u; i < count; i++) {
    let at = surface.faces + 3u * edgeFaces[own.x + i].x;
    let a = surfaceStart[topology[at]].xyz;
    let normal = cross(surfaceStart[topology[at + 1u]].xyz - a, surfaceStart[topology[at + 2u]].xyz - a);
    let size = length(normal);
    directions[i] = normal / select(1.0, size, size > 0.0);
  }
  return turnIntoCone(&directions, count, near);
}

// Normal of a pair, and its gap where the vertices would go, or that it is no contact.
fn judgePair(n: u32, owner: u32, range: vec2u) -> f32 {
  let v = pairs[n].vertices;
  let weights = pairs[n].weights;
  let kind = pairs[n].kind;
  let x = cornersOf(v);
  let separation = x * weights;
  let apart = length(separation);
  let isSame = apart <= PLACE_ROUNDING * (length(surfaceStart[v.x].xyz) + pairs[n].distance);
  var normal = pairs[n].normal;
  var side = 1.0;
  if (kind == vertexFaceKind && contactOptions[bodyOf(v.w)].isSolid == 1u) {
    side = solidSide(n, bodyOf(v.w), range);
    normal = outOfFace(x);
    if (side == 0.0) { return NO_GAP; }
  } else if (kind == edgeEdgeKind && contactOptions[bodyOf(v.x)].isSolid + contactOptions[bodyOf(v.w)].isSolid > 0u) {
    // see partEdges in detect-surfaces.ts
    let first = edgeFaces[owner - surface.vertexCount];
    let second = edgeFaces[pairs[n].other];
    if (first.x == FLAT_EDGE || second.x == FLAT_EDGE) { return NO_GAP; }
    let normalsOfFirst = normalsAtEdge(first);
    let normalsOfSecond = normalsAtEdge(second);
    let outOfFirst = normalsOfFirst[0] + normalsOfFirst[1];
    let outOfSecond = normalsOfSecond[0] + normalsOfSecond[1];
    side = select(1.0, -1.0, dot(outOfSecond - outOfFirst, separation) < 0.0);
    if (side < 0.0 && !(isBehind(normalsOfFirst, -separation) && isBehind(normalsOfSecond, separation))) {
      return NO_GAP;
    }
    normal = normalize(outOfSecond - outOfFirst);
    if (!isSame) { normal = (side / apart) * separation; }
    if (!(isBetween(-normal, outOfFirst) && isBetween(normal, outOfSecond))) { return NO_GAP; }
  } else {
    // through one another: the side is that from which they came
    side = select(1.0, -1.0, dot(normal, separation) < 0.0);
  }
  if (!isSame) { normal = (side / apart) * separation; }
  var between = side * apart;
  if (side > 0.0 && isBeside(n) && contactOptions[bodyOf(v.x)].isSolid == 1u) {
    let turned = ownNormal(v.x, normal);
    if (dot(turned, normal) < RIM_LEANS) { return NO_GAP; }
    normal = turned;
    between = dot(normal, separation);
  }
  pairs[n].normal = normal;
  if (kind == edgeEdgeKind) {
    // left to vertices and faces
    if (any(abs(weights) < vec4f(EDGE_END))) { return NO_GAP; }
  }
  let first = contactOptions[bodyOf(v.x)];
  let second = contactOptions[bodyOf(v.w)];
  let kept = min(max(first.thickness, second.thickness), pairs[n].distance);
  var gap = between - kept;
  var movable = 0.0;
  for (var k = 0u; k < 4u; k++) {
    movable += abs(weights[k]) * surfaceShift[v[k]].w;
    gap += weights[k] * dot(normal, surfaceShift[v[k]].xyz);
  }
  // how much further than the gap at the start it is to be
  pairs[n].distance = kept - between;
  if (movable <= LEAST_MOVABLE) { return NO_GAP; }
  return select(gap, OPEN_GAP, gap > max(first.margin, second.margin));
}

@compute @workgroup_size(64)
fn writeSurfaces(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= contactStep.surfaceOwners) { return; }
  let owner = firstSurfaceOwner() + id.x;
  let range = pairRange(id.x);
  var at = ownerStart[owner];
  for (var n = range.x; n < range.y && at < contactStep.capacity; n++) {
    if (pairs[n].violation < OPEN_GAP) {
      contacts[at] = surfaceContact(n, owner);
      at++;
    }
  }
}

fn surfaceContact(n: u32, owner: u32) -> SoftContact {
  let v = pairs[n].vertices;
  let weights = pairs[n].weights;
  var c: SoftContact;
  c.vertices = vec4u(NO_VERTEX);
  var used = 0u;
  for (var k = 0u; k < 4u; k++) {
    if (weights[k] != 0.0) {
      c.vertices[used] = v[k];
      c.weights[used] = weights[k];
      used++;
    }
    c.point += max(0.0, weights[k]) * surfaceStart[v[k]].xyz;
  }
  c.normal = pairs[n].normal;
  c.tangent = tangentOf(c.normal);
  c.friction = sqrt(contactOptions[bodyOf(v.x)].friction * contactOptions[bodyOf(v.w)].friction);
  // displacements count from where the gap was this
  c.offset = vec3f(pairs[n].distance, 0.0, 0.0);
  c.owner = owner;
  c.other = pairs[n].other;
  c.body = bodyOf(c.vertices.x);
  return c;
}

