#import "collision/proxy-states.wgsl"
#import "local-global/contact/layout.wgsl"
#import "local-global/trust/layout.wgsl"

// Energy that rigid bodies gained by contact in the frame: twin of `givenTo` in trust.ts. If a part s of the frame is left it is
// s × the first number plus s² × the second; the third is the mass, 0 where contacts move it not at all.

@group(0) @binding(0) var<storage, read> keptStates: array<ProxyState>;
@group(0) @binding(1) var<storage, read_write> proxyGiven: array<vec4f>;
@group(1) @binding(0) var<uniform> contactStep: ContactStep;

// x, y: linear and quadratic part
fn gainOf(change: vec3f, momentum: vec3f, planned: vec3f, ended: vec3f, before: vec3f) -> vec2f {
  return vec2f(
    min(dot(momentum, planned + before), dot(momentum, ended + before)),
    0.5 * dot(momentum, change),
  );
}

@compute @workgroup_size(64)
fn findGiven(@builtin(global_invocation_id) id: vec3u) {
  let p = id.x;
  if (p >= contactStep.rigidCount) {
    return;
  }
  let proxy = proxies[p];
  proxyGiven[p] = vec4f(0.0);
  if (!(proxy.inverseMass > 0.0 && proxy.mobility > 0.0)) {
    return;
  }
  let mass = proxy.mobility / proxy.inverseMass;
  let now = proxyStates[p];
  let before = keptStates[p];
  let moved = now.velocity - before.velocity;
  let turned = now.spin - before.spin;
  var gain = gainOf(moved, mass * moved, proxy.velocity, proxy.endVelocity, before.velocity);
  let inverse = inverseInertiaOf(proxy);
  let volume = determinant(inverse);
  if (volume > 0.0 && proxy.turning > 0.0) {
    // columns of the adjugate of a symmetric matrix
    let x = cross(inverse[1], inverse[2]);
    let y = cross(inverse[2], inverse[0]);
    let z = cross(inverse[0], inverse[1]);
    let momentum = (proxy.turning / volume) * vec3f(dot(x, turned), dot(y, turned), dot(z, turned));
    gain += gainOf(turned, momentum, proxy.spin, proxy.endSpin, before.spin);
  }
  proxyGiven[p] = vec4f(gain, mass, 0.0);
}

// After `halve` of hold.wgsl: what contacts of the held clusters did to rigid bodies is left in part.
@group(0) @binding(2) var<storage, read> proxyRoots: array<u32>;
@group(0) @binding(3) var<storage, read> accounts: array<BodyAccount>;

@compute @workgroup_size(64)
fn holdProxies(@builtin(global_invocation_id) id: vec3u) {
  let p = id.x;
  if (p >= contactStep.rigidCount) {
    return;
  }
  let before = keptStates[p];
  for (var k = 1u; k <= proxyRoots[PROXY_ROOTS * p]; k++) {
    // all bodies of a held cluster know of it
    let body = proxyRoots[PROXY_ROOTS * p + k];
    if (accounts[body].verdict != VERDICT_WRONG) {
      continue;
    }
    let share = accounts[body].share;
    var to = proxyStates[p];
    to.impulse = mix(before.impulse, to.impulse, share);
    to.angularImpulse = mix(before.angularImpulse, to.angularImpulse, share);
    to.velocity = mix(before.velocity, to.velocity, share);
    to.spin = mix(before.spin, to.spin, share);
    to.offset = mix(before.offset, to.offset, share);
    to.turn = mix(before.turn, to.turn, share);
    proxyStates[p] = to;
  }
}
