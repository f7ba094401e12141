#import "collision/contact/friction.wgsl"
#import "collision/contact/sweep.wgsl"
#import "local-global/detect/features.wgsl"
#import "local-global/detect/rim-normal.wgsl"

// Contacts of vertices, edges and faces with obstacles: twin of detect-contacts.ts. Runs twice: first every owner counts its contacts,
// then, when it is known where they go, it writes them. So they come in the same order always. A uniform tells which of both it is,
// as drivers take long to compile this.

@group(0) @binding(4) var<storage, read_write> ownerStart: array<u32>;
@group(0) @binding(5) var<storage, read_write> contacts: array<SoftContact>;

@compute @workgroup_size(64)
fn detectOwners(@builtin(global_invocation_id) id: vec3u) {
  let owner = id.x;
  if (owner >= contactStep.featureOwners) { return; }
  let own = owners[owner];
  let isVertex = own.vertices.y == NO_VERTEX;
  var count = 0u;
  if (!isVertex || surfaceShift[own.vertices.x].w != 0.0) {
    for (var k = 0u; k < contactStep.colliderCount; k++) {
      var weights = vec4f(1.0, 0.0, 0.0, 1.0);
      if (!isVertex) {
        weights = featureWeights(k, own);
        if (weights.w == 0.0) { weights = loadedWeights(k, owner, own); }
      }
      if (weights.w != 0.0) {
        // with OWN_OVERLAP, which adds nothing to the count
        let added = addContact(owner, k, own, weights.xyz, count & OWN_COUNT);
        count = (count | (added & OWN_OVERLAP)) + (added & OWN_COUNT);
      }
    }
  }
  if (contactStep.writes == 0u) { ownerStart[owner] = count; }
}

// Of an edge or a face that had a loaded contact with an obstacle in the list before, and has none now: whether an edge is just deeper
// than its ends changes from one place to the next, and a load that comes and goes with that never rests.
fn loadedWeights(k: u32, owner: u32, own: ContactOwner) -> vec4f {
  let known = ownerCount(contactStep) + 1u + owner;
  for (var n = ownerStart[known]; n < ownerStart[known + 1u]; n++) {
    let at = contactStep.capacity + n;
    if (contacts[at].other == k && contacts[at].z.x != 0.0) {
      let weights = contacts[at].weights.xyz;
      return vec4f(weights, select(0.0, 1.0, isMovable(own, weights)));
    }
  }
  return vec4f(0.0);
}

// The contact of a point on up to three vertices, if there is one within reach: how many that are, and whether it is an overlap.
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
  // Inner vertices lie beyond the surface of a body that is pressed inside out, so they touch obstacles that they get into.
  let margin = select(options.margin + fallOf(contactStep), 0.0, owner >= contactStep.innerOwners);
  let thickness = thicknessOf(own);
  let reach = thickness + margin;
  var found = sweepContact(k, start, way, reach, contactStep.fraction0, contactStep.fraction1, true);
  if (!found.touching) { return 0u; }
  // gap where the vertices would go: reach − push − thickness
  var gap = margin - found.push;
  let rim = rimPlane(k, own, start, way, thickness);
  if (rim.isRim) {
    gap = dot(rim.normal, rim.end - rim.point) - thickness;
    found.normal = rotateBy(poseAtEnd(k, contactStep.fraction1).rotation, rim.normal);
    found.normalChange = found.normal - rotateBy(poseAtStart(k, contactStep.fraction0).rotation, rim.normal);
  }
  let at = ownerStart[owner] + count;
  if (contactStep.writes == 0u || at >= contactStep.capacity) {
    // where a rigid body goes is known with the forces only
    let overlap = colliders[k].proxy == 0u && gap <= -(contactStep.overlap + contactStep.overlapThicknesses * options.thickness);
    return 1u | select(0u, OWN_OVERLAP, overlap);
  }
  var c: SoftContact;
  c.vertices = vec4u(own.vertices, NO_VERTEX);
  c.weights = vec4f(weights, 0.0);
  c.normal = found.normal;
  c.tangent = tangentOf(found.normal);
  c.friction = frictionWith(k, options.friction);
  c.proxy = colliders[k].proxy;
  c.offset = vec3f(dot(c.normal, way) - gap, 0.0, 0.0);
  // what turns with the obstacle does not slip, a thickness above it either
  let stuck = found.surfaceDisplacement + thickness * found.normalChange;
  c.offset.y = dot(c.tangent, stuck);
  c.offset.z = dot(secondTangent(c), stuck);
  c.owner = owner;
  c.other = k;
  c.point = start + way;
  c.body = own.body;
  contacts[at] = c;
  return 1u;
}
