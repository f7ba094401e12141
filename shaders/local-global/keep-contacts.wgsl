#import "local-global/layout.wgsl"
#import "local-global/contact-layout.wgsl"

// What the next step remembers of the contacts of this one, and whether there is a next step at all.
//
// Where a step finds more than there is room for, it halts: nothing that outlives a step changes, in this one and in all that are
// under way already, until the host has made room and encodes them again from there on.

@group(0) @binding(0) var<storage, read> control: ContactControl;
@group(0) @binding(1) var<storage, read_write> bodyStates: array<LocalGlobalBodyState>;
@group(0) @binding(2) var<storage, read> contacts: array<SoftContact>;
@group(0) @binding(3) var<storage, read> ownerStart: array<u32>;
@group(0) @binding(4) var<storage, read_write> keptStart: array<u32>;
@group(0) @binding(5) var<storage, read_write> keptForces: array<KeptForce>;
@group(1) @binding(0) var<uniform> contactStep: ContactStep;

// After detection: the bodies are told.
@compute @workgroup_size(64)
fn haltBodies(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < contactStep.bodyCount) {
    bodyStates[id.x].isHalted = u32(control.haltedAt != 0u);
  }
}

@compute @workgroup_size(64)
fn keepStarts(@builtin(global_invocation_id) id: vec3u) {
  let owners = contactStep.vertexOwners + contactStep.faceOwners + contactStep.surfaceOwners;
  if (control.haltedAt == 0u && id.x <= owners) {
    keptStart[id.x] = ownerStart[id.x];
  }
}

@compute @workgroup_size(64)
fn keepForces(@builtin(global_invocation_id) id: vec3u) {
  if (control.haltedAt == 0u && id.x < control.count) {
    let c = contacts[id.x];
    keptForces[id.x] = KeptForce(outOfFrame(c, c.z), c.other);
  }
}
