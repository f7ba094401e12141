#import "surface/layout.wgsl"

// Which pairs each particle is in: compressed rows, filled in any order and then sorted, so that sums over them are the same always.

@group(0) @binding(1) var<storage, read> ownerStart: array<u32>;
@group(0) @binding(2) var<storage, read> pairs: array<SurfacePair>;
// counts, then where each particle's row begins
@group(0) @binding(3) var<storage, read_write> rowStart: array<atomic<u32>>;
@group(0) @binding(4) var<storage, read_write> rowFill: array<atomic<u32>>;
// 4 × pair + corner
@group(0) @binding(5) var<storage, read_write> rowEntries: array<u32>;

fn pairCount() -> u32 {
  return min(surface.capacity, ownerStart[surface.vertexCount + surface.edgeCount]);
}

@compute @workgroup_size(64)
fn clearRows(@builtin(global_invocation_id) id: vec3u) {
  if (id.x > surface.particleCount) {
    return;
  }
  atomicStore(&rowStart[id.x], 0u);
  atomicStore(&rowFill[id.x], 0u);
}

fn countRow(j: u32) {
  let v = pairs[j].vertices;
  for (var k = 0u; k < 4u; k++) {
    atomicAdd(&rowStart[v[k]], 1u);
  }
}

@compute @workgroup_size(64)
fn countRows(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  for (var j = id.x; j < pairCount(); j += 64u * groups.x) {
    countRow(j);
  }
}

fn fillRow(j: u32) {
  let v = pairs[j].vertices;
  for (var k = 0u; k < 4u; k++) {
    let at = atomicLoad(&rowStart[v[k]]) + atomicAdd(&rowFill[v[k]], 1u);
    rowEntries[at] = 4u * j + k;
  }
}

@compute @workgroup_size(64)
fn fillRows(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  for (var j = id.x; j < pairCount(); j += 64u * groups.x) {
    fillRow(j);
  }
}

@compute @workgroup_size(64)
fn sortRows(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= surface.particleCount) {
    return;
  }
  let first = atomicLoad(&rowStart[id.x]);
  let end = atomicLoad(&rowStart[id.x + 1u]);
  for (var i = first + 1u; i < end; i++) {
    let entry = rowEntries[i];
    var k = i;
    while (k > first && rowEntries[k - 1u] > entry) {
      rowEntries[k] = rowEntries[k - 1u];
      k--;
    }
    rowEntries[k] = entry;
  }
}
