#import "gpbd/step.wgsl"
#import "collision/proxy-states.wgsl"
#import "math/sine-cosine.wgsl"

// Particles that rigid bodies carry begin a substep where these have their places, and answer as they do: twin of predictCarried in
// carried.ts. Comes after predict.wgsl; what the elements move them by goes to the bodies in reaction.wgsl.

@group(0) @binding(0) var<storage, read> start: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> displacement: array<vec4f>;
// xyz: of what a body carries, from its centre of mass at the start of the frame, world axes [m]; w: −1 − its place in proxies
@group(0) @binding(3) var<storage, read> pins: array<vec4f>;
// see reaction.wgsl
@group(0) @binding(12) var<storage, read_write> reaction: array<vec4f>;

fn turned(q: vec4f, v: vec3f) -> vec3f {
  return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v);
}

@compute @workgroup_size(64)
fn carry(@builtin(global_invocation_id) id: vec3u) {
  let p = id.x;
  if (p >= step.particleCount) { return; }
  let pin = pins[p];
  if (pin.w >= 0.0) { return; }
  let owner = u32(-pin.w) - 1u;
  let proxy = &proxies[owner];
  let rate = length(proxy.spin);
  let half = sineCosine(0.5 * rate * step.fractionEnd * proxy.frameTime);
  let spun = turned(vec4f(proxy.spin * (half.x / max(rate, 1e-20)), half.y), pin.xyz);
  let arm = turned(smallTurn(proxyStates[owner].turn), spun);
  let place = centreAt(owner, step.fractionEnd) + proxyStates[owner].offset + arm;
  let trace = proxy.inverseInertiaDiagonal.x + proxy.inverseInertiaDiagonal.y + proxy.inverseInertiaDiagonal.z;
  let u = place - start[p].xyz;
  let turning = dot(arm, arm) * trace - dot(arm, inverseInertiaOf(owner) * arm);
  displacement[p] = vec4f(u, proxy.carried * (proxy.inverseMass + turning));
  reaction[p] = vec4f(u, pin.w);
}
