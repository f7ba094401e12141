#import "local-global/contact/layout.wgsl"

// Finds the first contact of each owner, and whether there is a pass for them: twin of the loop over passes in group.ts. One workgroup;
// each invocation has a stretch.

const OWNER_LANES = 256u;

@group(0) @binding(0) var<storage, read_write> ownerStart: array<u32>;
@group(0) @binding(1) var<storage, read_write> control: ContactControl;
@group(0) @binding(2) var<storage, read_write> groups: ContactGroups;
// see surface/scan.wgsl
@group(0) @binding(3) var<storage, read> mostPairs: array<u32>;
@group(1) @binding(0) var<uniform> contactStep: ContactStep;

var<workgroup> ownerSums: array<u32, OWNER_LANES>;
var<workgroup> overlaps: atomic<u32>;

@compute @workgroup_size(OWNER_LANES)
fn scanOwners(@builtin(local_invocation_index) lane: u32) {
  let count = ownerCount(contactStep);
  let stretch = (count + OWNER_LANES - 1u) / OWNER_LANES;
  let first = min(count, lane * stretch);
  let end = min(count, first + stretch);
  var sum = 0u;
  for (var k = first; k < end; k++) {
    sum += ownerStart[k] & OWN_COUNT;
    atomicOr(&overlaps, ownerStart[k] & OWN_OVERLAP);
  }
  ownerSums[lane] = sum;
  workgroupBarrier();
  for (var reach = 1u; reach < OWNER_LANES; reach *= 2u) {
    var before = 0u;
    if (lane >= reach) { before = ownerSums[lane - reach]; }
    workgroupBarrier();
    ownerSums[lane] += before;
    workgroupBarrier();
  }
  // those of cables come first
  var total = contactStep.cableRecords + ownerSums[lane] - sum;
  for (var k = first; k < end; k++) {
    let own = ownerStart[k] & OWN_COUNT;
    ownerStart[k] = total;
    total += own;
  }
  if (lane == OWNER_LANES - 1u) {
    ownerStart[count] = total;
    openPass(total, atomicLoad(&overlaps) != 0u);
  }
}

fn openPass(total: u32, overlap: bool) {
  if (control.isIdle != 0u) {
    groups = ContactGroups();
    return;
  }
  var next = control;
  if (contactStep.detection == FIRST_PASS) {
    next = ContactControl();
    next.number = contactStep.number;
    next.generation = contactStep.generation;
    next.haltedAt = control.haltedAt;
    next.keptCount = control.keptCount;
    next.isOpen = 1u;
    next.rounds = control.rounds;
    next.lastRounds = control.lastRounds;
    next.isDeep = control.isDeep;
    next.parts = control.parts;
    next.usedParts = control.usedParts;
    next.wantedParts = control.wantedParts;
    next.repeated = control.repeated;
  } else {
    // nobody looks again where nothing was touched
    let isNeeded = control.isOpen == 1u && control.count > contactStep.cableRecords && overlap;
    next.isOpen = u32(isNeeded && control.haltedAt == 0u);
  }
  let halts = next.haltedAt == 0u && control.isOpen == 1u && mostPairs[0] > contactStep.pairCapacity;
  if (contactStep.detection != FIRST_PASS && halts) {
    // whether there is need for the pass is not known
    next.haltedAt = contactStep.number;
    next.wantedPairs = mostPairs[0];
    next.isOpen = 0u;
  }
  if (contactStep.detection == PASS_CHECK) {
    if (next.isOpen == 1u) {
      next.wantedPasses = next.passes + 1u;
      next.haltedAt = contactStep.number;
    }
    control = next;
    return;
  }
  if (next.isOpen == 0u) {
    control = next;
    // what the last pass has found stays
    groups = ContactGroups();
    return;
  }
  next.passes += 1u;
  next.wanted = max(total, next.wanted);
  next.wantedPairs = mostPairs[0];
  if (next.haltedAt != 0u) {
    next.wanted = max(total, control.wanted);
    next.wantedValues = control.wantedValues;
    next.wantedPasses = control.wantedPasses;
  } else if (total > contactStep.capacity || mostPairs[0] > contactStep.pairCapacity) {
    next.haltedAt = contactStep.number;
  }
  let kept = select(total, 0u, next.haltedAt != 0u);
  next.count = kept;
  control = next;
  groups.contacts = vec3u((kept + 63u) / 64u, 1u, 1u);
}
