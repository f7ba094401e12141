#import "local-global/contact/layout.wgsl"

// Workgroups of everything that a later pass dispatches: none where there is no need for the pass.

// how many they are
@group(0) @binding(0) var<storage, read> gateCounts: array<u32>;
@group(0) @binding(1) var<storage, read_write> gateGroups: array<vec4u>;
@group(0) @binding(2) var<storage, read> control: ContactControl;

@compute @workgroup_size(64)
fn openGate(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < arrayLength(&gateCounts)) {
    gateGroups[id.x] = vec4u(gateCounts[id.x] * control.isOpen, 1u, 1u, 0u);
  }
}
