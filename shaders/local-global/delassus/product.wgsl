#import "local-global/contact/layout.wgsl"

// Products with W: by way of the forces at the touched vertices, as Delassus.multiply in delassus.ts; `respond` is one in a single
// workgroup, contact/wide.wgsl has one in several dispatches. Sums are gathered in a fixed order.

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

// two numbers of each lane to be added up
var<workgroup> laneSums: array<vec4f, LANES>;
var<workgroup> laneMost: array<vec4f, LANES>;

// Motion by the forces `works.force`: `moved` of the touched vertices without the rotation of their bodies, `theta` and `shift`.
// If G of a body is not stored, by way of S.
fn respond(lane: u32, touchedCount: u32, isStored: bool) {
  for (var i = lane; i < touchedCount; i += LANES) { touched[i].force = forceOn(i); }
  storageBarrier();
  let nodeCount = contactStep.bodyCount + contactStep.rigidCount;
  let share = lane % NODE_LANES;
  for (var base = 0u; base < nodeCount; base += LANES / NODE_LANES) {
    let k = base + lane / NODE_LANES;
    if (k < nodeCount) {
      let own = shareOf(k, share, NODE_LANES);
      laneSums[lane] = own.sums;
      laneMost[lane] = own.most;
    }
    workgroupBarrier();
    if (k < nodeCount && share == 0u) { addShares(lane, k, NODE_LANES); }
    workgroupBarrier();
  }
  if (!isStored) {
    for (var j = lane; j < contactStep.vertexCount; j += LANES) {
      contactColumns[j].y = columnForce(j);
      contactColumns[j].held = heldForce(j);
    }
    storageBarrier();
  }
  for (var i = lane; i < touchedCount; i += LANES) { touched[i].moved = movedBy(i); }
  storageBarrier();
}

// Hᵀ of `works.force` at a touched vertex.
fn forceOn(i: u32) -> vec3f {
  var force = vec3f(0.0);
  for (var e = touched[i].firstIncidence; e < touched[i].endIncidence; e++) {
    let entry = incidence[e];
    force += contacts[entry >> 2u].weights[entry & 3u] * works[entry >> 2u].force;
  }
  return force;
}

// Sum of forces on a node, from `first` on, with steps of `every`: force, and moment.
fn shareOf(k: u32, first: u32, every: u32) -> LaneTotals {
  var force = vec3f(0.0);
  var moment = vec3f(0.0);
  let end = nodes[k].first + nodes[k].count;
  for (var i = nodes[k].first + first; i < end; i += every) {
    if (k < contactStep.bodyCount) {
      moment += cross(touched[i].arms, touched[i].force);
    } else {
      let c = incidence[i];
      force -= works[c].force;
      moment -= cross(contacts[c].point - nodes[k].centre, works[c].force);
    }
  }
  return LaneTotals(vec4f(force, 0.0), vec4f(moment, 0.0));
}

// Adds up the shares of `count` lanes from one on.
fn addShares(lane: u32, k: u32, count: u32) {
  var force = vec3f(0.0);
  var moment = vec3f(0.0);
  for (var i = lane; i < lane + count; i++) {
    force += laneSums[i].xyz;
    moment += laneMost[i].xyz;
  }
  setNode(k, force, moment);
}

// Motion of a touched vertex: by its row of G, or by way of S if G is not stored.
fn movedBy(i: u32) -> vec3f {
  let body = touched[i].body;
  let first = nodes[body].first;
  let count = nodes[body].count;
  let entries = nodes[body].entries;
  if (entries == NO_SLOT) { return throughColumn(i, 0u); }
  var moved = vec3f(0.0);
  // a column, as G is symmetric: neighboring invocations load neighboring entries
  var at = entries + i - first;
  for (var j = first; j < first + count; j++) {
    moved += delassus[at] * touched[j].force;
    at += count;
  }
  return moved;
}

// A row of S Hᵀ z: from the touched vertices among its descendants.
fn columnForce(j: u32) -> vec3f {
  return columnStretch(j, contactColumns[j].first, contactColumns[j].end);
}

