#import "gpbd/step.wgsl"
#import "collision/bindings.wgsl"
#import "collision/proxy-states.wgsl"

// Puts the primitives of proxies where they are at the start and at the end of the substep: twin of moveProxies in
// src/collision/obstacles/proxy-motion.ts. One workgroup, so that all primitives are placed before any proxy has moved on.

// one more than particles: the last tells how far obstacles have yielded in this substep [m]
@group(0) @binding(2) var<storage, read_write> clearance: array<f32>;
@group(0) @binding(4) var<storage, read_write> movedColliders: array<ColliderPrimitive>;

// Of bodies that are stepped side by side only the last lets the proxies move on.
override advances: bool = true;

const lanes = 64u;
var<workgroup> farthest: array<f32, lanes>;

struct Placed {
  position: vec3f,
  rotation: vec4f,
  // how far the displacement takes any point of the primitive [m]
  moved: f32,
}

fn place(k: u32, proxy: u32, offset: vec3f, turn: vec3f, fraction: f32) -> Placed {
  let collider = &movedColliders[k];
  let position = mix(collider.startPosition, collider.endPosition, fraction);
  let rotation = normalize(mix(collider.startRotation, collider.endRotation, fraction));
  let centre = centreAt(proxy, fraction);
  let pose = displaced(ProxyPose(position, rotation), centre, offset, turn);
  let radius = length(max(centre - collider.boundsMin, collider.boundsMax - centre));
  return Placed(pose.position, pose.rotation, length(offset) + length(turn) * radius);
}

// Change of a proxy's velocity in this substep by other than contact [m/s].
fn givenBy(proxy: u32, first: bool) -> vec3f {
  return step.h * proxies[proxy].acceleration + select(vec3f(0.0), proxies[proxy].drift, first);
}

fn spinGivenBy(proxy: u32, first: bool) -> vec3f {
  return step.h * proxies[proxy].spinAcceleration + select(vec3f(0.0), proxies[proxy].spinDrift, first);
}

@compute @workgroup_size(64)
fn moveProxies(@builtin(local_invocation_index) lane: u32) {
  let proxyCount = arrayLength(&proxyStates);
  let first = step.fractionStart == 0.0;
  var most = 0.0;
  for (var k = lane; k < step.colliderCount; k += lanes) {
    let owner = movedColliders[k].proxy;
    if (owner == 0u) { continue; }
    let p = owner - 1u;
    let proxy = &proxies[p];
    let state = &proxyStates[p];
    // A body begins its frame where the proxy was when the frame began.
    let offset = select(state.offset, state.baseOffset, first);
    let turn = select(state.turn, state.baseTurn, first);
    let velocity = state.velocity + givenBy(p, first);
    let spin = state.spin + spinGivenBy(p, first);
    let start = place(k, p, offset, turn, step.fractionStart);
    let end = place(k, p, offset + step.h * velocity, turn + step.h * spin, step.fractionEnd);
    movedColliders[k].substepStartPosition = start.position;
    movedColliders[k].substepStartRotation = start.rotation;
    movedColliders[k].substepEndPosition = end.position;
    movedColliders[k].substepEndRotation = end.rotation;
    movedColliders[k].slack = max(start.moved, end.moved);
    let contacts = max(1.0, state.contacts);
    movedColliders[k].centre = centreAt(p, step.fractionEnd) + offset + step.h * velocity;
    movedColliders[k].inverseMass = contacts * proxy.inverseMass;
    movedColliders[k].support = proxy.support;
    movedColliders[k].blockedDiagonal = proxy.blockedDiagonal;
    movedColliders[k].blockedOffDiagonal = proxy.blockedOffDiagonal;
    movedColliders[k].inertiaDiagonal = contacts * proxy.inverseInertiaDiagonal;
    movedColliders[k].inertiaOffDiagonal = contacts * proxy.inverseInertiaOffDiagonal;
    if (all(movedColliders[k].boundsMin <= movedColliders[k].boundsMax)) {
      let radius = length(max(proxy.centre - movedColliders[k].boundsMin, movedColliders[k].boundsMax - proxy.centre));
      let jump = select(0.0, max(start.moved, end.moved), first);
      most = max(most, jump + step.h * (length(velocity) + length(spin) * (radius + end.moved)));
    }
  }
  farthest[lane] = most;
  for (var half = lanes / 2u; half > 0u; half /= 2u) {
    workgroupBarrier();
    if (lane < half) { farthest[lane] = max(farthest[lane], farthest[lane + half]); }
  }
  if (lane == 0u) { clearance[step.particleCount] = farthest[0]; }
  if (!advances) { return; }
  storageBarrier();
  for (var i = lane; i < proxyCount; i += lanes) {
    let offset = select(proxyStates[i].offset, proxyStates[i].baseOffset, first);
    let turn = select(proxyStates[i].turn, proxyStates[i].baseTurn, first);
    let velocity = proxyStates[i].velocity + givenBy(i, first);
    proxyStates[i].offset = offset + step.h * velocity;
    let spin = proxyStates[i].spin + spinGivenBy(i, first);
    proxyStates[i].turn = turn + step.h * spin;
    // It is in the velocity of who moves the body: what is left is what contacts have given.
    let all = proxies[i].drift + proxies[i].frameTime * proxies[i].acceleration;
    let allSpin = proxies[i].spinDrift + proxies[i].frameTime * proxies[i].spinAcceleration;
    proxyStates[i].velocity = velocity - select(vec3f(0.0), all, step.fractionEnd == 1.0);
    proxyStates[i].spin = spin - select(vec3f(0.0), allSpin, step.fractionEnd == 1.0);
  }
}
