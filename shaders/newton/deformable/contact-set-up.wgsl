#import "math/tangent.wgsl"
#import "newton/deformable/contact-model.wgsl"

// Place of a contact at the start of a step, and its first impulses.

// Point of the body less a point in space, given in two words.
fn pointApart(contact: FemContact, point: vec3f, low: vec3f) -> vec3f {
  var apart = vec3f(0.0);
  for (var k = 0u; k < 3u; k++) {
    let node = contact.nodes[k];
    apart += contact.weights[k] * ((nodeStates[node].position - point) + (nodeStates[node].low - low));
  }
  return apart;
}

fn placeContact(c: u32, normal: vec3f, gap: f32, arm: vec3f) {
  let tangent = tangentOf(normal);
  var work: FemContactWork;
  work.directions = mat3x3f(normal, tangent, cross(normal, tangent));
  work.gap = gap;
  work.arm = arm;
  var impulse = vec3f(0.0);
  if (soft.warmStart == 1u) {
    if (soft.substep > 0u) {
      impulse = softImpulses[soft.newImpulses + c].xyz;
    } else if (contacts[c].previous != NO_CONTACT) {
      impulse = softImpulses[soft.oldImpulses + contacts[c].previous].xyz;
    }
  }
  let p = impulse * work.directions;
  work.anchor = p.yz;
  contactWorks[c] = work;
  for (var d = 0u; d < 3u; d++) {
    var row: FemContactRow;
    row.kind = d;
    row.impulse = select(p[d], max(0.0, p.x), d == 0u);
    row.friction = contacts[c].friction;
    contactRows[3u * c + d] = row;
  }
}
