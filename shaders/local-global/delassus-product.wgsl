#import "local-global/contact-layout.wgsl"

// Products with W in one workgroup: by way of the forces at the touched vertices, as Delassus.multiply in delassus.ts. Sums are
// gathered in a fixed order.

override LANES: u32 = 16u;
// that add up the forces on one node
const NODE_LANES = 16u;

@group(0) @binding(0) var<storage, read_write> contacts: array<SoftContact>;
@group(0) @binding(1) var<storage, read_write> works: array<SoftContactWork>;
@group(0) @binding(2) var<storage, read_write> touched: array<TouchedVertex>;
@group(0) @binding(3) var<storage, read_write> nodes: array<ContactNode>;
// 4 × contact + its vertex for the touched vertices, contacts for the rigid bodies
@group(0) @binding(4) var<storage, read> incidence: array<u32>;
// columns of S at the touched vertices, then G body by body
@group(0) @binding(5) var<storage, read> delassus: array<f32>;
@group(0) @binding(6) var<storage, read_write> control: ContactControl;
@group(0) @binding(7) var<storage, read_write> contactColumns: array<ContactColumn>;
@group(1) @binding(0) var<uniform> contactStep: ContactStep;

var<workgroup> laneForces: array<vec3f, LANES>;
var<workgroup> laneMoments: array<vec3f, LANES>;

// What the forces `works.force` move: `moved` of the touched vertices without the rotation of their bodies, `theta` and `shift`.
// Where G of a body is not stored, by way of S.
fn respond(lane: u32, touchedCount: u32, isStored: bool) {
  for (var i = lane; i < touchedCount; i += LANES) {
    var force = vec3f(0.0);
    for (var e = touched[i].firstIncidence; e < touched[i].endIncidence; e++) {
      let entry = incidence[e];
      force += contacts[entry >> 2u].weights[entry & 3u] * works[entry >> 2u].force;
    }
    touched[i].force = force;
  }
  storageBarrier();
  let nodeCount = contactStep.bodyCount + contactStep.rigidCount;
  let share = lane % NODE_LANES;
  for (var base = 0u; base < nodeCount; base += LANES / NODE_LANES) {
    let k = base + lane / NODE_LANES;
    var force = vec3f(0.0);
    var moment = vec3f(0.0);
    if (k < nodeCount) {
      let end = nodes[k].first + nodes[k].count;
      for (var i = nodes[k].first + share; i < end; i += NODE_LANES) {
        if (k < contactStep.bodyCount) {
          moment += cross(touched[i].arms, touched[i].force);
        } else {
          let c = incidence[i];
          force -= works[c].force;
          moment -= cross(contacts[c].point - nodes[k].centre, works[c].force);
        }
      }
    }
    laneForces[lane] = force;
    laneMoments[lane] = moment;
    workgroupBarrier();
    if (k < nodeCount && share == 0u) {
      for (var i = 1u; i < NODE_LANES; i++) {
        force += laneForces[lane + i];
        moment += laneMoments[lane + i];
      }
      setNode(k, force, moment);
    }
    workgroupBarrier();
  }
  if (!isStored) {
    for (var j = lane; j < contactStep.vertexCount; j += LANES) {
      contactColumns[j].y = columnForce(j);
    }
    for (var b = 0u; b < contactStep.bodyCount; b++) {
      for (var p = lane; p < nodes[b].heldCount; p += LANES) {
        contactColumns[nodes[b].firstHeld + p].held = heldForce(b, p);
      }
    }
    storageBarrier();
  }
  for (var i = lane; i < touchedCount; i += LANES) {
    let body = touched[i].body;
    let first = nodes[body].first;
    let count = nodes[body].count;
    if (nodes[body].entries == NO_SLOT) {
      touched[i].moved = throughColumn(i);
      continue;
    }
    var at = nodes[body].entries + i - first;
    var moved = vec3f(0.0);
    for (var j = first; j < first + count; j++) {
      moved += delassus[at] * touched[j].force;
      at += count;
    }
    touched[i].moved = moved;
  }
  storageBarrier();
}

// A row of S Hᵀ z: from the touched vertices among its descendants.
fn columnForce(j: u32) -> vec3f {
  let depth = contactColumns[j].depth;
  var sum = vec3f(0.0);
  for (var t = contactColumns[j].first; t < contactColumns[j].end; t++) {
    sum += delassus[touched[t].at + touched[t].depth - depth] * touched[t].force;
  }
  return sum;
}

// Sᵀ of that at a touched vertex. Rows of a block follow on each other; then it goes on at the block's parent.
fn throughColumn(i: u32) -> vec3f {
  let at = touched[i].at;
  var sum = vec3f(0.0);
  var row = touched[i].column;
  for (var k = 0u; k < touched[i].depth;) {
    let end = contactColumns[row].blockEnd;
    let parent = contactColumns[row].parent;
    for (; row < end; row++) {
      sum += delassus[at + k] * contactColumns[row].y;
      k++;
    }
    row = parent;
  }
  let body = touched[i].body;
  for (var p = 0u; p < nodes[body].heldCount; p++) {
    sum -= delassus[at + touched[i].depth + p] * contactColumns[nodes[body].firstHeld + p].held;
  }
  return sum;
}

// Σ cᵥ fᵥ of a held vertex, see delassus-held.wgsl.
fn heldForce(body: u32, p: u32) -> vec3f {
  var sum = vec3f(0.0);
  for (var t = nodes[body].first; t < nodes[body].first + nodes[body].count; t++) {
    sum += delassus[touched[t].at + touched[t].depth + p] * touched[t].force;
  }
  return sum;
}

fn setNode(k: u32, force: vec3f, moment: vec3f) {
  nodes[k].force = force;
  nodes[k].moment = moment;
  nodes[k].theta = nodes[k].turn * moment;
  nodes[k].shift = nodes[k].inverseMass * force;
}

// How far a contact's place on the bodies has moved, less how far its place on the rigid body has.
fn relativeMotion(n: u32) -> vec3f {
  var motion = vec3f(0.0);
  for (var i = 0u; i < 4u; i++) {
    let slot = contacts[n].slots[i];
    if (slot != NO_SLOT) {
      motion += contacts[n].weights[i] * (touched[slot].moved + cross(nodes[touched[slot].body].theta, touched[slot].arms));
    }
  }
  let proxy = contacts[n].proxy;
  if (proxy != 0u) {
    let k = contactStep.bodyCount + proxy - 1u;
    motion -= nodes[k].shift + cross(nodes[k].theta, contacts[n].point - nodes[k].centre);
  }
  return motion;
}
