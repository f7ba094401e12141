#import "local-global/contact-layout.wgsl"

// Where the contacts of each owner begin. One workgroup; each invocation has a stretch.

const OWNER_LANES = 256u;

@group(0) @binding(0) var<storage, read_write> ownerStart: array<u32>;
@group(0) @binding(1) var<storage, read_write> control: ContactControl;
@group(0) @binding(2) var<storage, read_write> groups: ContactGroups;
// see surface/scan.wgsl
@group(0) @binding(3) var<storage, read> mostPairs: array<u32>;
@group(1) @binding(0) var<uniform> contactStep: ContactStep;

var<workgroup> ownerSums: array<u32, OWNER_LANES>;

@compute @workgroup_size(OWNER_LANES)
fn scanOwners(@builtin(local_invocation_index) lane: u32) {
  let count = contactStep.vertexOwners + contactStep.faceOwners + contactStep.surfaceOwners;
  let stretch = (count + OWNER_LANES - 1u) / OWNER_LANES;
  let first = min(count, lane * stretch);
  let end = min(count, first + stretch);
  var sum = 0u;
  for (var k = first; k < end; k++) {
    sum += ownerStart[k];
  }
  ownerSums[lane] = sum;
  workgroupBarrier();
  for (var reach = 1u; reach < OWNER_LANES; reach *= 2u) {
    var before = 0u;
    if (lane >= reach) {
      before = ownerSums[lane - reach];
    }
    workgroupBarrier();
    ownerSums[lane] += before;
    workgroupBarrier();
  }
  // those of cables come first
  var total = contactStep.cableRecords + ownerSums[lane] - sum;
  for (var k = first; k < end; k++) {
    let own = ownerStart[k];
    ownerStart[k] = total;
    total += own;
  }
  if (lane == OWNER_LANES - 1u) {
    ownerStart[count] = total;
    var next = ContactControl();
    next.number = contactStep.number;
    next.generation = contactStep.generation;
    next.wanted = total;
    next.wantedPairs = mostPairs[0];
    next.haltedAt = control.haltedAt;
    if (next.haltedAt != 0u) {
      next.wanted = max(total, control.wanted);
      next.wantedValues = control.wantedValues;
    } else if (total > contactStep.capacity || mostPairs[0] > contactStep.pairCapacity) {
      next.haltedAt = contactStep.number;
    }
    let kept = select(total, 0u, next.haltedAt != 0u);
    next.count = kept;
    control = next;
    groups.contacts = vec3u((kept + 63u) / 64u, 1u, 1u);
  }
}
