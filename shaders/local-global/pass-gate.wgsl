#import "local-global/contact/layout.wgsl"
#import "local-global/trust/layout.wgsl"

// Workgroups of everything that is dispatched on a condition: none where it does not hold.

// the pass that is under way is needed
const GATE_PASS = 0u;
// so is the attempt at the frame
const GATE_ATTEMPT = 1u;
// a part of it is taken back
const GATE_HOLD = 2u;

struct GateCount {
  workgroups: u32,
  condition: u32,
}

@group(0) @binding(0) var<storage, read> gateCounts: array<GateCount>;
@group(0) @binding(1) var<storage, read_write> gateGroups: array<vec4u>;
@group(0) @binding(2) var<storage, read> control: ContactControl;
@group(0) @binding(3) var<storage, read> trust: FrameTrust;

@compute @workgroup_size(64)
fn openGate(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < arrayLength(&gateCounts)) {
    let isOpen = array<u32, 3>(
      control.isOpen * (1u - control.isIdle),
      1u - control.isIdle,
      trust.holds,
    );
    gateGroups[id.x] = vec4u(gateCounts[id.x].workgroups * isOpen[gateCounts[id.x].condition], 1u, 1u, 0u);
  }
}
