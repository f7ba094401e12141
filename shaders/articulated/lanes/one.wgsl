#import "articulated/batch-dynamics.wgsl"
#import "articulated/batch-constraints.wgsl"

// An invocation for each world: the functions by which the shaders of batches share work between lanes, of which there is one.
// `articulated/lanes/many.wgsl` has the same ones for a workgroup.

const WORKGROUP = 64u;
const lane = 0u;

// where this invocation's column begins: a workgroup has a block of the scratch memory, in which neighbours read neighbours
var<private> place: u32;
// contacts and rows that were counted
var<private> taken: vec2u;

fn laneCount() -> u32 {
  return 1u;
}

fn laneWidth() -> u32 {
  return 1u;
}

// One lane takes all as a single part, in the order of the mechanism.
fn partsOf(parts: u32) -> u32 {
  return 1u;
}

fn linkLevel(level: u32) -> vec2u {
  return vec2u(0u, batch.linkCount);
}

fn levelLink(n: u32) -> u32 {
  return n;
}

fn dofLevel(level: u32) -> vec2u {
  return vec2u(0u, batch.dofCount);
}

fn levelDof(n: u32) -> u32 {
  return n;
}

fn dofRound(round: u32) -> vec2u {
  return vec2u(0u, batch.dofCount);
}

fn roundDof(n: u32) -> u32 {
  return batch.dofCount - 1u - n;
}

// The coordinate above one, which is the next on its way.
fn dofAbove(k: u32, at: u32) -> u32 {
  return u32(dofs[k].parent);
}

fn load(slot: u32) -> f32 {
  return scratch[place + slot * WORKGROUP];
}

fn store(slot: u32, value: f32) {
  scratch[place + slot * WORKGROUP] = value;
}

fn sync() {}

fn agreed(value: u32) -> u32 {
  return value;
}

fn greatest(value: f32) -> f32 {
  return value;
}

fn take(count: vec2u) -> vec2u {
  let first = taken;
  taken += count;
  return first;
}

fn speedsOf(r: u32, way: Way, count: u32) -> vec3f {
  var sums = vec3f(0.0);
  for (var c = 0u; c < count; c++) { sums[c] = load(heldAt(r + c) + HELD_SHIFT) + alongRow(heldAt(r + c), way); }
  return sums;
}

fn beginWorld(thread: u32) -> bool {
  world = batch.firstWorld + thread;
  place = (thread / WORKGROUP) * WORKGROUP * batch.scratchSize + thread % WORKGROUP;
  origin = vec3f(0.0);
  return thread < batch.lanes && world < batch.worldCount;
}
