#import "surface/layout.wgsl"

// What the next search remembers of the pairs of a step: from which side their first primitives came.

@group(0) @binding(1) var<storage, read> pairStart: array<u32>;
@group(0) @binding(2) var<storage, read> pairs: array<SurfacePair>;
@group(0) @binding(3) var<storage, read_write> keptStart: array<u32>;
@group(0) @binding(4) var<storage, read_write> keptPairs: array<SurfacePair>;

@compute @workgroup_size(64)
fn keepPairStarts(@builtin(global_invocation_id) id: vec3u) {
  if (id.x <= surface.vertexCount + surface.edgeCount) {
    keptStart[id.x] = min(pairStart[id.x], surface.capacity);
  }
}

@compute @workgroup_size(64)
fn keepPairs(@builtin(global_invocation_id) id: vec3u) {
  let count = min(surface.capacity, pairStart[surface.vertexCount + surface.edgeCount]);
  if (id.x < count) {
    keptPairs[id.x].normal = pairs[id.x].normal;
    keptPairs[id.x].other = pairs[id.x].other;
  }
}
