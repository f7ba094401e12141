#import "collision/proxies.wgsl"

// Motion and yielding of proxies of rigid bodies: twin of src/collision/obstacles/proxy-motion.ts, for the kernels of all solvers.

@group(0) @binding(14) var<storage, read> proxies: array<RigidProxy>;
@group(0) @binding(13) var<storage, read_write> proxyStates: array<ProxyState>;

struct ProxyPose {
  position: vec3f,
  rotation: vec4f,
}

// Quaternion of a small rotation vector φ: (φ/2, 1), normalised.
fn smallTurn(turn: vec3f) -> vec4f {
  return normalize(vec4f(0.5 * turn, 1.0));
}

fn multiplyTurns(a: vec4f, b: vec4f) -> vec4f {
  return vec4f(a.w * b.xyz + b.w * a.xyz + cross(a.xyz, b.xyz), a.w * b.w - dot(a.xyz, b.xyz));
}

// Centre of mass as it was planned, at a fraction of the frame.
fn centreAt(proxy: u32, fraction: f32) -> vec3f {
  return proxies[proxy].centre + fraction * proxies[proxy].frameTime * proxies[proxy].velocity;
}

// A pose that was planned, turned about the centre of mass and offset by what the proxy has yielded.
fn displaced(planned: ProxyPose, centre: vec3f, offset: vec3f, turn: vec3f) -> ProxyPose {
  let q = smallTurn(turn);
  let arm = planned.position - centre;
  let turned = arm + 2.0 * cross(q.xyz, cross(q.xyz, arm) + q.w * arm);
  return ProxyPose(centre + turned + offset, multiplyTurns(q, planned.rotation));
}

// The part of an impulse that a support does not take up: a support bears, and does not pull.
fn freeOf(support: vec3f, impulse: vec3f) -> vec3f {
  return impulse - max(0.0, dot(support, impulse)) * support;
}

// Ends a substep of h seconds: an impulse, and an angular one about the world's origin, change velocity and place of a proxy, and
// join what the host is to take.
fn yieldTo(i: u32, impulse: vec3f, angularImpulse: vec3f, fraction: f32, h: f32) {
  let proxy = &proxies[i];
  let centre = centreAt(i, fraction) + proxyStates[i].offset;
  let t = angularImpulse - cross(centre, impulse);
  proxyStates[i].impulse += impulse;
  proxyStates[i].angularImpulse += t;
  let velocity = proxy.inverseMass * (freeOf(proxy.support, impulse) - blockedOf(i) * impulse);
  let spin = inverseInertiaOf(i) * t;
  proxyStates[i].velocity += velocity;
  proxyStates[i].spin += spin;
  proxyStates[i].offset += h * velocity;
  proxyStates[i].turn += h * spin;
}

fn inverseInertiaOf(proxy: u32) -> mat3x3f {
  return symmetricOf(proxies[proxy].inverseInertiaDiagonal, proxies[proxy].inverseInertiaOffDiagonal);
}

fn blockedOf(proxy: u32) -> mat3x3f {
  return symmetricOf(proxies[proxy].blockedDiagonal, proxies[proxy].blockedOffDiagonal);
}

// d: xx, yy, zz; o: xy, xz, yz
fn symmetricOf(d: vec3f, o: vec3f) -> mat3x3f {
  return mat3x3f(vec3f(d.x, o.x, o.y), vec3f(o.x, d.y, o.z), vec3f(o.y, o.z, d.z));
}
