#import "local-global/contact/layout.wgsl"

// Contacts learn where their vertices are among the touched ones, and begin with the force that they had in the list before.

@group(0) @binding(0) var<storage, read_write> contacts: array<SoftContact>;
@group(0) @binding(1) var<storage, read> control: ContactControl;
@group(0) @binding(2) var<storage, read> vertices: array<vec2u>;
@group(0) @binding(3) var<storage, read> contactColumns: array<ContactColumn>;
// see keep-contacts.wgsl
@group(0) @binding(4) var<storage, read> ownerStart: array<u32>;
@group(1) @binding(0) var<uniform> contactStep: ContactStep;

@compute @workgroup_size(64)
fn recallContacts(@builtin(global_invocation_id) id: vec3u) {
  let n = id.x;
  if (n >= control.count) { return; }
  var slots = vec4u(NO_SLOT);
  for (var i = 0u; i < 4u; i++) {
    let v = contacts[n].vertices[i];
    if (v != NO_VERTEX) { slots[i] = contactColumns[vertices[v].x].end - 1u; }
  }
  contacts[n].slots = slots;
  if (contacts[n].kind != KIND_CONTACT) { return; }
  let known = ownerCount(contactStep) + 1u + contacts[n].owner;
  for (var k = ownerStart[known]; k < ownerStart[known + 1u]; k++) {
    let before = contacts[contactStep.capacity + k];
    if (before.other == contacts[n].other) { contacts[n].z = inFrame(contacts[n], outOfFrame(before, before.z)); }
  }
}
