#import "local-global/layout.wgsl"
#import "local-global/contact/layout.wgsl"

// Keeps lists of contacts: that of a pass for the next pass, and that of a step for the next step. Decides whether there is a next
// step at all.
//
// If a step finds more contacts than there is room for, it halts: this step and all that are under way already change nothing that
// outlives a step, until the host has made room and encodes them again. So the kept list of a step is apart from that of a pass. At its
// end the frame goes back to its start (trust/judge.wgsl), so it is encoded again as a whole.

@group(0) @binding(0) var<storage, read_write> control: ContactControl;
@group(0) @binding(1) var<storage, read_write> bodyStates: array<LocalGlobalBodyState>;
@group(0) @binding(2) var<storage, read_write> contacts: array<SoftContact>;
@group(0) @binding(3) var<storage, read_write> ownerStart: array<u32>;
@group(0) @binding(4) var<storage, read_write> keptStart: array<u32>;
@group(0) @binding(5) var<storage, read_write> keptContacts: array<SoftContact>;
@group(0) @binding(6) var<storage, read> displacement: array<vec4f>;
// d when the iterations of a step begin
@group(0) @binding(7) var<storage, read_write> origins: array<vec4f>;
@group(1) @binding(0) var<uniform> contactStep: ContactStep;

// Before the first detection of a step.
@compute @workgroup_size(64)
fn recallStep(@builtin(global_invocation_id) id: vec3u) {
  let owners = ownerCount(contactStep);
  if (id.x <= owners) { ownerStart[owners + 1u + id.x] = keptStart[id.x]; }
  if (id.x < min(control.keptCount, contactStep.capacity)) {
    contacts[contactStep.capacity + id.x] = keptContacts[id.x];
  }
  if (id.x < contactStep.vertexCount) { origins[id.x] = displacement[id.x]; }
}

// After detection: passes the halt on to the bodies.
@compute @workgroup_size(64)
fn haltBodies(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < contactStep.bodyCount) { bodyStates[id.x].isHalted = u32(control.haltedAt != 0u || control.isIdle != 0u); }
}

// After obstacles were looked for again where the last pass ends: whether a body is deep in one.
@compute @workgroup_size(NOTE_LANES)
fn noteDeep(@builtin(local_invocation_index) lane: u32) {
  for (var owner = lane; owner < contactStep.featureOwners; owner += NOTE_LANES) {
    atomicOr(&overlaps, ownerStart[owner] & OWN_OVERLAP);
  }
  workgroupBarrier();
  if (lane == 0u && control.count > contactStep.cableRecords && atomicLoad(&overlaps) != 0u) { control.isDeep = 1u; }
}

const NOTE_LANES = 256u;

var<workgroup> overlaps: atomic<u32>;

// After the iterations of a pass.
@compute @workgroup_size(64)
fn keepPass(@builtin(global_invocation_id) id: vec3u) {
  let owners = ownerCount(contactStep);
  if (id.x <= owners) { ownerStart[owners + 1u + id.x] = ownerStart[id.x]; }
  if (id.x < control.count) { contacts[contactStep.capacity + id.x] = contacts[id.x]; }
}

// After the last pass.
@compute @workgroup_size(64)
fn keepStep(@builtin(global_invocation_id) id: vec3u) {
  if (control.haltedAt != 0u || control.isIdle != 0u) { return; }
  let owners = ownerCount(contactStep);
  if (id.x <= owners) { keptStart[id.x] = ownerStart[owners + 1u + id.x]; }
  if (id.x < control.count) { keptContacts[id.x] = contacts[id.x]; }
  if (id.x == 0u) { control.keptCount = control.count; }
}
