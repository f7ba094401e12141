// Vertices of bodies that are attached to each other: twin of cpu-ties.ts, see clusters.ts. Each attached vertex has a slot.
// All members of a cluster begin a substep at their places and make the same way, so the way is what is solved for.

struct TieRange {
  // of the slots of a body, of the compliant attachments of a color, or of the clusters
  first: u32,
  count: u32,
  // substep [s]
  h: f32,
  // vertices that are apart come nearer before the frame by this, times the root of the way between them [√m]
  pace: f32,
}

struct TieCluster {
  // slots of its members in `tieMembers`
  first: u32,
  count: u32,
  // whether the force on members is wanted
  isMeasured: u32,
}

struct SoftTie {
  // slots
  a: u32,
  b: u32,
  // [m/N]
  compliance: f32,
}

@group(1) @binding(0) var<uniform> part: TieRange;
// of the body, see particles.wgsl
@group(0) @binding(0) var<storage, read_write> start: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> displacement: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> clearance: array<f32>;
// vertex of each slot
@group(0) @binding(3) var<storage, read> tieVertices: array<u32>;
// xyz: x⁻ [m]; w: mass [kg]
@group(0) @binding(4) var<storage, read_write> tieStart: array<vec4f>;
// as `displacement`
@group(0) @binding(5) var<storage, read_write> tieShift: array<vec4f>;
// xyz: way that the member's body gave the cluster in the substep [m]; w: inverse mass of the member by itself [1/kg]
@group(0) @binding(6) var<storage, read_write> tieGiven: array<vec4f>;
// impulse that the other members gave each in the frame [N s]
@group(0) @binding(7) var<storage, read_write> tieImpulse: array<vec4f>;
@group(0) @binding(8) var<storage, read> tieClusters: array<TieCluster>;
@group(0) @binding(9) var<storage, read> tieMembers: array<u32>;
// xyz: way of each cluster in the substep [m]; w: inverse of its mass [1/kg]
@group(0) @binding(10) var<storage, read_write> tieWays: array<vec4f>;
@group(0) @binding(11) var<storage, read> softTies: array<SoftTie>;
// xyz: force of each compliant attachment in the substep [N]
@group(0) @binding(12) var<storage, read_write> softForces: array<vec4f>;
// impulse on the second vertex of each in the frame [N s]
@group(0) @binding(13) var<storage, read_write> softImpulses: array<vec4f>;

@compute @workgroup_size(64)
fn gatherTies(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= part.count) { return; }
  let slot = part.first + id.x;
  let vertex = tieVertices[slot];
  tieStart[slot] = vec4f(start[vertex].xyz, tieStart[slot].w);
  tieShift[slot] = displacement[vertex];
}

@compute @workgroup_size(64)
fn scatterTies(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= part.count) { return; }
  let slot = part.first + id.x;
  let vertex = tieVertices[slot];
  let shift = tieShift[slot];
  // It was found where the particle was before.
  clearance[vertex] -= length(shift.xyz - displacement[vertex].xyz);
  displacement[vertex] = shift;
}

@compute @workgroup_size(64)
fn scatterStarts(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= part.count) { return; }
  let slot = part.first + id.x;
  let vertex = tieVertices[slot];
  clearance[vertex] -= length(tieStart[slot].xyz - start[vertex].xyz);
  start[vertex] = vec4f(tieStart[slot].xyz, 0.0);
}

// Before a frame: members that are apart come nearer.
@compute @workgroup_size(64)
fn closeTies(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= part.count) { return; }
  let cluster = tieClusters[id.x];
  let first = tieStart[tieMembers[cluster.first]].xyz;
  var offset = vec3f(0.0);
  var mass = 0.0;
  for (var k = 0u; k < cluster.count; k++) {
    let member = tieStart[tieMembers[cluster.first + k]];
    offset += member.w * (member.xyz - first);
    mass += member.w;
  }
  let place = first + offset / mass;
  for (var k = 0u; k < cluster.count; k++) {
    let slot = tieMembers[cluster.first + k];
    tieImpulse[slot] = vec4f(0.0);
    let member = tieStart[slot];
    let away = member.xyz - place;
    let root = sqrt(length(away));
    var moved = place;
    if (root > part.pace) { moved = place + away * (1.0 - part.pace / root); }
    tieStart[slot] = vec4f(moved, member.w);
  }
}

