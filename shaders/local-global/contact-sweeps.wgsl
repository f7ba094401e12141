#import "local-global/contact-rows.wgsl"

// Contact by contact, in turn: twin of contact-sweeps.ts. One lane solves a contact, all lanes carry on what that moves.

// what a row has more of z, in its frame
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
  var next = vec3f(0.0);
  if (contacts[n].kind == KIND_CONTACT) {
    next = solveContact(n);
  } else {
    next = solveCable(n);
  }
  if (all(next == z)) {
    return false;
  }
  contacts[n].z = next;
  push = next - z;
  let proxy = contacts[n].proxy;
  if (proxy != 0u) {
    let k = contactStep.bodyCount + proxy - 1u;
    let force = outOfFrame(contacts[n], push);
    setNode(k, nodes[k].force - force, nodes[k].moment - cross(contacts[n].point - nodes[k].centre, force));
  }
  for (var m = n; m < n + recordsOf(n); m++) {
    let force = outOfFrame(contacts[m], push);
    for (var i = 0u; i < 4u; i++) {
      let slot = contacts[m].slots[i];
      if (slot != NO_SLOT) {
        let body = touched[slot].body;
        let moment = cross(touched[slot].arms, contacts[m].weights[i] * force);
        setNode(body, vec3f(0.0), nodes[body].moment + moment);
      }
    }
  }
  return true;
}

fn solveContact(n: u32) -> vec3f {
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
  return vec3f(normal, sliding);
}

fn carryOn(lane: u32, n: u32) {
  for (var m = n; m < n + recordsOf(n); m++) {
    let force = outOfFrame(contacts[m], push);
    for (var i = 0u; i < 4u; i++) {
      let slot = contacts[m].slots[i];
      if (slot == NO_SLOT) {
        continue;
      }
      let body = touched[slot].body;
      let first = nodes[body].first;
      let count = nodes[body].count;
      let at = nodes[body].entries + (slot - first) * count;
      for (var j = lane; j < count; j += LANES) {
        touched[first + j].moved += contacts[m].weights[i] * delassus[at + j] * force;
      }
    }
  }
}
