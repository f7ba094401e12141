#import "articulated/batch-dynamics.wgsl"
#import "articulated/batch-constraints.wgsl"

// A workgroup for each world, whose lanes share the work. Control flow around `sync` and all functions that have it is the same for all lanes. The
// scratch memory of a world is in workgroup memory if there is room for all of it: a choice at each access multiplies the code.

const MANY_LANES = 32u;
// lanes that share one row of the mass matrix
const LANES_A_ROW = 8u;

override isNear: bool = true;
override nearNumbers: u32 = 1u;

var<private> lane: u32;
var<private> place: u32;
// contacts and rows that were counted; the same on all lanes
var<private> taken: vec2u;

var<workgroup> near: array<f32, nearNumbers>;
var<workgroup> laneCounts: array<vec2u, MANY_LANES>;
var<workgroup> laneSums: array<vec3f, MANY_LANES>;
var<workgroup> laneNumbers: array<f32, MANY_LANES>;
var<workgroup> commonCount: u32;
var<workgroup> commonNumber: f32;

fn laneCount() -> u32 {
  return MANY_LANES;
}

fn laneWidth() -> u32 {
  return LANES_A_ROW;
}

// Lanes wait for each other at the end of each part of an order.
fn partsOf(parts: u32) -> u32 {
  return parts;
}

// The begin and the end of a part in the list of its kind.
fn linkLevel(level: u32) -> vec2u {
  if (level == 0u) { return vec2u(0u, links[0].levelEnd); }
  return vec2u(links[level - 1u].levelEnd, links[level].levelEnd);
}

fn levelLink(n: u32) -> u32 {
  return links[n].levelLink;
}

fn dofLevel(level: u32) -> vec2u {
  if (level == 0u) { return vec2u(0u, dofs[0].levelEnd); }
  return vec2u(dofs[level - 1u].levelEnd, dofs[level].levelEnd);
}

fn levelDof(n: u32) -> u32 {
  return dofs[n].levelDof;
}

fn dofRound(round: u32) -> vec2u {
  if (round == 0u) { return vec2u(0u, dofs[0].roundEnd); }
  return vec2u(dofs[round - 1u].roundEnd, dofs[round].roundEnd);
}

fn roundDof(n: u32) -> u32 {
  return dofs[n].roundDof;
}

// A coordinate of a way, wherever this lane was before.
fn dofAbove(k: u32, at: u32) -> u32 {
  return wayDof(at);
}

fn load(slot: u32) -> f32 {
  if (isNear) { return near[slot]; }
  return scratch[place + slot];
}

fn store(slot: u32, value: f32) {
  if (isNear) {
    near[slot] = value;
  } else {
    scratch[place + slot] = value;
  }
}

// All lanes read after it what any of them wrote before it.
fn sync() {
  workgroupBarrier();
  storageBarrier();
}

// A number that all lanes have, in a form that control flow may depend on.
fn agreed(value: u32) -> u32 {
  if (lane == 0u) { commonCount = value; }
  return workgroupUniformLoad(&commonCount);
}

// The greatest number of all lanes; none is negative.
fn greatest(value: f32) -> f32 {
  laneNumbers[lane] = value;
  workgroupBarrier();
  if (lane == 0u) {
    var most = 0.0;
    for (var i = 0u; i < MANY_LANES; i++) { most = max(most, laneNumbers[i]); }
    commonNumber = most;
  }
  return workgroupUniformLoad(&commonNumber);
}

// Counts for each lane in turn; returns what was counted before this one.
fn take(count: vec2u) -> vec2u {
  laneCounts[lane] = count;
  workgroupBarrier();
  var first = taken;
  for (var i = 0u; i < MANY_LANES; i++) {
    let own = laneCounts[i];
    first += select(vec2u(0u), own, i < lane);
    taken += own;
  }
  workgroupBarrier();
  return first;
}

// Velocities of up to three rows of a contact, for x in DOF_VALUE
fn speedsOf(r: u32, way: Way, count: u32) -> vec3f {
  var own = vec3f(0.0);
  for (var t = lane; t < way.size; t += MANY_LANES) {
    let x = load(dofAt(dofAlong(way, t)) + DOF_VALUE);
    for (var c = 0u; c < count; c++) { own[c] += load(heldAt(r + c) + HELD_VECTOR + t) * x; }
  }
  laneSums[lane] = own;
  workgroupBarrier();
  var sums = vec3f(0.0);
  for (var i = 0u; i < min(way.size, MANY_LANES); i++) { sums += laneSums[i]; }
  for (var c = 0u; c < count; c++) { sums[c] += load(heldAt(r + c) + HELD_SHIFT); }
  return sums;
}
