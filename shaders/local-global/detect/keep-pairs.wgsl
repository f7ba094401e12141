#import "surface/search.wgsl"
#import "local-global/contact/layout.wgsl"

// Keeps the pairs of a step for the next search: the side from which their first primitives came.

@group(0) @binding(1) var<storage, read> ownerPairs: array<vec2u>;
@group(0) @binding(2) var<storage, read> pairs: array<SurfacePair>;
@group(0) @binding(3) var<storage, read_write> oldOwnerPairs: array<vec2u>;
@group(0) @binding(4) var<storage, read_write> keptPairs: array<SurfacePair>;
// see keep-contacts.wgsl
@group(0) @binding(5) var<storage, read> control: ContactControl;
// see search.wgsl
@group(0) @binding(6) var<storage, read> nearest: array<u32>;

@compute @workgroup_size(64)
fn keepOwnerPairs(@builtin(global_invocation_id) id: vec3u) {
  if (control.haltedAt == 0u && control.isIdle == 0u && id.x < surface.vertexCount + surface.edgeCount) {
    oldOwnerPairs[id.x] = ownerPairs[id.x];
  }
}

@compute @workgroup_size(64)
fn keepPairs(@builtin(global_invocation_id) id: vec3u) {
  if (control.haltedAt == 0u && control.isIdle == 0u && id.x < nearest[foundAt()]) {
    keptPairs[id.x].normal = pairs[id.x].normal;
    keptPairs[id.x].other = pairs[id.x].other;
  }
}
