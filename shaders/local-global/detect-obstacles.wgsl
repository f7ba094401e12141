#import "collision/sweep.wgsl"
#import "collision/deepest-point.wgsl"
#import "local-global/contact-layout.wgsl"

// Contacts of vertices and faces with obstacles: twin of detect-contacts.ts, and of detect-features.ts but for edges. Runs twice: first
// every owner counts its contacts, then, when it is known where they go, it writes them. So they come in the same order always.

override writesContacts: bool = false;

@group(0) @binding(0) var<storage, read> surfaceStart: array<vec4f>;
@group(0) @binding(1) var<storage, read> surfaceShift: array<vec4f>;
@group(0) @binding(2) var<storage, read> owners: array<ContactOwner>;
@group(0) @binding(3) var<storage, read> contactOptions: array<ContactOptions>;
// counts first; then where the contacts of each owner begin
@group(0) @binding(4) var<storage, read_write> ownerStart: array<u32>;
@group(0) @binding(5) var<storage, read_write> contacts: array<SoftContact>;
@group(1) @binding(0) var<uniform> contactStep: ContactStep;

// see detect-features.ts
const FACE_DEEPER = 0.2;
const FACE_MOVABLE = 1e-3;

@compute @workgroup_size(64)
fn detectVertices(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= contactStep.vertexOwners) {
    return;
  }
  let own = owners[id.x];
  var count = 0u;
  if (surfaceShift[own.vertices.x].w != 0.0) {
    for (var k = 0u; k < contactStep.colliderCount; k++) {
      count += addContact(id.x, k, own, vec3f(1.0, 0.0, 0.0), count);
    }
  }
  if (!writesContacts) {
    ownerStart[id.x] = count;
  }
}

@compute @workgroup_size(64)
fn detectFaces(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= contactStep.faceOwners) {
    return;
  }
  let owner = contactStep.vertexOwners + id.x;
  let own = owners[owner];
  var count = 0u;
  for (var k = 0u; k < contactStep.colliderCount; k++) {
    let weights = deepestWeights(k, own);
    if (weights.w != 0.0) {
      count += addContact(owner, k, own, weights.xyz, count);
    }
  }
  if (!writesContacts) {
    ownerStart[owner] = count;
  }
}

// Where a face is deepest in an obstacle, as weights of its vertices; w: whether that is deeper than all of them.
fn deepestWeights(k: u32, own: ContactOwner) -> vec4f {
  let none = vec4f(0.0);
  let options = contactOptions[own.body];
  let reach = options.thickness + options.margin;
  var start: array<vec3f, 3>;
  var now: array<vec3f, 3>;
  var low = vec3f(3e38);
  var high = vec3f(-3e38);
  var free = 0.0;
  for (var c = 0u; c < 3u; c++) {
    let v = own.vertices[c];
    start[c] = surfaceStart[v].xyz;
    now[c] = start[c] + surfaceShift[v].xyz;
    low = min(low, min(start[c], now[c]));
    high = max(high, max(start[c], now[c]));
    free += surfaceShift[v].w;
  }
  if (free == 0.0 || pathMisses(k, low, high - low, reach)) {
    return none;
  }
  let pose = poseAtEnd(k, contactStep.fraction1);
  for (var c = 0u; c < 3u; c++) {
    now[c] = rotateBackBy(pose.rotation, now[c] - pose.position);
  }
  let middle = (now[0] + now[1] + now[2]) / 3.0;
  let radius = max(distance(now[0], middle), max(distance(now[1], middle), distance(now[2], middle)));
  let weights = deepestPoint(k, now[0], now[1], now[2], radius, radius + reach, reach);
  if (max(weights.x, max(weights.y, weights.z)) >= 1.0) {
    return none;
  }
  var least = 1e30;
  var deepest = 0.0;
  for (var c = 0u; c < 4u; c++) {
    var point = weights.x * now[0] + weights.y * now[1] + weights.z * now[2];
    if (c < 3u) {
      point = now[c];
    }
    let phi = signedDistance(k, point).w;
    if (c < 3u) {
      least = min(least, phi);
    } else {
      deepest = phi;
    }
  }
  var movable = 0.0;
  for (var c = 0u; c < 3u; c++) {
    movable += weights[c] * surfaceShift[own.vertices[c]].w;
  }
  let counts = movable > FACE_MOVABLE && deepest < least - FACE_DEEPER * options.thickness;
  return vec4f(weights, select(0.0, 1.0, counts));
}

// The contact of a point on up to three vertices, if there is one within reach: how many that are.
fn addContact(owner: u32, k: u32, own: ContactOwner, weights: vec3f, count: u32) -> u32 {
  let options = contactOptions[own.body];
  var start = vec3f(0.0);
  var way = vec3f(0.0);
  for (var c = 0u; c < 3u; c++) {
    if (own.vertices[c] != NO_VERTEX) {
      start += weights[c] * surfaceStart[own.vertices[c]].xyz;
      way += weights[c] * surfaceShift[own.vertices[c]].xyz;
    }
  }
  let reach = options.thickness + options.margin;
  let found = sweepContact(k, start, way, reach, contactStep.fraction0, contactStep.fraction1);
  if (!found.touching) {
    return 0u;
  }
  let at = ownerStart[owner] + count;
  if (!writesContacts || at >= contactStep.capacity) {
    return 1u;
  }
  var c: SoftContact;
  c.vertices = vec4u(own.vertices, NO_VERTEX);
  c.weights = vec4f(weights, 0.0);
  c.normal = found.normal;
  c.tangent = tangentOf(found.normal);
  c.friction = sqrt(options.friction * colliders[k].friction);
  c.proxy = colliders[k].proxy;
  // gap where the vertices would go is reach − push − thickness
  c.offset = vec3f(dot(c.normal, way) - (options.margin - found.push), 0.0, 0.0);
  c.offset.y = dot(c.tangent, found.surfaceDisplacement);
  c.offset.z = dot(secondTangent(c), found.surfaceDisplacement);
  c.owner = owner;
  c.other = k;
  c.point = start + way;
  c.body = own.body;
  contacts[at] = c;
  return 1u;
}
