#import "collision/proxy-states.wgsl"
#import "local-global/contact/layout.wgsl"
#import "local-global/trust/layout.wgsl"

// Work of the contacts of a frame on rigid bodies: twin of `givenTo` in trust.ts. If a part s of the frame is left it is s × the first
// number plus s² × the second; the third is the mass, 0 where contacts move it not at all.

@group(0) @binding(0) var<storage, read> keptStates: array<ProxyState>;
@group(0) @binding(1) var<storage, read_write> proxyGiven: array<vec4f>;
@group(1) @binding(0) var<uniform> contactStep: ContactStep;

// x, y: linear and quadratic part
fn workOf(impulse: vec3f, change: vec3f, planned: vec3f, ended: vec3f, before: vec3f) -> vec2f {
  return vec2f(
    min(dot(impulse, planned + before), dot(impulse, ended + before)),
    0.5 * dot(impulse, change),
  );
}

@compute @workgroup_size(64)
fn findGiven(@builtin(global_invocation_id) id: vec3u) {
  let p = id.x;
  if (p >= contactStep.rigidCount) { return; }
  let proxy = &proxies[p];
  let now = &proxyStates[p];
  let before = &keptStates[p];
  let linear = workOf(
    now.impulse - before.impulse,
    now.velocity - before.velocity,
    proxy.velocity,
    proxy.endVelocity,
    before.velocity,
  );
  let angular = workOf(
    now.angularImpulse - before.angularImpulse,
    now.spin - before.spin,
    proxy.spin,
    proxy.endSpin,
    before.spin,
  );
  let isMoved = proxy.inverseMass > 0.0 && proxy.mobility > 0.0;
  let mass = select(0.0, proxy.mobility / proxy.inverseMass, isMoved);
  proxyGiven[p] = vec4f(linear + angular, mass, 0.0);
}

// After `halve` of hold.wgsl: what contacts of the held clusters did to rigid bodies is left in part.
@group(0) @binding(2) var<storage, read> proxyRoots: array<u32>;
@group(0) @binding(3) var<storage, read> accounts: array<BodyAccount>;

@compute @workgroup_size(64)
fn holdProxies(@builtin(global_invocation_id) id: vec3u) {
  let p = id.x;
  if (p >= contactStep.rigidCount) { return; }
  let before = &keptStates[p];
  for (var k = 1u; k <= proxyRoots[PROXY_ROOTS * p]; k++) {
    // all bodies of a held cluster know of it
    let body = proxyRoots[PROXY_ROOTS * p + k];
    if (accounts[body].verdict != VERDICT_WRONG) { continue; }
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
