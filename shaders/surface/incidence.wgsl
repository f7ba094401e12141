#import "surface/search.wgsl"

// Which pairs each particle is in: rows, sorted so that sums over them are the same always; and how far it may go.

@group(0) @binding(1) var<storage, read> surfaceStart: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> nearest: array<atomic<u32>>;
@group(0) @binding(3) var<storage, read_write> pairs: array<FoundPair>;
// of each particle where its entries begin and end here, then all entries: 4 × pair + corner
@group(0) @binding(4) var<storage, read_write> rows: array<u32>;
// see bounds.wgsl
@group(0) @binding(6) var<storage, read_write> gone: array<vec4f>;
// most pairs that a search has found, and those of the last one
@group(0) @binding(7) var<storage, read_write> mostPairs: array<u32>;
@group(0) @binding(8) var<storage, read_write> pairWorkgroups: PairWorkgroups;

// Workgroups over the pairs, for indirect dispatches.
struct PairWorkgroups {
  count: u32,
  one: u32,
  alsoOne: u32,
}

fn tally(found: u32) {
  mostPairs[0] = max(mostPairs[0], found);
  mostPairs[1] = found;
  pairWorkgroups = PairWorkgroups((min(found, surface.capacity) + 63u) / 64u, 1u, 1u);
}

// For pairs that are in no rows.
@compute @workgroup_size(1)
fn tallyPairs() {
  tally(atomicLoad(&nearest[foundAt()]));
}

@compute @workgroup_size(64)
fn fillRows(@builtin(global_invocation_id) id: vec3u) {
  let p = id.x;
  let found = atomicLoad(&nearest[foundAt()]);
  if (p == 0u) {
    tally(found);
  }
  if (p >= surface.particleCount) {
    return;
  }
  let last = atomicLoad(&nearest[lastOf(p)]);
  var count = 0u;
  for (var at = last; at > 0u; count++) {
    at = pairs[(at - 1u) >> 2u].next[(at - 1u) & 3u];
  }
  let first = 2u * surface.particleCount + atomicAdd(&nearest[rowsAt()], count);
  let end = first + count;
  rows[2u * p] = first;
  rows[2u * p + 1u] = end;
  // From the last on, which mostly comes last.
  var begin = end;
  for (var at = last; at > 0u; begin--) {
    let entry = at - 1u;
    var k = begin;
    while (k < end && rows[k] < entry) {
      rows[k - 1u] = rows[k];
      k++;
    }
    rows[k - 1u] = entry;
    at = pairs[entry >> 2u].next[entry & 3u];
    // It becomes a weight.
    pairs[entry >> 2u].next[entry & 3u] = 0u;
  }
  // If some pairs had no room, none counts: every vertex keeps to its share of the least distance instead.
  let reach = surfaceStart[p].w;
  let share = bitcast<f32>(atomicLoad(&nearest[p]));
  gone[p] = vec4f(0.0, 0.0, 0.0, select(reach, min(reach, share), found > surface.capacity));
}
