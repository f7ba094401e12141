#import "surface/layout.wgsl"
#import "surface/closest.wgsl"
#import "local-global/contact-layout.wgsl"

// Contacts of bodies with one another and with themselves, from the candidate pairs of surface/pairs.wgsl: twin of
// detect-surfaces.ts. First every owner, a vertex or an edge, judges its pairs and counts its contacts; then it writes them.

// see detect-surfaces.ts
const EDGE_END = 0.02;
// In place of a gap: the pair is no contact.
const NO_GAP = 3e38;
// A smaller weight is rounding: the place is on an edge or a vertex.
const LEAST_WEIGHT = 1e-6;
// Of the distance from the origin: a vector between two points that is shorter than this is rounding.
const PLACE_ROUNDING = 2e-7;

@group(0) @binding(1) var<storage, read> surfaceStart: array<vec4f>;
@group(0) @binding(2) var<storage, read> surfaceShift: array<vec4f>;
@group(0) @binding(3) var<storage, read> topology: array<u32>;
@group(0) @binding(4) var<storage, read_write> pairs: array<SurfacePair>;
// where the pairs of each owner begin
@group(0) @binding(5) var<storage, read> pairStart: array<u32>;
// counts first; then where the contacts of each owner begin
@group(0) @binding(6) var<storage, read_write> ownerStart: array<u32>;
@group(0) @binding(7) var<storage, read_write> contacts: array<SoftContact>;
@group(0) @binding(8) var<storage, read> contactOptions: array<ContactOptions>;
// 1 where the faces at an edge of a solid are nearly in one plane
@group(0) @binding(9) var<storage, read> edgeFlat: array<u32>;
@group(1) @binding(0) var<uniform> contactStep: ContactStep;

// Body of a vertex: see partCode in surface/pairs.wgsl.
fn bodyOf(v: u32) -> u32 {
  return topology[surface.rest + 4u * v + 3u] >> 2u;
}

// Pairs of an owner that there was room for.
fn pairRange(owner: u32) -> vec2u {
  return min(vec2u(pairStart[owner], pairStart[owner + 1u]), vec2u(surface.capacity));
}

// Of all contacts, those of surfaces come last.
fn firstSurfaceOwner() -> u32 {
  return contactStep.vertexOwners + contactStep.faceOwners;
}

@compute @workgroup_size(64)
fn judgeSurfaces(@builtin(global_invocation_id) id: vec3u) {
  let owner = id.x;
  if (owner >= contactStep.surfaceOwners) {
    return;
  }
  let isVertex = owner < surface.vertexCount;
  let range = pairRange(owner);
  var count = 0u;
  // of a vertex only the nearest face counts
  var nearest = NO_GAP;
  var nearestPair = 0u;
  for (var n = range.x; n < range.y; n++) {
    let gap = judgePair(n, owner);
    let isNearer = gap < nearest;
    var own = gap;
    if (isVertex) {
      own = NO_GAP;
      if (isNearer) {
        nearest = gap;
        nearestPair = n;
      }
    }
    pairs[n].violation = own;
    count += u32(own < NO_GAP);
  }
  if (nearest < NO_GAP) {
    pairs[nearestPair].violation = nearest;
    count = 1u;
  }
  ownerStart[firstSurfaceOwner() + owner] = count;
}

// Weights, normal and distance of a pair; its gap where the vertices would go, or that it is no contact.
fn judgePair(n: u32, owner: u32) -> f32 {
  let v = pairs[n].vertices;
  let kind = pairs[n].kind;
  let origin = surfaceStart[v.x].xyz;
  let x = mat4x3f(
    vec3f(0.0), surfaceStart[v.y].xyz - origin, surfaceStart[v.z].xyz - origin, surfaceStart[v.w].xyz - origin,
  );
  var weights = closestWeights(kind, x);
  weights = select(weights, vec4f(0.0), abs(weights) < vec4f(LEAST_WEIGHT));
  if (kind == edgeEdgeKind) {
    // left to vertices and faces
    let isAtEnd = any(abs(weights) < vec4f(EDGE_END));
    let edge = owner - surface.vertexCount;
    if (isAtEnd || edgeFlat[edge] == 1u || edgeFlat[pairs[n].other] == 1u) {
      return NO_GAP;
    }
  }
  let separation = x * weights;
  let apart = length(separation);
  var normal = pairs[n].normal;
  // through one another: the side is that from which they came
  let side = select(1.0, -1.0, dot(normal, separation) < 0.0);
  if (apart > PLACE_ROUNDING * (length(origin) + pairs[n].distance)) {
    normal = (side / apart) * separation;
  }
  let first = contactOptions[bodyOf(v.x)];
  let second = contactOptions[bodyOf(v.w)];
  let kept = min(max(first.thickness, second.thickness), pairs[n].distance);
  var gap = side * apart - kept;
  var held = 0u;
  for (var k = 0u; k < 4u; k++) {
    held += u32(weights[k] == 0.0 || surfaceShift[v[k]].w == 0.0);
    gap += weights[k] * dot(normal, surfaceShift[v[k]].xyz);
  }
  pairs[n].weights = weights;
  pairs[n].normal = normal;
  // until they are written: the gap at the start
  pairs[n].impulse = vec3f(side * apart, kept, 0.0);
  return select(gap, NO_GAP, held == 4u || gap > max(first.margin, second.margin));
}

@compute @workgroup_size(64)
fn writeSurfaces(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= contactStep.surfaceOwners) {
    return;
  }
  let owner = firstSurfaceOwner() + id.x;
  let range = pairRange(id.x);
  var at = ownerStart[owner];
  for (var n = range.x; n < range.y && at < contactStep.capacity; n++) {
    if (pairs[n].violation < NO_GAP) {
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
  c.offset = vec3f(pairs[n].impulse.y - pairs[n].impulse.x, 0.0, 0.0);
  c.owner = owner;
  c.other = pairs[n].other;
  c.body = bodyOf(c.vertices.x);
  return c;
}

