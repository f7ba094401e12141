#import "local-global/contact-rows.wgsl"

// Contact by contact, in turn: twin of contact-sweeps.ts. One lane solves a contact, all lanes carry on what that moves.

var<workgroup> push: vec3f;
var<workgroup> pushes: u32;

// Moves z by sweeps, there and back in turn; `moved` is to be what z moves.
fn sweepContacts(lane: u32, count: u32, sweeps: u32) {
  for (var sweep = 0u; sweep < sweeps; sweep++) {
    for (var k = 0u; k < count; k++) {
      let n = select(count - 1u - k, k, (sweep & 1u) == 0u);
      if (lane == 0u) {
        pushes = u32(solveOne(n));
      }
      if (workgroupUniformLoad(&pushes) == 1u) {
        carryOn(lane, n);
        storageBarrier();
      }
    }
  }
}

fn solveOne(n: u32) -> bool {
  let z = contacts[n].z;
  let delta = works[n].free + inFrame(contacts[n], relativeMotion(n));
  let w = works[n].diagonal;
  let normal = max(0.0, z.x - delta.x / w.x);
  // The rows of a contact hardly couple, but where they do a common step of both tangents must not overshoot.
  var sliding = z.yz - delta.yz / (w.y + w.z);
  let size = length(sliding);
  let limit = contacts[n].friction * normal;
  if (size > limit) {
    sliding *= limit / size;
  }
  let next = vec3f(normal, sliding);
  if (all(next == z)) {
    return false;
  }
  contacts[n].z = next;
  push = outOfFrame(contacts[n], next - z);
  let proxy = contacts[n].proxy;
  if (proxy != 0u) {
    let k = contactStep.bodyCount + proxy - 1u;
    setNode(k, nodes[k].force - push, nodes[k].moment - cross(contacts[n].point - nodes[k].centre, push));
  }
  for (var i = 0u; i < 4u; i++) {
    let slot = contacts[n].slots[i];
    if (slot != NO_SLOT) {
      let body = touched[slot].body;
      let force = contacts[n].weights[i] * push;
      setNode(body, vec3f(0.0), nodes[body].moment + cross(touched[slot].arms, force));
    }
  }
  return true;
}

fn carryOn(lane: u32, n: u32) {
  for (var i = 0u; i < 4u; i++) {
    let slot = contacts[n].slots[i];
    if (slot == NO_SLOT) {
      continue;
    }
    let body = touched[slot].body;
    let first = nodes[body].first;
    let count = nodes[body].count;
    let at = nodes[body].entries + (slot - first) * count;
    for (var j = lane; j < count; j += LANES) {
      touched[first + j].moved += contacts[n].weights[i] * delassus[at + j] * push;
    }
  }
}