fn columnStretch(j: u32, first: u32, end: u32) -> vec3f {
  let depth = contactColumns[j].depth;
  var sum = vec3f(0.0);
  for (var t = first; t < end; t++) { sum += delassus[touched[t].at + touched[t].depth - depth] * touched[t].force; }
  return sum;
}

// Sᵀ of that at a touched vertex, without the last rows of its column. Rows of a block follow on each other; then it goes on at the
// block's parent.
fn throughColumn(i: u32, without: u32) -> vec3f {
  let at = touched[i].at;
  let depth = touched[i].depth;
  let length = depth - without;
  var sum = vec3f(0.0);
  var row = touched[i].column;
  for (var k = 0u; k < length;) {
    let end = min(contactColumns[row].blockEnd, row + length - k);
    let parent = contactColumns[row].parent;
    for (; row < end; row++) {
      sum += delassus[at + k] * contactColumns[row].y;
      k++;
    }
    row = parent;
  }
  let body = touched[i].body;
  for (var p = 0u; p < nodes[body].heldCount; p++) {
    sum -= delassus[at + depth + p] * contactColumns[nodes[body].firstHeld + p].held;
  }
  return sum;
}

// Σ cᵥ fᵥ of the held vertex with a number, see delassus/held.wgsl; 0 where there are not so many.
fn heldForce(number: u32) -> vec3f {
  var sum = vec3f(0.0);
  for (var b = 0u; b < contactStep.bodyCount; b++) {
    if (number < nodes[b].firstHeld || number >= nodes[b].firstHeld + nodes[b].heldCount) { continue; }
    for (var t = nodes[b].first; t < nodes[b].first + nodes[b].count; t++) {
      sum += delassus[touched[t].at + touched[t].depth + number - nodes[b].firstHeld] * touched[t].force;
    }
  }
  return sum;
}

fn setNode(k: u32, force: vec3f, moment: vec3f) {
  nodes[k].force = force;
  nodes[k].moment = moment;
  nodes[k].theta = nodes[k].turn * moment;
  let support = nodes[k].support;
  nodes[k].shift = nodes[k].inverseMass * (force - dot(support, force) * support - nodes[k].blocked * force);
}

// As `inFrame` and `outOfFrame`. Of a record only what is needed is loaded: not all compilers leave the rest out by themselves.
fn inFrameOf(n: u32, v: vec3f) -> vec3f {
  let normal = contacts[n].normal;
  let tangent = contacts[n].tangent;
  return vec3f(dot(normal, v), dot(tangent, v), dot(cross(normal, tangent), v));
}

fn outOfFrameOf(n: u32, z: vec3f) -> vec3f {
  let normal = contacts[n].normal;
  let tangent = contacts[n].tangent;
  return z.x * normal + z.y * tangent + z.z * cross(normal, tangent);
}

// Motion of a contact's place on the bodies, less the motion of its place on the rigid body.
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

// Sums over the lanes, and largest values.
struct LaneTotals {
  sums: vec4f,
  most: vec4f,
}

// For the first lane; the result of others is meaningless. There has to be a barrier before `laneSums` is used again.
fn laneTotals(lane: u32, own: LaneTotals) -> LaneTotals {
  laneSums[lane] = own.sums;
  laneMost[lane] = own.most;
  workgroupBarrier();
  if (lane < 8u) {
    var sum = own.sums;
    var largest = own.most;
    for (var i = lane + 8u; i < LANES; i += 8u) {
      sum += laneSums[i];
      largest = max(largest, laneMost[i]);
    }
    laneSums[lane] = sum;
    laneMost[lane] = largest;
  }
  workgroupBarrier();
  var totals = own;
  if (lane == 0u) {
    totals = LaneTotals(laneSums[0], laneMost[0]);
    for (var i = 1u; i < 8u; i++) {
      totals.sums += laneSums[i];
      totals.most = max(totals.most, laneMost[i]);
    }
  }
  return totals;
}