@compute @workgroup_size(64)
fn beginSoft(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < part.count) { softImpulses[id.x] = vec4f(0.0); }
}

// After the prediction: one way for all members, by their momenta, and one mass.
@compute @workgroup_size(64)
fn mergeTies(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= part.count) { return; }
  let cluster = tieClusters[id.x];
  var mass = 0.0;
  var sum = vec3f(0.0);
  var pin = vec3f(0.0);
  var isPinned = false;
  for (var k = 0u; k < cluster.count; k++) {
    let shift = tieShift[tieMembers[cluster.first + k]];
    if (shift.w > 0.0) {
      mass += 1.0 / shift.w;
      sum += shift.xyz / shift.w;
    } else if (!isPinned) {
      isPinned = true;
      pin = shift.xyz;
    }
  }
  var way = vec4f(pin, 0.0);
  if (!isPinned) { way = vec4f(sum / mass, 1.0 / mass); }
  tieWays[id.x] = way;
  for (var k = 0u; k < cluster.count; k++) {
    let slot = tieMembers[cluster.first + k];
    let shift = tieShift[slot];
    var given = shift.xyz - way.xyz;
    var inverse = way.w;
    if (isPinned) {
      // A pin gives only to what measures the force on it.
      inverse = select(0.0, shift.w, cluster.isMeasured == 1u);
    } else {
      // As if its body had moved it alone: `measureTies` finds the impulse that the others gave it.
      given *= way.w / shift.w;
    }
    tieGiven[slot] = vec4f(given, shift.w);
    tieShift[slot] = vec4f(way.xyz, inverse);
  }
}

// All members go where their bodies have moved some of them.
@compute @workgroup_size(64)
fn followTies(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= part.count) { return; }
  let cluster = tieClusters[id.x];
  var way = tieWays[id.x];
  let before = way.xyz;
  for (var k = 0u; k < cluster.count; k++) {
    let slot = tieMembers[cluster.first + k];
    let moved = tieShift[slot].xyz - before;
    tieGiven[slot] += vec4f(moved, 0.0);
    if (way.w > 0.0) { way += vec4f(moved, 0.0); }
  }
  tieWays[id.x] = way;
  for (var k = 0u; k < cluster.count; k++) {
    let slot = tieMembers[cluster.first + k];
    tieShift[slot] = vec4f(way.xyz, tieShift[slot].w);
  }
}

// Impulses that members were given by one another: their share of the motion, minus what their own bodies gave.
@compute @workgroup_size(64)
fn measureTies(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= part.count) { return; }
  let cluster = tieClusters[id.x];
  let inverse = tieWays[id.x].w;
  var sum = vec3f(0.0);
  for (var k = 0u; k < cluster.count; k++) { sum += tieGiven[tieMembers[cluster.first + k]].xyz; }
  for (var k = 0u; k < cluster.count; k++) {
    let slot = tieMembers[cluster.first + k];
    let given = tieGiven[slot];
    var impulse = vec3f(0.0);
    if (inverse > 0.0) {
      impulse = sum / given.w - given.xyz / inverse;
    } else if (given.w > 0.0) {
      impulse = -given.xyz / given.w;
    }
    tieImpulse[slot] += vec4f(impulse / part.h, 0.0);
  }
}

@compute @workgroup_size(64)
fn startSoft(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < part.count) { softForces[id.x] = vec4f(0.0); }
}

// λ ← λ − (C + α λ) / (w₁ + w₂ + α), with the way C between the two and h² in w.
@compute @workgroup_size(64)
fn relaxSoft(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= part.count) { return; }
  let k = part.first + id.x;
  let tie = softTies[k];
  let a = tieShift[tie.a];
  let b = tieShift[tie.b];
  let wa = part.h * part.h * a.w;
  let wb = part.h * part.h * b.w;
  if (wa + wb == 0.0) { return; }
  let gap = (tieStart[tie.b].xyz - tieStart[tie.a].xyz) + (b.xyz - a.xyz);
  let force = softForces[k].xyz;
  let change = -(gap + tie.compliance * force) / (wa + wb + tie.compliance);
  softForces[k] = vec4f(force + change, 0.0);
  tieShift[tie.a] = vec4f(a.xyz - wa * change, a.w);
  tieShift[tie.b] = vec4f(b.xyz + wb * change, b.w);
}

@compute @workgroup_size(64)
fn measureSoft(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < part.count) { softImpulses[id.x] += part.h * softForces[id.x]; }
}
