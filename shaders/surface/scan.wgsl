#import "surface/layout.wgsl"

// Sums up a list of counts in place: entry k becomes the sum of those before it, and the last, one more than there are counts, that of
// all. One workgroup; each invocation has a stretch.

const scanLanes = 256u;

// Workgroups over the pairs, for indirect dispatches.
struct PairWorkgroups {
  count: u32,
  one: u32,
  alsoOne: u32,
}

@group(0) @binding(1) var<storage, read_write> counts: array<u32>;
@group(0) @binding(3) var<storage, read_write> pairWorkgroups: PairWorkgroups;
// most pairs that a search has found
@group(0) @binding(4) var<storage, read_write> mostPairs: array<u32>;

// whether what is counted are pairs
override countsPairs: bool = true;

var<workgroup> sums: array<u32, scanLanes>;

@compute @workgroup_size(256)
fn scan(@builtin(local_invocation_index) lane: u32) {
  let count = select(surface.particleCount, surface.vertexCount + surface.edgeCount, countsPairs);
  let stretch = (count + scanLanes - 1u) / scanLanes;
  let first = min(count, lane * stretch);
  let end = min(count, first + stretch);
  var sum = 0u;
  for (var k = first; k < end; k++) {
    sum += counts[k];
  }
  sums[lane] = sum;
  workgroupBarrier();
  for (var reach = 1u; reach < scanLanes; reach *= 2u) {
    var before = 0u;
    if (lane >= reach) {
      before = sums[lane - reach];
    }
    workgroupBarrier();
    sums[lane] += before;
    workgroupBarrier();
  }
  var total = sums[lane] - sum;
  for (var k = first; k < end; k++) {
    let own = counts[k];
    counts[k] = total;
    total += own;
  }
  if (lane == scanLanes - 1u) {
    counts[count] = total;
    if (countsPairs) {
      mostPairs[0] = max(mostPairs[0], total);
      pairWorkgroups = PairWorkgroups((min(total, surface.capacity) + 63u) / 64u, 1u, 1u);
    }
  }
}
