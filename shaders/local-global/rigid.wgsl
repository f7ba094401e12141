#import "collision/collider.wgsl"
#import "collision/proxy-states.wgsl"
#import "local-global/contact/layout.wgsl"

// Rigid bodies in the contact problem: where they are in a substep, their M⁻¹, and what contact gives them. Twin of moveProxies and
// yieldProxies in src/collision/obstacles/proxy-motion.ts and of `returnForces` in group.ts.

@group(0) @binding(0) var<storage, read> contacts: array<SoftContact>;
@group(0) @binding(1) var<storage, read_write> nodes: array<ContactNode>;
@group(0) @binding(2) var<storage, read> incidence: array<u32>;
@group(0) @binding(3) var<storage, read> control: ContactControl;
@group(0) @binding(4) var<storage, read_write> movedColliders: array<ColliderPrimitive>;
@group(1) @binding(0) var<uniform> contactStep: ContactStep;

const RIGID_LANES = 64u;

// A body begins its frame where the proxy was when the frame began.
fn offsetNow(i: u32) -> vec3f {
  return select(proxyStates[i].offset, proxyStates[i].baseOffset, contactStep.fraction0 == 0.0);
}

fn turnNow(i: u32) -> vec3f {
  return select(proxyStates[i].turn, proxyStates[i].baseTurn, contactStep.fraction0 == 0.0);
}

@compute @workgroup_size(RIGID_LANES)
fn placeRigid(@builtin(global_invocation_id) id: vec3u) {
  let k = id.x;
  if (k >= contactStep.colliderCount || movedColliders[k].proxy == 0u) { return; }
  let i = movedColliders[k].proxy - 1u;
  let h = contactStep.stepTime;
  let offset = offsetNow(i);
  let turn = turnNow(i);
  let ends = array<vec3f, 4>(offset, turn, offset + h * proxyStates[i].velocity, turn + h * proxyStates[i].spin);
  var slack = 0.0;
  for (var end = 0u; end < 2u; end++) {
    let fraction = select(contactStep.fraction0, contactStep.fraction1, end == 1u);
    let centre = centreAt(i, fraction);
    let planned = ProxyPose(
      mix(movedColliders[k].startPosition, movedColliders[k].endPosition, fraction),
      normalize(mix(movedColliders[k].startRotation, movedColliders[k].endRotation, fraction)),
    );
    let pose = displaced(planned, centre, ends[2u * end], ends[2u * end + 1u]);
    // how far that takes any point of the primitive out of its box
    let radius = length(max(centre - movedColliders[k].boundsMin, movedColliders[k].boundsMax - centre));
    slack = max(slack, length(ends[2u * end]) + length(ends[2u * end + 1u]) * radius);
    if (end == 0u) {
      movedColliders[k].substepStartPosition = pose.position;
      movedColliders[k].substepStartRotation = pose.rotation;
    } else {
      movedColliders[k].substepEndPosition = pose.position;
      movedColliders[k].substepEndRotation = pose.rotation;
    }
  }
  movedColliders[k].slack = slack;
}

// After that: where proxies will be joins the nodes.
@compute @workgroup_size(RIGID_LANES)
fn moveRigid(@builtin(global_invocation_id) id: vec3u) {
  let i = id.x;
  if (i >= contactStep.rigidCount) { return; }
  let offset = offsetNow(i) + contactStep.stepTime * proxyStates[i].velocity;
  let k = contactStep.bodyCount + i;
  nodes[k].centre = centreAt(i, contactStep.fraction1) + offset;
  nodes[k].inverseMass = proxies[i].inverseMass;
  nodes[k].support = proxies[i].support;
  nodes[k].blocked = blockedOf(i);
  nodes[k].turn = inverseInertiaOf(i);
}

var<workgroup> impulses: array<vec3f, RIGID_LANES>;
var<workgroup> angularImpulses: array<vec3f, RIGID_LANES>;

// After the last iteration: proxies have gone on, if the step has not halted, and get the impulses h λ = z/h of the contacts. A
// workgroup has a rigid body.
@compute @workgroup_size(RIGID_LANES)
fn yieldRigid(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let k = contactStep.bodyCount + group.x;
  var impulse = vec3f(0.0);
  var angularImpulse = vec3f(0.0);
  for (var e = nodes[k].first + lane; e < nodes[k].first + nodes[k].count; e += RIGID_LANES) {
    let n = incidence[e];
    let j = -outOfFrame(contacts[n], contacts[n].z) / contactStep.stepTime;
    impulse += j;
    angularImpulse += cross(contacts[n].point, j);
  }
  impulses[lane] = impulse;
  angularImpulses[lane] = angularImpulse;
  for (var half = RIGID_LANES / 2u; half > 0u; half /= 2u) {
    workgroupBarrier();
    if (lane < half) {
      impulses[lane] += impulses[lane + half];
      angularImpulses[lane] += angularImpulses[lane + half];
    }
  }
  if (lane == 0u && control.haltedAt == 0u && control.isIdle == 0u) {
    proxyStates[group.x].offset = offsetNow(group.x) + contactStep.stepTime * proxyStates[group.x].velocity;
    proxyStates[group.x].turn = turnNow(group.x) + contactStep.stepTime * proxyStates[group.x].spin;
    yieldTo(group.x, impulses[0], angularImpulses[0], contactStep.fraction1, contactStep.stepTime);
  }
}
